package importer_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	moneypkg "finsvc/ledger/money"
)

// answerCases are files with what was given of them, and what is asked or read then.
func answerCases() map[string]struct{ given, file, want string } {
	const (
		unsigned = "Date,What,Amount\n2026-01-13,A,5.00\n2026-01-14,B,6.00\n"
		falling  = "Date,What,Amount,Balance\n2026-01-13,A,5.00,95.00\n2026-01-14,B,6.00,89.00\n2026-01-15,C,9.00,80.00\n"
		signed   = "Date,What,Amount,Balance\n2026-01-13,A,-5.00,95.00\n2026-01-14,B,-6.00,89.00\n2026-01-15,C,9.00,98.00\n"
		words    = "Date,What,Amount,Type,Balance\n2026-01-13,A,5.00,Debit,95.00\n2026-01-14,B,6.00,Credit,101.00\n2026-01-15,C,9.00,Debit,92.00\n"
		pair     = "Date,What,Debit,Credit,Balance\n2026-01-13,A,5.00,,95.00\n2026-01-14,B,,6.00,101.00\n2026-01-15,C,9.00,,92.00\n"
		agreeing = "Date,What,Amount,Type\n2026-01-13,A,-5.00,Debit\n2026-01-14,B,6.00,Credit\n"
		foreign  = "Date,What,Amount,Original Amount,Balance\n2026-01-13,A,-5.00,-5.50,95.00\n2026-01-14,B,-6.00,-6.60,89.00\n2026-01-15,C,9.00,9.90,98.00\n2026-01-16,D,-8.00,-8.80,90.00\n"
		dots     = "Datum;Text;Betrag;Saldo\n13.01.2026;A;-1.500;8.500\n14.01.2026;B;500;9.000\n15.01.2026;C;-1.000;8.000\n"
	)
	return map[string]struct{ given, file, want string }{
		"the column of amounts settles no sign": {`{"amount_col_label":"Amount"}`, unsigned,
			"asked signage_convention"},
		"nor in a file without headers": {`{"amount_col_label":"3","has_header":"false"}`,
			"2026-01-13,A,5.00\n2026-01-14,B,6.00\n", "asked signage_convention"},
		"the sign is the answer": {`{"amount_col_label":"Amount","signage_convention":"inflows_negative"}`, unsigned, "26-01-13 -5.00; 26-01-14 -6.00"},
		"a sign that every balance goes against": {`{"signage_convention":"inflows_positive"}`, falling,
			"asked signage_convention"},
		"a sign that every balance goes with": {`{"signage_convention":"inflows_negative"}`, falling,
			"26-01-13 -5.00; 26-01-14 -6.00; 26-01-15 -9.00"},
		"a sign against balances and minuses": {`{"signage_convention":"inflows_negative"}`, signed,
			"asked signage_convention"},
		"no sign fits balances that rise and fall": {`{"signage_convention":"inflows_negative"}`,
			"Date,What,Amount,Balance\n2026-01-13,A,5.00,95.00\n2026-01-14,B,6.00,89.00\n2026-01-15,C,9.00,98.00\n2026-01-16,C,8.00,90.00\n", "asked signage_convention"},
		"a word for money in that is money out": {`{"entity_type_col_label":"Type","amount_type_inflow_value":"Debit"}`, words, "asked amount_type_inflow_value"},
		"a word for money in":                   {`{"entity_type_col_label":"Type","amount_type_inflow_value":"Credit"}`, words, "26-01-13 -5.00; 26-01-14 6.00; 26-01-15 -9.00"},
		"words that the signs say already":      {`{"amount_type_strategy":"custom_column","entity_type_col_label":"Type","amount_type_inflow_value":"Credit"}`, agreeing, "asked amount_type_strategy"},
		"a pair the wrong way round": {`{"debit_col_label":"Credit","credit_col_label":"Debit"}`, pair,
			"asked debit_col_label"},
		"a pair": {`{"debit_col_label":"Debit","credit_col_label":"Credit"}`, pair,
			"26-01-13 -5.00; 26-01-14 6.00; 26-01-15 -9.00"},
		"a column that the balances go against": {`{"amount_col_label":"Original Amount"}`, foreign,
			"asked amount_col_label"},
		"a column that the balances go with": {`{"amount_col_label":"Amount"}`, foreign,
			"26-01-13 -5.00; 26-01-14 -6.00; 26-01-15 9.00; 26-01-16 -8.00"},
		"a fee that the balances leave out": {`{"fee_col_label":"Original Amount"}`, foreign,
			"asked fee_col_label"},
		"a number format that the balances disprove": {`{"number_format":"1,234.56"}`, dots, "asked number_format"},
		"signs against a word, also with a plus": {`{}`,
			"Date,What,Amount,Type\n2026-01-13,A,+5.00,Debit\n2026-01-14,B,-6.00,Credit\n",
			"26-01-13 -5.00; 26-01-14 6.00"},
		"signs against a word, all on one side": {`{}`,
			"Date,What,Amount,Type\n2026-01-13,A,-5.00,Credit\n2026-01-14,B,-6.00,Credit\n",
			"26-01-13 5.00; 26-01-14 6.00"},
		"signs against a word in some rows": {`{}`,
			"Date,What,Amount,Type\n2026-01-13,A,+5.00,Debit\n2026-01-14,B,-6.00,Debit\n", "asked signage_convention"},
		"words that the balances contradict": {`{}`,
			"Date,What,Amount,Type,Balance\n2026-01-13,A,5.00,Debit,105.00\n2026-01-14,B,6.00,Credit,99.00\n2026-01-15,C,9.00,Debit,108.00\n", "asked amount_type_inflow_value"},
		"balances before the rows prove no side": {`{}`,
			"Date,What,Amount,Balance\n2026-01-13,A,5.00,100.00\n2026-01-14,B,6.00,105.00\n2026-01-15,C,9.00,111.00\n2026-01-16,D,1.00,120.00\n", "asked signage_convention"},
		"nor which word is money in": {`{}`,
			"Date,What,Amount,Type,Balance\n2026-01-13,A,5.00,alpha,100.00\n2026-01-14,B,6.00,beta,105.00\n2026-01-15,C,9.00,alpha,99.00\n2026-01-16,D,1.00,beta,108.00\n", "asked signage_convention"},
		"amounts with signs need no proof of theirs": {`{}`,
			"Date,What,Amount,Balance\n2026-01-13,A,-5.00,100.00\n2026-01-14,B,6.00,95.00\n2026-01-15,C,-9.00,101.00\n2026-01-16,D,-1.00,92.00\n", "26-01-13 -5.00; 26-01-14 6.00; 26-01-15 -9.00; 26-01-16 -1.00"},
		"balances before the rows against the minus": {`{}`,
			"Date,What,Amount,Balance\n2026-01-13,A,5.00,100.00\n2026-01-14,B,-6.00,95.00\n2026-01-15,C,-9.00,101.00\n2026-01-16,D,-1.00,110.00\n", "asked signage_convention"},
	}
}

func TestDetectAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range answerCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := figures(readGiven(t, c.file, settings(t, c.given), euro(t))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDetectAnswersSilenceNothing gives each answer that is offered to each question of all cases. No other question
// goes away unless its setting has a reason then, and no file is read against its balances, but where these may be
// what is owed.
func TestDetectAnswersSilenceNothing(t *testing.T) {
	t.Parallel()
	answered := 0
	for name, c := range allCases(t) {
		home, _ := moneypkg.LookupCurrency(orElse(c.currency, "EUR"))
		d := recordpkg.Defaults{Currency: home}
		open := func() (io.Reader, error) { return strings.NewReader(c.file), nil }
		questions := importer.Questions(open, recordpkg.Settings{}, d)
		for _, q := range questions {
			for _, answer := range q.Candidates {
				answered++
				given := answerOf(q, answer, c.file)
				found, left, reasons, err := importer.Answered(open, given, d)
				if err != nil {
					t.Errorf("%s: %s=%s: %v", name, q.Setting, answer, err)
					continue
				}
				for _, other := range questions {
					if other.Setting != q.Setting && !slices.Contains(left, other.Setting) &&
						reasons[other.Setting] == "" {
						t.Errorf("%s: %s=%s silences the question of %s", name, q.Setting, answer, other.Setting)
					}
				}
				if len(left) == 0 && !strings.Contains(q.Text, "owed") && importer.AgainstBalances(c.file, found, d) {
					t.Errorf("%s: %s=%s is booked against the balances", name, q.Setting, answer)
				}
			}
		}
	}
	if answered < 50 {
		t.Errorf("only %d answers were tried", answered)
	}
}

// answerOf is an answer with what its question says must be given besides.
func answerOf(q importer.Question, answer, file string) recordpkg.Settings {
	s := recordpkg.Settings{}
	*s.Members()[q.Setting] = &answer
	switch q.Setting {
	case "debit_col_label":
		for _, other := range q.Candidates {
			if other != answer {
				s.CreditColLabel = &other
			}
		}
	case "amount_type_inflow_value":
		column := "Type"
		if strings.Contains(file, column) {
			s.EntityTypeColLabel = &column
		}
	}
	return s
}

// allCases are the files of all tests of detection.
func allCases(t *testing.T) map[string]detectCase {
	t.Helper()
	all := detectCases()
	for name, c := range doubtCases() {
		all[name] = c
	}
	for name, c := range answerCases() {
		all[name] = detectCase{file: c.file}
	}
	files, err := filepath.Glob("testdata/banks_*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n### ")[1:] {
			title, content, _ := strings.Cut(part, "\n")
			say := strings.Split(title, " | ")
			all[say[0]] = detectCase{content + "\n", say[1], ""}
		}
	}
	return all
}
