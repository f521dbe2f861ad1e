package money_test

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
)

// The golden file was made by testdata/golden.mjs from another implementation of CLDR.
//
// Decision, Money: formatted texts follow the household's locale and CLDR.
// Contract, General: formatted amounts are texts as the locale writes them.
func TestMoneyAgreesWithIntl(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/golden.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	formatters := map[string]*money.Formatter{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		locale, code, minor, want := cells[0], cells[1], cells[2], cells[3]
		if formatters[locale] == nil {
			formatters[locale] = formatter(t, locale)
		}
		amount, err := strconv.ParseInt(minor, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := formatters[locale].Money(amount, currency(t, code)); got != want {
			t.Errorf("%s %s %s = %+q, want %+q", locale, code, minor, got, want)
		}
	}
	if err := lines.Err(); err != nil || len(formatters) != 36 {
		t.Errorf("%d locales read, %v", len(formatters), err)
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale, code string
		minor        int64
		want         string
	}{
		{"en", "USD", -123456, "-$1,234.56"},
		{"en", "CHF", 100, "CHF\u00a01.00"},
		{"de-DE", "EUR", -123456789, "-1.234.567,89\u00a0€"},
		{"de-CH", "CHF", -123456, "-CHF\u00a01'234.56"}, // its pattern puts the minus behind the symbol
		{"fr-FR", "EUR", 123456, "1\u202f234,56\u00a0€"},
		{"en-IN", "INR", 1234567890, "₹1,23,45,678.90"},
		{"pl-PL", "PLN", 123456, "1234,56\u00a0zł"}, // no separator below five digits
		{"pl-PL", "PLN", 1234567, "12\u00a0345,67\u00a0zł"},
		{"sv-SE", "SEK", -100, "-1,00\u00a0kr"}, // not U+2212
		{"ar-EG", "USD", 100, "\u200f1.00\u00a0US$"},
		{"en", "XCG", 100, "Cg.\u00a01.00"},
		{"en-IE", "EUR", 100, "€1.00"},
		{"en-PL", "EUR", 123456, "€1.234,56"}, // a pattern for the euro alone
		{"en-PL", "PLN", 123456, "1.234,56\u00a0PLN"},
		{"pt-CV", "CVE", 123456, "1234,56\u00a0CVE"}, // not "$" for a decimal separator
		{"en", "JPY", 0, "¥0"},
		{"en", "USD", math.MinInt64, "-$92,233,720,368,547,758.08"},
	} {
		if got := formatter(t, c.locale).Money(c.minor, currency(t, c.code)); got != c.want {
			t.Errorf("%s %s %d = %+q, want %+q", c.locale, c.code, c.minor, got, c.want)
		}
	}
}

func TestPrice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ locale, code, price, want string }{
		{"en", "USD", "0", "$0.00"}, {"en", "USD", "-0", "$0.00"}, {"en", "USD", "12.5", "$12.50"}, {"en", "USD", "1234.5678", "$1,234.5678"},
		{"en", "USD", "0.00000001", "$0.00000001"}, {"en", "USD", "0.000000005", "$0.00000001"}, {"en", "USD", "0.0000000049", "$0.00"},
		{"en", "USD", "-0.000000001", "$0.00"}, {"en", "USD", "-0.000000005", "-$0.00000001"}, {"en", "USD", "1.999999995", "$2.00"},
		{"en", "USD", "1.23450000", "$1.2345"}, {"en", "JPY", "150", "¥150"}, {"en", "JPY", "150.25", "¥150.25"}, {"en", "JPY", "1e6", "¥1,000,000"},
		{"en", "BTC", "0.5", "BTC\u00a00.50000000"}, {"en", "KWD", "1.2", "KWD\u00a01.200"},
		{"de-DE", "EUR", "-1234.56789", "-1.234,56789\u00a0€"},
		{"en", "USD", "1234567890123456789012345678901.5", "$1,234,567,890,123,456,789,012,345,678,901.50"},
	} {
		if got := formatter(t, c.locale).Price(ledgertest.Number(t, c.price), currency(t, c.code)); got != c.want {
			t.Errorf("%s %s %s = %+q, want %+q", c.locale, c.code, c.price, got, c.want)
		}
	}
}

func TestAppendMoneyKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	got := string(formatter(t, "en").AppendMoney([]byte(`"amount":"`), -5, currency(t, "EUR")))
	if want := `"amount":"-€0.05`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever the locale and currency, a program must find one number with one decimal separator.
//
// Decision, Money: one decimal separator, an ASCII minus in front.
func TestEveryLocaleHasOneDecimalSeparator(t *testing.T) {
	t.Parallel()
	eur, jpy := currency(t, "EUR"), currency(t, "JPY")
	for _, locale := range []string{"en", "de", "de-CH", "fr-CH", "bgn", "pt-CV", "kea", "ar", "fa", "hi", "es", "lv", "nqo", "sv", "zh-Hant-TW"} {
		f := formatter(t, locale)
		text := f.Money(-123456789, eur)
		last := strings.LastIndexAny(text, ".,")
		if !strings.HasPrefix(text, "-") || last < 0 || strings.Count(text, text[last:last+1]) != 1 || text[last+1:last+3] != "89" {
			t.Errorf("%s: %+q", locale, text)
		}
		if text := f.Money(123, jpy); !strings.Contains(text, "123") || strings.ContainsAny(text, ".,-") {
			t.Errorf("%s: %+q", locale, text)
		}
	}
}

func TestFormatterIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	f, eur := formatter(t, "de"), currency(t, "EUR")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := f.Money(123456, eur); got != "1.234,56\u00a0€" {
				t.Errorf("got %+q", got)
			}
		})
	}
	group.Wait()
}

// Stripped of everything but digits, point and minus, the English form is the amount again.
func FuzzMoney(f *testing.F) {
	codes, english := allCodes(), formatter(f, "en")
	for i, minor := range []int64{0, 1, -1, 99, 100, 123456, -money.MaxMinor, money.MaxMinor} {
		f.Add(minor, uint16(i*20))
	}
	f.Fuzz(func(t *testing.T, minor int64, pick uint16) {
		c := currency(t, codes[int(pick)%len(codes)])
		minor %= money.MaxMinor + 1
		text := english.Money(minor, c)
		stripped := strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789.-", r) {
				return r
			}
			return -1
		}, strings.Replace(text, "Cg.", "", 1)) // the only English symbol with a point in it
		amount, err := money.ParseDecimal(stripped)
		if err != nil {
			t.Fatalf("%s: %+q: %v", c.Code, text, err)
		}
		if got, err := c.Minor(amount); err != nil || got != minor {
			t.Errorf("%s: %+q reads as %d, %v, want %d", c.Code, text, got, err, minor)
		}
	})
}

func BenchmarkAppendMoney(b *testing.B) {
	f, eur := formatter(b, "de"), currency(b, "EUR")
	buffer := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		buffer = f.AppendMoney(buffer[:0], -123456789, eur)
	}
}

func BenchmarkNewFormatter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		formatter(b, "zh-Hant-HK")
	}
}

func formatter(t testing.TB, locale string) *money.Formatter {
	t.Helper()
	f, err := money.NewFormatter(locale)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
