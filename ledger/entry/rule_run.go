package entry

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// Sizes of the parts of a run. Other writes wait for one part of the rows to be written at most.
const (
	ruleReadPart  = 2_000
	ruleWritePart = 200
	// maxRuleChanges is how many changes a preview shows.
	maxRuleChanges = 100
)

// ruleRun is rules on their way through the transactions that are there. Between its parts anything may change, so
// each looks at everything anew.
type ruleRun struct {
	s       *Service
	who     ledger.Actor
	only    ledger.Opt[uuid.UUID] // of the one rule to run; absent: all that are active
	draft   *rule.Input           // the one that is only looked at; nil: they are stored ones
	preview bool
	started int64
	book    *rule.Engine
	facts   rule.Subject
	out     RuleOutcome
	counts  map[int64]*ruleCount // by key of the rule
	piece   int                  // how many rows are written at once
	id      queries.PublicID     // of what the run does, in the history
}

type ruleCount struct{ matched, changed int64 }

// RunRules applies one rule, be it active or not, or all active ones, to the transactions that are there, from the
// rules' first days on. A preview only says what would change. What is changed, is in short writes: other work goes
// on meanwhile, and if the run is cut short what it has done stays. Each run of a rule is recorded.
func (s *Service) RunRules(ctx context.Context, who ledger.Actor, only ledger.Opt[uuid.UUID],
	preview bool) (RuleOutcome, error) {
	who.Origin = ledger.OriginRule
	id, err := ledger.NewID()
	if err != nil {
		return RuleOutcome{}, err
	}
	r := &ruleRun{s: s, who: who, id: id, only: only, preview: preview, started: s.Stamp(), counts: map[int64]*ruleCount{},
		piece: ruleWritePart}
	err = r.run(ctx)
	if r.out.Changed > 0 && !preview {
		r.out.OperationID = uuid.UUID(id)
	}
	if preview || ledger.IsKind(err, ledger.NotFound) {
		return r.out, err
	}
	if failed := r.record(context.WithoutCancel(ctx), err); err == nil {
		err = failed
	}
	return r.out, err
}

// PreviewRule says what a rule that is not stored would do to the transactions that are there.
func (s *Service) PreviewRule(ctx context.Context, who ledger.Actor, in rule.Input) (RuleOutcome, error) {
	who.Origin = ledger.OriginRule
	r := &ruleRun{s: s, who: who, draft: &in, preview: true, counts: map[int64]*ruleCount{}}
	err := r.run(ctx)
	return r.out, err
}

func (r *ruleRun) run(ctx context.Context) error {
	after := int64(ledger.FirstKey(r.who.HouseholdID, ledger.MinDate)) - 1
	for after > 0 {
		part, next, err := r.look(ctx, after)
		if err != nil {
			return err
		}
		after = next
		if r.preview {
			continue
		}
		if err := r.changeAll(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// changeAll writes what the rules make of a part, in smaller pieces where others have waited too long for one.
func (r *ruleRun) changeAll(ctx context.Context, ids []uuid.UUID) error {
	for len(ids) > 0 {
		n := min(r.piece, len(ids))
		err := r.change(ctx, ids[:n])
		if ledger.IsOverBudget(err) && r.piece > 1 {
			r.piece = max(r.piece/4, 1)
			continue
		}
		if err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// in runs a part of the work with the rules and labels as they are now.
func (r *ruleRun) in(ctx context.Context, way func(context.Context, db.Work) error, work ledger.Work) error {
	return r.s.WithRefs(ctx, way, r.who, func(ctx context.Context, tx *ledger.Tx) error {
		switch {
		case r.draft != nil:
			one, err := rule.Draft(tx, *r.draft)
			if err != nil {
				return err
			}
			one.Active = 1
			r.book = rule.CompileRules([]queries.Rule{one.Rule}, tx.Refs)
		case !r.only.Has():
			r.book = r.s.Rules.EngineOf(r.who.HouseholdID, tx.Refs)
		default:
			one, err := rule.GetRule(ctx, tx.As(r.who), r.only.Value)
			if err != nil {
				return err
			}
			one.Active = 1
			r.book = rule.CompileRules([]queries.Rule{one.Rule}, tx.Refs)
		}
		if r.book == nil {
			return nil
		}
		r.facts.Hits = make([]bool, len(r.book.Rules))
		return work(ctx, tx.Within(r.id, nil))
	})
}

// look reads a part of the transactions behind a key. It gives the ids of those that change, and where the next
// part begins; 0 when this was the last.
func (r *ruleRun) look(ctx context.Context, after int64) (part []uuid.UUID, next int64, err error) {
	err = r.in(ctx, r.s.DB.ReadTx, func(ctx context.Context, tx *ledger.Tx) error {
		for _, rule := range r.book.Rules {
			r.count(rule.Key)
		}
		after = max(after, int64(ledger.FirstKey(r.who.HouseholdID, r.book.FirstDay()))-1)
		rows, err := tx.ListRuleRows(ctx, queries.ListRuleRowsParams{HouseholdID: r.who.HouseholdID, AfterKey: after,
			LastKey: int64(ledger.LastKey(r.who.HouseholdID, ledger.MaxDate)), Count: ruleReadPart})
		if err != nil || len(rows) == 0 {
			return err
		}
		if len(rows) == ruleReadPart {
			next = rows[len(rows)-1].Transaction.ID
		}
		list := make([]stored, len(rows))
		for i, row := range rows {
			list[i] = stored{Transaction: row.Transaction, tags: ruleTags(row.TagKeys)}
		}
		return r.apply(ctx, tx.Queries, list, func(row stored, effects []rule.RuleEffect) error {
			if r.countMatches(); len(effects) == 0 {
				return nil
			}
			part = append(part, uuid.UUID(row.PublicID))
			if !r.preview {
				return nil
			}
			return r.show(ctx, tx, row)
		})
	})
	return part, next, err
}

func ruleTags(joined string) []int64 {
	keys, _ := queries.Numbers(joined, ",") // group_concat makes nothing else of integers
	slices.Sort(keys)
	return keys
}

// apply shows each row to the rules, and what they do with it to visit.
func (r *ruleRun) apply(ctx context.Context, q *queries.Queries, rows []stored,
	visit func(stored, []rule.RuleEffect) error) error {
	keys := make([]int64, len(rows))
	for i, row := range rows {
		keys[i] = row.ID
	}
	notes, err := q.ListRuleNotes(ctx, queries.ListRuleNotesParams{Ids: ledger.JSONArray(keys),
		HouseholdID: r.who.HouseholdID})
	if err != nil {
		return err
	}
	set := make(map[int64][rule.RuleFieldCount]int64, len(notes))
	for _, n := range notes {
		by := set[n.TransactionID]
		by[rule.RuleFieldNamed(n.Field)] = n.RuleID
		set[n.TransactionID] = by
	}
	for i := range rows {
		r.facts.See(&rows[i].Transaction, rows[i].tags)
		r.facts.SetByRule = set[rows[i].ID]
		if err := visit(rows[i], r.book.Apply(&r.facts)); err != nil {
			return err
		}
	}
	return nil
}

func (r *ruleRun) count(rule int64) *ruleCount {
	c := r.counts[rule]
	if c == nil {
		c = &ruleCount{}
		r.counts[rule] = c
	}
	return c
}

func (r *ruleRun) countMatches() {
	matched := false
	for i, hit := range r.facts.Hits {
		if hit {
			r.count(r.book.Rules[i].Key).matched++
			matched = true
		}
	}
	if matched {
		r.out.Matched++
	}
}

func (r *ruleRun) countChange(effects []rule.RuleEffect) {
	if len(effects) == 0 {
		return
	}
	r.out.Changed++
	var counted []int64
	for _, e := range effects {
		if !slices.Contains(counted, e.Rule) {
			counted = append(counted, e.Rule)
			r.count(e.Rule).changed++
		}
	}
}

// change writes what the rules make of some transactions, which are looked at again.
func (r *ruleRun) change(ctx context.Context, ids []uuid.UUID) error {
	var done [][]rule.RuleEffect
	err := r.in(ctx, r.s.DB.Write, func(ctx context.Context, tx *ledger.Tx) error {
		done = nil
		rows, err := readByIDs(ctx, tx, ids)
		if err != nil {
			return err
		}
		var list []stored
		for _, id := range ids {
			if row, there := rows[id]; there { // else it was deleted since
				list = append(list, row)
			}
		}
		return r.apply(ctx, tx.Queries, list, func(row stored, effects []rule.RuleEffect) error {
			real, err := r.store(ctx, tx, row, effects)
			done = append(done, real)
			return err
		})
	})
	if err != nil {
		return err
	}
	for _, effects := range done {
		r.countChange(effects)
	}
	return nil
}

// store writes a transaction that rules have changed, and gives the effects that came true: a transfer may not.
func (r *ruleRun) store(ctx context.Context, tx *ledger.Tx, before stored, effects []rule.RuleEffect) ([]rule.RuleEffect,
	error) {
	if len(effects) == 0 {
		return nil, nil
	}
	real := r.facts.Real()
	after := before
	after.tags = slices.Clone(r.facts.Write(&after.Transaction))
	slices.Sort(after.tags)
	after.credit(tx.Refs, effects, before.Name)
	if _, err := r.s.storeChange(ctx, tx.As(r.who), before, after); err != nil {
		return nil, err
	}
	var a attachments
	a.note(before.ID, slices.DeleteFunc(slices.Clone(effects), func(e rule.RuleEffect) bool {
		return e.Field != rule.RuleTransfer
	}), before.Name)
	if err := a.store(ctx, tx.Queries); err != nil {
		return nil, err
	}
	joined, err := r.s.joinByRule(ctx, tx.As(r.who), before.ID, transferTargetOf(&r.facts))
	if !joined {
		real = withoutTransfer(real)
	}
	return real, err
}

func withoutTransfer(effects []rule.RuleEffect) []rule.RuleEffect {
	return slices.DeleteFunc(effects, func(e rule.RuleEffect) bool { return e.Field == rule.RuleTransfer })
}
