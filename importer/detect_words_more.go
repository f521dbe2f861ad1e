package importer

// headerTableMore goes on with headerTable, in its form: the Baltic languages, Greek, Romanian, the South Slavic languages
// (hr stands for all of them in Latin letters, bg for those in Cyrillic ones), Korean, Thai, Vietnamese, Indonesian and
// Malay, Hebrew and Arabic, and what brokers call their columns.
const headerTableMore = `
et date: kuupaev; tehingu kuupaev; makse kuupaev
et other date: vaartuspaev
et amount: summa; summa eur; tehingu summa
et debit: deebet; valjaminek; valjaminekud
et credit: kreedit; sissetulek; laekumine; laekumised
et balance: saldo; jaak; konto jaak
et currency: valuuta
et payee: saaja maksja; saaja maksja nimi; saaja; maksja; kaupmees; nimi
et text: selgitus; kirjeldus
et notes: viitenumber; arhiveerimistunnus
et direction: deebet kreedit; deebet kreedit d c; d c; d k
lt date: data; operacijos data; mokejimo data; ivykdymo data
lt other date: dokumento data; valiutavimo data
lt amount: suma; suma eur; operacijos suma; suma saskaitos valiuta
lt debit: debetas; islaidos; nurasyta
lt credit: kreditas; pajamos; iplaukos; iskaityta
lt balance: likutis; balansas
lt currency: valiuta; saskaitos valiuta
lt payee: gavejas; moketojas; gavejas moketojas; moketojas gavejas; moketojo arba gavejo pavadinimas; moketojo gavejo pavadinimas; pavadinimas
lt text: paaiskinimai; paaiskinimas; mokejimo paskirtis; paskirtis; aprasymas
lt direction: d k; d c; debetas kreditas; debeto kredito pozymis
lv date: datums; darijuma datums; izpildes datums
lv other date: valutesanas datums
lv amount: summa; summa eur; darijuma summa
lv debit: debets; izdevumi; izmaksa
lv credit: kredits; ienakumi; iemaksa
lv balance: atlikums; konta atlikums
lv currency: valuta
lv payee: sanemejs maksatajs; sanemejs; maksatajs; partneris; darijuma partneris
lv text: informacija sanemejam; maksajuma merkis; apraksts; detalas; merkis
lv direction: debets kredits; d k; d c
el date: ημερομηνια; ημερομηνια συναλλαγησ; ημ νια συναλλαγησ; ημ νια; ημερομηνια κινησησ; ημερομηνια καταχωρησησ
el other date: valeur; τοκισμοσ απο; ημερομηνια αξιασ; ημερομηνια valeur
el amount: ποσο; ποσο συναλλαγησ; ποσο ευρω
el debit: χρεωση; αναληψη; ποσο χρεωσησ; χρεωσεισ; εξοδα
el credit: πιστωση; καταθεση; ποσο πιστωσησ; πιστωσεισ; εσοδα
el balance: υπολοιπο; λογιστικο υπολοιπο; διαθεσιμο υπολοιπο; νεο υπολοιπο; προοδευτικο υπολοιπο
el currency: νομισμα
el payee: αντισυμβαλλομενοσ; δικαιουχοσ; εμποροσ; ονομα αντισυμβαλλομενου; επωνυμια
el text: περιγραφη; αιτιολογια; περιγραφη συναλλαγησ; κινηση
el notes: σχολια; σημειωσεισ; πληροφοριεσ συναλλαγησ
el direction: προσημο ποσου; προσημο; χ π; χρεωση πιστωση; ειδοσ κινησησ
ro date: data; data tranzactiei; data operatiunii; data finalizarii tranzactiei; data inregistrarii; data contabila; data procesarii; data tranzactie; data operatiune
ro other date: data valutei; data valuta; data inceperii tranzactiei; valuta data
ro amount: suma; valoare; suma tranzactiei; suma ron; suma in ron; suma tranzactie
ro debit: debit; suma debit; iesiri; plati; cheltuieli; retrageri
ro credit: credit; suma credit; intrari; incasari; venituri; depuneri
ro balance: sold; sold curent; sold contabil; sold final; sold dupa tranzactie; sold intermediar
ro other amount: comision; curs; curs valutar; suma originala; suma initiala; rata de schimb
ro currency: moneda; valuta; deviza
ro payee: beneficiar; ordonator; partener; contrapartida; comerciant; nume; beneficiar ordonator; ordonator beneficiar; nume beneficiar; nume contrapartida; platitor
ro text: detalii tranzactie; descriere; detalii; explicatii; explicatie; tranzactie; descrierea tranzactiei; tranzactii finalizate; descriere tranzactie; detaliile tranzactiei
ro notes: referinta; observatii; mesaj; note
ro category: categorie
ro account: cont; numar cont
ro direction: debit credit; tip; tip tranzactie; tipul tranzactiei; d c
ro status: stare; status
hr date: datum; datum knjizenja; datum transakcije; datum izvrsenja; datum knjizbe; datum promene; datum prometa; datum obrade; datum in cas
hr other date: datum valute; valuta; datum valutacije
hr amount: iznos; znesek; iznos transakcije; iznos u valuti racuna; iznos u eur; iznos prometa
hr debit: isplata; isplate; duguje; zaduzenje; rashod; rashodi; odljev; teret; breme; v breme; odliv; na teret; terecenje
hr credit: uplata; uplate; potrazuje; odobrenje; prihod; prihodi; priljev; korist; dobro; v dobro; priliv; u korist
hr balance: stanje; stanje nakon transakcije; saldo; stanje na racunu; novo stanje
hr other amount: tecaj; kurs; naknada; provizija; originalni iznos; iznos u originalnoj valuti; tecajnica
hr currency: valuta; valuta racuna; oznaka valute
hr payee: primatelj; platitelj; primatelj platitelj; platitelj primatelj; naziv primatelja; naziv; prejemnik; placnik; prejemnik placnik; primalac; platilac; naziv partnera; ime primatelja; naziv prejemnika placnika; trgovac; prodajno mjesto
hr text: opis; opis placanja; opis transakcije; namen; svrha; svrha doznake; namen placila; svrha placanja; opis prometa
hr notes: poziv na broj; referenca; napomena; sklic; biljeska
hr category: kategorija
hr account: racun; broj racuna
hr direction: strana; vrsta transakcije; duguje potrazuje; smjer; d p; uplata isplata
hr status: stanje transakcije; status
bg date: дата; дата на операция; дата на счетоводно записване; датум; датум на трансакција; датум извршења; вальор дата; дата на транзакция
bg other date: вальор; датум валуте; дата на вальор
bg amount: сума; сума на операция; износ
bg debit: дебит; тегления; задължение; исплата; дугује; дебит bgn; разход
bg credit: кредит; внасяния; уплата; потражује; кредит bgn; приход
bg balance: салдо; наличност; разполагаема наличност; стање; состојба; крайно салдо
bg currency: валута
bg payee: контрагент; наредител получател; получател; наредител; име; партнер; прималац; назив
bg text: основание; описание; опис; вид операция; пояснение; цел на дознака; сврха
bg direction: дт кт; дебит кредит; тип; дт ct
ko date: 거래일시; 거래일자; 거래일; 날짜; 일자; 거래 일시; 거래 일자; 이용일; 이용일자; 승인일자; 승인일시; 일시; 이용 일자; 이용일시
ko amount: 금액; 거래금액; 이용금액; 승인금액; 거래 금액; 이용 금액
ko debit: 출금; 출금액; 출금금액; 찾으신금액; 지출; 출금 금액; 지급금액; 찾으신 금액; 나가신금액; 지출금액; 출금 원; 지급
ko credit: 입금; 입금액; 입금금액; 맡기신금액; 수입; 입금 금액; 맡기신 금액; 수입금액; 입금 원
ko balance: 잔액; 거래후잔액; 거래후 잔액; 거래 후 잔액; 남은금액; 통장잔액
ko other amount: 수수료; 할인금액; 부가세; 할부개월; 봉사료; 현지금액; 환율
ko currency: 통화; 통화코드
ko payee: 가맹점명; 가맹점; 이용처; 거래처; 보낸분 받는분; 보낸분; 받는분; 의뢰인 수취인; 의뢰인; 이용하신곳; 이용가맹점; 예금주; 상대방; 받는사람; 사용처; 상호
ko text: 적요; 내용; 거래내용; 기재내용; 거래구분; 거래 내용; 거래적요; 상세내용
ko notes: 메모; 비고; 송금메모; 통장메모
ko category: 카테고리; 대분류; 분류; 업종
ko account: 계좌; 결제수단; 자산
ko direction: 구분; 입출금구분; 거래유형; 거래 유형; 입출금; 타입; 수입 지출; 입지구분
ko status: 상태; 승인상태; 거래상태
th date: วนท; วนททำรายการ; วนทรายการ; วน เดอน ป
th amount: จำนวนเงน; ยอดเงน
th debit: ถอนเงน; ถอน; รายจาย; เดบต; หกบญช
th credit: ฝากเงน; ฝาก; รายรบ; เครดต; เขาบญช
th balance: ยอดคงเหลอ; คงเหลอ; ยอดเงนคงเหลอ
th text: รายการ; รายละเอยด; คำอธบาย
th notes: หมายเหต; ชองทาง
vi date: ngay giao dich; ngay; ngay hieu luc; ngay gio giao dich; ngay gd; ngay thuc hien; thoi gian giao dich; ngay hach toan; thoi gian
vi amount: so tien; so tien giao dich; so tien gd
vi debit: so tien ghi no; ghi no; no; phat sinh no; so tien rut; chi; tien ra; so tien no; rut ra
vi credit: so tien ghi co; ghi co; co; phat sinh co; so tien gui; thu; tien vao; so tien co; gui vao
vi balance: so du; so du sau giao dich; so du cuoi; so du luy ke
vi currency: loai tien; tien te
vi payee: ten nguoi nhan; nguoi thu huong; doi tac; ten tai khoan doi ung; nguoi nhan; ten nguoi thu huong; nguoi gui
vi text: mo ta; dien giai; noi dung; noi dung giao dich; chi tiet giao dich; mo ta giao dich
vi notes: ghi chu; so tham chieu; ma giao dich
vi direction: loai giao dich; no co
vi status: trang thai
id date: tanggal; tanggal transaksi; tgl; tgl transaksi; tanggal posting; tarikh; tarikh transaksi; waktu transaksi
id other date: tanggal efektif; tanggal valuta; tgl valuta
id amount: jumlah; nominal; mutasi; jumlah transaksi; nilai transaksi; amaun
id debit: debet; pengeluaran; keluar; uang keluar; dana keluar; penarikan; wang keluar; duit keluar
id credit: kredit; pemasukan; masuk; uang masuk; dana masuk; setoran; wang masuk; duit masuk
id balance: saldo; saldo akhir; baki; saldo setelah transaksi
id currency: mata uang
id payee: penerima; pengirim; nama penerima; tujuan; nama; merchant
id text: keterangan; deskripsi; uraian; uraian transaksi; transaksi; rincian transaksi; keterangan transaksi; butiran; penerangan
id notes: catatan; referensi; no referensi; berita
id category: kategori
id direction: jenis; jenis transaksi; tipe; tipe transaksi; debet kredit; db cr; d k
id status: status
he date: תאריך; תאריך עסקה; תאריך פעולה; תאריך רכישה; תאריך הפעולה; תאריך ביצוע
he other date: תאריך ערך; יום ערך; תאריך חיוב; תאריך החיוב
he amount: סכום; סכום חיוב; סכום החיוב; סכום בשח; סכום פעולה; סכום בש ח; חיוב זיכוי; סכום חיוב בש ח
he debit: חובה; בחובה; הוצאה; משיכה; חיוב
he credit: זכות; בזכות; הכנסה; הפקדה; זיכוי
he balance: יתרה; יתרה בש ח; יתרה משוערכת; היתרה בש ח; יתרה בשח
he other amount: סכום מקורי; סכום עסקה; סכום עסקה מקורי; עמלה; סכום העסקה
he currency: מטבע; מטבע חיוב
he other currency: מטבע מקור; מטבע עסקה; מטבע עסקה מקורי
he payee: שם בית העסק; בית עסק; שם בית עסק; לטובת; מוטב; לטובת מי; שם העסק
he text: תיאור; תאור; פעולה; פרטים; הפעולה; תיאור פעולה; תיאור הפעולה; תיאור התנועה; סוג פעולה
he notes: הערות; הערה; אסמכתא; אסמכתה
he category: קטגוריה; קטגורית עסקה; ענף
ar date: التاريخ; تاريخ العملية; تاريخ المعاملة; تاريخ; تاريخ القيد
ar other date: تاريخ القيمة
ar amount: المبلغ; مبلغ; قيمة العملية
ar debit: مدين; المدين; سحب; السحب; خصم; السحوبات
ar credit: داين; الداين; ايداع; الايداع; اضافة; الايداعات
ar balance: الرصيد; رصيد
ar currency: العملة; عملة
ar payee: المستفيد; التاجر
ar text: الوصف; البيان; التفاصيل; وصف; تفاصيل; تفاصيل العملية; وصف العملية
ar notes: ملاحظات; المرجع
en date: date finished; finished date; completion date; end date; date settled; settled date; cleared date
en other date: start date; created date; date created; initiated date
en debit: distribution; distributions; amount debited; amount out; debit amt; cash out; outgoings; money spent; dr amount; amount dr
en credit: contribution; contributions; amount credited; amount in; credit amt; cash in; money received; cr amount; amount cr; lodgements; receipts
de date: datum des abschlusses; abschlussdatum; datum abgeschlossen; abgeschlossen am
de other date: datum des beginns; startdatum; beginn; angelegt am
de debit: abbuchung; abbuchungen; zahlungsausgang; geldausgang; belastungsbetrag; sollbetrag; betrag soll
de credit: zahlungseingang; geldeingang; gutschriftsbetrag; habenbetrag; betrag haben; gutgeschrieben
fr date: date de fin; date de completion; date d achevement
fr other date: date de debut
fr debit: paiements; decaissement; decaissements; montant du debit; debit eur
fr credit: encaissement; encaissements; montant du credit; credit eur; recu; rentrees
es date: fecha de finalizacion; fecha de fin; fecha completada
es other date: fecha de inicio; fecha inicio
es debit: pagos; disposiciones; importe debe; importe debito; retirada; retiradas
es credit: cobros; importe haber; importe credito; ingresado
it date: data di completamento; data di fine; data fine
it other date: data di inizio; data inizio
it debit: pagamenti; prelievi; importo dare; importo addebito
it credit: incassi; versamenti; importo avere; importo accredito
nl date: datum voltooid; voltooiingsdatum; einddatum
nl other date: startdatum; begindatum
nl debit: betaald; uitgaand; bedrag af; afgeschreven
nl credit: ontvangen; inkomend; bedrag bij; bijgeschreven
pt date: data de conclusao; data de fim
pt other date: data de inicio
pt debit: pagamentos; levantamentos; saques
pt credit: recebimentos; depositos
pl date: data zrealizowania; data zakonczenia; data realizacji
pl other date: data rozpoczecia
cs date: datum dokonceni; datum ukonceni; datum dokoncenia
cs other date: datum zahajeni; datum zaciatku
sv date: slutdatum; slutdato; avslutningsdato; avslutad datum; afslutningsdato
sv other date: startdatum; startdato
fi date: valmistumispaiva; paattymispaiva
fi other date: aloituspaiva; alkamispaiva
hu date: befejezes datuma
hu other date: kezdes datuma
ro date: data finalizarii; data de finalizare; data incheierii
ro other date: data inceperii; data de inceput
lt date: uzbaigimo data; pabaigos data
lt other date: pradzios data
lv date: pabeigsanas datums; beigu datums
lv other date: sakuma datums
el date: ημερομηνια ολοκληρωσησ
el other date: ημερομηνια εναρξησ
hr date: datum zavrsetka; datum dovrsetka
hr other date: datum pocetka
bg date: дата на приключване; дата на завършване
bg other date: начална дата; дата на начало
ru date: дата выполнения; дата завершения; дата окончания
ru other date: дата начала
tr date: bitis tarihi; tamamlanma tarihi
tr other date: baslangic tarihi
en amount: amount total; total amount incl vat; amount net; total amount including vat
en other amount: total amount excl vat; amount tip; amount tax; amount fee; amount excl vat; total amount of vat; total amount excluding vat; vat amount; tax amount; tip amount
en trade date: trade date; tradedate; transaction date; execution date; order date; date of trade; trade date time; order execution time; transaction time
de trade date: handelstag; handelsdatum; abschluss; abschlusstag; abschlussdatum; schlusstag; ausfuhrungstag; ausfuhrung; transaktionsdatum; auftragsdatum
de date: abschluss; abschlusstag; handelstag; handelsdatum; schlusstag; ausfuhrungstag
fr trade date: date de transaction; date d operation; date operation; date d execution; date de l operation
es trade date: fecha operacion; fecha de operacion; fecha ejecucion; fecha de ejecucion
it trade date: data operazione; operazione; data eseguito
nl trade date: transactiedatum; handelsdatum; uitvoeringsdatum
pt trade date: data do negocio; data negocio; data operacao; data pregao
sv trade date: affarsdag; handelsdag; handelsdato; handledato
fi trade date: kauppapaiva; kauppapvm
en notes: source name; destination name; destination; source
en qty: asset quantity; no shares; share quantity; trade quantity; units transacted; filled qty; executed quantity; qty filled; unit quantity; quantity of shares; shares quantity; size; exec qty; filled quantity
en price: unit cost; price share; avg price; average price; trade price per share; filled price; fill price; avg fill price; purchase price; price unit; quote price; nav; price at transaction; exec price; market price; unit value
en ticker: asset id; instrument symbol; security id; isin code; instrument code; security symbol; underlying symbol; instrument isin; stock code; scrip; security code; code; product isin; asset symbol; security isin
de qty: stuckzahl; nominale; nominal stuck; anteile; stuck nominale; ausgefuhrt; stk; nominal stk; stuck nominal
de price: ausfuhrungspreis; preis pro stuck; preis je stuck; stuckpreis; preis stuck; ausf kurs; handelskurs; kurs pro anteil; kurs
de ticker: isin; symbol; wertpapierkennung; kurzel; wkn; valorennummer; valor
fr qty: quantite; nombre; parts; nombre de parts; nb titres; nombre de titres; qte
fr price: prix; cours; prix unitaire; cours d execution; valeur liquidative; prix d execution; valeur de la part
fr ticker: symbole; isin; code isin; mnemonique
es qty: cantidad; titulos; acciones; participaciones; n titulos; num titulos; n participaciones; numero de titulos
es price: precio; cotizacion; precio unitario; valor liquidativo; precio ejecucion; precio de ejecucion
es ticker: simbolo; isin; codigo isin; ticker
it qty: quantita; quote; numero quote; pezzi; qta
it price: prezzo; prezzo unitario; quotazione; prezzo eseguito; prezzo medio; prezzo di carico
it ticker: simbolo; isin; codice isin; ticker
nl qty: aantal; stuks; volume; aantal stuks
nl price: koers; prijs; prijs per aandeel; uitvoeringskoers; uitvoeringsprijs
nl ticker: isin; isin code; symbool; ticker
pt qty: quantidade; qtd; quantidade negociada; titulos
pt price: preco; preco unitario; cotacao; preco medio; preco compra
pt ticker: ativo; simbolo; codigo de negociacao; isin; papel
pl qty: ilosc; liczba; wolumen; liczba jednostek; liczba sztuk
pl price: cena; kurs; cena jednostkowa; cena wykonania
pl ticker: symbol; isin; kod papieru
cs qty: pocet; mnozstvi; pocet kusu; pocet cp; mnozstvo
cs price: cena; kurz; cena za kus; jednotkova cena; cena za jednotku
cs ticker: symbol; isin; ticker
sv qty: antal; antall; antal aktier; antal andelar; antal handlat
sv price: kurs; pris; kurs stk; handelskurs; kurs per aktie; kjopskurs; nav kurs
sv ticker: isin; ticker
fi qty: maara kpl; kpl; kappalemaara; osuudet; lukumaara
fi price: kurssi; hinta; yksikkohinta; a hinta; arvo osuus
fi ticker: isin; kaupankayntitunnus; tunnus; symboli
hu qty: darabszam; mennyiseg; db; darab
hu price: arfolyam; egysegar; ar
hu ticker: isin; ticker
ru qty: количество; кол во; количество бумаг; кількість; количество шт
ru price: цена; цена за единицу; ціна; цена бумаги; цена сделки; ціна за одиницю
ru ticker: тикер; код актива; isin; код инструмента; код бумаги; тікер
tr qty: adet; miktar; lot; islem adedi; gerceklesen miktar
tr price: fiyat; birim fiyat; islem fiyati; gerceklesen fiyat; ortalama fiyat
tr ticker: sembol; hisse kodu; hisse; islem kodu
zh qty: 成交数量; 数量; 股数; 成交股数; 成交數量; 數量; 股數; 份额; 确认份额
zh price: 成交价格; 成交均价; 价格; 单价; 成交價; 價格; 單價; 成交价; 成交單價; 净值; 成交價格
zh ticker: 证券代码; 股票代码; 代码; 股票代號; 代號; 代碼; 证券代號; 基金代码; 股票代碼
ja qty: 数量; 約定数量; 株数; 口数; 数量 株 口
ja price: 単価; 約定単価; 約定価格; 価格; 約定価額; 単価 円
ja ticker: 銘柄コード; 証券コード; ティッカー; コード
ko qty: 수량; 체결수량; 거래수량; 주수; 체결 수량
ko price: 단가; 체결단가; 체결가; 가격; 거래단가; 체결 단가; 체결가격
ko ticker: 종목코드; 종목번호; 티커
`
