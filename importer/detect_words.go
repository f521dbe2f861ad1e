package importer

// headerTable says what columns are called: the language, the role and the names, the likeliest first. Names are in the
// form that plainHeader gives them. Where a name is used in several languages it stands in each. The languages of the
// first column that are written with one's own characters are matched by parts of the header, the others by whole words.
const headerTable = `
en date: date; transaction date; trade date; tradedate; execution date; trans date; booking date; completed date; date completed; booked; booked on; date posted; posted date; post date; posting date; process date; processed date; entry date; operation date; transaction datetime; date time; datetime; booking; created on; created at; time; timestamp
en other date: value date; value; started date; date started; settlement date; effective date; authorized date; due date; message date; card date; purchase date
en amount: amount; transaction amount; billing amount; amount in account currency; settlement amount; booking amount; booked amount; net amount; value amount; net; paid amount; sum; total amount; total; cost; amt
en debit: debit; debit amount; funds out; debits; withdrawal; withdrawals; withdrawal amount; withdrawal amt; paid out; money out; out; outflow; spent; expense; expenses; payment amount; debit value; charges; withdrawn; outgoing
en credit: credit; credit amount; funds in; credits; deposit; deposits; deposit amount; deposit amt; paid in; money in; in; inflow; received; income; credit value; deposited; incoming; lodgement
en balance: balance; running balance; account balance; closing balance; available balance; balance after; balance after transaction; saldo; running bal; ledger balance; remaining balance; new balance; current balance; available
en other amount: original amount; foreign amount; amount original; fx amount; local amount; source amount; transfer amount; fee; fees; fee amount; tax; vat; gst; exchange rate; rate; fx rate; conversion rate; gross; gross amount; cash back; cashback; tip; interest rate; foreign currency amount; original currency amount; amount details; instructed amount; commission; exchange fee; amount foreign; sales tax
en currency: currency; currency code; ccy; curr; cur; account currency; transaction currency; billing currency; iso currency code; amount currency; booking currency; settlement currency
en other currency: original currency; foreign currency; balance currency; local currency; fee currency; transfer amount currency; source currency; target currency; unofficial currency code; instructed currency
en payee: payee; merchant; merchant name; counterparty; counterparty name; payee name; partner name; name; beneficiary; recipient; payer payee; payer; counter party; other party; sender recipient; to from; from to; company; contact; vendor; beneficiary name; appears on your statement as; name description
en text: description; transaction description; details; transaction details; booking text; narrative; particulars; text; desc; title; label; narration; what; transaction; transaction text; description 1; item; info; original description; extended details; bank description; transaction name
en notes: notes; note; memo; message; comment; comments; reference; payment reference; purpose; payment purpose; subject; remarks; remittance information; additional info; additional information; additional description; description 2; transaction reference; notes purpose; transaction notes
en category: category; transaction category; spending category; class
en tags: tags; tag; labels
en account: account; account name; account nickname; source account; own account
en direction: debit credit; credit debit; debit credit indicator; credit debit indicator; dr cr; cr dr; d c; c d; drcr; crdr; cd; direction; transaction type; type; sign; in out; entry type; dc; credit or debit; debit or credit; debit credit type; indicator; amount type; flow; movement type; deb cred; cred deb; debit kredit; kredit debit; d k; k d; debitor kreditor; dr or cr; cr or dr; debit or credit indicator; type of transaction; creditdebet; debetcredit; debitcredit; creditdebit
en status: status; state; transaction status; transaction state; booking status; payment status
en qty: quantity; qty; shares; units; no of shares; number of shares; number of units; volume
en price: price; share price; unit price; price per share; price per unit; rate per share; execution price; trade price; tradeprice; asset price
en ticker: ticker; symbol; ticker symbol; instrument; isin; stock symbol; security
en mic: exchange; mic; exchange mic; market
de date: buchungstag; buchungsdatum; datum; buchung; transaktionsdatum; umsatzdatum; belegdatum; kaufdatum; datum buchung; gebucht am; umsatztag; buchungs datum; abschlussdatum; datum uhrzeit; tag
de other date: valuta; wertstellung; valutadatum; wertstellungsdatum; wertstellungstag; valuta datum; wert; wertdatum; ausfuhrungsdatum
de amount: betrag; umsatz; betrag in eur; betrag eur; buchungsbetrag; umsatz in eur; summe; transaktionsbetrag; gesamtbetrag; zahlungsbetrag; wert in eur; netto
de debit: soll; belastung; lastschrift; ausgabe; ausgaben; ausgang; belastungen; abgang; auszahlung; belastung in chf; auszahlungen
de credit: haben; gutschrift; einnahme; einnahmen; eingang; gutschriften; zugang; einzahlung; einzahlungen; gutschrift in chf
de balance: saldo; kontostand; saldo nach buchung; neuer saldo; laufender saldo; guthaben; endsaldo; saldo nach umsatz
de other amount: ursprungsbetrag; lastschrift ursprungsbetrag; originalbetrag; fremdwahrungsbetrag; betrag fremdwahrung; auslagenersatz rucklastschrift; auslagenersatz ruecklastschrift; gebuhr; gebuehr; gebuhren; kurs; wechselkurs; umrechnungskurs; steuer; betrag in fremdwahrung; entgelt; brutto; einzelbetrag; betrag detail; original betrag; zinsen
de currency: wahrung; waehrung; kontowahrung; buchungswahrung; wahrung des kontos
de other currency: originalwahrung; fremdwahrung; ursprungswahrung; original wahrung
de payee: empfanger; auftraggeber; beguenstigter zahlungspflichtiger; begunstigter zahlungspflichtiger; auftraggeber empfanger; auftraggeber begunstigter; name zahlungsbeteiligter; zahlungsempfanger; zahlungsempfanger in; zahlungspflichtige r; zahlungspflichtiger; auftraggeber zahlungsempfanger; empfanger zahlungspflichtiger; empfanger name; name; begunstigter; gegenpartei; handler; partnername; zahler; kontoinhaber gegenkonto; name auftraggeber; handelsname; auftraggeber in; begunstigte r
de text: buchungstext; avisierungstext; verwendungszweck; umsatztext; beschreibung; text; bezeichnung; buchungsdetails; zahlungszweck; umsatzart; transaktion; buchungsinformation; vorgang verwendungszweck; beschreibung1; vwz1
de notes: notiz; notizen; mitteilung; zahlungsreferenz; referenz; bemerkung; kommentar; zahlungsgrund; anmerkung; fussnoten; verwendungszweck zusatz; betreff; nachricht
de category: kategorie; hauptkategorie; branche
de tags: schlagworte; schlagworter
de account: konto; kontoname; auftragskonto; kontobezeichnung; referenzkonto
de direction: soll haben; soll haben kennzeichen; s h; haben soll; buchungstyp; umsatztyp; typ; art; kennzeichen; vorzeichen; richtung
de status: status; buchungsstatus
de qty: anzahl; stuck; stucke; menge; nominal
de price: preis; einzelpreis; kurs pro stuck; ausfuhrungskurs
fr date: date; date operation; date de l operation; date d operation; date comptable; date de comptabilisation; date de transaction; date transaction; date de l ecriture
fr other date: date valeur; date de valeur; valeur
fr amount: montant; montant en euros; montant eur; montant operation; montant de l operation; somme
fr debit: debit; debit euros; sortie; depense; retrait; depenses; montant debit; sorties; retraits
fr credit: credit; credit euros; entree; recette; depot; recettes; montant credit; entrees; depots; revenu
fr balance: solde; solde comptable; solde apres operation; solde apres; nouveau solde
fr other amount: montant original; montant d origine; taux de change; frais; taxe; montant devise; montant en devise; taux
fr currency: devise; monnaie; devise du compte
fr other currency: devise d origine; devise originale
fr payee: beneficiaire; tiers; nom; contrepartie; marchand; commercant; destinataire; nom de la contrepartie; donneur d ordre; emetteur; nom beneficiaire; nom contrepartie
fr text: libelle; libelle operation; libelle simplifie; description; libelle de l operation; intitule; detail; details; nature; nature de l operation; designation; label; detail de l ecriture; libelle complet; operation; transaction
fr notes: reference; communication; commentaire; note; remarque; motif; information complementaire; informations complementaires; commentaires; libelle complementaire; message
fr category: categorie; categorie operation
fr tags: etiquettes; mots cles
fr account: compte; nom du compte; libelle compte; numero de compte
fr direction: sens; type; type operation; debit credit; type de transaction; type d operation
fr status: statut; etat
es date: fecha; fecha operacion; fecha de operacion; fecha contable; f operacion; f contable; fecha movimiento; fecha de la operacion; fecha transaccion; fecha de transaccion; fecha oper
es other date: fecha valor; f valor; fecha de valor; valor
es amount: importe; monto; cantidad; importe eur; importe euros; importe operacion; importe total; importe en euros; valor operacion
es debit: debito; cargo; debe; cargos; debitos; gasto; gastos; salida; retiro; retiros; egreso; egresos; salidas; importe cargo; monto debito; reintegro
es credit: credito; abono; haber; abonos; creditos; ingreso; ingresos; entrada; deposito; depositos; entradas; importe abono; monto credito
es balance: saldo; saldo disponible; saldo contable; saldo posterior; saldo final; disponible
es other amount: importe original; importe divisa; tipo de cambio; comision; impuesto; cambio; importe en divisa
es currency: divisa; moneda; div
es other currency: divisa original; moneda original
es payee: beneficiario; comercio; nombre; contraparte; ordenante; beneficiario ordenante; destinatario; establecimiento; remitente
es text: concepto; descripcion; detalle; movimiento; operacion; descripcion operacion; concepto ampliado; detalles; transaccion; glosa; titulo
es notes: observaciones; comentario; nota; referencia; notas; mas datos; comentarios; informacion adicional; observacion; mensaje; referencia 1
es category: categoria
es tags: etiquetas
es account: cuenta; nombre de la cuenta; cuenta origen
es direction: tipo; debe haber; cargo abono; d h; tipo movimiento; tipo de movimiento; signo; tipo de operacion; naturaleza
es status: estado
it date: data; data operazione; data contabile; data movimento; data registrazione; data contab; data transazione; data di registrazione
it other date: data valuta; valuta; data disponibile
it amount: importo; importo euro; importo eur; ammontare; importo operazione; importo in euro
it debit: dare; addebito; addebiti; uscita; uscite; spese; spesa
it credit: avere; accredito; accrediti; entrata; entrate; ricavi
it balance: saldo; saldo contabile; saldo progressivo; saldo disponibile
it other amount: importo originale; importo in divisa; commissioni; cambio; tasso di cambio; commissione; imposta
it currency: divisa; valuta; valuta conto
it other currency: divisa originale; valuta originale
it payee: beneficiario; nome; controparte; esercente; ordinante; mittente; destinatario
it text: descrizione; causale; descrizione operazione; operazione; dettagli; descrizione estesa; dettaglio; voce; descrizione completa; movimento
it notes: note; nota; riferimento; commento; causale abi; messaggio; annotazioni
it category: categoria; categorie; categoria spesa
it tags: etichette
it account: conto; nome conto; conto o carta
it direction: segno; tipo; tipo operazione; dare avere; d a; entrata uscita; tipologia
it status: stato
nl date: datum; boekdatum; boekingsdatum; transactiedatum; uitvoeringsdatum; verrichtingsdatum; datum verrichting; datum transactie
nl other date: rentedatum; valutadatum; valuta; valuta datum; verwerkingsdatum
nl amount: bedrag; bedrag eur; bedrag in eur; transactiebedrag; bedrag van de verrichting
nl debit: af; debet; uitgaven; debit; uitgave
nl credit: bij; credit; inkomsten; ontvangsten
nl balance: saldo; saldo na mutatie; saldo na trn; saldo na boeking; eindsaldo; saldo na transactie
nl other amount: oorspr bedrag; oorspronkelijk bedrag; koers; kosten; wisselkoers; origineel bedrag
nl currency: munt; valuta; muntsoort; devies; munteenheid; deviezen; valutacode
nl other currency: oorspr munt; oorspronkelijke valuta
nl payee: naam tegenpartij; naam omschrijving; tegenpartij; naam tegenpartij bevat; naam; begunstigde; naam begunstigde; tegenpartij naam
nl text: omschrijving; mededelingen; omschrijving 1; beschrijving; omschrijving1; transactie; verrichting; details
nl notes: mededeling; vrije mededeling; gestructureerde mededeling; opmerking; betalingskenmerk; kenmerk; notities; notitie; omschrijving 2; detail
nl category: categorie
nl tags: labels
nl account: rekening; rekeningnummer; eigen rekening; rekeningnaam
nl direction: af bij; debit credit; debet credit; d c; bij af; af of bij; code af bij; mutatiesoort
nl status: status
pt date: data; data mov; data movimento; data lancamento; data operacao; data do movimento; data da operacao; data da transacao; data transacao; data do lancamento; data mov
pt other date: data valor; data de valor
pt amount: montante; valor; importancia; quantia; valor r; valor brl; montante eur; valor em r
pt debit: debito; saida; saidas; debitos; despesa; despesas; valor debito
pt credit: credito; entrada; entradas; creditos; receita; receitas; valor credito
pt balance: saldo; saldo contabilistico; saldo disponivel; saldo apos movimento; saldo contab; saldo do dia
pt other amount: valor original; montante original; taxa; taxa de cambio; comissao
pt currency: moeda; divisa
pt other currency: moeda original
pt payee: beneficiario; nome; favorecido; estabelecimento; contraparte; destinatario
pt text: descricao; descritivo; historico; lancamento; descricao do movimento; movimento; descricao movimento; detalhes; title
pt notes: observacoes; nota; notas; detalhe; comentario; identificador; docto; mensagem
pt category: categoria
pt tags: etiquetas
pt account: conta
pt direction: tipo; debito credito; d c; tipo lancamento; natureza; tipo de movimento; entrada saida; sinal
pt status: estado; situacao
pl date: data; data operacji; data ksiegowania; data transakcji; data zaksiegowania
pl other date: data waluty; data rozliczenia
pl amount: kwota; kwota operacji; kwota transakcji; kwota transakcji waluta rachunku; kwota w walucie rachunku
pl debit: obciazenia; obciazenie; wydatki; winien; wyplata; wydatek
pl credit: uznania; uznanie; wplywy; ma; wplata; wplyw
pl balance: saldo; saldo po operacji; saldo po transakcji; saldo koncowe
pl other amount: kwota oryginalna; kurs; prowizja; kwota blokady zwolnienie blokady; kwota platnosci w walucie; kwota w walucie oryginalnej
pl currency: waluta; waluta rachunku; waluta operacji
pl other currency: waluta oryginalna; waluta transakcji
pl payee: odbiorca; nadawca; kontrahent; nadawca odbiorca; odbiorca nadawca; nazwa kontrahenta; dane kontrahenta; nazwa; nazwa odbiorcy; nazwa odbiorcy nadawcy
pl text: opis operacji; opis; tytul; opis transakcji; tytul operacji; szczegoly; szczegoly transakcji; rodzaj transakcji; rodzaj operacji
pl notes: uwagi; notatka; komentarz; notatki; referencje
pl category: kategoria
pl tags: tagi; etykiety
pl account: konto; rachunek; nazwa rachunku
pl direction: typ; uznanie obciazenie; obciazenia uznania; wn ma; strona; typ operacji; typ transakcji; kierunek
pl status: status; stan
cs date: datum; datum zauctovani; datum provedeni; datum uctovani; datum transakce; datum operace; datum splatnosti; zauctovano; datum zauctovania; datum transakcie
cs other date: valuta; datum valuty; datum odepsani; datum porizeni
cs amount: castka; objem; suma; castka v mene uctu; zauctovana castka; castka transakce; ciastka; obnos
cs debit: vydaj; debet; vydaje; na vrub; vydavky; vydavok
cs credit: prijem; kredit; prijmy; ve prospech; v prospech
cs balance: zustatek; zostatek; zostatok; zustatek po transakci; zustatek po pohybu; disponibilni zustatek; konecny zustatek
cs other amount: puvodni castka; kurz; poplatek; poplatky; castka obchodu; puvodna suma; smenny kurz
cs currency: mena; mena uctu
cs other currency: puvodni mena; mena obchodu
cs payee: protistrana; nazev protiuctu; nazev protistrany; prijemce; nazov protistrany; partner; obchodnik; nazov protiuctu; jmeno protistrany; obchodni misto; jmeno
cs text: popis; popis transakce; popis operace; popis transakcie; text; ucel; typ transakce; nazev; podrobnosti
cs notes: poznamka; zprava; zprava pro prijemce; sprava pre prijemcu; zprava pro me; poznamky; uzivatelska identifikace; informacia pre prijemcu; popis pro me; referencia
cs category: kategorie; kategoria
cs tags: stitky
cs account: ucet; nazev uctu; vlastni ucet
cs direction: smer; typ; smer uhrady; debet kredit; prijem vydaj; typ pohybu; kredit debet
cs status: stav
sv date: datum; bokforingsdag; bokforingsdatum; transaktionsdatum; transaktionsdag; bokforingsdato; bokfort; bogforingsdato; bokfort dato; dato; bogfort dato; bokforings datum; posteringsdato; reskontradatum; utfort dato; bokf dato; transaktionsdato; bogfort; bokforing; handledato
sv other date: valutadag; valutadatum; rentedato; valuteringsdato; rentedag; valor; valordato; reservationsdato; kjopsdato; kopdatum; rente dato
sv amount: belopp; belob; belop; insattning uttag; belop i nok; belopp i sek; summa; belob i dkk; transaktionsbelopp; insatt uttag
sv debit: ut; uttag; ud; ut fra konto; utgift; utgifter; haevet; udgift; udgifter; ut av konto; debet; utbetaling; betalt
sv credit: in; inn; insattning; ind; inn pa konto; inntekt; inntekter; indsat; indtaegt; indtaegter; kredit; innbetaling
sv balance: saldo; bokfort saldo; balance; saldo efter; disponibel saldo; saldo etter; aktuel saldo; bogfort saldo; bokforda saldo
sv other amount: ursprungligt belopp; valutakurs; kurs; avgift; utlandskt belopp; originalbelopp; opprinnelig belop; gebyr; vekslingskurs
sv currency: valuta; valutakod; mynt; valuta kode
sv other currency: originalvaluta; ursprunglig valuta
sv payee: mottagare; avsandare; mottaker; avsender; modtager; afsender; namn; navn; motpart; forretning; butikk; betalingsmottager; betalningsmottagare; mottagare avsandare; mottaker avsender; fra til; mottakernavn
sv text: beskrivning; text; tekst; beskrivelse; forklaring; transaktion; rubrik; transaktionstext; transaktionstype; posteringstekst; specifikation; titel; tittel; spesifikasjon; transaksjon; undertype; vad; kontohandelse; verifikationstext
sv notes: meddelande; melding; notat; referens; referanse; kommentar; besked; egne noter; reference; notering; eget notat; kid; noter; egen referens
sv category: kategori; hovedkategori; huvudkategori
sv tags: etiketter; taggar; merker
sv account: konto; kontonavn; kontonamn
sv direction: typ; type; transaktionstyp; debet kredit; inn ut; in ut; ind ud; kredit debet
sv status: status; tilstand
fi date: pvm; kirjauspaiva; kirjauspvm; paivamaara; maksupaiva; tapahtumapaiva; paivays; kirjauspaivamaara; tapahtumapvm; ostopaiva
fi other date: arvopaiva; arvopvm; korkopaiva; arvopaivamaara
fi amount: maara; maara eur; maara euroa; summa; rahamaara; maara euroina; tapahtuman summa; maara eu
fi debit: otto; veloitus; menot; otot; meno
fi credit: pano; hyvitys; tulot; panot; tulo
fi balance: saldo; saldo tapahtuman jalkeen; tilin saldo
fi other amount: alkuperainen summa; kurssi; palvelumaksu; alkuperainen maara; valuuttakurssi
fi currency: valuutta; valuuttakoodi
fi other currency: alkuperainen valuutta
fi payee: saaja maksaja; saaja; maksaja; vastapuoli; saajan nimi; saaja tai maksaja; nimi; kauppa; saajan nimi ja osoite
fi text: selite; tapahtuma; selitys; laji; kuvaus; tapahtumalaji; otsikko; tapahtumatyyppi
fi notes: viesti; viite; viestit; viitenumero; muistiinpano; viesti tai viite; huomautus; lisatiedot
fi category: kategoria; luokka
fi account: tili; tilin nimi
fi direction: tyyppi; debet kredit; pano otto
fi status: tila
hu date: datum; konyveles datuma; konyvelesi datum; tranzakcio datuma; tranzakcio idopontja; teljesites datuma; konyvelt datum; terheles datuma; kelte; tranzakcio datum es ido
hu other date: erteknap; ertek nap; ertek datum; valuta datum
hu amount: osszeg; konyvelt osszeg; tranzakcio osszege; terheles jovairas; forgalom; tranzakcio osszeg
hu debit: terheles; kiadas; terheles osszege; kimeno; kiadasok
hu credit: jovairas; bevetel; jovairas osszege; bejovo; bevetelek
hu balance: egyenleg; konyvelt egyenleg; zaro egyenleg; uj egyenleg; szamlaegyenleg
hu other amount: eredeti osszeg; arfolyam; dij; eredeti devizaosszeg
hu currency: devizanem; penznem; deviza
hu other currency: eredeti devizanem; eredeti penznem
hu payee: partner; partner neve; kedvezmenyezett; ellenoldali nev; partner elnevezese; ellenoldal neve; nev; ellenoldali fel neve; kereskedo; partner nev
hu text: megnevezes; leiras; kozlemeny; tranzakcio; tranzakcio tipusa; tranzakcio leirasa; forgalom tipusa; tranzakcio jellege; szoveg
hu notes: megjegyzes; egyeb; reszletek; uzenet; kozlemeny 1
hu category: kategoria; koltesi kategoria
hu account: szamla; szamla neve; szamla elnevezes
hu direction: irany; tipus; terheles jovairas jel; t j; bejovo kimeno
hu status: statusz; allapot
ru date: дата; дата операции; дата проводки; дата платежа; дата транзакции; дата обработки; дата и время; дата списания; дата проведения; дата i час операцii; дата операцiї; дата і час операції; дата операції
ru other date: дата валютирования; дата обработки банком
ru amount: сумма; сумма операции; сумма платежа; сумма в валюте счета; сумма в рублях; сума; сума операції; сума в валюті картки; сума в валюті картки uah; сумма в валюте счёта
ru debit: расход; списание; дебет; списания; видаток; расходы; витрати; списано
ru credit: приход; зачисление; кредит; поступление; пополнение; надходження; доход; доходы; поступления; зачислено
ru balance: остаток; баланс; остаток по счету; залишок; залишок після операції; остаток после операции; баланс на кінець періоду; остаток средств
ru other amount: сумма в валюте операции; курс; комиссия; кэшбэк; комісія; сума кешбеку; сума в валюті транзакції; сума в валюті операції; бонусы включая кэшбэк; кешбэк; округление на инвесткопилку; сумма операции с округлением
ru currency: валюта; валюта операции; валюта платежа; валюта счета; валюта картки; валюта счёта; валюта карты
ru other currency: валюта транзакції; валюта оригинала; валюта операції
ru payee: контрагент; получатель; отправитель; наименование контрагента; отримувач; магазин; плательщик; имя; название контрагента
ru text: описание; описание операции; назначение платежа; детали; деталі операції; опис; опис операції; наименование; наименование операции; операция; призначення платежу; деталь операции
ru notes: комментарий; примечание; примітка; коментар; заметка; сообщение; референс; референс проводки
ru category: категория; категорія
ru tags: теги; метки
ru account: счет; счёт; рахунок; название счета; картка
ru direction: тип; тип операции; приход расход; дебет кредит; направление; тип операції; вид операции
ru status: статус; состояние; стан
tr date: tarih; islem tarihi; tarih saat; tarih ve saat; muhasebe tarihi; fis tarihi
tr other date: valor; valor tarihi
tr amount: tutar; islem tutari; miktar; tutar tl; islem tutari tl; meblag
tr debit: borc; cikis; giden; cekilen; gider; borc tutari; harcama
tr credit: alacak; giris; gelen; yatan; gelir; alacak tutari; odeme
tr balance: bakiye; kalan bakiye; son bakiye; kullanilabilir bakiye; bakiye tl
tr other amount: doviz tutari; kur; komisyon; doviz kuru; masraf; orijinal tutar
tr currency: para birimi; doviz; doviz cinsi; doviz kodu; birim
tr other currency: orijinal para birimi
tr payee: karsi taraf; alici; gonderen; alici gonderen; isyeri; karsi hesap adi; unvan; ad soyad; alici adi; isyeri adi; ad
tr text: aciklama; islem; islem aciklamasi; islem tipi; islem turu; detay; islem adi; islem detayi
tr notes: not; dekont no; referans; notlar; ek aciklama; mesaj
tr category: kategori
tr tags: etiketler; etiket
tr account: hesap; hesap adi
tr direction: borc alacak; b a; tip; yon; giris cikis; tur
tr status: durum
zh date: 交易日期; 交易日; 交易时间; 交易時間; 记账日期; 記帳日期; 入账日期; 日期; 记账日; 帳務日期; 時間; 时间; 入帳日期; 过账日期; 发生日期; 消费日; 消費日; 记账时间; 银行记账日; 付款时间; 創建时间; 创建时间; 帳務日; 交易創建时间; 交易创建时间
zh other date: 起息日; 起息日期; 最近修改时间; 最近修改時間; 價值日
zh amount: 交易金额; 交易金額; 金额; 金額; 发生额; 入账金额; 入帳金額; 记账金额; 發生額; 结算金额; 人民币金额; 臺幣金額; 新臺幣金額; 实付金额; 發生金額
zh debit: 支出; 支出金额; 支出金額; 借方; 借方金额; 借方发生额; 支取; 转出; 提出; 借方金額; 付款金额; 支取金额; 轉出; 提款; 提款金額
zh credit: 收入; 收入金额; 收入金額; 存入; 贷方; 贷方金额; 贷方发生额; 存入金额; 转入; 存入金額; 貸方; 貸方金額; 轉入; 存款; 存款金額; 收款金额
zh balance: 余额; 餘額; 账户余额; 联机余额; 本次余额; 結餘; 结余; 帳戶餘額; 帳面餘額; 可用余额; 可用餘額; 交易后余额; 账面余额
zh other amount: 原币金额; 原幣金額; 外币金额; 外幣金額; 手续费; 手續費; 汇率; 匯率; 服务费; 退款金额; 成功退款; 折扣; 优惠; 商家实收; 外幣交易金額; 原始金额
zh currency: 币种; 幣別; 货币; 貨幣; 币别; 交易币种; 交易货币; 入账货币; 記帳幣別; 幣種; 入账币种
zh other currency: 原币币种; 原始币种; 外幣幣別; 消费地币别
zh payee: 交易对方; 对方户名; 对方名称; 对手信息; 商户名称; 對方戶名; 收款人; 付款人; 对方账户名称; 对方信息; 商户; 交易对手; 商店名稱; 特店名稱; 收付款人; 对方; 對方名稱; 店家; 对方姓名; 收款方; 对手户名
zh text: 交易摘要; 摘要; 交易描述; 商品说明; 商品; 交易说明; 說明; 说明; 描述; 交易說明; 交易内容; 交易地点; 交易地点 附言; 交易類別; 商品名称; 消費明細; 交易明細; 用途; 业务摘要; 交易項目
zh notes: 备注; 備註; 附言; 交易附言; 客户摘要; 留言; 註記; 交易备注; 备注信息
zh category: 交易分类; 分类; 分類; 类别; 類別; 账单分类; 消费分类
zh tags: 标签; 標籤
zh account: 账户; 帳戶; 账户名称; 帳戶名稱; 本方账户
zh direction: 收 支; 收支; 收支类型; 借贷标志; 借贷; 收入 支出; 借 贷; 借贷方向; 收 支类型; 借貸; 借貸別; 收付标志; 收付; 交易方向; 资金方向; 借贷状态; 支出 收入; 收支別; 收支方向
zh status: 交易状态; 当前状态; 状态; 狀態; 交易狀態; 订单状态
ja date: 日付; 取引日; お取引日; 年月日; 利用日; ご利用日; 取扱日; 計算日; お取り扱い日; 入出金日; 取引日時; 操作日; 発生日; 記帳日; 日時; お取引日時; 利用日時
ja other date: 起算日; 決済日; 支払日
ja amount: 金額; 取引金額; 入出金額; 利用金額; ご利用金額; お取引金額; 入出金; 取引額; 利用額; 入出金 円; 金額 円
ja debit: 出金; 出金額; お支払金額; お引出し; お引き出し; 支払金額; 支払い金額; 引出金額; 出金金額; 支払; お支払い金額; 引き出し; 引出額; 出金 円; 支出金額
ja credit: 入金; 入金額; お預り金額; お預入れ; お預り; 預入金額; 預り金額; 入金金額; 預かり金額; お預かり金額; 預け入れ; 預入額; 入金 円
ja balance: 残高; 差引残高; お取引後残高; 取引後残高; 差し引き残高; 現在高; 残高 円
ja other amount: 手数料; 現地通貨額; 外貨金額; 換算レート; 為替レート; 支払総額; 支払手数料
ja currency: 通貨; 通貨コード
ja payee: 取引先; 利用店名; ご利用店名; 店名; 相手先; 振込依頼人; 利用店名 商品名; ご利用先; 利用先; 取引相手; 相手方; 支払先
ja text: 摘要; 内容; お取引内容; 取引内容; お取り扱い内容; 取引名; 摘要内容; 適用; 詳細; 入出金内容; 取引区分; 内訳
ja notes: 備考; メモ; 詳細内容; コメント
ja category: カテゴリ; カテゴリー; 大項目; 費目; 科目
ja tags: タグ
ja account: 口座; 口座名; 保有金融機関
ja direction: 入出金区分; 入払区分; 区分; 収支区分; 収支; 種別
ja status: 状態; ステータス
`

// directionTable holds the words that say on which side money moves, in pairs: in, out.
const directionTable = `
credit debit; cr dr; cr db; cr deb; c d; crdt dbit; cred deb; credits debits; income expense; income spending; income expenses; incoming outgoing; inflow outflow; in out; deposit withdrawal; deposits withdrawals; received sent; received paid; money in|money out; paid in|paid out; + -; positive negative; plus minus
haben soll; h s; gutschrift belastung; gutschrift lastschrift; eingang ausgang; einnahme ausgabe; einnahmen ausgaben; kredit debit; haben-buchung soll-buchung
crédit débit; recette dépense; entrée sortie; revenu dépense; versement retrait
crédito débito; credito debito; abono cargo; haber debe; ingreso gasto; entrada salida; ingreso egreso; depósito retiro; h d; a c
accredito addebito; avere dare; entrata uscita; entrate uscite; a d
bij af; credit debet; c d; ontvangen betaald; inkomsten uitgaven
entrada saída; receita despesa; crédito débito
uznanie obciążenie; wpływ wydatek; ma winien; ma wn; uznania obciążenia; wpłata wypłata
příjem výdaj; kredit debet; k d; príjem výdavok; příchozí odchozí; prijem vydaj; připsání odepsání
inn ut; in ut; ind ud; insättning uttag; inntekt utgift; indtægt udgift; inkomst utgift; k d
pano otto; tulo meno; hyvitys veloitus; tulot menot; + -
jóváírás terhelés; bevétel kiadás; bejövő kimenő; j t
приход расход; зачисление списание; кредит дебет; пополнение списание; доход расход; поступление списание; надходження видаток; зарахування списання; дохід витрата; к д
alacak borç; giriş çıkış; gelen giden; gelir gider; a b; (a) (b); (+) (-)
收入 支出; 贷 借; 贷方 借方; 收 支; 存入 支取; 转入 转出; 贷记 借记; 收 付; 入账 出账; 貸 借; 貸方 借方; 轉入 轉出; 存 提; 流入 流出
入金 出金; 入 出; 入金 支払; 収入 支出; 預入 引出; 入金 引出; 入金 振込
kreeditor deebet; kreedit deebet; laekumine väljaminek; k d
kreditas debetas; pajamos išlaidos; įplaukos išlaidos
kredīts debets; kredits debets; ienākumi izdevumi; iemaksa izmaksa
πιστωση χρεωση; εσοδο εξοδο; καταθεση αναληψη; π χ
încasare plată; intrare ieșire; venit cheltuială; incasare plata; venit cheltuiala
uplata isplata; potražuje duguje; prihod rashod; odobrenje zaduženje; priliv odliv; priljev odljev; dobro breme; p d
кредит дебит; приход разход; уплата исплата; кт дт
입금 출금; 수입 지출; 입 출; 받기 보내기
ฝาก ถอน; ฝากเงิน ถอนเงิน; รายรับ รายจ่าย
ghi có|ghi nợ; có nợ; thu chi; tiền vào|tiền ra
kredit debet; masuk keluar; pemasukan pengeluaran; uang masuk|uang keluar
זכות חובה; הכנסה הוצאה; זיכוי חיוב
دائن مدين; ايداع سحب
eingehend ausgehend; eingehende ausgehende; entrant sortant; entrante saliente; inkomend uitgaand; inkomende uitgaande; entrante uscente; gelende gidende
`

// Words of single cells, in the form that plainHeader gives them, each between semicolons.
const (
	neutralWords = "neutral;transfer neutral;不计收支;中性交易;不計收支;其他;neutre;"
	refusedWords = "cancelled;canceled;declined;reverted;reversed;failed;rejected;refused;voided;void;expired;returned;blocked;error;denied;abgelehnt;storniert;abgebrochen;fehlgeschlagen;zuruckgewiesen;annule;refuse;refusee;annulee;rejete;echoue;cancelado;cancelada;rechazado;rechazada;rechazada;fallido;denegada;anulado;annullato;annullata;rifiutato;rifiutata;geannuleerd;geweigerd;mislukt;recusado;recusada;cancelled by user;odrzucona;anulowana;anulowane;odrzucone;zrusena;zamitnuta;zamietnuta;zruseno;nekad;avbruten;avbrutt;annulleret;afvist;avslatt;peruttu;hylatty;elutasitva;sikertelen;отменен;отменена;отклонен;отклонена;отклонено;failed transaction;iptal;reddedildi;basarisiz;iptal edildi;失败;交易失败;已撤销;失敗;取消;已取消;キャンセル;"
	pendingWords = "pending;authorised;authorized;processing;in progress;on hold;scheduled;ausstehend;vorgemerkt;umsatz vorgemerkt;autorizzato;autorizzata;retenido;reserveret;reservert;reserverad;blokada;udfores;en attente;pendiente;in attesa;in behandeling;pendente;oczekujaca;cekajici;vantande;venter;afventer;odottaa;fuggoben;в обработке;ожидание;beklemede;bekliyor;处理中;待处理;"
	orderWords   = "active;open;working;placed;queued;accepted;partially filled;"
	doneWords    = "booked;posted;completed;complete;cleared;settled;processed;executed;successful;success;done;ok;gebucht;umsatz gebucht;abgeschlossen;ausgefuhrt;comptabilise;comptabilisee;execute;effectue;termine;contabilizado;completado;realizado;ejecutado;contabilizzato;contabilizzata;eseguito;completato;geboekt;verwerkt;voltooid;uitgevoerd;geaccepteerd;concluido;efetuado;zaksiegowana;zaksiegowane;zrealizowana;rozliczona;rozliczone;zauctovano;zaucteno;bokfort;utford;utfort;gennemfort;bogfort;udfort;toteutunut;kirjattu;teljesult;konyvelt;выполнен;исполнен;исполнено;обработан;tamamlandi;gerceklesti;交易成功;成功;支付成功;已入账;"
	totalWords   = "total;totals;sum;subtotal;balance;closing balance;opening balance;saldo;summe;gesamt;endsaldo;anfangssaldo;kontostand;solde;total general;totale;saldo final;saldo inicial;totaal;razem;suma;celkem;spolu;summa;sum;i alt;yhteensa;osszesen;итого;остаток;всего;разом;toplam;bakiye;合计;总计;合計;小计;小計;余额;残高;"
	cardWords    = "card member;cardholder;card holder;name on card;card no;card number;credit card;kreditkarte;karteninhaber;kartennummer;carte de credit;tarjeta de credito;creditcard;信用卡;卡号;卡號;カード;kreditkort;kortnummer;"
	shopWords    = "merchant;merchant name;handler;handlername;commercant;commerce;comercio;esercente;"
	gainWords    = "refund;refunded;salary;payroll;wages;direct deposit;deposit;dividend;cashback;cash back;reimbursement;income;thank you;payment received;autopay;interest earned;interest paid to you;gehalt;lohn;gutschrift;erstattung;ruckerstattung;rente;kindergeld;gehaltseingang;lohneingang;salaire;remboursement;virement recu;nomina;devolucion;reembolso;abono;ingreso;stipendio;rimborso;accredito;salaris;loon;terugbetaling;salario;ordenado;wynagrodzenie;zwrot;pensja;mzda;vyplata;lon;loonn;palkka;elake;fizetes;munkaber;зарплата;возврат;пополнение;зачисление;maas;iade;工资;退款;还款;代发;奖金;薪資;退費;還款;給与;給料;返金;"
	lossWords    = "purchase;merchandise;shopping;dining;card payment;pos;withdrawal;atm;rent;groceries;restaurant;supermarket;subscription;expense;expenses;sale;fee;kauf;einkauf;miete;kartenzahlung;lastschrift;entgelt;gebuhr;lebensmittel;bargeldauszahlung;achat;loyer;retrait;prelevement;frais;paiement carte;compra;alquiler;recibo;comision;cajero;acquisto;affitto;prelievo;commissione;spesa;betaalautomaat;huur;boodschappen;incasso;geldautomaat;aluguel;levantamento;zakup;czynsz;wyplata z bankomatu;oplata;nakup;najem;vyber;poplatek;kop;kjop;hyra;husleie;koeb;osto;vuokra;vasarlas;berleti dij;покупка;аренда;оплата;снятие;alisveris;kira;market;消费;消費;房租;餐饮;购买;家賃;購入;"
)
