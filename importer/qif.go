package importer

import (
	"context"
	"fmt"
	"io"

	"finsvc/ledger"
	"finsvc/queries"
)

// qif is the format of files in the Quicken Interchange Format: sections of records, one field to a line. As a maker it
// has the market prices that were gathered.
type qif struct{ market market }

func newQIF() *qif { return &qif{newMarket()} }

func (*qif) settings(s Settings) Settings { return s }

func (*qif) open(file io.Reader, s Settings, d Defaults) (source, error) {
	rows, err := openQIF(file, s, d)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// rank lets opening balances come after what is bought and sold, and splits before.
func (*qif) rank(row Row) int {
	if row.Entity == entityValuation {
		return 1
	}
	return 0
}

// make notes splits and prices, and states the opening balance of an account: what it is worth at the end of the day
// before the record's, whose own day has transactions that come to it.
func (f *qif) make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	switch row.Entity {
	case entitySplit, entityPrice:
		return f.market.make(ctx, q, m, row)
	case entityValuation:
		return f.makeOpening(ctx, q, m, row)
	}
	return nil, fmt.Errorf("a row of entity %s is made elsewhere", row.Entity)
}

// finish writes the prices.
func (f *qif) finish(ctx context.Context, q *queries.Queries, m *making) ([]ledger.Created, error) {
	return nil, f.market.write(ctx, q, m)
}

func (*qif) makeOpening(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	account, err := m.names.account(ctx, row)
	if err != nil {
		return nil, err
	}
	return m.ledger.StateOpening(ctx, q, m.who, ledger.Opening{AccountID: account, Date: row.Date.AddDays(-1), Minor: row.Minor, Fresh: m.names.opened[account]})
}

// withAccounts adds to the defaults of a QIF file the household's accounts. Where two have one name, it is that
// of neither; publishing says so.
func (im *Importer) withAccounts(ctx context.Context, who ledger.Actor, how reading, d Defaults) (Defaults, error) {
	if how.kind != QifImport {
		return d, nil
	}
	accounts, err := im.ledger.AccountLabels(ctx, who)
	if err != nil {
		return d, err
	}
	named := make(map[string]*ledger.AccountLabel, len(accounts))
	for _, account := range accounts {
		named[ledger.Fold(account.Name)] = account
	}
	if how.accountID != nil {
		d.Account = accounts[*how.accountID]
	}
	d.Named = func(name string) *ledger.AccountLabel { return named[ledger.Fold(name)] }
	return d, nil
}
