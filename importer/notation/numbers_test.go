package notation

import (
	"math/rand/v2"
	"strings"
	"testing"

	"finsvc/ledger/money"
)

func currency(t testing.TB, code string) money.Currency {
	t.Helper()
	c, ok := money.LookupCurrency(code)
	if !ok {
		t.Fatalf("no currency %s", code)
	}
	return c
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	const (
		point = "1,234.56"
		comma = "1.234,56"
		space = "1 234,56"
		whole = "1,234"
		no    = "-" // refused
	)
	tests := []struct {
		cell, format, currency string
		want                   string // minor units
	}{
		{"0", point, "USD", "0"},
		{"-0.00", point, "USD", "0"},
		{"1234.56", point, "USD", "123456"},
		{"1,234.56", point, "USD", "123456"},
		{"-1,234,567.89", point, "USD", "-123456789"},
		{"12,34,567.89", point, "USD", "123456789"}, // India
		{"1,23,456", point, "USD", "12345600"},
		{"+5.5", point, "USD", "550"},
		{"5.50-", point, "USD", "-550"},
		{"(5.50)", point, "USD", "-550"},
		{"($85.00)", point, "USD", "-8500"},
		{"$(85.00)", point, "USD", "-8500"},
		{"-$76.00", point, "USD", "-7600"},
		{"$-76.00", point, "USD", "-7600"},
		{"+$327.49", point, "USD", "32749"},
		{"$.23", point, "USD", "23"},
		{"($.23)", point, "USD", "-23"},
		{".5", point, "USD", "50"},
		{"−5.50", point, "USD", "-550"},
		{"- 5.50", point, "USD", "-550"},
		{"¥28.16", point, "CNY", "2816"},
		{"EUR 12.00", point, "EUR", "1200"},
		{"12.00\u00A0EUR", point, "EUR", "1200"},
		{"12.00 eur", point, "EUR", "1200"},
		{"€12.00", point, "EUR", "1200"},
		{"Fr.50", point, "CHF", "5000"},
		{"1'234.50", point, "CHF", "123450"},
		{"1’234.50", point, "CHF", "123450"},
		{"1\u202F234.50", point, "CHF", "123450"},
		{"1234", point, "JPY", "1234"},
		{"1.234", point, "KWD", "1234"},
		{"0.00000001", point, "BTC", "1"},
		{"-90,000,000,000,000.00", point, "USD", "-9000000000000000"},

		{"1,500.00 Dr", point, "INR", "-150000"},
		{"1,500.00 Cr.", point, "INR", "150000"},
		{"12,34,567.00DR", point, "INR", "-123456700"},
		{"INR 5.00 cr", point, "INR", "500"},
		{"5.00 INR Dr", point, "INR", "-500"},
		{"Dr 5.00", point, "INR", "-500"},
		{"5.00 IDR", point, "IDR", "500"},

		{"1.234,56", comma, "EUR", "123456"},
		{"-36,99", comma, "EUR", "-3699"},
		{"1.234", comma, "EUR", "123400"},
		{"1234,5", comma, "EUR", "123450"},
		{"12,50 €", comma, "EUR", "1250"},
		{"-1.000.000,00", comma, "EUR", "-100000000"},

		{"1 234,56", space, "EUR", "123456"},
		{"1\u00A0234,56", space, "EUR", "123456"},
		{"1\u202F234\u202F567,00", space, "EUR", "123456700"},
		{"12,50 kr", space, "DKK", "1250"},

		{"1,234", whole, "USD", "123400"},
		{"1234", whole, "USD", "123400"},

		{"", point, "USD", no},
		{"-", point, "USD", no},
		{"abc", point, "USD", no},
		{"12..34", point, "USD", no},
		{"1.2.3", point, "USD", no},
		{"5.", point, "USD", no},
		{"--5", point, "USD", no},
		{"-5 Cr", point, "USD", no},
		{"(5) Dr", point, "USD", no},
		{"Dr 5 Cr", point, "USD", no},
		{"5 xdr", point, "USD", no},
		{"-5-", point, "USD", no},
		{"(-5)", point, "USD", no},
		{"(5", point, "USD", no},
		{"5)", point, "USD", no},
		{")5(", point, "USD", no},
		{"1e3", point, "USD", no},
		{"1e400", point, "USD", no},
		{"NaN", point, "USD", no},
		{"0x10", point, "USD", no},
		{"5%", point, "USD", no},
		{"5 CR", point, "USD", "500"},
		{"1_000", point, "USD", no},
		{"１２", point, "USD", no},
		{"12,50", point, "EUR", no},
		{"1.234,56", point, "EUR", no},
		{"1,2345", point, "USD", no},
		{"1,234,56", point, "USD", no},
		{",234", point, "USD", no},
		{"1,,234", point, "USD", no},
		{"1'234,567", point, "USD", no},
		{"1 234.56", point, "USD", "123456"},
		{"1\uFFFD234", point, "USD", no},
		{"12.50", comma, "EUR", no},
		{"1,234.56", comma, "EUR", no},
		{"1,234.56", space, "EUR", no},
		{"1.234,56", space, "EUR", no},
		{"1234.56", whole, "USD", no},
		{"12,34", whole, "USD", no},
		{"12\x0034", whole, "USD", no},
		{"1.5", point, "JPY", no},
		{"1.005", point, "USD", no},
		{"0.001", point, "USD", no},
		{"90000000000000.01", point, "USD", no},
		{"-90000000000000.01", point, "USD", no},
		{"90000000000000001", point, "JPY", no},
		{"99999999999999999999", point, "USD", no},
		{"USD 12.00", point, "EUR", no},
		{"€12.00", point, "USD", no},
		{"USD 12.00 EUR", point, "USD", no},
	}
	for _, test := range tests {
		t.Run(test.cell+" "+test.format, func(t *testing.T) {
			t.Parallel()
			format, err := NewNumberFormat(test.format)
			if err != nil {
				t.Fatal(err)
			}
			got, err := format.Minor(test.cell, currency(t, test.currency))
			if err != nil {
				if test.want != no {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if want, _ := exactMinor(test.want, money.Currency{}); test.want == no || got != want {
				t.Errorf("got %d, want %s", got, test.want)
			}
		})
	}
}

// Whatever the quick way reads, the exact way must read the same.
func TestQuickMinorAgrees(t *testing.T) {
	t.Parallel()
	digits := []string{"", "0", "5", "00", "50", "05", "123", "999999", "000000000", "123456789012345678", "999999999999999999", "9999999999999999999"}
	for _, code := range []string{"JPY", "USD", "KWD", "BTC"} {
		for _, whole := range digits {
			for _, fraction := range digits {
				for _, text := range []string{whole, "-" + whole, whole + "." + fraction, "-" + whole + "." + fraction} {
					checkQuick(t, text, currency(t, code))
				}
			}
		}
	}
}

func checkQuick(t *testing.T, text string, c money.Currency) {
	t.Helper()
	got, ok := QuickMinor(text, '.', c.Exponent)
	if !ok {
		return
	}
	want, err := exactMinor(text, c)
	if err != nil || got != want {
		t.Fatalf("%q in %s: quickly %d, exactly %d (%v)", text, c.Code, got, want, err)
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"1,234.56", "-$1.5", "(12,50)", "1 234,5-", "EUR 1'234.00", "12..34", "−5", "1e9", "\x00", "99999999999999999999.9", "1.5 Dr", "5CR."} {
		for format := range byte(4) {
			f.Add(seed, format)
		}
	}
	names := []string{"1,234.56", "1.234,56", "1 234,56", "1,234"}
	f.Fuzz(func(t *testing.T, cell string, which byte) {
		format, err := NewNumberFormat(names[which%4])
		if err != nil {
			t.Fatal(err)
		}
		checkQuick(t, cell, money.Currency{Code: "USD", Exponent: 2})
		n, err := format.Parse(cell)
		if err != nil {
			return
		}
		if digits(n.Text) != digits(cell) {
			t.Fatalf("%q became %q: digits changed", cell, n.Text)
		}
		if _, err := money.ParseDecimal(n.Text); err != nil && len(n.Text) <= 40 {
			t.Fatalf("%q became %q, which is no decimal: %v", cell, n.Text, err)
		}
	})
}

// digits are the digits of a number, without zeros in front.
func digits(text string) string {
	kept := strings.Map(func(r rune) rune {
		if IsDigit(r) {
			return r
		}
		return -1
	}, text)
	return strings.TrimLeft(kept, "0")
}

// TestShapesAreThoseOfTheCellsAlone: what was looked at before changes nothing about the shape of a cell.
func TestShapesAreThoseOfTheCellsAlone(t *testing.T) {
	t.Parallel()
	var l Shapes
	random := rand.New(rand.NewPCG(1, 2))
	before := ""
	for range 200_000 {
		cell := likeCell(random, before)
		if got, want := l.Of(cell), ShapeOf(cell); got != want {
			t.Fatalf("%q after %q: got %+v, want %+v", cell, before, got, want)
		}
		before = cell
	}
}

// likeCell is a text as it may stand in a column of numbers, or the one before with other digits.
func likeCell(random *rand.Rand, before string) string {
	signs := []string{"0", "0", "00", "1", "25", "123", "4567", ".", ",", "-", "+", " ", "(", ")", "EUR", "$", "R", "Dr", "'", "\u00a0", "−", "%"}
	if before == "" || random.IntN(2) == 0 {
		cell := ""
		for range 1 + random.IntN(6) {
			cell += signs[random.IntN(len(signs))]
		}
		return cell
	}
	zeros := random.IntN(3) == 0
	return strings.Map(func(r rune) rune {
		switch {
		case !IsDigit(r):
			return r
		case zeros:
			return '0'
		}
		return '0' + rune(random.IntN(10))
	}, before)
}
