package importer

import (
	"slices"
	"strings"
)

// pdfRole is what a column of a statement holds.
type pdfRole int

const (
	pdfRoleNone pdfRole = iota
	pdfRoleDate
	pdfRoleValue // the day on which interest begins, which is not the booking's
	pdfRoleText
	pdfRoleAmount
	pdfRoleDebit
	pdfRoleCredit
	pdfRoleBalance
)

// roleWords are the headers of statements, as plainWord gives them. A header counts when it begins with one of them.
func roleWords(role pdfRole) []string {
	switch role {
	case pdfRoleDate:
		return []string{"date", "datum", "buchungstag", "buchungsdatum", "buchung", "buchungs", "posting date", "posted", "trans date", "transaction date",
			"tran date", "post date", "fecha", "f operacion", "fecha operacion", "data", "data operazione", "data contabile", "bu tag", "bu t", "tag",
			"data operacji", "data ksiegowania", "bokforingsdag", "bokforingsdatum", "dato", "bogforingsdato", "datum zauctovani", "pvm", "kirjauspaiva", "operation"}
	case pdfRoleValue:
		return []string{"valuta", "wert", "wertstellung", "valutadatum", "value", "value date", "valeur", "date valeur", "date de valeur", "fecha valor", "valor",
			"f valor", "data valuta", "data waluty", "valutadag", "rentedatum", "data valor", "rentedato"}
	case pdfRoleText:
		return []string{"description", "details", "buchungstext", "text", "verwendungszweck", "vorgang", "erlauterung", "beschreibung", "libelle", "nature",
			"concepto", "descripcion", "detalle", "descrizione", "causale", "omschrijving", "naam", "opis", "tytul", "descricao", "historico", "specifikation",
			"tekst", "popis", "transaction", "transaction description", "transaction details", "particulars", "payee", "merchant", "purpose", "avsandare", "beskrivning",
			"buchungsinformation", "transaktion", "umsatz", "umsatzinformation", "payment type and details", "selite", "intitule", "operations", "movimiento"}
	case pdfRoleAmount:
		return []string{"amount", "betrag", "importe", "montant", "importo", "bedrag", "kwota", "valor em", "belopp", "belob", "belop", "castka", "umsatz in", "betrag in",
			"betrag eur", "monto", "valor r", "summe", "total", "maara", "amount eur", "amount usd", "amount gbp", "ein ausgang"}
	case pdfRoleDebit:
		return []string{"debit", "debits", "soll", "belastung", "belastungen", "lastschrift", "lastschriften", "withdrawal", "withdrawals", "paid out", "money out", "payments out",
			"cargo", "cargos", "debe", "debito", "debitos", "dare", "addebiti", "uscite", "af", "obciazenia", "uttag", "ud", "ausgang", "ausgange",
			"auszahlung", "auszahlungen", "retrait", "retraits", "depenses", "checks", "debitering", "out", "ausgaben", "zu ihren lasten", "saidas", "payments"}
	case pdfRoleCredit:
		return []string{"credit", "credits", "haben", "gutschrift", "gutschriften", "deposit", "deposits", "paid in", "money in", "payments in", "abono", "abonos",
			"haber", "credito", "creditos", "avere", "accrediti", "entrate", "bij", "uznania", "insattning", "ind", "eingang", "eingange", "einzahlung",
			"einzahlungen", "depot", "depots", "versement", "versements", "recettes", "in", "einnahmen", "zu ihren gunsten", "entradas", "receipts"}
	case pdfRoleBalance:
		return []string{"balance", "saldo", "solde", "kontostand", "stan", "running balance", "daily balance", "ending daily balance", "zustatek", "neuer saldo", "account balance", "saldo disponible"}
	}
	return nil
}

// roleOf is what a header says its column is; of several words that it begins with the longest decides.
func roleOf(header string) pdfRole {
	header = plainWord(header)
	best, length := pdfRoleNone, 0
	for role := pdfRoleDate; role <= pdfRoleBalance; role++ {
		for _, word := range roleWords(role) {
			if beginsWith(header, word) && len(word) > length {
				best, length = role, len(word)
			}
		}
	}
	return best
}

// beginsWith says whether the text begins with the words, whole.
func beginsWith(text, words string) bool {
	rest, ok := strings.CutPrefix(text, words)
	return ok && (rest == "" || rest[0] == ' ')
}

// balanceKind is what a balance in the text is.
type balanceKind int

const (
	noBalance balanceKind = iota
	openingBalance
	closingBalance
	plainBalance   // of a day: the first is the opening one, the last the closing one
	carriedBalance // from page to page
)

func balanceWords(kind balanceKind) []string {
	switch kind {
	case openingBalance:
		return []string{"alter saldo", "alter kontostand", "anfangssaldo", "saldovortrag", "saldo vortrag", "letzter kontostand", "saldo alt", "startsaldo", "anfangsbestand",
			"opening balance", "previous balance", "beginning balance", "starting balance", "start balance", "old balance", "last statement balance", "balance last statement",
			"previous statement balance", "balance from last statement", "balance brought forward from last statement", "previous account balance",
			"saldo inicial", "saldo anterior", "saldo al inicio", "solde precedent", "ancien solde", "solde initial", "solde anterieur", "solde debut", "saldo iniziale", "saldo precedente",
			"beginsaldo", "vorig saldo", "oud saldo", "saldo poczatkowe", "saldo poprzednie", "ingaende saldo", "ingaende balans", "pocatecni zustatek", "predchozi zustatek",
			"saldo primo", "inngaende saldo", "alkusaldo"}
	case closingBalance:
		return []string{"neuer saldo", "neuer kontostand", "endsaldo", "schlusssaldo", "aktueller kontostand", "saldo neu", "endbestand", "rechnungsbetrag",
			"closing balance", "new balance", "ending balance", "end balance", "current balance", "statement balance", "new account balance",
			"saldo final", "saldo actual", "saldo al cierre", "nouveau solde", "solde final", "solde nouveau", "solde fin", "saldo finale", "nuovo saldo", "saldo attuale",
			"eindsaldo", "nieuw saldo", "saldo koncowe", "utgaende saldo", "utgaende balans", "konecny zustatek", "saldo ultimo", "loppusaldo"}
	case plainBalance:
		return []string{"kontostand am", "kontostand zum", "kontostand per", "saldo am", "saldo zum", "saldo per", "saldo vom", "balance on", "balance at", "balance as of", "balance as at",
			"your balance on", "saldo al", "saldo a", "saldo en", "saldo em", "saldo op", "solde au", "solde en", "solde crediteur au", "solde debiteur au", "saldo na dzien", "saldo pr", "saldo den"}
	case carriedBalance:
		return []string{"ubertrag", "uebertrag", "vortrag", "balance brought forward", "balance carried forward", "brought forward", "carried forward", "balance forward", "suma y sigue",
			"saldo ubertrag", "a reporter", "report", "transport", "riporto", "zwischensaldo", "zwischensumme"}
	}
	return nil
}

// sectionOf is the direction of the rows below a heading: 1 for money in, -1 for money out, 0 when it says none.
func sectionOf(heading string) int64 {
	heading = strings.TrimPrefix(plainWord(heading), "your ")
	for _, words := range []string{"deposits", "deposits and", "credits", "additions", "electronic deposits", "other credits", "payments received", "interest paid",
		"gutschriften", "einzahlungen", "zahlungseingange", "eingange", "abonos", "ingresos", "depositos", "versements", "accrediti", "entrate", "money in"} {
		if beginsWith(heading, words) {
			return 1
		}
	}
	for _, words := range []string{"withdrawals", "checks", "checks paid", "checks and", "debits", "other debits", "other withdrawals", "atm", "atm debit", "electronic withdrawals",
		"electronic payments", "card purchases", "purchases", "fees", "service fees", "service charges", "subtractions", "other subtractions", "belastungen", "lastschriften", "auszahlungen",
		"zahlungsausgange", "ausgange", "gebuhren", "cargos", "retiros", "reintegros", "comisiones", "retraits", "prelevements", "addebiti", "uscite", "money out"} {
		if beginsWith(heading, words) {
			return -1
		}
	}
	return 0
}

// isTotal says whether a line sums up others, so that it is no row of its own.
func isTotal(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && slices.Contains([]string{"total", "totals", "subtotal", "summe", "gesamt", "gesamtsumme", "zwischensumme", "suma", "totale", "totaal", "totaux",
		"umsatzsumme", "soll", "haben", "razem"}, words[0])
}

// monthsNamed are the months in the languages of statements; abbreviations of three letters or more need not be there.
func monthsNamed() [12]string {
	return [12]string{
		"january januar janner jaenner januari janvier enero janeiro gennaio styczen stycznia leden ledna",
		"february februar februari fevrier febrero fevereiro febbraio luty lutego unor unora feber",
		"march marz maerz mrz maart mrt mars marzo marco marzec marca brezen brezna marts",
		"april avril abril aprile kwiecien kwietnia duben dubna",
		"may mai mei maj mayo maio maggio maja kveten kvetna",
		"june juni juin junio junho giugno czerwiec czerwca cerven cervna",
		"july juli juillet julio julho luglio lipiec lipca cervenec cervence",
		"august augustus augusti aout agosto sierpien sierpnia srpen srpna",
		"september septembre septiembre setiembre setembro settembre septembrie wrzesien wrzesnia zari",
		"october oktober octobre octubre outubro ottobre pazdziernik pazdziernika rijen rijna",
		"november novembre noviembre novembro listopad listopada",
		"december dezember decembre diciembre dezembro dicembre desember grudzien grudnia prosinec prosince",
	}
}

// monthOf is the number of a month by its name or the beginning of it; 0 when it is none, or could be two.
func monthOf(name string) int {
	name = plainWord(name)
	if len(name) < 3 {
		return 0
	}
	found := 0
	for i, names := range monthsNamed() {
		for full := range strings.FieldsSeq(names) {
			if full == name {
				return i + 1
			}
			if strings.HasPrefix(full, name) && found != i+1 {
				if found != 0 {
					return 0
				}
				found = i + 1
			}
		}
	}
	return found
}
