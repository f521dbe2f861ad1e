package closing

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Deletion is an account with what goes with it. OperationID is by which it is taken back; zero of what is only looked at.
type Deletion struct {
	ID          uuid.UUID
	Name        string
	Uses        Uses
	OperationID uuid.UUID
}

// LookAtDeletion says what deleting an account would remove.
func (s *Service) LookAtDeletion(ctx context.Context, who ledger.Actor, id uuid.UUID) (d Deletion, err error) {
	err = s.ReadTx(ledger.Heavy(ctx, who), who, func(ctx context.Context, tx *ledger.Tx) error {
		d, _, err = look(ctx, tx, id)
		return err
	})
	return d, err
}

func look(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (Deletion, queries.Account, error) {
	account, err := find(ctx, tx, queries.PublicID(id))
	if err != nil {
		return Deletion{}, account, err
	}
	uses, err := usesOf(ctx, tx, account.ID)
	return Deletion{ID: id, Name: account.Name, Uses: uses}, account, err
}

// Delete removes an account with all that is booked in it. The other sides of its transfers are ordinary transactions
// again, imports and rules that name it stay. Others write between the parts of the work; what they book in the account
// meanwhile keeps all of it.
func (s *Service) Delete(ctx context.Context, who ledger.Actor, id uuid.UUID) (d Deletion, err error) {
	var account queries.Account
	var all entries
	err = s.ReadTx(ledger.Heavy(ctx, who), who, func(ctx context.Context, tx *ledger.Tx) error {
		if err := checkIdle(ctx, tx); err != nil {
			return err
		}
		d, account, err = look(ctx, tx, id)
		if err != nil {
			return err
		}
		all, err = entriesOf(ctx, tx, account.ID)
		return err
	})
	if err != nil {
		return d, err
	}
	operation, err := s.History.Run(ctx, who, all.work(), func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		transactions, trades, ends := all.cut(first, last)
		if err := s.Entries.RemoveTransactions(ctx, tx, transactions); err != nil {
			return err
		}
		if err := s.Trades.RemoveTrades(ctx, tx, trades); err != nil || !ends {
			return err
		}
		return closeAccount(ctx, tx, account.PublicID, nil)
	})
	d.OperationID = uuid.UUID(operation)
	return d, err
}
