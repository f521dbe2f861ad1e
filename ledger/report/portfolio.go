package report

import (
	"context"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// Portfolio is what a household holds of securities at the end of a day, in the order of [position.Service.ListHoldings],
// each in the household's currency as well. Every holding is converted and rounded by itself, so any total is the sum
// over its holdings. What was sold without being held is not in it.
type Portfolio struct {
	Currency string
	AsOf     ledger.Date
	Holdings []ValuedHolding
}

// ValuedHolding is a holding with what was paid for it, what it has gained since, and both value and gain in the
// household's currency.
type ValuedHolding struct {
	position.Holding

	Value fx.Conversion // of Minor

	// Cost is what all of it was bought for: the average cost times the quantity. Gain is what it is worth above that, at
	// the rate of the day where price and cost are in two currencies. Both are in minor units of CostCurrency, and nil where
	// the cost is not known, where there is no such rate, or where 64 bits do not hold them. GainRated is the day of the
	// rate.
	Cost, Gain *int64
	GainRated  ledger.Date

	GainValue fx.Conversion // of Gain; not known where that is nil
}

// Portfolio gives what is held at the end of a day; absent, of today.
func (s *Service) Portfolio(ctx context.Context, who ledger.Actor, day ledger.Opt[ledger.Date]) (p Portfolio, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		home, _ := money.LookupCurrency(row.Currency) // what is stored was looked up
		p = Portfolio{Currency: home.Code, AsOf: day.Or(tx.TodayOf(ledger.AsHousehold(row)))}
		maker, err := position.NewHoldingMaker(ctx, tx)
		if err != nil {
			return err
		}
		rows := maker.Rows(position.HoldingFilter{Date: ledger.Some(p.AsOf)})
		held, err := maker.Holdings(ctx, rows.Page(ledger.Everything()))
		if err != nil {
			return err
		}
		book := fx.NewRateBook(tx.Queries)
		for _, h := range held {
			valued, err := valueHolding(ctx, book, h, home, p.AsOf)
			if err != nil {
				return err
			}
			p.Holdings = append(p.Holdings, valued)
		}
		return nil
	})
	return p, err
}

// valueHolding counts what a holding is worth to the household and what it has gained.
func valueHolding(ctx context.Context, book *fx.RateBook, h position.Holding, home money.Currency,
	day ledger.Date) (v ValuedHolding, err error) {
	v.Holding = h
	priced, _ := money.LookupCurrency(h.Currency) // what is stored was looked up
	v.Value, err = book.Convert(ctx, h.Minor, priced, home, day)
	if err != nil || h.AvgCost == nil {
		return v, err
	}
	paid, _ := money.LookupCurrency(h.CostCurrency)
	worth, err := book.Convert(ctx, h.Minor, priced, paid, day)
	if err != nil {
		return v, err
	}
	cost := h.AvgCost.Mul(h.Quantity).Shift(int32(paid.Exponent)).Round(0)
	if cost.Abs().GreaterThan(decimal.New(money.MaxMinor, 0)) {
		return v, nil
	}
	v.Cost = new(cost.IntPart())
	gain, fits := money.SubMinor(worth.Minor, *v.Cost)
	if !worth.Known || !fits {
		return v, nil
	}
	v.Gain, v.GainRated = &gain, worth.Rated
	v.GainValue, err = book.Convert(ctx, gain, paid, home, day)
	return v, err
}
