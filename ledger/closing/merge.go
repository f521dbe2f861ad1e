package closing

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// maxConflicts is how many conflicts of a kind are listed.
const maxConflicts = 20

// Merge is what comes, or would come, of an account that goes into another one. PossibleDuplicates counts the entries of
// the one that look like one of the other: nothing tells whether they are, so both stay. OperationID is by which the merge
// is taken back; it is zero of a dry run.
type Merge struct {
	Name, TargetName   string
	Uses               Uses // Transfers are those between the two, which are none within one account
	PossibleDuplicates int64
	OperationID        uuid.UUID
}

// plan is what a merge is going to do.
type plan struct {
	Merge
	source, target queries.Account
	entries        entries
	before, after  []queries.Valuation // of the target, see into
}

// Merge gives all that an account has to another one of the same currency and kind, and removes it. Of two opening balances
// the earlier one stays; the later one, if it was stated, becomes the balance of its day. What both have and one account
// cannot have twice is a conflict that lists it.
func (s *Service) Merge(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID, dryRun bool) (Merge, error) {
	var p plan
	err := s.ReadTx(ledger.Heavy(ctx, who), who, func(ctx context.Context, tx *ledger.Tx) (err error) {
		p, err = planMerge(ctx, tx, id, targetID)
		return err
	})
	if err != nil || dryRun {
		return p.Merge, err
	}
	// One step more than the entries have: the target notes at first that it gets them, so that taking the merge back ends
	// with a look at both, see restoreNote.
	operation, err := s.History.Run(ctx, who, p.entries.work()+1, func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		if first == 0 {
			if err := p.begin(ctx, tx); err != nil {
				return err
			}
		}
		transactions, trades, ends := p.entries.cut(max(first-1, 0), last-1)
		if err := s.Entries.MoveTransactions(ctx, tx, transactions, p.target.ID); err != nil {
			return err
		}
		if err := s.Trades.MoveTrades(ctx, tx, trades, p.target.ID); err != nil || !ends {
			return err
		}
		if err := closeAccount(ctx, tx, p.source.PublicID, &into{Account: p.target.ID, Before: p.before, After: p.after}); err != nil {
			return err
		}
		return position.CheckCovered(ctx, tx, p.target.ID)
	})
	p.OperationID = uuid.UUID(operation)
	return p.Merge, err
}

// begin notes in the history of the target what comes, and looks whether both are still what was planned for.
func (p *plan) begin(ctx context.Context, tx *ledger.Tx) error {
	for _, planned := range []queries.Account{p.source, p.target} {
		now, err := find(ctx, tx, planned.PublicID)
		if err != nil {
			return err
		}
		if now.Currency != planned.Currency || now.AccountType != planned.AccountType {
			return ledger.NewConflict("the account %s was changed meanwhile: do this again", ledger.Quote(now.Name))
		}
	}
	return tx.Record(ctx, ledger.EntityAccount, p.target.PublicID, mergeNote{}, mergeNote{&p.source.PublicID})
}

func planMerge(ctx context.Context, tx *ledger.Tx, id, targetID uuid.UUID) (p plan, err error) {
	if err := checkIdle(ctx, tx); err != nil {
		return p, err
	}
	p.source, err = find(ctx, tx, queries.PublicID(id))
	if err != nil {
		return p, err
	}
	p.target, err = find(ctx, tx, queries.PublicID(targetID))
	if ledger.IsKind(err, ledger.NotFound) {
		return p, ledger.NewInvalid("target_id", "is not the id of one of the household's own accounts: %s", targetID)
	}
	if err != nil {
		return p, err
	}
	if err := checkLike(p.source, p.target); err != nil {
		return p, err
	}
	p.Name, p.TargetName = p.source.Name, p.target.Name
	p.Uses, err = usesOf(ctx, tx, p.source.ID)
	if err != nil {
		return p, err
	}
	p.Uses.Transfers, err = tx.CountTransfersBetween(ctx, queries.CountTransfersBetweenParams{HouseholdID: tx.HouseholdID,
		AccountID: p.source.ID, OtherID: p.target.ID})
	if err != nil {
		return p, err
	}
	twins, err := tx.CountTwins(ctx, queries.CountTwinsParams{AccountID: p.source.ID, TargetID: p.target.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return p, err
	}
	p.PossibleDuplicates = twins.Transactions + twins.Trades
	p.entries, err = entriesOf(ctx, tx, p.source.ID)
	if err != nil {
		return p, err
	}
	clashes, err := p.planValuations(ctx, tx)
	if err != nil {
		return p, err
	}
	ids, err := tx.ListExternalTwins(ctx, queries.ListExternalTwinsParams{TargetID: p.target.ID, AccountID: p.source.ID,
		HouseholdID: tx.HouseholdID, RowLimit: maxConflicts + 1})
	if err != nil || len(ids)+len(clashes) == 0 {
		return p, err
	}
	return p, p.conflict(ids, clashes)
}

// checkLike refuses to merge accounts that are not of one kind.
func checkLike(source, target queries.Account) error {
	from, _ := ledger.LookupAccountType(source.AccountType) // the table allows no others
	to, _ := ledger.LookupAccountType(target.AccountType)
	switch {
	case source.ID == target.ID:
		return ledger.NewInvalid("target_id", "must be another account than the one that is merged")
	case source.Currency != target.Currency:
		return ledger.NewInvalid("target_id", "must be in %s as the account that is merged, is in %s", source.Currency, target.Currency)
	case from.Classification != to.Classification:
		return ledger.NewInvalid("target_id", "must be %s as the account that is merged, is %s", article(from.Classification),
			article(to.Classification))
	case from.TakesTrades() && !to.TakesTrades():
		return ledger.NewInvalid("target_id", "must be %s as the account that is merged, is %s", ledger.TradingTypes, to.Name)
	case to.TakesTrades() && !from.TakesTrades():
		return ledger.NewInvalid("target_id", "must not be %s as the account that is merged, is %s", ledger.TradingTypes, to.Name)
	}
	return nil
}

func article(classification string) string {
	if classification == ledger.Asset {
		return "an asset"
	}
	return "a liability"
}

// clash is a day of which the two accounts state different balances.
type clash struct {
	Day           ledger.Date
	Source, Other int64
}

// planValuations says what the target has of valuations afterwards, as far as that is other than before.
func (p *plan) planValuations(ctx context.Context, tx *ledger.Tx) ([]clash, error) {
	lists := map[int64][]queries.Valuation{}
	for _, account := range []int64{p.source.ID, p.target.ID} {
		rows, err := tx.ListAccountValuations(ctx, queries.ListAccountValuationsParams{AccountID: account, HouseholdID: tx.HouseholdID})
		if err != nil {
			return nil, err
		}
		lists[account] = rows
	}
	lives, _, err := balance.Lifetimes(ctx, tx)
	if err != nil {
		return nil, err
	}
	begins := map[int64]ledger.Date{}
	for _, life := range lives {
		begins[life.Account] = life.First
	}
	before, after, clashes := mergeValuations(lists[p.source.ID], lists[p.target.ID], begins[p.source.ID], begins[p.target.ID], p.target.ID)
	p.before, p.after = before, after
	return clashes, nil
}

// mergeValuations gives those valuations of the target that change, and what the target gets for them and for those of the
// source. The days are those on which the opening balances lie.
func mergeValuations(source, target []queries.Valuation, sourceDay, targetDay ledger.Date, account int64) (before,
	after []queries.Valuation, clashes []clash) {
	opening := func(v queries.Valuation) bool { return v.Kind == openingKind }
	from, to := slices.IndexFunc(source, opening), slices.IndexFunc(target, opening)
	replaced := from >= 0 && (to < 0 || sourceDay < targetDay ||
		sourceDay == targetDay && source[from].Stated == 1 && target[to].Stated == 0)
	stays := map[int64]queries.Valuation{} // by day
	for _, v := range target {
		if opening(v) && replaced {
			before = append(before, v)
			continue
		}
		if v.Date != nil {
			stays[*v.Date] = v
		}
	}
	add := func(v queries.Valuation) {
		if v.Date == nil {
			after = append(after, v)
			return
		}
		there, has := stays[*v.Date]
		switch {
		case !has:
			stays[*v.Date] = v
			after = append(after, v)
		case there.Amount != v.Amount:
			clashes = append(clashes, clash{ledger.Date(*v.Date), v.Amount, there.Amount})
		}
	}
	for i, v := range source {
		v.AccountID = account
		if i == from && !replaced {
			if v.Stated == 0 {
				continue
			}
			v.Kind, v.Date = statedKind, new(int64(sourceDay))
		}
		add(v)
	}
	if replaced && to >= 0 && target[to].Stated == 1 {
		v := target[to]
		v.Kind, v.Date = statedKind, new(int64(targetDay))
		add(v)
	}
	return before, after, clashes
}

// The kinds of valuations.
const (
	openingKind = "opening_anchor"
	statedKind  = "reconciliation"
)

// conflict lists what both accounts have and one cannot have twice.
func (p *plan) conflict(ids []queries.ListExternalTwinsRow, clashes []clash) error {
	e := ledger.NewConflict("the account %s cannot go into %s as it is", ledger.Quote(p.Name), ledger.Quote(p.TargetName))
	e.Details = map[string]any{}
	if len(ids) > 0 {
		e.Message += ": transactions of both have the same external_id"
		list := []map[string]any{}
		for _, row := range ids[:min(len(ids), maxConflicts)] {
			list = append(list, map[string]any{"external_id": row.ExternalID, "id": uuid.UUID(row.PublicID).String(),
				"target_transaction_id": uuid.UUID(row.OtherPublicID).String(), "date": ledger.Date(row.Date).String(), "name": row.Name})
		}
		e.Details["external_ids"] = list
	}
	if len(clashes) > 0 {
		e.Message += fmt.Sprintf(": they state different balances of a day, such as %s; delete one of the two valuations", clashes[0].Day)
		kind, _ := ledger.LookupAccountType(p.source.AccountType)
		currency, _ := money.LookupCurrency(p.source.Currency)
		list := []map[string]any{}
		for _, c := range clashes[:min(len(clashes), maxConflicts)] {
			list = append(list, map[string]any{"date": c.Day.String(),
				"amount": currency.Plain(kind.Sign() * c.Source), "target_amount": currency.Plain(kind.Sign() * c.Other)})
		}
		e.Details["valuations"] = list
	}
	return e
}
