package importer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"finsvc/ledger"
	bookspkg "finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
	"finsvc/queries"
)

// applier writes into the books what records say, but for transactions, which are written by the thousand. It remembers what
// it made: there is a new one for every publishing and every dry run.
type applier struct {
	ledger *bookspkg.Books
	who    ledger.Actor
	names  *names
	target entry.BulkTarget // without an import in a dry run
	note   noter
	short  []int64 // rows with sales of more than is held; in a dry run only

	stated     map[[2]string]bool // categories with their parents, folded, that the file has
	securities map[string]int64   // by ticker and market
	prices     []market.ImportedPrice
	restored   restored
}

func newApplier(l *bookspkg.Books, who ledger.Actor, n *names, target entry.BulkTarget, note noter) *applier {
	return &applier{ledger: l, who: who, names: n, target: target, note: note, stated: map[[2]string]bool{}, securities: map[string]int64{}, restored: newRestored()}
}

// makesMore reports whether rows of a type of import may become other things than transactions.
func makesMore(kind string) bool {
	switch kind {
	case "", TransactionImport, MintImport, PdfImport:
		return false
	}
	return true
}

// rank orders the making; rows of one rank are made in the order of the file. Those of a rank below 0 are made before the
// file's transactions are written, which may need them; all others in the write that makes those count. Splits come before
// trades, for how much can be sold depends on them, and balances after both.
func rank(row Row) int {
	switch body := row.Body.(type) {
	case *RestoredAccount:
		return -4
	case *RestoredCategory:
		if body.Parent == "" {
			return -3
		}
		return -2
	case *Tag, *Merchant, *Security:
		return -1
	case *Category:
		if body.Parent != "" {
			return 1
		}
	case Opening:
		return 1
	case *Transfer, *Valuation, *RestoredRule:
		return 2
	}
	return 0
}

// apply makes what a row says, and gives what it created, for the revert. Transactions and trades are written elsewhere, all at once.
func (a *applier) apply(ctx context.Context, q *queries.Queries, row Row) ([]ledger.Created, error) {
	switch body := row.Body.(type) {
	case *Account:
		in := catalog.AccountInput{Name: ledger.Some(row.Name), AccountType: ledger.Some(body.Type), Subtype: said(body.Subtype),
			Currency: ledger.Some(row.Currency.Code), Balance: ledger.Some(row.Currency.Decimal(row.Minor))}
		if !row.Undated {
			in.Date = ledger.Some(row.Date)
		}
		return a.ledger.Intake.OpenAccount(ctx, q, a.who, in)
	case *Category:
		several := func(name, parent string) bool { return a.stated[[2]string{name, parent}] }
		return a.ledger.Intake.PlaceCategory(ctx, q, a.who, categoryInput(row.Name, *body), body.Parent, several)
	case *Rule:
		created, err := a.ledger.Intake.PlaceRule(ctx, q, a.who, body.Input)
		if e := ledger.AsError(err); e != nil && e.Kind == ledger.Invalid {
			return nil, ledger.NewInvalid(fmt.Sprintf("row %d", row.Number), "cannot be imported: %s", e.Message)
		}
		return created, err
	case *Split:
		security, created, err := a.security(ctx, q, body.Instrument)
		if err != nil {
			return nil, err
		}
		return created, a.ledger.Market.BookSplit(ctx, q, a.who, a.target.ImportID, security, row.Date, body.Numerator, body.Denominator)
	case *Price:
		security, created, err := a.security(ctx, q, body.Instrument)
		if err != nil {
			return nil, err
		}
		a.prices = append(a.prices, market.ImportedPrice{Security: security, Date: row.Date, Price: body.Price, Currency: row.Currency.Code, Source: body.Source})
		return created, nil
	case Opening:
		account, err := a.names.account(ctx, row)
		if err != nil {
			return nil, err
		}
		return a.ledger.Intake.StateOpening(ctx, q, a.who, intake.Opening{AccountID: account, Date: row.Date.AddDays(-1), Minor: row.Minor, Fresh: a.names.opened[account]})
	case *RestoredAccount:
		return a.restoreAccount(ctx, q, row, body)
	case *RestoredCategory:
		c, created, err := a.ledger.Intake.RestoreCategory(ctx, q, a.who, categoryInput(row.Name, body.Category), a.restored.categories[body.ParentID])
		a.restored.categories[body.ID] = &c
		a.names.categories[ledger.Fold(row.Category)] = c.ID
		return created, err
	case *Tag:
		key, created, err := a.ledger.Intake.RestoreTag(ctx, q, a.who, tagInput(row.Name, *body))
		a.restored.tags[body.ID] = key
		a.names.tagKeys[ledger.Fold(row.Name)] = key
		return created, err
	case *Merchant:
		key, created, err := a.ledger.Catalog.RestoreMerchant(ctx, q, a.who, body.Input)
		a.restored.merchants[body.ID] = key
		return created, err
	case *Security:
		key, created, err := a.ledger.Intake.RestoreSecurity(ctx, q, a.who, body.Input, body.Kind)
		a.securities[market.TickerText(body.Ticker, body.MIC)] = key
		return created, err
	case *RestoredRule:
		return a.restoreRule(ctx, q, row, body)
	case *Transfer:
		return nil, a.restoreTransfer(ctx, q, row, body)
	case *Valuation: // comes last, see finish
		a.restored.valuations = append(a.restored.valuations, row)
		return nil, nil
	case *Trade, Transaction, Balance, *Holding, NotKept, nil:
		return nil, nil
	}
	return nil, fmt.Errorf("row %d says what nobody makes: %T", row.Number, row.Body)
}

// security finds or creates a security; 0 when none is named.
func (a *applier) security(ctx context.Context, q *queries.Queries, named Instrument) (int64, []ledger.Created, error) {
	ticker := market.TickerText(named.Ticker, named.MIC)
	key, known := a.securities[ticker]
	if known || ticker == "" {
		return key, nil, nil
	}
	in := market.SecurityInput{Ticker: ledger.Some(named.Ticker), MIC: ledger.Some(named.MIC), Name: said(named.SecurityName)}
	key, created, err := a.ledger.Intake.RestoreSecurity(ctx, q, a.who, in, "standard")
	a.securities[ticker] = key
	return key, created, err
}

// applyAll makes what rows say, trades last, and has noted what was created.
func (a *applier) applyAll(ctx context.Context, q *queries.Queries, rows []Row) error {
	rows, trades := withoutTrades(rows)
	a.inOrder(rows)
	if err := a.applySome(ctx, q, rows); err != nil {
		return err
	}
	if err := a.bookTrades(ctx, q, trades); err != nil {
		return err
	}
	return ctx.Err()
}

// inOrder sorts the rows that become no trades in the order in which they are made, and notes which places the file has for the names of
// categories: two of them are two categories, and none of them is moved to the place of the other.
func (a *applier) inOrder(rows []Row) {
	for _, row := range rows {
		if body, ok := row.Body.(*Category); ok {
			a.stated[[2]string{ledger.Fold(row.Name), ledger.Fold(body.Parent)}] = true
		}
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Number, b.Number))
	})
}

// applySome makes what rows say that are in order.
func (a *applier) applySome(ctx context.Context, q *queries.Queries, rows []Row) error {
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

func (a *applier) noteAll(ctx context.Context, q *queries.Queries, created []ledger.Created) error {
	for _, c := range created {
		if err := a.note(ctx, q, c); err != nil {
			return err
		}
	}
	return nil
}

// applyLate makes the rows that are left, in the write that makes the file's transactions count, and then what was only gathered: prices,
// and what depends on all entries. Opening balances that lead to a balance come before the statements of balances, before which none would show.
func (a *applier) applyLate(ctx context.Context, q *queries.Queries, rows []Row) error {
	if err := a.applyAll(ctx, q, rows); err != nil {
		return err
	}
	if len(a.prices) > 0 {
		if err := a.ledger.Market.BookPrices(ctx, q, a.who, a.target.ImportID, a.prices); err != nil {
			return err
		}
	}
	if len(a.restored.openings) > 0 {
		if err := a.settleOpenings(ctx, q); err != nil {
			return err
		}
	}
	for _, row := range a.restored.valuations {
		created, err := a.restoreValuation(ctx, q, row, row.Body.(*Valuation))
		if err != nil {
			return err
		}
		if err := a.noteAll(ctx, q, created); err != nil {
			return err
		}
	}
	return nil
}

// parted are the rows that must be made before the transactions of the file, and the others.
func parted(rows []Row) (early, late []Row) {
	for _, row := range rows {
		if row.Trade() == nil && rank(row) < 0 {
			early = append(early, row)
		} else {
			late = append(late, row)
		}
	}
	return early, late
}
