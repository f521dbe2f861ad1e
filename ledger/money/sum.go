package money

import (
	"math"
	"math/big"
	"math/bits"
)

// OrNothing is a sum where it is an amount, else 0: for figures that a balance does not depend on.
func OrNothing(s Sum) int64 {
	minor, _ := s.Minor()
	return minor
}

// Sum adds up amounts in minor units exactly, however many there are: it has 128 bits, so that no order of addition
// leaves its range. Whether the result is an amount is asked once, at the end, by [Sum.Minor]. Everything in the ledger
// that adds money adds with it, or with [AddMinor]. The zero value is nothing.
//
// SQL adds up in two halves, see SumOfHalves. One amount is at most 9,000,000,000,000,000 minor units; a balance, and
// what is booked in an account on a day, is at most 9,223,372,036,854,775,807. A write or an import that would leave
// that is refused with account and day (range.go). A total of several accounts or days leaves out what it has no room
// for, and says so as for a missing rate.
type Sum struct {
	high int64
	low  uint64
}

// MaxBalance is the largest result of a [Sum] that is an amount, and so the largest balance; -MaxBalance is the
// smallest.
const MaxBalance = math.MaxInt64

// SumOf is the sum of some amounts.
func SumOf(amounts ...int64) (s Sum) {
	for _, minor := range amounts {
		s.Add(minor)
	}
	return s
}

// SumOfHalves is a sum that SQLite made of amounts in two parts, which its own 64 bits always hold: that of the upper
// 32 bits of each amount, and that of the lower ones.
func SumOfHalves(high, low int64) Sum {
	s := Sum{high >> 32, uint64(high) << 32}
	s.Add(low)
	return s
}

// Add adds an amount.
func (s *Sum) Add(minor int64) { *s = s.Plus(Sum{minor >> 63, uint64(minor)}) }

// Sub takes an amount off.
func (s *Sum) Sub(minor int64) { *s = s.Minus(Sum{minor >> 63, uint64(minor)}) }

// Plus is the sum of both.
func (s Sum) Plus(t Sum) Sum {
	low, carry := bits.Add64(s.low, t.low, 0)
	return Sum{s.high + t.high + int64(carry), low}
}

// Minus is the difference.
func (s Sum) Minus(t Sum) Sum {
	low, borrow := bits.Sub64(s.low, t.low, 0)
	return Sum{s.high - t.high - int64(borrow), low}
}

// Minor is the sum as an amount. It is none when it does not fit into 64 bits; nor is the smallest number of 64 bits,
// which has no positive counterpart.
func (s Sum) Minor() (minor int64, fits bool) {
	minor = int64(s.low)
	if s.high != minor>>63 || minor == math.MinInt64 {
		return 0, false
	}
	return minor, true
}

// Pieces are amounts that add up to the sum: itself when it is one.
func (s Sum) Pieces() (amounts []int64) {
	for {
		minor, fits := s.Minor()
		if !fits {
			minor = MaxBalance
			if s.high < 0 {
				minor = -MaxBalance
			}
		}
		amounts = append(amounts, minor)
		if fits {
			return amounts
		}
		s.Sub(minor)
	}
}

// Big is the sum as a number without bounds.
func (s Sum) Big() *big.Int {
	n := new(big.Int).Lsh(big.NewInt(s.high), 64)
	return n.Add(n, new(big.Int).SetUint64(s.low))
}

// AddMinor adds two amounts; fits says whether the result is one, see [Sum.Minor].
func AddMinor(a, b int64) (sum int64, fits bool) {
	sum = a + b
	return sum, (sum >= a) == (b >= 0) && sum != math.MinInt64
}

// SubMinor is the difference of two amounts.
func SubMinor(a, b int64) (difference int64, fits bool) {
	difference = a - b
	return difference, (difference <= a) == (b >= 0) && difference != math.MinInt64
}
