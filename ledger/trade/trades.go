package trade

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/rollup"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// Trade is what was done with a security in an account, or what came of it, with its labels. Of a sale the
// quantity is negative; of a dividend, interest or a fee quantity and price are 0. Amount is what it moves in
// cash, fee included, into the account positive. Security and Category may be nil.
type Trade struct {
	queries.Trade
	Quantity, Price decimal.Decimal
	Account         *ledger.AccountRef
	Security        *ledger.SecurityRef
	Category        *ledger.CategoryRef
}

// tradeOf puts the labels to a row.
func tradeOf(refs *ledger.Refs, row queries.Trade, security *ledger.SecurityRef) (Trade, error) {
	t := Trade{Trade: row, Account: refs.Accounts.ByKey[row.AccountID], Security: security}
	if row.CategoryID != nil {
		t.Category = refs.Categories.ByKey[*row.CategoryID]
	}
	var err error
	t.Quantity, t.Price, err = money.TwoDecimals(row.Quantity, row.Price)
	return t, err
}

// Booked is what a new trade became: a trade, or of a deposit or withdrawal a transaction, or with a
// counter-account a transfer. One of them is set.
type Booked struct {
	Trade       *Trade
	Transaction *entry.Transaction
	Transfer    *transfer.Transfer
}

// CreateTrade books a new trade. What is held follows at once; a sale of more than is held is refused unless
// it may be short. A security that the household does not have is made.
func (s *Service) CreateTrade(ctx context.Context, who ledger.Actor, in Input) (made Booked, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		made, err = s.createTrade(ctx, tx, in)
		return err
	})
	return made, err
}

func (s *Service) createTrade(ctx context.Context, tx *ledger.Tx, in Input) (Booked, error) {
	kind := in.newKind()
	if kind == typeDeposit || kind == typeWithdrawal {
		return s.createPayment(ctx, tx, in, kind)
	}
	row, err := in.newTrade(tx.Actor, tx.Refs, kind)
	if err != nil {
		return Booked{}, err
	}
	security, err := resolveSecurity(ctx, tx, &in, kind)
	if err != nil {
		return Booked{}, err
	}
	if err := in.Problems.Err(); err != nil {
		return Booked{}, err
	}
	label, err := s.addTrade(ctx, tx, &row, security)
	if err != nil {
		return Booked{}, err
	}
	t, err := tradeOf(tx.Refs, row, label)
	return Booked{Trade: &t}, err
}

// addTrade stores a trade, and before it the security that it is of when that is a new one.
func (s *Service) addTrade(ctx context.Context, tx *ledger.Tx, t *queries.Trade,
	security *queries.Security) (label *ledger.SecurityRef, err error) {
	ticker := ""
	if security != nil {
		if security.ID == 0 {
			*security, err = market.InsertSecurity(ctx, tx, *security)
			if err != nil {
				return nil, err
			}
		}
		ticker = security.Ticker
		t.SecurityID = &security.ID
		label = &ledger.SecurityRef{ID: uuid.UUID(security.PublicID), Ticker: ticker, Name: security.Name}
	}
	if t.Name == "" {
		t.Name = defaultName(*t, ticker)
	}
	err = moveTrades(ctx, tx, func() error {
		// Give the row its key and ids and write it.
		var err error
		t.ID, t.PublicID, err = entry.NewKey(ctx, tx, ledger.Date(t.Date))
		if err != nil {
			return err
		}
		t.CreatedAt = tx.Stamp()
		t.UpdatedAt = t.CreatedAt
		return insertTrade(ctx, tx, *t)
	}, *t)
	return label, uncovered(err, ticker)
}

// insertTrade writes a trade that has its key, and its share of the rollups.
func insertTrade(ctx context.Context, tx *ledger.Tx, t queries.Trade) error {
	if err := tx.InsertTrade(ctx, queries.InsertTradeParams(t)); err != nil {
		return err
	}
	if err := rollupsOfTrade(t).Apply(ctx, tx); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityTrade, t.PublicID, nil, t)
}

// moveTrades runs a change of rows, given those before and after it, and everything that follows from it. It is
// a *ShortSale when a sale would take more than is held.
func moveTrades(ctx context.Context, tx *ledger.Tx, change func() error, rows ...queries.Trade) error {
	touched := map[int64]ledger.Date{}
	for _, t := range rows {
		if !MovesUnits(t.Kind) {
			continue
		}
		day, seen := touched[*t.SecurityID]
		if !seen || ledger.Date(t.Date) < day {
			touched[*t.SecurityID] = ledger.Date(t.Date)
		}
	}
	return position.RecomputeTrades(ctx, tx, touched, change)
}

// uncovered explains a sale that would take more than is held; other errors pass.
func uncovered(err error, ticker string) error {
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		return ledger.NewInvalid("qty", "must leave no sale without cover: %s of %s are missing on %s; allow_short lets a sale take more than is held",
			short.Missing, ticker, short.Day)
	}
	return err
}

func tradePosting(t queries.Trade) rollup.Posting {
	return rollup.Posting{AccountID: t.AccountID, Date: ledger.Date(t.Date), Currency: t.Currency, Minor: t.Amount}
}

func rollupsOfTrade(trades ...queries.Trade) *rollup.Rollups {
	r := rollup.NewRollups()
	for _, t := range trades {
		r.AddTrade(tradePosting(t))
	}
	return r
}
