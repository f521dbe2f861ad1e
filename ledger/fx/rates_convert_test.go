package fx

import (
	"math"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger/money"
)

// TestQuickConversionIsExact compares the arithmetic in machine words with that in decimals, for any amount and any
// rate, direct, inverse and crossed, up to and beyond what fits.
func TestQuickConversionIsExact(t *testing.T) {
	t.Parallel()
	amount := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1000), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, money.MaxMinor, -money.MaxMinor}))
	published := rapid.Custom(func(r *rapid.T) decimal.Decimal {
		return decimal.New(rapid.OneOf(rapid.Int64Range(1, 1_000_000), rapid.Int64Range(1, math.MaxInt64)).Draw(r, "digits"), rapid.Int32Range(-12, 3).Draw(r, "exponent"))
	})
	quick := 0
	rapid.Check(t, func(r *rapid.T) {
		of := Rate{Num: published.Draw(r, "rate"), Den: decimal.New(1, 0)}
		if rapid.Bool().Draw(r, "inverse") {
			of.Num, of.Den = of.Den, of.Num
		}
		if rapid.Bool().Draw(r, "crossed") {
			of = of.times(Rate{Num: decimal.New(1, 0), Den: published.Draw(r, "other rate")})
		}
		minor, shift := amount.Draw(r, "amount"), rapid.IntRange(-8, 8).Draw(r, "shift")
		got, fits := of.Whole(shift).Of(minor)
		if !fits {
			return
		}
		quick++
		if want, known := of.exact(minor, shift); got != want || !known {
			r.Fatalf("got %d, want %d, %t", got, want, known)
		}
	})
	if quick == 0 {
		t.Error("nothing is ever quick")
	}
}

// TestConversionRounds has halves, both signs, and results that are no amounts.
func TestConversionRounds(t *testing.T) {
	t.Parallel()
	euro, yen, dinar := money.Currency{Code: "EUR", Exponent: 2}, money.Currency{Code: "JPY", Exponent: 0}, money.Currency{Code: "KWD", Exponent: 3}
	for _, c := range []struct {
		minor    int64
		num, den string
		from, to money.Currency
		want     int64
		known    bool
	}{
		{1, "0.5", "1", euro, euro, 1, true}, {-1, "0.5", "1", euro, euro, -1, true}, {1, "0.49", "1", euro, euro, 0, true}, {3, "1", "2", euro, euro, 2, true},
		{100, "160.255", "1", euro, yen, 160, true}, {100, "160.5", "1", euro, yen, 161, true}, {-100, "160.5", "1", euro, yen, -161, true},
		{100_000, "1", "160.25", yen, euro, 62402, true}, {12_345, "1", "0.3213", dinar, euro, 3842, true}, {1, "0.3213", "1", euro, dinar, 3, true},
		{0, "7", "3", euro, euro, 0, true}, {math.MaxInt64, "1", "1", euro, euro, math.MaxInt64, true}, {math.MinInt64, "1", "1", euro, euro, 0, false},
		{math.MaxInt64, "2", "1", euro, euro, 0, false}, {math.MaxInt64, "123456789.123456789123456789", "123456789.123456789123456789", euro, euro, math.MaxInt64, true},
	} {
		r := Rate{Num: decimal.RequireFromString(c.num), Den: decimal.RequireFromString(c.den)}
		if got, known := r.Convert(c.minor, c.from, c.to); got != c.want || known != c.known {
			t.Errorf("%+v: got %d, %t", c, got, known)
		}
	}
}
