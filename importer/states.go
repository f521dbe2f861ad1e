package importer

import (
	"slices"
	"strings"
	"unicode"
)

// state is what a bank says of a payment that is not simply booked.
type state int

const (
	stateBooked  state = iota // or it says nothing
	statePending              // it is to be booked, perhaps with another day or amount
	stateNever                // it was declined, reverted or given up, and is never booked
)

// Why rows are left out: values of Row.Skipped.
const (
	skippedPending = "pending"
	skippedNever   = "never_booked"
	skippedSection = "section"
)

// Words of states beside those of [pendingWords] and [refusedWords], in the form of [plainHeader].
const (
	morePendingWords = "pending transaction;pending payment;not yet posted;not posted;unposted;not booked;unbooked;uncleared;authorisation;authorization;authorised transaction;preauthorised;preauthorized;pre authorisation;pre authorization;" +
		"card authorisation;card authorization;auth;hold;holding;reserved;reservation;blocked amount;in process;in processing;awaiting;awaiting settlement;awaiting clearing;to be processed;upcoming;waiting;" +
		"vorgemerkte buchung;vorgemerkter umsatz;vormerkung;vormerkposten;noch nicht gebucht;nicht gebucht;ungebucht;reserviert;reservierung;autorisiert;autorisierung;in bearbeitung;wird verarbeitet;offen;" +
		"en cours;en cours de traitement;a venir;autorise;autorisee;non comptabilise;reserve;" +
		"pendientes;pendiente de liquidacion;retencion;autorizada;autorizado;en proceso;en curso;en tramite;por contabilizar;no contabilizado;" +
		"in corso;da contabilizzare;non contabilizzato;non contabilizzata;in elaborazione;prenotato;prenotata;sospeso;in sospeso;" +
		"gereserveerd;reservering;nog niet verwerkt;nog te verwerken;in verwerking;te verwerken;openstaand;" +
		"em processamento;em andamento;a aguardar;agendado;agendada;cativo;pendentes;" +
		"oczekujace;oczekujacy;w trakcie;w toku;blokada srodkow;zablokowana;nierozliczona;nierozliczone;niezaksiegowane;w realizacji;rezerwacja;" +
		"ceka;ceka na zauctovani;cekajici na zauctovani;nezauctovano;nezauctovana;blokace;rezervace;zpracovava se;caka;nezauctovane;" +
		"reserverat;reservation;reservasjon;reserveret belob;preliminar;preliminart;vantar;under behandling;ikke bokfort;ikke bogfort;ej bokford;behandles;" +
		"odottava;vireilla;varaus;katevaraus;kasittelyssa;kirjaamaton;ootel;broneeritud;tootlemisel;" +
		"fuggoben levo;zarolt;zarolas;feldolgozas alatt;konyveletlen;" +
		"in asteptare;in procesare;in curs;blocat;u obradi;na cekanju;rezervirano;rezervisano;neproknjizeno;laukiama;vykdoma;rezervuota;gaida;apstrade;rezervets;" +
		"ожидает;в ожидании;холд;заблокировано;авторизация;обрабатывается;не проведена;не проведен;в процесі;очікує;εκκρεμει;σε εκκρεμοτητα;δεσμευση;изчакваща;блокирана;" +
		"bekliyor;islemde;provizyon;provizyonda;askida;dang cho xu ly;dang xu ly;tertunda;menunggu;dalam proses;รอดำเนินการ;대기;승인대기;처리중;보류;" +
		"未入账;未入賬;待入账;处理中;處理中;待确认;授权;预授权;进行中;処理中;保留中;未確定;確定前;ממתין;בהמתנה;قيد الانتظار;معلق;"
	// What is called so may have been booked before: the file must have it as another row, and whether it has is not known.
	reversedWords = "reversed;returned;"
	// Of pendingWords those that begin or end a text, set off from it, and mean nothing else.
	markWords = "pending;pending transaction;pending payment;vorgemerkt;umsatz vorgemerkt;vormerkung;ausstehend;en attente;pendiente;in attesa;in behandeling;gereserveerd;pendente;oczekujaca;blokada;cekajici;blokace;reserverat;" +
		"reserveret;reservert;katevaraus;odottaa;fuggoben;zarolt;в обработке;ожидание;холд;beklemede;bekliyor;provizyon;authorisation;authorization;card authorisation;card authorization;preauthorisation;pre auth;preauth;处理中;待入账;保留中;"
	// These begin a text without being set off.
	markPhrases = "umsatz vorgemerkt;vorgemerkter umsatz;vorgemerkte buchung;pending transaction;pending payment;card authorisation hold;authorisation hold;authorization hold;"
)

// Lines of one cell that begin a part of a file, in the same form.
const (
	pendingSections = "pending;pending transactions;transactions pending;pending payments;pending purchases;authorised transactions;authorized transactions;unposted transactions;transactions not yet posted;card authorisations;upcoming transactions;" +
		"vorgemerkte umsatze;vorgemerkte buchungen;umsatze vorgemerkt;vorgemerkt;vormerkungen;noch nicht gebuchte umsatze;nicht gebuchte umsatze;ausstehende umsatze;reservierungen;offene autorisierungen;" +
		"operations en attente;operations a venir;en attente;en cours;operations en cours;paiements en attente;autorisations en cours;" +
		"movimientos pendientes;operaciones pendientes;pendientes;movimientos retenidos;retenciones;movimenti in attesa;operazioni in attesa;movimenti non contabilizzati;movimenti da contabilizzare;operazioni non contabilizzate;prenotazioni;" +
		"gereserveerde transacties;nog te verwerken;nog te verwerken transacties;in behandeling;reserveringen;movimentos pendentes;transacoes pendentes;pendentes;lancamentos futuros;" +
		"transakcje oczekujace;operacje oczekujace;operacje w trakcie;blokady;blokady srodkow;oczekujace;cekajici transakce;nezauctovane transakce;nezauctovane platby;blokace;cakajuce transakcie;" +
		"reserverade belopp;reserverade transaktioner;reserverat;reservationer;reserverte transaksjoner;reserverte belop;kommende transaktioner;varaukset;katevaraukset;odottavat tapahtumat;broneeringud;fuggo tetelek;zarolasok;konyveletlen tetelek;" +
		"tranzactii in asteptare;transakcije na cekanju;операции в обработке;ожидающие операции;в обработке;неподтвержденные операции;bekleyen islemler;provizyonlar;未入账交易;待处理交易;处理中交易;未確定明細;"
	bookedSections = "booked;booked transactions;posted;posted transactions;completed transactions;cleared transactions;settled transactions;transactions;transaction history;" +
		"gebuchte umsatze;gebuchte buchungen;umsatze;gebucht;umsatze gebucht;kontoumsatze;operations comptabilisees;operations effectuees;operations;operations passees;movimientos;movimientos realizados;operaciones realizadas;movimientos contabilizados;" +
		"movimenti;movimenti contabilizzati;operazioni contabilizzate;lista movimenti;verwerkte transacties;geboekte transacties;transacties;movimentos;movimentos realizados;transakcje;transakcje zaksiegowane;operacje zaksiegowane;zauctovane transakce;zauctovane platby;" +
		"transaktioner;bokforda transaktioner;bokforte transaksjoner;bogforte transaktioner;transaksjoner;tapahtumat;tilitapahtumat;kirjatut tapahtumat;konyvelt tetelek;tranzactii;операции;проведенные операции;islemler;hesap hareketleri;已入账交易;確定明細;"
)

// stateOf is what a cell of a column of states says. A text that only begins or ends with a mark counts as well.
func stateOf(cell string) state {
	switch {
	case cell == "":
		return stateBooked
	case among(pendingWords, cell) || among(morePendingWords, cell) || marked(cell):
		return statePending
	case among(refusedWords, cell) && !among(reversedWords, cell):
		return stateNever
	}
	return stateBooked
}

// marked says whether a text says outright that the payment is pending: all of it does, or what is set off from the rest of it by a colon, a
// dash between blanks, stars or brackets. A merchant whose name begins with such a word is none.
func marked(text string) bool {
	const longest = 24 // characters of a mark, more or less
	if among(markWords, text) {
		return true
	}
	text = strings.TrimLeft(text, " ")
	if plain, _ := plainHeader(text[:min(len(text), 2*longest)]); startsPhrase(plain) {
		return true
	}
	for _, open := range []string{"(", "[", "*"} {
		closed := map[string]string{"(": ")", "[": "]", "*": "*"}[open]
		if rest, found := strings.CutPrefix(text, open); found {
			if word, _, ends := strings.Cut(rest, closed); ends && isMark(word) {
				return true
			}
		}
		if rest, found := strings.CutSuffix(strings.TrimRight(text, " "), closed); found {
			if at := strings.LastIndex(rest, open); at >= 0 && isMark(rest[at+len(open):]) {
				return true
			}
		}
	}
	for _, mark := range []string{":", " - ", " – ", " — ", " | ", " / "} {
		if before, after, found := strings.Cut(text, mark); found && (isMark(before) || mark != ":" && isMark(after[strings.LastIndex(after, mark)+1:])) {
			return true
		}
	}
	return false
}

func startsPhrase(plain string) bool {
	for phrase := range strings.SplitSeq(strings.TrimSuffix(markPhrases, ";"), ";") {
		if plain == phrase || strings.HasPrefix(plain, phrase+" ") {
			return true
		}
	}
	return false
}

func isMark(word string) bool {
	const longest = 40 // bytes
	word = strings.Trim(word, " *")
	return word != "" && len(word) <= longest && among(markWords, word)
}

// partOf reads the only cell of a record that begins a part of the file.
func partOf(cells []string) (begins, pending bool) {
	const longest = 80 // bytes
	only := ""
	for _, cell := range cells {
		if cell == "" {
			continue
		}
		if only != "" {
			return false, false
		}
		only = cell
	}
	if only == "" || len(only) > longest || !strings.ContainsFunc(only, unicode.IsLetter) {
		return false, false
	}
	only = strings.TrimRight(strings.TrimLeft(only, "*-=# "), "*-=#: ")
	switch {
	case among(pendingSections, only):
		return true, true
	case among(bookedSections, only):
		return true, false
	}
	return false, false
}

// purchaseDays are headers of days on which a payment was made, or has its value: a blank one says nothing of its booking.
const purchaseDays = ";transaction date;date of transaction;purchase date;date of purchase;trade date;created;created date;started date;start date;value date;valuta;wertstellung;wertstellungstag;valutadatum;kaufdatum;" +
	"transaktionsdatum;belegdatum;umsatzdatum;einkaufsdatum;date de valeur;date d achat;date de transaction;date de l operation;fecha valor;fecha de valor;fecha de compra;fecha operacion;data valuta;data acquisto;data operazione;" +
	"transactiedatum;rentedatum;aankoopdatum;data valor;data da compra;data transakcji;data waluty;data operacji;datum transakce;datum valuty;transaktionsdatum;kopdatum;kjopsdato;transaksjonsdato;rentedato;valutadag;arvopaiva;maksupaiva;ostopaiva;" +
	"ertek datuma;tranzakcio datuma;дата операции;дата транзакции;islem tarihi;交易日期;交易时间;ご利用日;利用日;"

// bookingDays are headers of days on which a bank booked a payment: one that has none is not booked yet.
const bookingDays = ";booking date;date of booking;booked;booked on;booked date;booking day;posting date;post date;posted date;posted;posted on;date posted;completed date;date completed;settled date;settlement date;" +
	"buchungstag;buchungsdatum;buchungs datum;buchung;gebucht am;datum buchung;verbuchungsdatum;date comptable;date de comptabilisation;date comptabilisation;date de l ecriture;fecha contable;fecha de contabilizacion;fecha contabilizacion;" +
	"fecha de asiento;data contabile;data di contabilizzazione;data contabilizzazione;data registrazione;boekdatum;boekingsdatum;datum boeking;data contabilistica;data do lancamento;data de lancamento;data movimento contabil;" +
	"data ksiegowania;data zaksiegowania;datum zauctovani;datum zuctovani;datum zaksiegowania;bokforingsdag;bokforingsdatum;bokford;bokforingsdato;bokfort;bogforingsdato;bogfort;kirjauspaiva;kirjauspaivamaara;" +
	"konyveles datuma;konyvelesi datum;konyveles napja;дата проводки;дата проведения;дата списания;muhasebe tarihi;kayit tarihi;记账日期;入账日期;過帳日期;記帳日;計上日;기장일;data inregistrarii;data contabilizarii;datum knjizenja;"

// isBookingDay reports whether a header is one of those.
func isBookingDay(header string) bool {
	plain, _ := plainHeader(header)
	return strings.Contains(bookingDays, ";"+plain+";")
}

// isPurchaseDay says whether a header is one of those.
func isPurchaseDay(header string) bool {
	plain, _ := plainHeader(header)
	return strings.Contains(purchaseDays, ";"+plain+";")
}

// otherDays are the columns with days besides that of the date, of a file in which a blank day of booking is that of a pending payment;
// nil when it is not, because the day is that of the purchase.
func (r *Rows) otherDays() []int {
	at := r.columns.at[fieldDate]
	if at < 0 || at >= len(r.columns.header) || isPurchaseDay(r.columns.header[at]) {
		return nil
	}
	names := newHeaderNames()
	var list []int
	for i, header := range r.columns.header {
		roles := names.read(header).roles
		if i != at && (max(roles[roleDate], roles[roleOtherDate], roles[roleTradeDate]) >= 900 || isPurchaseDay(header)) {
			list = append(list, i)
		}
	}
	return list
}

// otherDay is the cell with the first of these days that a row has; blank when it has none.
func (r *Rows) otherDay(cells []string) string {
	for _, at := range r.days {
		if cell := cellAt(cells, at); cell != "" {
			if _, err := r.rules.dates.parse(cell); err == nil {
				return cell
			}
		}
	}
	return ""
}

// readState says what the bank says of a row, and takes a line that begins a part of the file for what it is.
func (r *Rows) readState(cells []string) (s state, section bool) {
	if !r.hasStates() {
		return stateBooked, false
	}
	if begins, pending := partOf(cells); begins && len(r.columns.header) != 1 {
		r.pendingPart = pending
		return stateBooked, true
	}
	if len(r.columns.header) > 1 && slices.Equal(cells, r.columns.header) {
		return stateBooked, true // each part has the header anew
	}
	if r.pendingPart {
		return statePending, false
	}
	if cell := r.columns.cell(cells, fieldStatus); cell != "" {
		if cell != r.stated.cell {
			r.stated = statedCell{strings.Clone(cell), stateOf(cell)}
		}
		if r.stated.state != stateBooked {
			return r.stated.state, false
		}
	} else if r.postedBy() && r.columns.cell(cells, fieldDate) != "" {
		return statePending, false
	}
	if len(r.days) > 0 && r.columns.cell(cells, fieldDate) == "" && r.otherDay(cells) != "" {
		return statePending, false
	}
	return stateBooked, false
}

// postedBy reports whether the column of states has the days on which payments were booked.
func (r *Rows) postedBy() bool {
	at := r.columns.at[fieldStatus]
	return at >= 0 && at < len(r.columns.header) && isBookingDay(r.columns.header[at])
}

// hasStates says whether the rows are payments of a bank, which may be pending. What becomes of orders of a broker is asked.
func (r *Rows) hasStates() bool {
	switch r.kind.(type) {
	case transactions, mint:
		return true
	}
	return false
}

// statedCell is a cell and the state in it.
type statedCell struct {
	cell  string
	state state
}

// leftOutFor is why a row in a state is left out; blank when it is not.
func (r *Rows) leftOutFor(s state) string {
	switch {
	case r.allStates || s == stateBooked:
	case s == stateNever:
		return skippedNever
	case !r.rules.bookPending:
		return skippedPending
	}
	return ""
}
