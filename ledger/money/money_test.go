package money_test

import (
	"math"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
)

// TestParseDecimal holds what was decided.
//
// Decision, Transport: numbers are read as exact decimals.
// Decision, Money: quantities and prices are exact decimals.
func TestParseDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "-0.0e5": "0",
		"12.50": "12.5", "-12.5": "-12.5", "+7": "7", "007": "7", ".5": "0.5", "5.": "5",
		"1e2": "100", "1E2": "100", "1e+2": "100", "1.5e-3": "0.0015", "-2.50e1": "-25", "1e002": "100",
		"9007199254740993":      "9007199254740993", // not a float64
		"0.1234567890123456":    "0.1234567890123456",
		"1e39":                  "1" + strings.Repeat("0", 39),
		"1e-40":                 "0." + strings.Repeat("0", 39) + "1",
		strings.Repeat("9", 40): strings.Repeat("9", 40),
	} {
		got, err := money.ParseDecimal(text)
		if err != nil || got.String() != want {
			t.Errorf("ParseDecimal(%q) = %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestParseDecimalRefuses(t *testing.T) {
	t.Parallel()
	const (
		noNumber = "must be a number such as 12.50, got "
		tooLong  = "must be a number of at most 40 digits, got "
	)
	for text, want := range map[string]string{
		"":          noNumber + `""`,
		"abc":       noNumber + `"abc"`,
		"NaN":       noNumber + `"NaN"`,
		"Inf":       noNumber + `"Inf"`,
		"-Infinity": noNumber + `"-Infinity"`,
		" 1":        noNumber + `" 1"`,
		"1 ":        noNumber + `"1 "`,
		"1_000":     noNumber + `"1_000"`,
		"1,50":      noNumber + `"1,50"`,
		"0x1F":      noNumber + `"0x1F"`,
		"0x1p4":     noNumber + `"0x1p4"`,
		"1.2.3":     noNumber + `"1.2.3"`,
		"--1":       noNumber + `"--1"`,
		"-":         noNumber + `"-"`,
		".":         noNumber + `"."`,
		"-.":        noNumber + `"-."`,
		"e5":        noNumber + `"e5"`,
		"1e":        noNumber + `"1e"`,
		"1e+":       noNumber + `"1e+"`,
		"1e2e3":     noNumber + `"1e2e3"`,
		"1e2.5":     noNumber + `"1e2.5"`,
		"1/2":       noNumber + `"1/2"`,
		"٣":         noNumber + `"٣"`,
		"1\x00":     noNumber + `"1\x00"`,

		"1e40":                          tooLong + `"1e40"`,
		"12e39":                         tooLong + `"12e39"`,
		"1e-41":                         tooLong + `"1e-41"`,
		"1.0e-40":                       tooLong + `"1.0e-40"`,
		"1e400":                         tooLong + `"1e400"`,
		"1e-400":                        tooLong + `"1e-400"`,
		"0e400":                         tooLong + `"0e400"`,
		"1e99999999999999999999":        tooLong + `"1e99999999999999999999"`,
		strings.Repeat("1", 41):         tooLong + `"` + strings.Repeat("1", 41) + `"`,
		strings.Repeat("7", 1e6):        tooLong + `"` + strings.Repeat("7", 60) + `…"`,
		"1e" + strings.Repeat("7", 1e6): tooLong + `"1e` + strings.Repeat("7", 58) + `…"`,
	} {
		_, err := money.ParseDecimal(text)
		if err == nil || err.Error() != want {
			t.Errorf("ParseDecimal(%.50q): %v, want %s", text, err, want)
		}
	}
}

// A hostile number must cost no more than its error message, however long it is. Not parallel: other
// tests would allocate meanwhile.
func TestParseDecimalDoesNotCopyHugeTexts(t *testing.T) {
	const size = 16 << 20
	for _, text := range []string{strings.Repeat("1", size), "1e" + strings.Repeat("1", size), strings.Repeat("x", size)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := money.ParseDecimal(text)
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; err == nil || bytes > size/16 {
			t.Errorf("%.5q... allocates %d bytes, %v", text, bytes, err)
		}
	}
}

func TestMinor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, amount string
		want         int64
	}{
		{"EUR", "0", 0}, {"EUR", "-0.00", 0}, {"EUR", "0e39", 0}, {"EUR", "12.50", 1250}, {"EUR", "-0.01", -1}, {"EUR", "1.500", 150},
		{"EUR", "1.5000000000000000000000000000000", 150}, {"EUR", "1e2", 10000}, {"EUR", "1230e-1", 12300},
		{"EUR", "90000000000000.00", 9_000_000_000_000_000}, {"EUR", "-90000000000000", -9_000_000_000_000_000},
		{"JPY", "1234", 1234}, {"JPY", "1234.00", 1234}, {"JPY", "9e15", 9_000_000_000_000_000},
		{"KWD", "1.234", 1234}, {"KWD", "-0.001", -1}, {"KWD", "1", 1000},
		{"BTC", "0.00000001", 1}, {"BTC", "1e-8", 1}, {"BTC", "21000000", 2_100_000_000_000_000}, {"BTC", "90000000", 9_000_000_000_000_000},
	} {
		got, err := currency(t, c.code).Minor(ledgertest.Number(t, c.amount))
		if err != nil || got != c.want {
			t.Errorf("%s %s = %d, %v, want %d", c.code, c.amount, got, err, c.want)
		}
	}
}

func TestMinorRefuses(t *testing.T) {
	t.Parallel()
	const eurRange = "must lie between -90000000000000.00 and 90000000000000.00 EUR"
	for _, c := range []struct {
		code   string
		amount decimal.Decimal
		want   string
	}{
		{"EUR", ledgertest.Number(t, "1.005"), "has more decimals than EUR allows (2): 1.005"},
		{"EUR", ledgertest.Number(t, "12345e-3"), "has more decimals than EUR allows (2): 12.345"},
		{"EUR", ledgertest.Number(t, "1e-40"), "has more decimals than EUR allows (2): 0." + strings.Repeat("0", 39) + "1"},
		{"JPY", ledgertest.Number(t, "0.5"), "has more decimals than JPY allows (0): 0.5"},
		{"KWD", ledgertest.Number(t, "-1.0001"), "has more decimals than KWD allows (3): -1.0001"},
		{"BTC", ledgertest.Number(t, "0.000000001"), "has more decimals than BTC allows (8): 0.000000001"},
		{"EUR", ledgertest.Number(t, "90000000000000.01"), eurRange},
		{"EUR", ledgertest.Number(t, "-90000000000000.01"), eurRange},
		{"EUR", ledgertest.Number(t, "1e39"), eurRange},
		{"EUR", ledgertest.Number(t, "92233720368547758.08"), eurRange}, // one more than an int64 holds
		{"EUR", decimal.New(1, 1_000_000_000), eurRange},                // too large to be written out
		{"EUR", decimal.New(1, math.MaxInt32), eurRange},
		{"JPY", ledgertest.Number(t, "9000000000000001"), "must lie between -9000000000000000 and 9000000000000000 JPY"},
		{"BTC", ledgertest.Number(t, "90000000.00000001"), "must lie between -90000000.00000000 and 90000000.00000000 BTC"},
	} {
		_, err := currency(t, c.code).Minor(c.amount)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.code, err, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code  string
		minor int64
		want  string
	}{
		{"EUR", 0, "0.00"}, {"EUR", 1, "0.01"}, {"EUR", -1, "-0.01"}, {"EUR", 10, "0.10"}, {"EUR", 100, "1.00"}, {"EUR", -123450, "-1234.50"},
		{"JPY", 0, "0"}, {"JPY", 1234, "1234"}, {"JPY", -1, "-1"},
		{"KWD", 1, "0.001"}, {"KWD", -12345, "-12.345"}, {"CLF", 12, "0.0012"},
		{"BTC", 1, "0.00000001"}, {"BTC", 123456789, "1.23456789"}, {"BTC", -99999999, "-0.99999999"},
		{"EUR", math.MaxInt64, "92233720368547758.07"}, {"EUR", math.MinInt64, "-92233720368547758.08"},
	} {
		if got := currency(t, c.code).Plain(c.minor); got != c.want {
			t.Errorf("%s %d = %q, want %q", c.code, c.minor, got, c.want)
		}
	}
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code  string
		minor int64
		want  string
	}{
		{"EUR", -123450, "-1234.5"}, {"JPY", 1234, "1234"}, {"KWD", 1, "0.001"}, {"BTC", 1, "0.00000001"}, {"EUR", 0, "0"},
	} {
		if got := currency(t, c.code).Decimal(c.minor).String(); got != c.want {
			t.Errorf("%s %d = %s, want %s", c.code, c.minor, got, c.want)
		}
	}
}

func TestMinorUndoesDecimal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.SampledFrom(allCodes()).Draw(t, "code")
		minor := rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(t, "minor")
		c, _ := money.LookupCurrency(code)
		got, err := c.Minor(c.Decimal(minor))
		if err != nil || got != minor {
			t.Fatalf("%s: Minor(Decimal(%d)) = %d, %v", code, minor, got, err)
		}
		parsed, err := money.ParseDecimal(c.Plain(minor))
		if err != nil || !parsed.Equal(c.Decimal(minor)) {
			t.Fatalf("%s: Plain(%d) = %s reads as %s, %v", code, minor, c.Plain(minor), parsed, err)
		}
	})
}

// math/big reads the same numbers, and more, by code that is not ours.
func FuzzParseDecimal(f *testing.F) {
	for _, text := range []string{"0", "-0", "12.50", "1e2", "1.5E-3", "1e400", "NaN", "", " 1", "1_000", "0x1F", ".5", "5.", "+7", "1e39", "٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := money.ParseDecimal(text)
		if err != nil {
			return
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok || got.Rat().Cmp(want) != 0 {
			t.Errorf("ParseDecimal(%q) = %s, want %v", text, got, want)
		}
		if again, err := money.ParseDecimal(got.String()); err != nil || !again.Equal(got) {
			t.Errorf("%q printed as %s, which reads as %s, %v", text, got, again, err)
		}
	})
}

// allCodes finds every currency by asking for every code of three letters.
func allCodes() []string {
	var codes []string
	for n := range 26 * 26 * 26 {
		code := string([]byte{'A' + byte(n/676), 'A' + byte(n/26%26), 'A' + byte(n%26)})
		if _, ok := money.LookupCurrency(code); ok {
			codes = append(codes, code)
		}
	}
	return codes
}

func currency(t testing.TB, code string) money.Currency {
	t.Helper()
	c, ok := money.LookupCurrency(code)
	if !ok {
		t.Fatalf("no currency %s", code)
	}
	return c
}
