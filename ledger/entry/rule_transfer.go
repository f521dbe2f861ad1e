package entry

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// transferTarget is what a rule says about a transaction: that it is one side of a transfer, whose other side is in an
// account. Both are keys, and 0 when no rule says so.
type transferTarget struct{ rule, account int64 }

func transferTargetOf(f *rule.Subject) transferTarget {
	return transferTarget{f.SetByRule[rule.RuleTransfer], f.TransferTo}
}

// joinByRule makes the transaction, given by its key, a side of a transfer as a rule says, if exactly one
// transaction of the account that the rule names can be the other side: of the opposite amount in the same
// currency, at most [transfer.matchDays] days apart and in no confirmed transfer. The transfer is a confirmed one,
// since the rule speaks for a person. Without such a transaction, or with several, nothing happens and the note is
// dropped.
func (s *Service) joinByRule(ctx context.Context, tx *ledger.Tx, key int64, wish transferTarget) (joined bool,
	err error) {
	if wish.account == 0 {
		return false, nil
	}
	m := s.Transfers.NewMatcher(tx)
	other, err := m.Counterpart(ctx, key, wish.account)
	if err != nil {
		return false, err
	}
	if other.ID == 0 {
		return false, forgetNotes(ctx, tx.Queries, key, rule.RuleTransfer.String())
	}
	side, err := m.Side(ctx, key)
	if err != nil {
		return false, err
	}
	pair := transfer.PairOf(side, other)
	reason := "a rule says so"
	if rule := tx.Refs.Rules.ByKey[wish.rule]; rule != nil && rule.Name != nil {
		reason = "the rule " + ledger.Quote(*rule.Name) + " says so"
	}
	_, err = s.Transfers.JoinTransfer(ctx, tx, pair.In.ID, pair.Out.ID, transfer.TransferConfirmed, reason)
	return err == nil, err
}

// JoinImportByRules makes the transfers that rules wished for when the rows of an import were written, now that
// they can be seen.
func (s *Service) JoinImportByRules(ctx context.Context, tx *ledger.Tx, importID int64, book *rule.Engine) error {
	if !book.HasTransfers() {
		return nil
	}
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return err
	}
	wishes, err := tx.ListImportWishes(ctx, queries.ListImportWishesParams{ImportID: &importID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, wish := range wishes {
		wanted := transferTarget{wish.RuleID, book.TransferAccountOf(wish.RuleID)}
		if err := s.joinUnlessConfirmed(ctx, tx.With(refs), wish.TransactionID, wanted); err != nil {
			return err
		}
	}
	return nil
}

// joinUnlessConfirmed leaves a transaction alone that was joined already with another one of those that were written
// together with it.
func (s *Service) joinUnlessConfirmed(ctx context.Context, tx *ledger.Tx, key int64, wish transferTarget) error {
	pair, err := transfer.TransferOf(ctx, tx, key)
	if err != nil || pair != nil && pair.Status == transfer.TransferConfirmed {
		return err
	}
	_, err = s.joinByRule(ctx, tx, key, wish)
	return err
}

// counterpartOf is the id of the transaction that joinByRule would join, the zero id when there is none.
func (s *Service) counterpartOf(ctx context.Context, tx *ledger.Tx, key, account int64) (uuid.UUID, error) {
	other, err := s.Transfers.NewMatcher(tx).Counterpart(ctx, key, account)
	if err != nil || other.ID == 0 {
		return uuid.Nil, err
	}
	row, err := tx.GetTransactionRow(ctx, other.ID)
	return uuid.UUID(row.PublicID), err
}
