package ledger

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// Trade is what was done with a security in an account, or what came of it, with its labels. Of a sale the
// quantity is negative; of a dividend, interest or a fee quantity and price are 0. Amount is what it moves in
// cash, fee included, into the account positive. Security and Category may be nil.
type Trade struct {
	queries.Trade
	Quantity, Price decimal.Decimal
	Account         *AccountLabel
	Security        *SecurityLabel
	Category        *CategoryLabel
}

// trade puts the labels to a row.
func (l *labels) trade(row queries.Trade, security *SecurityLabel) (Trade, error) {
	t := Trade{Trade: row, Account: l.accounts.byKey[row.AccountID], Security: security}
	if row.CategoryID != nil {
		t.Category = l.categories.byKey[*row.CategoryID]
	}
	var err error
	t.Quantity, t.Price, err = twoDecimals(row.Quantity, row.Price)
	return t, err
}

// Booked is what a new trade became: a trade, or of a deposit or withdrawal a transaction, or with a
// counter-account a transfer. One of them is set.
type Booked struct {
	Trade       *Trade
	Transaction *Transaction
	Transfer    *Transfer
}

// CreateTrade books a new trade. What is held follows at once; a sale of more than is held is refused unless
// it may be short. A security that the household does not have is made.
func (l *Ledger) CreateTrade(ctx context.Context, who Actor, in TradeInput) (made Booked, err error) {
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		made, err = l.createTrade(ctx, q, who, names, in)
		return err
	})
	return made, err
}

func (l *Ledger) createTrade(ctx context.Context, q *queries.Queries, who Actor, names *labels, in TradeInput) (Booked, error) {
	kind := in.newKind()
	if kind == typeDeposit || kind == typeWithdrawal {
		return l.createPayment(ctx, q, who, names, in, kind)
	}
	row, err := in.newTrade(who, names, kind)
	if err != nil {
		return Booked{}, err
	}
	security, err := l.resolveSecurity(ctx, q, who, &in, kind)
	if err != nil {
		return Booked{}, err
	}
	if err := in.Problems.Err(); err != nil {
		return Booked{}, err
	}
	label, err := l.addTrade(ctx, q, who, &row, security)
	if err != nil {
		return Booked{}, err
	}
	t, err := names.trade(row, label)
	return Booked{Trade: &t}, err
}

// addTrade stores a trade, and before it the security that it is of when that is a new one.
func (l *Ledger) addTrade(ctx context.Context, q *queries.Queries, who Actor, t *queries.Trade, security *queries.Security) (label *SecurityLabel, err error) {
	ticker := ""
	if security != nil {
		if security.ID == 0 {
			if *security, err = l.insertSecurity(ctx, q, who, *security); err != nil {
				return nil, err
			}
		}
		ticker = security.Ticker
		t.SecurityID = &security.ID
		label = &SecurityLabel{uuid.UUID(security.PublicID), ticker, security.Name}
	}
	if t.Name == "" {
		t.Name = defaultName(*t, ticker)
	}
	err = l.moveTrades(ctx, q, who, func() error { return l.insertTrade(ctx, q, who, t) }, *t)
	return label, uncovered(err, ticker)
}

// moveTrades runs a change of rows, given those before and after it, and everything that follows from it. It is
// a *shortSale when a sale would take more than is held.
func (l *Ledger) moveTrades(ctx context.Context, q *queries.Queries, who Actor, change func() error, rows ...queries.Trade) error {
	touched := map[int64]Date{}
	for _, t := range rows {
		if !movesUnits(t.Kind) {
			continue
		}
		day, seen := touched[*t.SecurityID]
		if !seen || Date(t.Date) < day {
			touched[*t.SecurityID] = Date(t.Date)
		}
	}
	return l.retrade(ctx, q, who, touched, change)
}

// uncovered explains a sale that would take more than is held; other errors pass.
func uncovered(err error, ticker string) error {
	if short, ok := errors.AsType[*shortSale](err); ok {
		return NewInvalid("qty", "must leave no sale without cover: %s of %s are missing on %s; allow_short lets a sale take more than is held",
			short.missing, ticker, short.day)
	}
	return err
}

// insertTrade gives the row its key and ids and writes it.
func (l *Ledger) insertTrade(ctx context.Context, q *queries.Queries, who Actor, t *queries.Trade) error {
	var err error
	if t.ID, t.PublicID, err = l.newEntry(ctx, q, who, Date(t.Date)); err != nil {
		return err
	}
	t.CreatedAt = l.stamp()
	t.UpdatedAt = t.CreatedAt
	if err := q.InsertTrade(ctx, queries.InsertTradeParams(*t)); err != nil {
		return err
	}
	if err := rollupsOfTrade(*t).apply(ctx, q, who); err != nil {
		return err
	}
	return l.record(ctx, q, who, entityTrade, t.PublicID, nil, t)
}

func tradePosting(t queries.Trade) Posting {
	return Posting{AccountID: t.AccountID, Date: Date(t.Date), Currency: t.Currency, Minor: t.Amount}
}

func rollupsOfTrade(trades ...queries.Trade) *Rollups {
	r := NewRollups()
	for _, t := range trades {
		r.AddTrade(tradePosting(t))
	}
	return r
}
