package importer_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/importer/match"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/queries"
)

// ids are rows of a bank that has an id of its own for each of them: day, amount, text, note.
func idFile(rows ...string) string {
	return "Date,Amount,Description,Notes,Transaction ID\n" + strings.Join(rows, "\n") + "\n"
}

// TestBankIDIdentifies: what has the id of a booking is that booking, whatever else the bank has changed.
func TestBankIDIdentifies(t *testing.T) {
	t.Parallel()
	first := idFile("2026-01-01,-3.00,Coffee,,TX9041", "2026-01-02,-10.00,Book,,TX9042",
		"2026-01-03,50.00,Refund,,TX9050")
	for name, c := range map[string]struct {
		second, fates string
		balance       int64
		differ        string // of the rows that differ from what is booked, by number
	}{
		"the same": {first, "already_imported already_imported already_imported", 3700, ""},
		"notes": {idFile("2026-01-01,-3.00,Coffee,with Ann,TX9041", "2026-01-02,-10.00,Book,Birthday,TX9042",
			"2026-01-03,50.00,Refund,,TX9050", "2026-01-04,-1.00,Bus,,TX9055"),
			"already_imported already_imported already_imported imported", 3600, ""},
		"text": {idFile("2026-01-01,-3.00,CARD COFFEE BAR,,TX9041"), "already_imported", 3700, ""},
		"amount": {idFile("2026-01-01,-3.50,Coffee,,TX9041"), "already_imported", 3700,
			`1 amount "-3.00 EUR" "-3.50 EUR"`},
		"day": {idFile("2026-01-04,-3.00,Coffee,,TX9041"), "already_imported", 3700,
			`1 date "2026-01-01" "2026-01-04"`},
		"another id": {idFile("2026-01-01,-3.00,Coffee,,TX9060"), "imported", 3400, ""},
		"a reversal": {idFile("2026-01-01,3.00,Coffee,,TX9041", "2026-01-02,-10.00,Book,,TX9042"),
			"possible_duplicate already_imported", 3700, `1 Amount "-3.00" "3.00"`},
		"another one": {idFile("2026-01-02,-8.00,Cinema,,TX9041"), "possible_duplicate", 3700,
			`1 Date "2026-01-01" "2026-01-02" Amount "-3.00" "-8.00" Description "Coffee" "Cinema"`},
		"recurring": {idFile("2026-02-01,-3.00,Coffee,,TX9041"), "possible_duplicate", 3700,
			`1 Date "2026-01-01" "2026-02-01"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.bookFile(first)
			k.mustBalance(3700)
			out := k.preflight(c.second, importer.Request{AccountID: ledger.Some(k.account)})
			imp := k.bookFile(c.second)
			k.mustBalance(c.balance)
			if got := k.fates(imp); got != c.fates {
				t.Errorf("got %s, want %s", got, c.fates)
			}
			if got := k.differences(imp); got != c.differ {
				t.Errorf("differences: %s\nwant %s", got, c.differ)
			}
			if n := len(out.Changed) + len(out.PossibleDuplicates); n != strings.Count(c.differ, "1 ") &&
				n != strings.Count(c.fates, "possible_duplicate") {
				t.Errorf("the preflight tells %d", n)
			}
			k.bookFile(c.second)
			k.mustBalance(c.balance)
		})
	}
}

// differences are those of the rows of an import.
func (k *fixture) differences(imp queries.Import) string {
	k.tb.Helper()
	_, rows, err := k.Results(k.tb.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	var parts []string
	for _, r := range rows {
		if len(r.Differs) > 0 {
			parts = append(parts, fmt.Sprint(r.Number))
		}
		for _, d := range r.Differs {
			parts = append(parts, fmt.Sprintf("%s %q %q", d.Column, d.Booked, d.File))
		}
	}
	return strings.Join(parts, " ")
}

// TestColumnsOfIDs: a column is an id of bookings when its header says so and its cells prove it.
func TestColumnsOfIDs(t *testing.T) {
	t.Parallel()
	many := func(cell func(i int) string) []string {
		var cells []string
		for i := range 12 {
			cells = append(cells, cell(i))
		}
		return cells
	}
	three := []string{"A77120", "A77121", "A77129"}
	for name, c := range map[string]struct {
		header string
		cells  []string
		found  bool
	}{
		"transaction id":           {"Transaction ID", three, true},
		"in one word":              {"TransactionID", three, true},
		"FITID":                    {"FITID", three, true},
		"Transaktionscode":         {"Transaktionscode", three, true},
		"Buchungsnummer":           {"Buchungsnummer", three, true},
		"Référence de l'opération": {"Référence de l'opération", three, true},
		"Id. operazione":           {"Id. operazione", three, true},
		"Arkistointitunnus":        {"Arkistointitunnus", three, true},
		"Numer transakcji":         {"Numer transakcji", three, true},
		"номер операции":           {"Номер операции", three, true},
		"流水号":                      {"流水号", three, true},
		"one row":                  {"Transaction ID", three[:1], true},
		"numbers of a bank":        {"Transaction No", []string{"4711", "4712", "4713"}, true},
		"not unique":               {"Transaction ID", []string{"A77120", "A77121", "A77120"}, false},
		"not in every row":         {"Transaction ID", []string{"A77120", "", "A77129"}, false},
		"counts the rows":          {"Transaction ID", []string{"1", "2", "3"}, false},
		"counts them downwards":    {"Transaction No.", []string{"3", "2", "1"}, false},
		"counts them with a word":  {"Transaction ID", []string{"TX-0001", "TX-0002", "TX-0003"}, false},
		"counts a little":          {"Transaction Number", []string{"17", "18", "19"}, false},
		"a code of kinds":          {"Transaction Code", []string{"DEB", "POS", "FEE"}, false},
		"row":                      {"Row", three, false},
		"mandate reference":        {"Mandatsreferenz", three, false},
		"customer reference":       {"Customer Reference", three, false},
		"IBAN": {"IBAN", []string{"DE02120300000000202051", "DE02500105170137075030",
			"DE02100500000054540402"}, false},
		"end to end":          {"Kundenreferenz (End-to-End)", three, false},
		"card":                {"Card Number", three, false},
		"balance":             {"Balance", []string{"100.00", "97.00", "90.00"}, false},
		"reference, few rows": {"Reference", three, false},
		"reference of a bank": {"Reference", many(func(i int) string {
			return fmt.Sprintf("C26%07d",
				7919*i)
		}), true},
		"Referenznummer": {"Referenznummer", many(func(i int) string {
			return fmt.Sprintf("F%09d",
				104729*(i+1))
		}), true},
		"reference of payers": {"Reference", many(func(i int) string {
			return strings.Repeat("INV",
				1+i%3) + fmt.Sprint(100+i)
		}), false},
		"reference with words": {"Reference", many(func(i int) string { return fmt.Sprintf("RENT %02d", i) }),
			false},
		"reference that numbers": {"Reference", many(func(i int) string {
			return fmt.Sprintf("%08d",
				20000000+i)
		}), false},
		"reference, not in every row": {"Reference", many(func(i int) string {
			return []string{"",
				fmt.Sprintf("C26%07d", 7919*i)}[min(i, 1)]
		}), false},
		"related id beside no other": {"Related Transaction ID", three, false},
		"number of a receipt, counted": {"Belegnummer", many(func(i int) string { return fmt.Sprintf("%06d", i+1) }),
			false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			file := "Date;Amount;Description;" + c.header + "\n"
			for i, cell := range c.cells {
				file += fmt.Sprintf("2026-01-%02d;%d.50;Shop %c;%s\n", i+1, -i-1, 'A'+i, cell)
			}
			out := k.preflight(file, importer.Request{AccountID: ledger.Some(k.account)})
			if got := out.Settings.IDColLabel != nil; got != c.found || out.Obstacle != "" {
				t.Errorf("found %v, want %v; %s", got, c.found, out.Obstacle)
			}
		})
	}
}

// TestSharedIDs: an id that a booking shares with its fee and its reversal identifies neither of them, and all are
// booked once.
func TestSharedIDs(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.bookFile(idFile("2026-01-01,-3.00,Coffee,,TX9041", "2026-01-01,-0.10,Fee,,TX9041",
		"2026-01-02,3.00,Coffee,,TX9041", "2026-01-02,-8.00,Cinema,,TX9042"))
	k.mustBalance(-810)
	imp := k.bookFile(idFile("2026-01-02,3.00,Coffee,got it back,TX9041", "2026-01-02,-8.00,Cinema,,TX9042",
		"2026-01-03,-0.50,Fee,,TX9042"))
	if got := k.fates(imp); got != "already_imported already_imported imported" {
		t.Error(got)
	}
	k.mustBalance(-860)
}

// TestNoColumnOfIDs: without an id of the bank, cells that a bank changes later make no new booking, and others do.
func TestNoColumnOfIDs(t *testing.T) {
	t.Parallel()
	const header = "Date;Amount;Payee;Purpose;Balance;Status;Note;Category\n"
	const first = header + "2026-01-01;-3.00;Café;Coffee;97.00;booked;;\n2026-01-02;-3.00;Café;Coffee;94.00;booked;;\n2026-01-02;-3.00;Café;Coffee;91.00;booked;;\n"
	for name, c := range map[string]struct {
		row, fate string
		balance   int64
	}{
		"balance":             {"2026-01-01;-3.00;Café;Coffee;80.00;booked;;", "already_imported", 9100},
		"state":               {"2026-01-01;-3.00;Café;Coffee;97.00;settled;;", "already_imported", 9100},
		"note":                {"2026-01-01;-3.00;Café;Coffee;97.00;booked;with Ann;", "already_imported", 9100},
		"category":            {"2026-01-01;-3.00;Café;Coffee;97.00;booked;;Food", "already_imported", 9100},
		"all of them":         {"2026-01-01;-3.00;Café;Coffee;;settled;with Ann;Food", "already_imported", 9100},
		"form of Unicode":     {"2026-01-01;-3.00;Cafe\u0301;Coffee;97.00;booked;;", "already_imported", 9100},
		"text":                {"2026-01-01;-3.00;Café;Tea;97.00;booked;;", "possible_duplicate", 9100},
		"amount":              {"2026-01-01;-3.10;Café;Coffee;97.00;booked;;", "imported", 8790},
		"day":                 {"2026-01-03;-3.00;Café;Coffee;97.00;booked;;", "imported", 8800},
		"one more of the day": {"2026-01-01;-3.00;Café;Coffee;97.00;booked;;\n2026-01-02;-3.00;Café;Coffee;94.00;booked;;\n2026-01-02;-3.00;Café;Coffee;91.00;booked;;\n2026-01-02;-3.00;Café;Coffee;88.00;booked;;", "already_imported already_imported already_imported imported", 8800},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.bookFile(first)
			k.mustBalance(9100)
			imp := k.bookFile(header + c.row + "\n")
			if got := k.fates(imp); got != c.fate {
				t.Errorf("got %s, want %s", got, c.fate)
			}
			k.mustBalance(c.balance)
		})
	}
}

// TestHeldBackRows: rows that may be booked already are held back, and decided later, one or all.
func TestHeldBackRows(t *testing.T) {
	t.Parallel()
	const before = "date,amount,name\n2026-01-30,-3.00,Espresso\n2026-01-31,-10.00,Novel\n2026-01-31,-3.00,Espresso\n"
	const file = "date,amount,name\n2026-01-30,-3.00,Coffee\n2026-01-31,-10.00,Book\n2026-01-31,-3.00,Coffee\n2026-02-01,-7.00,Bus\n"
	held := "possible_duplicate possible_duplicate possible_duplicate imported"
	for name, c := range map[string]struct {
		decide  func(k *fixture, id uuid.UUID) error
		fates   string
		balance int64
		left    int64
		again   int64
	}{
		"nothing": {func(*fixture, uuid.UUID) error { return nil }, held, -2300, 3, -2300},
		"all new": {func(k *fixture, id uuid.UUID) error {
			_, err := k.DecideAll(k.tb.Context(), k.who, id, match.DecisionNew)
			return err
		}, "imported imported imported imported", -3900, 0, -3900},
		"all the same": {func(k *fixture, id uuid.UUID) error {
			_, err := k.DecideAll(k.tb.Context(), k.who, id, match.DecisionSame)
			return err
		}, "already_imported already_imported already_imported imported", -2300, 0, -2300},
		"one of each": {func(k *fixture, id uuid.UUID) error {
			if _, err := k.Decide(k.tb.Context(), k.who, id, 1, match.DecisionNew); err != nil {
				return err
			}
			_, err := k.Decide(k.tb.Context(), k.who, id, 2, match.DecisionSame)
			return err
		}, "imported already_imported possible_duplicate imported", -2600, 1, -2600},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.bookFile(before)
			imp := k.bookFile(file)
			if got := k.fates(imp); got != held || imp.DoubtfulRowsCount != 3 {
				t.Fatalf("held back: %s, %d", got, imp.DoubtfulRowsCount)
			}
			k.mustBalance(-2300)
			if err := c.decide(k, uuid.UUID(imp.PublicID)); err != nil {
				t.Fatal(err)
			}
			imp = k.get(imp)
			if got := k.fates(imp); got != c.fates || imp.DoubtfulRowsCount != c.left {
				t.Errorf("decided: %s, %d left", got, imp.DoubtfulRowsCount)
			}
			k.mustBalance(c.balance)
			k.bookFile(file) // what was decided holds
			k.mustBalance(c.again)
			if _, err := k.revert(imp, true); err != nil {
				t.Fatal(err)
			}
			k.work()
			k.mustBalance(-1600)
		})
	}
}

// TestPossibleDuplicatesOfAPublication: who publishes may say at once what they are.
func TestPossibleDuplicatesOfAPublication(t *testing.T) {
	t.Parallel()
	const before, file = "date,amount,name\n2026-01-31,-10.00,Novel\n",
		"date,amount,name\n2026-01-31,-10.00,Book\n2026-02-01,-7.00,Bus\n"
	for what, want := range map[string]struct {
		fates   string
		balance int64
	}{"": {"possible_duplicate imported", -1700}, importer.DuplicatesHold: {"possible_duplicate imported", -1700},
		importer.DuplicatesNew:  {"imported imported", -2700},
		importer.DuplicatesSame: {"already_imported imported", -1700}} {
		t.Run("say "+what, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.bookFile(before)
			imp := k.upload(file, importer.Request{AccountID: ledger.Some(k.account)})
			if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID),
				importer.Publication{Duplicates: what}); err != nil {
				t.Fatal(err)
			}
			k.work()
			if got := k.fates(k.get(imp)); got != want.fates {
				t.Errorf("got %s", got)
			}
			k.mustBalance(want.balance)
			k.bookFile(file)
			k.mustBalance(want.balance)
		})
	}
	k := newFixture(t)
	imp := k.upload(file, importer.Request{AccountID: ledger.Some(k.account)})
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID),
		importer.Publication{Duplicates: "perhaps"}); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("perhaps: %v", err)
	}
}

// TestTradesHaveIDs: trades are known by the broker's own id like payments.
func TestTradesHaveIDs(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	in := importer.Request{Type: recordpkg.TradeImport, Publish: true}
	const header = "date,side,ticker,qty,price,currency,account,comment,trade id\n"
	for _, c := range []struct{ rows, fates string }{
		{"2026-01-01,buy,ACME,2,10,EUR,Broker,,E70011\n2026-01-01,buy,ACME,1,10,EUR,Broker,,E70012\n",
			"imported imported"},
		{"2026-01-01,buy,ACME,2,10,EUR,Broker,first,E70011\n2026-01-02,buy,ACME,1,10,EUR,Broker,,E70012\n2026-01-02,buy,ACME,5,10,EUR,Broker,,E70019\n", "already_imported already_imported imported"},
	} {
		imp := k.send(header+c.rows, in)
		k.work()
		if got := k.fates(k.get(imp)); got != c.fates {
			t.Errorf("got %s, want %s; %v", got, c.fates, k.get(imp).Error)
		}
	}
}

// TestOldIdentity: what was imported before rows were known by more than their raw cells is recognised as it was then.
func TestOldIdentity(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	file := idFile("2026-01-01,-3.00,Coffee,,TX9041", "2026-01-01,-3.00,Coffee,,TX9042",
		"2026-01-02,-10.00,Book,Birthday,TX9050")
	imp := k.bookFile(file)
	raw, err := sql.Open("sqlite", k.db.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), "UPDATE transactions SET bank_key = NULL, like_key = NULL; UPDATE imports SET identity = 1"); err != nil {
		t.Fatal(err)
	}
	again := k.bookFile(file)
	if got := k.fates(again); got != "already_imported already_imported already_imported" {
		t.Errorf("the same: %s", got)
	}
	noted := k.bookFile(idFile("2026-01-01,-3.00,Coffee,with Ann,TX9041", "2026-01-01,-3.00,Coffee,,TX9042"))
	if got := k.fates(noted); got != "already_imported already_imported" {
		t.Errorf("with a note where none was: %s", got)
	}
	k.mustBalance(-1600)
	if imp.Identity != 2 {
		t.Errorf("identity %d", imp.Identity)
	}
}
