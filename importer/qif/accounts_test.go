package qif

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer/record"
	"finsvc/importer/source"
)

const (
	declaredBank  = "!Account;NMain;TBank;^;"
	declaredCard  = "!Account;NCard;TCCard;^;"
	declaredFunds = "!Account;NFunds;TInvst;^;"
	bankEntry     = "!Type:Bank;D1/31/2026;T1;PA;^;"
	cardEntry     = "!Type:CCard;D1/31/2026;T2;PB;^;"
	fundsEntry    = "!Type:Invst;D1/31/2026;NDiv;YX;T3;PC;^;"
)

// TestQIFAccounts: whose rows are those of which section.
func TestQIFAccounts(t *testing.T) {
	t.Parallel()
	const day = "2026-01-31 "
	nowhere := books("")
	for name, c := range map[string]struct {
		d          record.Defaults
		file, want string
	}{
		"one without a name":       {checking(), bankEntry, day + "1.00 A"},
		"no account at all":        {nowhere, bankEntry, "account_id must be given: the section !Type:Bank (line 1) does not say which account it belongs to"},
		"one with a name":          {checking(), declaredBank + bankEntry, day + "1.00 A"},
		"by name":                  {nowhere, declaredBank + bankEntry, day + "1.00 A |in Main |type depository"},
		"several by name":          {nowhere, declaredBank + bankEntry + declaredCard + cardEntry, day + "1.00 A |in Main |type depository\n" + day + "2.00 B |in Card |type credit_card"},
		"several and an account":   {checking(), declaredBank + bankEntry + declaredCard + cardEntry, day + "1.00 A |in Main |type depository\n" + day + "2.00 B |in Card |type credit_card"},
		"one of them without name": {checking(), bankEntry + declaredCard + cardEntry, day + "1.00 A\n" + day + "2.00 B |in Card |type credit_card"},
		"both without name":        {checking(), bankEntry + cardEntry, "account_id must be given for each account by itself: the section !Type:Bank (line 1) is not the only one that does not say which account it belongs to. Send one file per account"},
		"twice the same":           {checking(), bankEntry + "!Type:Cat;NFood;^;" + bankEntry, day + "1.00 A\n" + day + "1.00 A"},
		"one name twice":           {nowhere, declaredBank + bankEntry + declaredCard + cardEntry + "!Account;Nmain;TBank;^;" + bankEntry, day + "1.00 A |in Main |type depository\n" + day + "2.00 B |in Card |type credit_card\n" + day + "1.00 A |in Main |type depository"},
		"named by its opening":     {nowhere, "!Type:Bank;D1/31/2026;T9;POpening Balance;L[Main];^;D1/31/2026;T1;PA;^", "valuation " + day + "9.00 Opening Balance |in Main |type depository\n" + day + "1.00 A |in Main |type depository"},
		"two by their openings": {checking(), "!Type:Bank;D1/31/2026;T9;POpening Balance;L[Main];^;!Type:Bank;D1/31/2026;T8;POpening Balance;L[Other];^",
			"valuation " + day + "9.00 Opening Balance |in Main |type depository\nvaluation " + day + "8.00 Opening Balance |in Other |type depository"},
		"list, then sections": {nowhere, "!Option:AutoSwitch;!Account;NMain;TBank;^;NCard;TCCard;^;!Clear:AutoSwitch;!Option:AutoSwitch;" + declaredCard + cardEntry + declaredBank + bankEntry,
			day + "2.00 B |in Card |type credit_card\n" + day + "1.00 A |in Main |type depository"},
		"a list names nobody":       {nowhere, "!Account;NMain;TBank;^;NCard;TCCard;^;" + bankEntry, "account_id must be given: the section !Type:Bank (line 8) does not say which account it belongs to"},
		"cleared":                   {nowhere, declaredBank + "!Clear:AutoSwitch;" + bankEntry, "account_id must be given: the section !Type:Bank (line 6) does not say which account it belongs to"},
		"no ^ after the account":    {nowhere, "!Account;NMain;TBank;" + bankEntry, day + "1.00 A |in Main |type depository"},
		"declared otherwise":        {nowhere, "!Account;NHouse;TOth A;^;" + bankEntry, day + "1.00 A |in House |type other_asset"},
		"declared without a type":   {nowhere, "!Account;NCard;^;" + cardEntry, day + "2.00 B |in Card |type credit_card"},
		"funds by name":             {checking(), declaredFunds + fundsEntry, "trade " + day + "3.00 C |in Funds |type investment |dividend 0 X at 0 fee 0"},
		"funds without name":        {checking(), fundsEntry, "trade " + day + "3.00 C |in Investments |type investment |dividend 0 X at 0 fee 0"},
		"funds in their own":        {broker(), fundsEntry, "trade " + day + "3.00 C |dividend 0 X at 0 fee 0"},
		"funds without any":         {nowhere, fundsEntry, "account_id must be given: the section !Type:Invst (line 1) does not say which account it belongs to"},
		"bank and funds, checking":  {checking(), bankEntry + fundsEntry, day + "1.00 A\ntrade " + day + "3.00 C |in Investments |type investment |dividend 0 X at 0 fee 0"},
		"bank and funds, broker":    {broker(), bankEntry + fundsEntry, "account_id must be given for each account by itself: the section !Type:Bank (line 1) is not the only one that does not say which account it belongs to. Send one file per account"},
		"named bank, funds, broker": {broker(), declaredBank + bankEntry + fundsEntry, day + "1.00 A |in Main |type depository\ntrade " + day + "3.00 C |dividend 0 X at 0 fee 0"},
		"bank in broker":            {broker(), bankEntry, day + "1.00 A"},
		"account of the wrong type": {books("", "Funds:depository:USD"), declaredFunds + fundsEntry, `issue account must be of type investment or crypto to hold securities, "Funds" is depository`},
		"Investments of wrong type": {books("Checking", "Checking:depository:USD", "investments:property:USD"), fundsEntry, `issue account must be of type investment or crypto to hold securities, "investments" is property`},
		"currency of the account":   {books("", "Main:depository:JPY"), declaredBank + bankEntry, day + "1 A |in Main |type depository"},
		"currency of the import's":  {books("Yen", "Yen:depository:JPY"), bankEntry, day + "1 A"},
		"a name that is too long":   {nowhere, "!Account;N" + strings.Repeat("x", 256) + ";TBank;^;" + bankEntry, "line 5 belongs to an account whose name must have at most 255 characters, has 256"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, qifSketches(t, qifLines(c.file), record.Settings{}, c.d)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestQIFPairs: rows that are two sides of one movement.
func TestQIFPairs(t *testing.T) {
	t.Parallel()
	section := func(name, kind string, entries ...string) string {
		return "!Account\nN" + name + "\nT" + kind + "\n^\n!Type:" + kind + "\n" + strings.Join(entries, "")
	}
	entry := func(day, amount, other string) string {
		return fmt.Sprintf("D1/%s/2026\nT%s\nPX\nL[%s]\n^\n", day, amount, other)
	}
	for name, c := range map[string]struct{ file, want string }{
		"one":            {section("A", "Bank", entry("31", "-5", "b")) + section("B", "CCard", entry("31", "5.00", "A")), "2 1"},
		"two equal":      {section("A", "Bank", entry("31", "-5", "B"), entry("31", "-5", "B")) + section("B", "Bank", entry("31", "5", "A"), entry("31", "5", "A")), "3 4 1 2"},
		"both ways":      {section("A", "Bank", entry("31", "-5", "B"), entry("31", "5", "B")) + section("B", "Bank", entry("31", "-5", "A"), entry("31", "5", "A")), "4 3 2 1"},
		"one too many":   {section("A", "Bank", entry("31", "-5", "B"), entry("31", "-5", "B")) + section("B", "Bank", entry("31", "5", "A")), "3 0 1"},
		"another day":    {section("A", "Bank", entry("31", "-5", "B")) + section("B", "Bank", entry("30", "5", "A")), "0 0"},
		"another amount": {section("A", "Bank", entry("31", "-5", "B")) + section("B", "Bank", entry("31", "6", "A")), "0 0"},
		"same sign":      {section("A", "Bank", entry("31", "5", "B")) + section("B", "Bank", entry("31", "5", "A")), "0 0"},
		"a third":        {section("A", "Bank", entry("31", "-5", "B")) + section("B", "Bank", entry("31", "5", "C")), "0 0"},
		"itself":         {section("A", "Bank", entry("31", "-5", "A"), entry("31", "5", "A")) + section("B", "Bank", entry("31", "5", "A")), "0 0 0"},
		"nothing":        {section("A", "Bank", entry("31", "0", "B")) + section("B", "Bank", entry("31", "0", "A")), "0 0"},
		"with a trade": {section("A", "Bank", entry("31", "-5", "B")) + section("B", "Invst", "D1/31/2026\nNBuyX\nYZ\nI5\nQ1\nT5\nL[A]\n^\n", "D1/31/2026\nNXIn\nT5\nL[A]\n^\n"),
			"3 0 1 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, err := readQIF(c.file, record.Settings{}, books(""))
			var got []string
			for _, row := range rows {
				got = append(got, fmt.Sprint(row.Opposite))
			}
			if strings.Join(got, " ") != c.want || err != nil {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestQIFNumbers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ numbers, given, want string }{
		"point":              {"1,234.56;7", "", "123456 700 1,234.56"},
		"comma":              {"1.234,56;7", "", "123456 700 1.234,56"},
		"comma alone":        {"12,5;7", "", "1250 700 1.234,56"},
		"space":              {"1 234,56;12,50", "", "123456 1250 1 234,56"},
		"whole":              {"7;-8", "", "700 -800 1,234.56"},
		"thousands":          {"1,234;7", "", "123400 700 1,234.56"},
		"thousands by point": {"1.234;7", "", "123400 700 1.234,56"},
		"either":             {"1,230;7", "", `number_format must be given: "1,230" (line 2) and all other numbers of the file fit 1,234.56 and 1.234,56`},
		"both":               {"1.5;1,5", "", `number_format must be given: the numbers of the file fit no format all together; "1.5" (line 2) fits only 1,234.56, "1,5" (line 5) fits only 1.234,56`},
		"given":              {"1,230", "1.234,56", "123 1.234,56"},
		"given otherwise":    {"1,230", "1,234.56", "123000 1,234.56"},
		"quotes":             {"1'234.50;$5.00", "", "123450 500 1,234.56"},
	} {
		var file strings.Builder
		file.WriteString("!Type:Bank\n")
		for number := range strings.SplitSeq(c.numbers, ";") {
			file.WriteString("D1/31/2026\nT" + number + "\n^\n")
		}
		var s record.Settings
		record.Otherwise(&s.NumberFormat, c.given)
		rows, err := Format{}.Open(source.Text(file.String()), s, checking())
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			_ = record.Each(rows, func(row record.Record) error {
				got += fmt.Sprintf("%d ", row.Minor)
				return nil
			})
			got += *record.SettledBy(rows, record.Settings{}).NumberFormat
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestQIFKey: the key is stored, so it must never change. It is that of the lines in a fixed order, without C.
func TestQIFKey(t *testing.T) {
	t.Parallel()
	rows, err := readQIF(qifLines("!Type:Bank;D1/31/2026;T-12.50;PBakery;^;PBakery;CX;T-12.50;D1/31/2026;^;D1/31/2026;T-12.50;PBaker;^"), record.Settings{}, checking())
	if err != nil || rows[0].Key != rows[1].Key || rows[0].Key == rows[2].Key {
		t.Errorf("got %v, %v", rows, err)
	}
	if got, want := rows[0].Key, keyOf([]string{"D1/31/2026", "T-12.50", "PBakery"}); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func keyOf(cells []string) int64 {
	key, _ := record.SourceHash(nil, cells)
	return key
}
