package importer

import (
	"slices"
	"strings"

	"finsvc/ledger"
)

// Words of headers that say amount, or currency, and what joins words: without them is left which amount is meant.
const (
	amountNames = "amount;amt;sum;value;total;betrag;betrags;umsatz;summe;montant;somme;importe;monto;importo;ammontare;bedrag;montante;quantia;valor;kwota;kwoty;castka;" +
		"ciastka;suma;belopp;belob;belop;summa;maara;osszeg;osszege;сумма;сума;сумме;tutar;tutari;iznos;znesek;износ;ποσο;jumlah;nominal;סכום;مبلغ;المبلغ;금액;signed;net;netto;paid;"
	currencyNames = "currency;ccy;curr;cur;wahrung;wahrungs;waehrung;devise;monnaie;divisa;moneda;moeda;valuta;valutakod;valutacode;munt;muntsoort;munteenheid;waluta;walucie;waluty;" +
		"mena;mene;meny;valuuttakoodi;valuutta;valuuta;devizanem;penznem;deviza;валюта;валюте;валюты;валюти;валюті;para;birimi;doviz;νομισμα;valiuta;valiutos;통화;통화코드;מטבע;العملة;code;codes;kod;iso;"
	joinNames  = "in;of;the;der;des;de;du;la;le;en;w;v;ve;в;у;van;del;della;do;da;di;i;u;na;"
	amountEnds = "betrag;umsatz;bedrag;belopp;belob;belop;osszeg;金额;金額;額;额;금액"
	moneyEnds  = "wahrung;waehrung;valuta;valuuttakoodi;币种;幣別;货币;貨幣;通貨;币别;幣種;통화"
)

// meant says which amount a header of an amount or a currency is about, as far as it does: "original" of both Original
// amount and Original currency.
func meant(header string) string {
	plain, _ := plainHeader(header)
	var rest []string
	for word := range strings.FieldsSeq(plain) {
		if slices.ContainsFunc([]string{amountNames, currencyNames, joinNames}, func(list string) bool { return isListed(list, word) }) {
			continue
		}
		for part := range strings.SplitSeq(amountEnds+";"+moneyEnds, ";") {
			word = strings.TrimSuffix(word, part)
		}
		if word = strings.TrimSuffix(word, "s"); word != "" {
			rest = append(rest, word)
		}
	}
	return strings.Join(rest, " ")
}

// otherSums are words of headers of amounts that are in the currency of the booked one, as what it is made of is.
const otherSums = "gross;brutto;brut;bruto;lordo;net;netto;tax;vat;gst;mwst;steuer;tip;cashback;cash back;discount;rate;kurs;kurz;koers;cours;taux;tasa;cambio;bonus;interest;balance;saldo;курс;arfolyam;tecaj;汇率;匯率;レート;환율;"

// rivals are the columns of money, besides those of the amounts, that a currency may be about.
func (f *detector) rivals() []int {
	money := f.money()
	return f.where(func(c *column) bool {
		named := c.roles[roleAmount]+c.roles[roleOtherAmount] > 0
		return c.isMoney && c.filled > 0 && named && !c.fee && c.roles[roleBalance] == 0 && !slices.ContainsFunc(wordsOf(baseLetters(c.header)), func(word string) bool {
			return isListed(otherSums, word)
		}) && !slices.ContainsFunc(money, func(at int) bool { return &f.columns[at] == c })
	})
}

// belonging is whether a column of currencies is about the amounts.
type belonging int

const (
	unclear belonging = iota
	ofAmounts
	ofOthers
)

// belongs decides whether a column of currencies is about the amounts that are booked or about other ones. Where all rows are in the
// account's currency it does not matter.
func (f *detector) belongs(at int) belonging {
	money, rivals := f.money(), f.rivals()
	own, name := "", meant(f.columns[at].header)
	if len(money) == 1 {
		own = meant(f.columns[money[0]].header)
	}
	isRival := func(holds func(at int) bool) bool { return slices.ContainsFunc(rivals, holds) }
	beside := func(other int) bool { return other == at-1 || other == at+1 }
	switch {
	case len(money) == 0 || !f.isForeign(at):
		return ofAmounts
	case name != "" && name == own:
		return ofAmounts
	case name != "" && isRival(func(other int) bool { return meant(f.columns[other].header) == name }):
		return ofOthers
	case name != "" && own != "" && f.columns[at].roles[roleCurrency] > 0 && !strings.Contains(homeNames, ";"+name+";"):
		return unclear
	case slices.Contains(money, at-1) || !isRival(beside):
		return ofAmounts
	}
	return f.byRows(at, rivals[slices.IndexFunc(rivals, beside)])
}

// homeNames are names of the currency in which an account is kept, and so of the amounts that are booked.
const homeNames = ";account;konto;compte;cuenta;conto;rekening;conta;rachunku;uctu;tili;szamla;счета;счёта;рахунку;hesap;booking;buchung;posted;"

// isForeign reports whether a column of currencies has another one than the account's.
func (f *detector) isForeign(at int) bool {
	c := &f.columns[at]
	if f.defaults.AccountCurrency != nil || c.words == nil {
		return true
	}
	for word := range c.words {
		if currency, known := currencyIn(word, f.defaults.Currency); !known || currency.Code != f.defaults.Currency.Code {
			return true
		}
	}
	return false
}

// byRows looks at the rows of the beginning for whose a column of currencies is: the two amounts are equal in all rows in the account's
// currency, of which there are some, and differ in all others, when it tells the currency of the other one.
func (f *detector) byRows(at, other int) belonging {
	home, foreign := 0, 0
	for _, r := range f.headRows() {
		amount, beside := cellAt(r.Cells, f.money()[0]), cellAt(r.Cells, other)
		currency, known := currencyIn(cellAt(r.Cells, at), f.defaults.Currency)
		if !known || !isSome(amount) || !isSome(beside) {
			continue
		}
		isHome := currency.Code == f.defaults.Currency.Code
		if isHome != (amount == beside) {
			return unclear
		}
		home, foreign = home+one(isHome), foreign+one(!isHome)
	}
	if home == 0 || foreign == 0 {
		return unclear
	}
	return ofOthers
}

// sameMeaning are the columns of currencies whose headers name the amount as that of the booked one does.
func (f *detector) sameMeaning() []int {
	money := f.money()
	if len(money) != 1 || meant(f.columns[money[0]].header) == "" {
		return nil
	}
	own := meant(f.columns[money[0]].header)
	return f.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
}

// tellsCurrency reports whether a column is one of currencies, of whichever amount.
func (c *column) tellsCurrency() bool {
	return !c.isDate && !c.isNumber && c.filled > 0 && (c.roles[roleCurrency]+c.roles[roleOtherCurrency] > 0 || c.holdsCodes())
}

// withHome keeps of columns of amounts that each have a currency beside them the one whose currency is always the account's; where the
// file names the accounts, the one whose currency never changes.
func (f *detector) withHome(list []int) []int {
	if len(list) < 2 {
		return list
	}
	var home []int
	for _, at := range list {
		c := f.currencyBeside(at, list)
		if c < 0 {
			return list
		}
		words := f.columns[c].words
		if f.defaults.AccountCurrency == nil && !f.isForeign(c) || f.defaults.AccountCurrency != nil && len(words) == 1 {
			home = append(home, at)
		}
	}
	if len(home) != 1 {
		return list
	}
	return home
}

// currencyBeside is the column with the currency of one of several amounts: called like it, else right behind it, else right before
// it; -1 when there is none.
func (f *detector) currencyBeside(at int, amounts []int) int {
	own := meant(f.columns[at].header)
	alike := f.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
	unlike := !slices.ContainsFunc(amounts, func(other int) bool { return other != at && meant(f.columns[other].header) == own })
	if len(alike) == 1 && unlike {
		return alike[0]
	}
	behind := func(a int) bool { return a+1 < len(f.columns) && f.columns[a+1].tellsCurrency() }
	before := func(a int) bool { return a > 0 && f.columns[a-1].tellsCurrency() }
	every := func(holds func(int) bool) bool {
		return !slices.ContainsFunc(amounts, func(a int) bool { return !holds(a) })
	}
	switch {
	case every(behind):
		return at + 1
	case every(before):
		return at - 1
	}
	return -1
}

// homePair is another column of amounts than the one that its header makes it seem, where that one has other currencies than the
// account's beside it, and the other one always the account's; -1 when there is none.
func (f *detector) homePair(at int) int {
	others := slices.DeleteFunc(f.rivals(), func(other int) bool {
		return other == at || f.columns[other].numbers.count < f.columns[at].numbers.count
	})
	all := append([]int{at}, others...)
	own := f.currencyBeside(at, all)
	if own < 0 || !f.isForeign(own) || f.defaults.AccountCurrency != nil {
		return -1
	}
	home := slices.DeleteFunc(others, func(other int) bool {
		c := f.currencyBeside(other, all)
		return c < 0 || c == own || f.isForeign(c)
	})
	if len(home) != 1 {
		return -1
	}
	return home[0]
}

// homeCurrency settles that amounts are in the account's currency although a column of currencies, about something else, has others.
func (f *detector) homeCurrency(list []int) {
	if f.defaults.AccountCurrency == nil && f.defaults.Currency.Code != "" {
		f.set("currency", f.defaults.Currency.Code, "that of the account: %s is about other amounts", f.titles(list))
		return
	}
	f.ask("currency", nil, "%s is about other amounts than those that are booked", f.titles(list))
}

// currencyIn reads what a cell of a column of currencies says: a code, a name or sign of one currency, or a sign of several of which
// that of the account is one.
func currencyIn(cell string, home ledger.Currency) (ledger.Currency, bool) {
	if c, ok := lookupCode(cell); ok {
		return c, true
	}
	codes, known := signOfColumn(cell)
	switch {
	case known && home.Code != "" && strings.Contains(codes, home.Code):
		return home, true
	case known && len(codes) == len("EUR"):
		return ledger.LookupCurrency(codes)
	}
	return ledger.LookupCurrency(currencyNamed(cell))
}

// signOfColumn gives the codes of the currencies that are written with a sign or a short local name, as it may stand in a column of
// currencies.
func signOfColumn(cell string) (codes string, known bool) {
	switch strings.ToLower(strings.TrimSuffix(strings.TrimSpace(cell), ".")) {
	case "kr":
		return "SEK NOK DKK ISK", true
	case "fr", "sfr":
		return "CHF XAF XOF XPF", true
	case "rs":
		return "INR PKR LKR NPR MUR SCR", true
	case "lei":
		return "RON MDL", true
	case "元":
		return "CNY TWD HKD", true
	case "din":
		return "RSD DZD", true
	case "лв":
		return "BGN KGS", true
	}
	return signOf(strings.TrimSpace(cell))
}

// lookupCode finds a currency by its code in a file: also by one that is no longer official, or never was, for the very same money.
// Codes of money that was worth something else, such as BYR, are not among them.
func lookupCode(code string) (ledger.Currency, bool) {
	if c, ok := ledger.LookupCurrency(code); ok {
		return c, true
	}
	switch strings.ToUpper(code) {
	case "RUR":
		return ledger.LookupCurrency("RUB")
	case "XBT":
		return ledger.LookupCurrency("BTC")
	case "CNH", "RMB":
		return ledger.LookupCurrency("CNY")
	case "NTD":
		return ledger.LookupCurrency("TWD")
	case "NIS":
		return ledger.LookupCurrency("ILS")
	case "CSD":
		return ledger.LookupCurrency("RSD")
	case "YTL":
		return ledger.LookupCurrency("TRY")
	case "UKP":
		return ledger.LookupCurrency("GBP")
	}
	return ledger.Currency{}, false
}
