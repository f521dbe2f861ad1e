package entry

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/rule"
)

// MostGrouped is how many of the newest transactions [Service.GroupByName] looks at.
const MostGrouped = 5000

// NameGroup is the transactions of one name and currency, newest first. Name is that of the newest.
type NameGroup struct {
	Name, Currency string
	Rows           []Transaction
	Sum            money.Sum
}

// GroupByName gives the newest transactions that a filter selects by name, whatever its case, the most of them first,
// and how many the filter selects.
func (s *Service) GroupByName(ctx context.Context, who ledger.Actor, f TransactionFilter) (groups []*NameGroup, total int64, err error) {
	list, total, err := s.ListTransactions(ctx, who, f, ledger.Page{Number: 1, Size: MostGrouped})
	if err != nil {
		return nil, 0, err
	}
	byName := map[[2]string]*NameGroup{}
	for _, t := range list {
		key := [2]string{ledger.Fold(t.Name), t.Currency}
		g := byName[key]
		if g == nil {
			g = &NameGroup{Name: t.Name, Currency: t.Currency}
			byName[key] = g
			groups = append(groups, g)
		}
		g.Rows = append(g.Rows, t)
		g.Sum.Add(t.Amount)
	}
	slices.SortStableFunc(groups, func(a, b *NameGroup) int { return cmp.Compare(len(b.Rows), len(a.Rows)) })
	return groups, total, nil
}

// Categorize gives the transactions of a group a category and, with a rule, what comes under that name as well: one
// operation, which is taken back as one.
func (s *Service) Categorize(ctx context.Context, who ledger.Actor, g *NameGroup, category uuid.UUID, withRule bool) (out ManyOutcome,
	err error) {
	if uuid.UUID(who.Operation) == uuid.Nil {
		who.Operation, err = ledger.NewID()
		if err != nil {
			return out, err
		}
	}
	change := ManyChange{Fields: TransactionInput{CategoryID: ledger.Some(category)}}
	for _, t := range g.Rows {
		change.IDs = append(change.IDs, uuid.UUID(t.PublicID))
	}
	out, err = s.ChangeTransactions(ctx, who, change, false)
	if err != nil || !withRule {
		return out, err
	}
	_, err = s.Rules.CreateRule(ctx, who, rule.CategoryOfName(g.Name, category))
	return out, err
}
