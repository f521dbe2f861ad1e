package export

import (
	"context"
	"io"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/fx"
	"finsvc/queries"
)

// Snapshot is a household as it was at one moment. What is written of it and what is computed of it fit together,
// whatever is booked meanwhile.
type Snapshot struct {
	s  *Service
	tx *ledger.Tx
}

// Snapshot gives work one view of a household. It ends with the work.
func (s *Service) Snapshot(ctx context.Context, who ledger.Actor, work func(context.Context, *Snapshot) error) error {
	return s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error { return work(ctx, &Snapshot{s, tx}) })
}

// Journal is [Service.WriteJournal].
func (s *Snapshot) Journal(ctx context.Context, w io.Writer) (JournalCounts, error) {
	return s.writeJournal(ctx, w, hledgerForm{})
}

// Backup is [Service.WriteBackup].
func (s *Snapshot) Backup(ctx context.Context, w io.Writer) (lines int64, err error) {
	return s.writeBackup(ctx, w, nil)
}

// CanonicalBackup is a backup in which ids are numbers in the order in which they are first named, and without
// instants and what depends on the day on which it is written: the same books give the same bytes.
func (s *Snapshot) CanonicalBackup(ctx context.Context, w io.Writer) (lines int64, err error) {
	return s.writeBackup(ctx, w, &canonical{numbers: map[string]string{}})
}

// Accounts are those of the household, disabled ones too, by name, with their balances of today.
func (s *Snapshot) Accounts(ctx context.Context) ([]catalog.Account, error) {
	b, err := s.s.newBackup(ctx, s.tx, io.Discard)
	if err != nil {
		return nil, err
	}
	balances, err := balance.BalancesTx(ctx, s.tx, b.today)
	list := make([]catalog.Account, len(b.accounts))
	for i, row := range b.accounts {
		list[i] = catalog.AsAccount(queries.GetAccountRow(row), balances[row.Account.ID])
	}
	return list, err
}

// Balances is [balance.Service.Balances].
func (s *Snapshot) Balances(ctx context.Context, day ledger.Date) (map[int64]balance.Balance, error) {
	return balance.BalancesTx(ctx, s.tx, day)
}

// Rates are the exchange rates that the household's currencies need, see [Service.WriteJournal].
func (s *Snapshot) Rates(ctx context.Context) (list []fx.ExchangeRate, err error) {
	j, err := s.s.newJournal(ctx, s.tx, io.Discard, hledgerForm{})
	if err != nil {
		return nil, err
	}
	err = eachRate(ctx, j, func(r fx.ExchangeRate) error {
		list = append(list, r)
		return nil
	})
	return list, err
}
