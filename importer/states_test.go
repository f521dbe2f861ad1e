package importer_test

import (
	"strings"
	"testing"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/queries"
)

// TestPendingRows: what a bank has not booked yet is left out and counted, in whatever way it says so, unless the
// balances include it.
func TestPendingRows(t *testing.T) {
	t.Parallel()
	const out, in = "pending_at_bank", "imported"
	for name, c := range map[string]struct{ file, fates string }{
		"a column of states": {"Date,Amount,Payee,Status\n2026-01-01,-3.00,Café,Pending\n2026-01-02,-5.00,Shop,Completed\n", out + " " + in},
		"authorised":         {"Date,Amount,Payee,State\n2026-01-01,-3.00,Café,AUTHORISED\n2026-01-02,-5.00,Shop,BOOKED\n", out + " " + in},
		"Umsatz vorgemerkt":  {"Buchungstag;Betrag;Empfänger;Info\n01.01.2026;-3,00;Café;Umsatz vorgemerkt\n02.01.2026;-5,00;Laden;Umsatz gebucht\n", out + " " + in},
		"of the text":        {"Buchungstag;Betrag;Empfänger;Buchungstext\n01.01.2026;-3,00;Café;Umsatz vorgemerkt\n02.01.2026;-5,00;Laden;Kartenzahlung\n03.01.2026;5,00;Firma;Gutschrift\n", out + " " + in + " " + in},
		"before the text": {"Date,Amount,Description\n2026-01-01,-3.00,PENDING: Café\n2026-01-02,-5.00,Shop\n",
			out + " " + in},
		"after the text": {"Date,Amount,Description\n2026-01-01,-3.00,Café (pending)\n2026-01-02,-5.00,Shop\n", out + " " + in},
		"between stars":  {"Date,Amount,Description\n2026-01-01,-3.00,* Pending * Café\n2026-01-02,-5.00,Shop\n", out + " " + in},
		"a merchant": {"Date,Amount,Description\n2026-01-01,-3.00,Pending Ltd\n2026-01-02,-5.00,Shop\n",
			in + " " + in},
		"a merchant with a dash": {"Date,Amount,Description\n2026-01-01,-3.00,Pending-Works\n2026-01-02,-5.00,Shop\n",
			in + " " + in},
		"French":                   {"Date;Montant;Libellé;Statut\n01/01/2026;-3,00;Café;En attente\n22/01/2026;-5,00;Magasin;Comptabilisé\n", out + " " + in},
		"Dutch":                    {"Datum;Bedrag;Omschrijving;Status\n01-01-2026;-3,00;Café;In behandeling\n22-01-2026;-5,00;Winkel;Verwerkt\n", out + " " + in},
		"Polish":                   {"Data;Kwota;Opis;Status\n2026-01-01;-3,00;Kawa;Oczekująca\n2026-01-22;-5,00;Sklep;Zaksięgowana\n", out + " " + in},
		"Swedish":                  {"Datum;Belopp;Text;Status\n2026-01-01;-3,00;Kaffe;Reserverat\n2026-01-22;-5,00;Butik;Bokförd\n", out + " " + in},
		"blank booking day":        {"Booking Date,Value Date,Amount,Payee\n,2026-01-03,-3.00,Café\n2026-01-02,2026-01-02,-5.00,Shop\n2026-01-01,2026-01-01,-6.00,Shop\n", out + " " + in + " " + in},
		"blank booking day (de)":   {"Buchungstag;Wertstellung;Betrag;Empfänger\n;03.01.2026;-3,00;Café\n02.01.2026;02.01.2026;-5,00;Laden\n01.01.2026;01.01.2026;-6,00;Laden\n", out + " " + in + " " + in},
		"a section":                {"Date,Amount,Payee\nPending transactions,,\n2026-01-03,-3.00,Café\nPosted transactions,,\n2026-01-02,-5.00,Shop\n2026-01-01,-6.00,Shop\n", "skipped " + out + " skipped " + in + " " + in},
		"a section with headers":   {"Vorgemerkte Umsätze\nDatum;Betrag;Empfänger\n03.01.2026;-3,00;Café\nGebuchte Umsätze\nDatum;Betrag;Empfänger\n02.01.2026;-5,00;Laden\n01.01.2026;-6,00;Laden\n", out + " skipped skipped " + in + " " + in},
		"never happened":           {"Date,Amount,Payee,State\n2026-01-01,-3.00,Café,DECLINED\n2026-01-02,-5.00,Shop,COMPLETED\n2026-01-03,-6.00,Bar,REVERTED\n2026-01-04,-7.00,Bus,FAILED\n", "skipped " + in + " skipped skipped"},
		"all booked":               {"Date,Amount,Payee,State\n2026-01-01,-3.00,Café,COMPLETED\n2026-01-02,-5.00,Shop,COMPLETED\n", in + " " + in},
		"not in the balance":       {"Date,Amount,Payee,Status,Balance\n2026-01-03,-3.00,Café,Pending,\n2026-01-02,-5.00,Shop,Completed,95.00\n2026-01-01,-6.00,Bar,Completed,100.00\n", out + " " + in + " " + in},
		"in the balance":           {"Date,Amount,Payee,Status,Balance\n2026-01-03,-3.00,Café,Pending,92.00\n2026-01-02,-5.00,Shop,Completed,95.00\n2026-01-01,-6.00,Bar,Completed,100.00\n", in + " " + in + " " + in},
		"given up, in the balance": {"Date,Amount,Payee,Status,Balance\n2026-01-01,-6.00,Bar,Completed,100.00\n2026-01-02,-5.00,Shop,Cancelled,95.00\n2026-01-03,-3.00,Café,Completed,92.00\n", in + " " + in + " " + in},
		"blank id":                 {"Date,Amount,Payee,Status,Transaction ID\n2026-01-01,-3.00,Café,Pending,\n2026-01-02,-5.00,Shop,Completed,TX5501\n2026-01-03,-6.00,Bar,Completed,TX5502\n", out + " " + in + " " + in},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			imp := k.bookFile(c.file)
			if got := k.fates(imp); got != c.fates {
				t.Errorf("got %s\nwant %s", got, c.fates)
			}
			if n := int64(strings.Count(c.fates, out)); imp.PendingRowsCount != n || imp.InvalidRowsCount != 0 {
				t.Errorf("%d pending, want %d; %d invalid", imp.PendingRowsCount, n, imp.InvalidRowsCount)
			}
			if strings.Contains(c.file, "TX5501") != (strings.Contains(imp.Settings,
				`"id_col_label":"Transaction ID"`)) {
				t.Error(imp.Settings)
			}
		})
	}
}

// TestPendingRowsAreBookedWhenAsked: pending rows are booked if somebody says so; the final row is not booked besides.
func TestPendingRowsAreBookedWhenAsked(t *testing.T) {
	t.Parallel()
	const header = "Date,Amount,Payee,Status\n"
	const pending = header + "2026-01-02,-5.00,Shop,Completed\n2026-01-03,-3.00,Café,Pending\n"
	for name, c := range map[string]struct {
		final, fates string
		balance      int64
	}{
		"the same day":      {"2026-01-03,-3.00,Café,Completed", "already_imported", -800},
		"later":             {"2026-01-05,-3.00,Café,Completed", "already_imported", -800},
		"with another text": {"2026-01-05,-3.00,CAFE 1234,Completed", "possible_duplicate", -800},
		"another amount":    {"2026-01-05,-4.00,Café,Completed", "imported", -1200},
		"of the next month": {"2026-01-25,-3.00,Café,Completed", "imported", -1100},
		"once more, and final": {"2026-01-03,-3.00,Café,Pending\n2026-01-05,-3.00,Café,Completed",
			"already_imported imported", -1100},
		"twice final": {"2026-01-05,-3.00,Café,Completed\n2026-01-05,-3.00,Café,Completed",
			"already_imported imported", -1100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			in := importer.Request{AccountID: ledger.Some(k.account), Publish: true}
			in.Settings.PendingRows = new("book")
			first := k.upload(pending, in)
			k.work()
			if got := k.fates(k.get(first)); got != "imported imported" {
				t.Fatal(got)
			}
			in.Settings.StatusColLabel = new("Status")
			imp := k.upload(header+c.final+"\n", in)
			k.work()
			if got := k.fates(k.get(imp)); got != c.fates {
				t.Errorf("got %s, want %s", got, c.fates)
			}
			k.mustBalance(c.balance)
			again := k.upload(header+c.final+"\n", in)
			k.work()
			k.mustBalance(c.balance)
			for _, one := range []queries.Import{again, imp} { // what an import has settled is open again
				if _, err := k.revert(k.get(one), true); err != nil {
					t.Fatal(err)
				}
				k.work()
			}
			k.mustBalance(-800)
			k.upload(header+c.final+"\n", in)
			k.work()
			k.mustBalance(c.balance)
		})
	}
}

// TestOnlyPendingRows: a file of nothing but pending rows is not published, and says why.
func TestOnlyPendingRows(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload("Date,Amount,Payee,Status\n2026-01-01,-3.00,Café,Pending\n2026-01-02,-5.00,Shop,Pending\n",
		importer.Request{AccountID: ledger.Some(k.account), Publish: true})
	if imp.Status != importer.StatusFailed || !strings.Contains(*imp.Error, "2 are pending at the bank") ||
		!strings.Contains(*imp.Error, "pending_rows=book") {
		t.Errorf("%s: %s", imp.Status, *imp.Error)
	}
	later := k.bookFile("Date,Amount,Payee,Status\n2026-01-03,-3.00,Café,Completed\n2026-01-02,-5.00,Shop,Completed\n")
	if got := k.fates(later); got != "imported imported" {
		t.Error(got)
	}
	k.mustBalance(-800)
}

// TestReversedStates: a payment that was reversed or returned may have been booked, and booked back by another row, or
// never have been: it is asked, unless the balances include it.
func TestReversedStates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"nothing proves it": {"Date,Amount,Payee,Status\n2026-01-01,-6.00,Bar,Completed\n2026-01-02,-5.00,Shop,Reversed\n2026-01-03,-3.00,Café,Completed\n", "asked row_filter"},
		"in the balance": {"Date,Amount,Payee,Status,Balance\n2026-01-01,-6.00,Bar,Completed,94.00\n2026-01-02,-5.00,Shop,Reversed,89.00\n2026-01-03,5.00,Shop,Completed,94.00\n2026-01-04,-3.00,Café,Completed,91.00\n",
			"26-01-01 -6.00; 26-01-02 -5.00; 26-01-03 5.00; 26-01-04 -3.00"},
		"not in the balance": {"Date,Amount,Payee,Status,Balance\n2026-01-01,-6.00,Bar,Completed,94.00\n2026-01-02,-5.00,Shop,Returned,94.00\n2026-01-03,-4.00,Bus,Completed,90.00\n2026-01-04,-3.00,Café,Completed,87.00\n",
			"asked row_filter"},
		"in some balances": {"Date,Amount,Payee,Status,Balance\n2026-01-01,-6.00,Bar,Completed,94.00\n2026-01-02,-5.00,Shop,Returned,\n2026-01-03,-4.00,Bus,Completed,90.00\n2026-01-04,-3.00,Café,Completed,87.00\n",
			"asked row_filter"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := figures(readDetected(t, c.file, "EUR")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
