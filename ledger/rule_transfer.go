package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// transferWish is what a rule says about a transaction: that it is one side of a transfer, whose other side is in an
// account. Both are keys, and 0 when no rule says so.
type transferWish struct{ rule, account int64 }

func (f *RuleFacts) wish() transferWish { return transferWish{f.SetByRule[RuleTransfer], f.transferTo} }

// joinByRule makes the transaction, given by its key, a side of a transfer as a rule says, if exactly one
// transaction of the account that the rule names can be the other side: of the opposite amount in the same
// currency, at most [matchDays] days apart and in no confirmed transfer. The transfer is a confirmed one, since the
// rule speaks for a person. Without such a transaction, or with several, nothing happens and the note is dropped.
func (l *Ledger) joinByRule(ctx context.Context, q *queries.Queries, who Actor, names *labels, key int64, wish transferWish) (joined bool, err error) {
	if wish.account == 0 {
		return false, nil
	}
	m := l.newMatcher(q, who, names)
	other, err := m.counterpart(ctx, key, wish.account)
	if err != nil {
		return false, err
	}
	if other.ID == 0 {
		return false, forgetNotes(ctx, q, key, RuleTransfer.String())
	}
	side, err := m.side(ctx, key)
	if err != nil {
		return false, err
	}
	pair := pairOf(side, other)
	reason := "a rule says so"
	if rule := names.rules.byKey[wish.rule]; rule != nil && rule.Name != nil {
		reason = "the rule " + Quote(*rule.Name) + " says so"
	}
	_, err = l.joinTransfer(ctx, q, who, pair.in.ID, pair.out.ID, TransferConfirmed, reason)
	return err == nil, err
}

// counterpart is the only transaction of an account that can be the other side of one, given by its key; nothing
// when there is none, or several.
func (m *matcher) counterpart(ctx context.Context, key, account int64) (matchSide, error) {
	side, err := m.side(ctx, key)
	if err != nil || side.ID == 0 {
		return matchSide{}, err
	}
	candidates, err := m.candidates(ctx, side, account, 2)
	if err != nil || len(candidates) != 1 {
		return matchSide{}, err
	}
	return candidates[0], nil
}

// JoinImportByRules makes the transfers that rules wished for when the rows of an import were written, now that
// they can be seen.
func (l *Ledger) JoinImportByRules(ctx context.Context, q *queries.Queries, who Actor, importID int64, book *RuleBook) error {
	if !book.hasTransfers() {
		return nil
	}
	names, err := l.labelsNow(ctx, q, who.HouseholdID)
	if err != nil {
		return err
	}
	wishes, err := q.ListImportWishes(ctx, queries.ListImportWishesParams{ImportID: &importID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	for _, wish := range wishes {
		wanted := transferWish{wish.RuleID, book.transferAccountOf(wish.RuleID)}
		if err := l.joinUnlessConfirmed(ctx, q, who, names, wish.TransactionID, wanted); err != nil {
			return err
		}
	}
	return nil
}

// joinUnlessConfirmed leaves a transaction alone that was joined already with another one of those that were written
// together with it.
func (l *Ledger) joinUnlessConfirmed(ctx context.Context, q *queries.Queries, who Actor, names *labels, key int64, wish transferWish) error {
	pair, err := l.transferOf(ctx, q, who, key)
	if err != nil || pair != nil && pair.Status == TransferConfirmed {
		return err
	}
	_, err = l.joinByRule(ctx, q, who, names, key, wish)
	return err
}

func (b *RuleBook) transferAccountOf(rule int64) int64 {
	for i := range b.rules {
		if b.rules[i].key == rule {
			return b.rules[i].transferAccount()
		}
	}
	return 0
}

// counterpartOf is the id of the transaction that joinByRule would join, the zero id when there is none.
func (l *Ledger) counterpartOf(ctx context.Context, q *queries.Queries, who Actor, names *labels, key, account int64) (uuid.UUID, error) {
	other, err := l.newMatcher(q, who, names).counterpart(ctx, key, account)
	if err != nil || other.ID == 0 {
		return uuid.Nil, err
	}
	row, err := q.GetTransactionRow(ctx, other.ID)
	return uuid.UUID(row.PublicID), err
}
