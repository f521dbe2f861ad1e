package ledger

import (
	"context"
	"io"

	"finsvc/queries"
)

// Snapshot is a household as it was at one moment. What is written of it and what is computed of it fit together,
// whatever is booked meanwhile.
type Snapshot struct {
	l   *Ledger
	q   *queries.Queries
	who Actor
}

// Snapshot gives work one view of a household. It ends with the work.
func (l *Ledger) Snapshot(ctx context.Context, who Actor, work func(context.Context, *Snapshot) error) error {
	return l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error { return work(ctx, &Snapshot{l, q, who}) })
}

// Journal is [Ledger.WriteJournal].
func (s *Snapshot) Journal(ctx context.Context, w io.Writer) (JournalCounts, error) {
	return s.writeJournal(ctx, w, hledgerForm{})
}

// Backup is [Ledger.WriteBackup].
func (s *Snapshot) Backup(ctx context.Context, w io.Writer) (lines int64, err error) {
	return s.writeBackup(ctx, w, nil)
}

// CanonicalBackup is a backup in which ids are numbers in the order in which they are first named, and without
// instants and what depends on the day on which it is written: the same books give the same bytes.
func (s *Snapshot) CanonicalBackup(ctx context.Context, w io.Writer) (lines int64, err error) {
	return s.writeBackup(ctx, w, &canonical{numbers: map[string]string{}})
}

// Accounts are those of the household, disabled ones too, by name, with their balances of today.
func (s *Snapshot) Accounts(ctx context.Context) ([]Account, error) {
	b, err := s.l.newBackup(ctx, s.q, s.who, io.Discard)
	if err != nil {
		return nil, err
	}
	balances, err := s.l.balances(ctx, s.q, s.who, b.today)
	list := make([]Account, len(b.accounts))
	for i, row := range b.accounts {
		list[i] = asAccount(queries.GetAccountRow(row), balances[row.Account.ID])
	}
	return list, err
}

// Balances is [Ledger.Balances].
func (s *Snapshot) Balances(ctx context.Context, day Date) (map[int64]Balance, error) {
	return s.l.balances(ctx, s.q, s.who, day)
}

// Rates are the exchange rates that the household's currencies need, see [Ledger.WriteJournal].
func (s *Snapshot) Rates(ctx context.Context) (list []ExchangeRate, err error) {
	j, err := s.l.newJournal(ctx, s.q, s.who, io.Discard, hledgerForm{})
	if err != nil {
		return nil, err
	}
	err = j.eachRate(ctx, func(r ExchangeRate) error {
		list = append(list, r)
		return nil
	})
	return list, err
}
