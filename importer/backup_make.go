package importer

import (
	"context"
	"fmt"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// backupMade is what has been made of a backup so far. Keys are by the ids of the file.
type backupMade struct {
	categories      map[string]*queries.Category
	tags, merchants map[string]int64
	market
	claimed    map[int64]bool  // accounts that one of the file's is
	signs      map[int64]int64 // of accounts: what turns an amount in the written sign into the ledger's
	disabled   map[int64]bool  // accounts whose holdings nobody is shown
	openings   []backupAccount
	valuations []Row
	told       []string
}

func newBackup() *backup {
	return &backup{backupMade{categories: map[string]*queries.Category{}, tags: map[string]int64{}, merchants: map[string]int64{}, market: newMarket(),
		claimed: map[int64]bool{}, signs: map[int64]int64{}, disabled: map[int64]bool{}}}
}

func (b *backup) tell(row Row, format string, args ...any) {
	b.made.told = append(b.made.told, fmt.Sprintf("line %d: ", row.Line)+fmt.Sprintf(format, args...))
}

// rank lets what transactions refer to come before them. Splits come before trades: how much can be sold depends on
// them.
func (*backup) rank(row Row) int {
	switch row.Entity {
	case entityAccount:
		return -4
	case entityCategory:
		if row.Parent == "" {
			return -3
		}
		return -2
	case entityTag, entityMerchant, entitySecurity:
		return -1
	case entitySplit:
		return 0
	}
	return 2
}

func (b *backup) make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	switch row.Entity {
	case entityAccount:
		return b.makeAccount(ctx, q, m, row)
	case entityCategory:
		return b.makeCategory(ctx, q, m, row)
	case entityTag:
		return b.makeTag(ctx, q, m, row)
	case entityMerchant:
		thing := row.Thing.(backupMerchant)
		key, created, err := m.ledger.RestoreMerchant(ctx, q, m.who, thing.input)
		b.made.merchants[thing.id] = key
		return created, err
	case entitySecurity:
		thing := row.Thing.(backupSecurity)
		key, created, err := m.ledger.RestoreSecurity(ctx, q, m.who, thing.input, thing.kind)
		b.made.securities[ledger.TickerText(row.Trade.Ticker, row.Trade.MIC)] = key
		return created, err
	case entityRule:
		return b.makeRule(ctx, q, m, row)
	}
	return b.makeEntry(ctx, q, m, row)
}

// makeAccount takes an account of the household that has the name, the type and the currency, or opens one. Where
// others have the name, it gets one of its own: files that name accounts could not tell them apart.
func (b *backup) makeAccount(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	thing := row.Thing.(backupAccount)
	named, err := m.ledger.FindAccountByName(ctx, q, m.who, row.Name)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(named, func(a queries.Account) bool { return b.made.claimed[a.ID] })
	for _, a := range others {
		if a.AccountType == row.AccountType && a.Currency == row.Currency.Code {
			b.claim(m, row, a.ID)
			return nil, nil
		}
	}
	if len(others) > 0 {
		if thing.Input.Name, err = b.freeName(ctx, q, m, row); err != nil {
			return nil, err
		}
	}
	key, created, err := m.ledger.RestoreAccount(ctx, q, m.who, thing.BackupAccount)
	b.claim(m, row, key)
	if thing.target != nil {
		b.made.openings = append(b.made.openings, thing)
	}
	return created, err
}

// claim notes which account the file's is.
func (b *backup) claim(m *making, row Row, key int64) {
	thing := row.Thing.(backupAccount)
	m.names.refs[row.AccountRef], b.made.claimed[key], b.made.signs[key], b.made.disabled[key] = key, true, thing.sign, thing.Status == "disabled"
}

// freeName is the name with the first number behind it that no account has.
func (b *backup) freeName(ctx context.Context, q *queries.Queries, m *making, row Row) (ledger.Opt[string], error) {
	for n := 2; ; n++ {
		end := fmt.Sprintf(" (%d)", n)
		name := string([]rune(row.Name)[:min(len([]rune(row.Name)), ledger.MaxName-len(end))]) + end
		named, err := m.ledger.FindAccountByName(ctx, q, m.who, name)
		if err != nil {
			return ledger.Opt[string]{}, err
		}
		if len(named) == 0 {
			b.tell(row, "account %s is named %s now: an account of another type or currency has its name", ledger.Quote(row.Name), ledger.Quote(name))
			return ledger.Some(name), nil
		}
	}
}

func (b *backup) makeCategory(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	thing := row.Thing.(backupCategory)
	c, created, err := m.ledger.RestoreCategory(ctx, q, m.who, categoryInput(row), b.made.categories[thing.parent])
	b.made.categories[thing.id] = &c
	m.names.categories[ledger.Fold(row.Category)] = c.ID
	return created, err
}

func (b *backup) makeTag(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	key, created, err := m.ledger.RestoreTag(ctx, q, m.who, tagInput(row))
	b.made.tags[row.Thing.(string)] = key
	m.names.tagKeys[ledger.Fold(row.Name)] = key
	return created, err
}

// makeEntry makes what refers to accounts, securities or transactions.
func (b *backup) makeEntry(ctx context.Context, q *queries.Queries, m *making, row Row) (created []ledger.Created, err error) {
	switch row.Entity {
	case entitySplit, entityPrice:
		return b.made.market.make(ctx, q, m, row)
	case entityTransfer, entityRejected:
		return nil, b.makeTransfer(ctx, q, m, row)
	case entityValuation:
		b.made.valuations = append(b.made.valuations, row)
	}
	return nil, nil
}

// makeTransfer joins, or says of two transactions that they are no transfer. A rehearsal has no transactions.
func (b *backup) makeTransfer(ctx context.Context, q *queries.Queries, m *making, row Row) error {
	if m.target.ImportID == 0 {
		return nil
	}
	thing := row.Thing.(backupTransfer)
	inflow, err := importSide(ctx, q, m.who, m.target.ImportID, thing.inflow)
	if err != nil {
		return err
	}
	outflow, err := importSide(ctx, q, m.who, m.target.ImportID, thing.outflow)
	if err != nil {
		return err
	}
	done := true
	if row.Entity == entityRejected {
		done, err = m.ledger.RestoreRejection(ctx, q, m.who, inflow, outflow)
	} else if inflow.TransferID == nil || outflow.TransferID == nil || *inflow.TransferID != *outflow.TransferID {
		done, err = m.ledger.RestoreTransfer(ctx, q, m.who, inflow, outflow, thing.BackupTransfer)
	}
	if err == nil && !done {
		b.tell(row, "the two transactions of the transfer are no movement between two accounts, or one of them is in another transfer: they were not linked")
	}
	return err
}
