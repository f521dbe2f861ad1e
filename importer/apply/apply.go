// Package apply is what a record of a file becomes in the books: one switch over what records can be makes accounts,
// categories, rules, prices, splits and whatever a backup holds, finds or makes what rows name, and tells its caller of
// everything that it created, so that a revert can take it back. Transactions and trades are only named here; they are
// written by the thousand, by package importer. It knows neither files nor formats.
package apply

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// Applier writes into the books what records say, but for transactions, which are written by the thousand. It
// remembers what it made: there is a new one for every publishing and every dry run.
type Applier struct {
	ledger *books.Books
	who    ledger.Actor
	names  *Names
	Target entry.BulkTarget // without an import in a dry run
	note   noter
	Short  []int64 // rows with sales of more than is held; in a dry run only

	stated     map[[2]string]bool // categories with their parents, folded, that the file has
	securities map[string]int64   // by ticker and market
	prices     []market.ImportedPrice
	Restored   Restored
}

// New gives an applier that writes for an actor, and tells note what it created.
func New(l *books.Books, who ledger.Actor, n *Names, target entry.BulkTarget, note noter) *Applier {
	return &Applier{ledger: l, who: who, names: n, Target: target, note: note, stated: map[[2]string]bool{},
		securities: map[string]int64{}, Restored: newRestored()}
}

// MakesMore reports whether rows of a type of import may become other things than transactions.
func MakesMore(kind string) bool {
	switch kind {
	case "", record.TransactionImport, record.MintImport, record.PdfImport:
		return false
	}
	return true
}

// rank orders the making; rows of one rank are made in the order of the file. Those of a rank below 0 are made before
// the file's transactions are written, which may need them; all others in the write that makes those count. Splits
// come before trades, for how much can be sold depends on them, and balances after both.
func rank(row record.Record) int {
	switch body := row.Body.(type) {
	case *record.RestoredAccount:
		return -4
	case *record.RestoredCategory:
		if body.Parent == "" {
			return -3
		}
		return -2
	case *record.Tag, *record.Merchant, *record.Security:
		return -1
	case *record.Category:
		if body.Parent != "" {
			return 1
		}
	case record.Opening:
		return 1
	case *record.Transfer, *record.Valuation, *record.RestoredRule:
		return 2
	}
	return 0
}

// apply makes what a row says, and gives what it created, for the revert. Transactions and trades are written
// elsewhere, all at once.
func (a *Applier) apply(ctx context.Context, q *queries.Queries, row record.Record) ([]ledger.Created, error) {
	switch body := row.Body.(type) {
	case *record.Account:
		in := catalog.AccountInput{Name: ledger.Some(row.Name), AccountType: ledger.Some(body.Type),
			Subtype:  record.Said(body.Subtype),
			Currency: ledger.Some(row.Currency.Code), Balance: ledger.Some(row.Currency.Decimal(row.Minor))}
		if !row.Undated {
			in.Date = ledger.Some(row.Date)
		}
		return intake.OpenAccount(ctx, a.ledger.Tx(q, a.who), in)
	case *record.Category:
		several := func(name, parent string) bool { return a.stated[[2]string{name, parent}] }
		return a.ledger.Intake.PlaceCategory(ctx, a.ledger.Tx(q, a.who), record.CategoryInput(row.Name, *body),
			body.Parent, several)
	case *record.Rule:
		created, err := intake.PlaceRule(ctx, a.ledger.Tx(q, a.who), body.Input)
		if e := ledger.AsError(err); e != nil && e.Kind == ledger.Invalid {
			return nil, ledger.NewInvalid(fmt.Sprintf("row %d", row.Number), "cannot be imported: %s", e.Message)
		}
		return created, err
	case *record.Split:
		security, created, err := a.security(ctx, q, body.Instrument)
		if err != nil {
			return nil, err
		}
		return created, market.BookSplit(ctx, a.ledger.Tx(q, a.who), a.Target.ImportID, security, row.Date,
			body.Numerator, body.Denominator)
	case *record.Price:
		security, created, err := a.security(ctx, q, body.Instrument)
		if err != nil {
			return nil, err
		}
		a.prices = append(a.prices, market.ImportedPrice{Security: security, Date: row.Date, Price: body.Price,
			Currency: row.Currency.Code, Source: body.Source})
		return created, nil
	case record.Opening:
		account, err := a.names.Account(ctx, row)
		if err != nil {
			return nil, err
		}
		return intake.StateOpening(ctx, a.ledger.Tx(q, a.who),
			intake.Opening{AccountID: account, Date: row.Date.AddDays(-1), Minor: row.Minor,
				Fresh: a.names.Opened[account]})
	case *record.RestoredAccount:
		return a.restoreAccount(ctx, q, row, body)
	case *record.RestoredCategory:
		c, created, err := intake.RestoreCategory(ctx, a.ledger.Tx(q, a.who),
			record.CategoryInput(row.Name, body.Category), a.Restored.Categories[body.ParentID])
		a.Restored.Categories[body.ID] = &c
		a.names.categories[ledger.Fold(row.Category)] = c.ID
		return created, err
	case *record.Tag:
		key, created, err := intake.RestoreTag(ctx, a.ledger.Tx(q, a.who), record.TagInput(row.Name, *body))
		a.Restored.tags[body.ID] = key
		a.names.tagKeys[ledger.Fold(row.Name)] = key
		return created, err
	case *record.Merchant:
		key, created, err := catalog.RestoreMerchant(ctx, a.ledger.Tx(q, a.who), body.Input)
		a.Restored.merchants[body.ID] = key
		return created, err
	case *record.Security:
		key, created, err := intake.RestoreSecurity(ctx, a.ledger.Tx(q, a.who), body.Input, body.Kind)
		a.securities[market.TickerText(body.Ticker, body.MIC)] = key
		return created, err
	case *record.RestoredRule:
		return a.restoreRule(ctx, q, row, body)
	case *record.Transfer:
		return nil, a.restoreTransfer(ctx, q, row, body)
	case *record.Valuation: // comes last, see finish
		a.Restored.valuations = append(a.Restored.valuations, row)
		return nil, nil
	case *record.Trade, record.Transaction, record.Balance, *record.Holding, record.NotKept, nil:
		return nil, nil
	}
	return nil, fmt.Errorf("row %d says what nobody makes: %T", row.Number, row.Body)
}

// security finds or creates a security; 0 when none is named.
func (a *Applier) security(ctx context.Context, q *queries.Queries, named record.Instrument) (int64, []ledger.Created,
	error) {
	ticker := market.TickerText(named.Ticker, named.MIC)
	key, known := a.securities[ticker]
	if known || ticker == "" {
		return key, nil, nil
	}
	in := market.SecurityInput{Ticker: ledger.Some(named.Ticker), MIC: ledger.Some(named.MIC),
		Name: record.Said(named.SecurityName)}
	key, created, err := intake.RestoreSecurity(ctx, a.ledger.Tx(q, a.who), in, "standard")
	a.securities[ticker] = key
	return key, created, err
}

// ApplyAll makes what rows say, trades last, and has noted what was created.
func (a *Applier) ApplyAll(ctx context.Context, q *queries.Queries, rows []record.Record) error {
	rows, trades := WithoutTrades(rows)
	a.InOrder(rows)
	if err := a.ApplySome(ctx, q, rows); err != nil {
		return err
	}
	if err := a.BookTrades(ctx, q, trades); err != nil {
		return err
	}
	return ctx.Err()
}

// InOrder sorts the rows that become no trades in the order in which they are made, and notes which places the file
// has for the names of categories: two of them are two categories, and none of them is moved to the place of the other.
func (a *Applier) InOrder(rows []record.Record) {
	for _, row := range rows {
		if body, ok := row.Body.(*record.Category); ok {
			a.stated[[2]string{ledger.Fold(row.Name), ledger.Fold(body.Parent)}] = true
		}
	}
	slices.SortFunc(rows, func(a, b record.Record) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Number, b.Number))
	})
}

// ApplySome makes what rows say that are in order.
func (a *Applier) ApplySome(ctx context.Context, q *queries.Queries, rows []record.Record) error {
	for _, row := range rows {
		created, err := a.apply(ctx, q, row)
		if err != nil {
			return err
		}
		if err := a.noteAll(ctx, q, created); err != nil {
			return err
		}
	}
	return nil
}

func (a *Applier) noteAll(ctx context.Context, q *queries.Queries, created []ledger.Created) error {
	for _, c := range created {
		if err := a.note(ctx, q, c); err != nil {
			return err
		}
	}
	return nil
}

// ApplyLate makes the rows that are left, in the write that makes the file's transactions count, and then what was
// only gathered: prices, and what depends on all entries. Opening balances that lead to a balance come before the
// statements of balances, before which none would show.
func (a *Applier) ApplyLate(ctx context.Context, q *queries.Queries, rows []record.Record) error {
	if err := a.ApplyAll(ctx, q, rows); err != nil {
		return err
	}
	if len(a.prices) > 0 {
		if err := market.BookPrices(ctx, a.ledger.Tx(q, a.who), a.Target.ImportID, a.prices); err != nil {
			return err
		}
	}
	if len(a.Restored.openings) > 0 {
		if err := a.settleOpenings(ctx, q); err != nil {
			return err
		}
	}
	for _, row := range a.Restored.valuations {
		created, err := a.restoreValuation(ctx, q, row, row.Body.(*record.Valuation))
		if err != nil {
			return err
		}
		if err := a.noteAll(ctx, q, created); err != nil {
			return err
		}
	}
	return nil
}

// Parted are the rows that must be made before the transactions of the file, and the others.
func Parted(rows []record.Record) (early, late []record.Record) {
	for _, row := range rows {
		if row.Trade() == nil && rank(row) < 0 {
			early = append(early, row)
		} else {
			late = append(late, row)
		}
	}
	return early, late
}

// MadeAtOnce is how many rows that the transactions may need are made in one write: what is remembered of them cannot
// be undone, so a write that others wait for too long fails the import.
const MadeAtOnce = 100

// WithoutTrades parts the rows that become trades from the others, both in the order of the file.
func WithoutTrades(rows []record.Record) (others, booked []record.Record) {
	for _, row := range rows {
		if row.Trade() != nil {
			booked = append(booked, row)
		} else {
			others = append(others, row)
		}
	}
	return others, booked
}

// BookTrades writes the rows that become trades, in one go, in the write that makes the transactions count.
func (a *Applier) BookTrades(ctx context.Context, q *queries.Queries, rows []record.Record) error {
	drafts := make([]trade.TradeDraft, 0, len(rows))
	for _, row := range rows {
		d, err := a.tradeDraft(ctx, row)
		if err != nil {
			return err
		}
		drafts = append(drafts, d)
	}
	if err := trade.InsertTrades(ctx, a.ledger.Tx(q, a.who), a.Target, drafts); err != nil || a.Target.ImportID != 0 {
		return err
	}
	var err error
	a.Short, err = trade.ShortSales(ctx, a.ledger.Tx(q, a.who), drafts)
	return err
}

func (a *Applier) tradeDraft(ctx context.Context, row record.Record) (trade.TradeDraft, error) {
	t := row.Trade()
	d := trade.TradeDraft{Date: row.Date, Kind: t.Kind, Quantity: t.Quantity, Price: t.Price, Fee: t.Fee,
		Amount:   row.Minor,
		Currency: row.Currency.Code, Name: row.Name, Notes: row.Notes, Label: t.Label, AllowShort: t.AllowShort,
		KeepsLeave: t.KeepsLeave,
		Row:        int64(row.Number), SourceHash: row.Key, BankKey: row.Bank, LikeKey: cmp.Or(row.Like, row.Key),
		Occurrence: row.Occurrence}
	if t.Kind == string(table.SideSell) {
		d.Quantity = d.Quantity.Neg()
	}
	var err error
	d.AccountID, err = a.names.Account(ctx, row)
	if err != nil {
		return d, err
	}
	d.CategoryID, err = a.names.Category(ctx, row)
	if err != nil {
		return d, err
	}
	d.SecurityID, err = a.names.security(ctx, t)
	return d, err
}

// security is 0 when the trade is of none.
func (n *Names) security(ctx context.Context, t *record.Trade) (int64, error) {
	ticker := cmp.Or(t.Ticker, t.ISIN)
	if ticker == "" {
		return 0, nil
	}
	return n.resolve(ctx, n.securities, market.TickerText(ticker, t.MIC),
		func(ctx context.Context, q *queries.Queries) (int64, []ledger.Created, error) {
			if t.Named {
				if key, err := intake.FindSecurityNamed(ctx, n.ledger.Tx(q, n.who), t.SecurityName); err != nil ||
					key != 0 {
					return key, nil, err
				}
			}
			return intake.FindOrCreateSecurity(ctx, n.ledger.Tx(q, n.who), ticker, t.MIC, t.SecurityName)
		})
}
