package entry

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// The states of a run of a rule.
const (
	RuleRunSuccess = "success"
	RuleRunFailed  = "failed"
)

// RuleRun is a run of a rule over the transactions that were there.
type RuleRun struct {
	queries.RuleRun
	RuleLabel    ledger.RuleRef
	ResourceType string // of the rule
	Active       bool   // whether the rule is, by now
}

func asRuleRun(row queries.GetRuleRunRow) RuleRun {
	return RuleRun{row.RuleRun, ledger.RuleRef{ID: uuid.UUID(row.RulePublicID), Name: row.RuleName},
		row.RuleResourceType, row.RuleActive == 1}
}

// RuleRunFilter selects runs; the zero value selects all. From and To are of the instant at which they began.
type RuleRunFilter struct {
	RuleID   ledger.Opt[uuid.UUID]
	Status   string
	From, To ledger.Opt[time.Time]
}

// record writes down that the rules of the run were run.
func (r *ruleRun) record(ctx context.Context, cause error) error {
	if len(r.counts) == 0 {
		return nil
	}
	return r.s.Write(ctx, r.who, func(ctx context.Context, tx *ledger.Tx) error {
		for _, rule := range slices.Sorted(maps.Keys(r.counts)) {
			if err := r.recordRule(ctx, tx, rule, cause); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *ruleRun) recordRule(ctx context.Context, tx *ledger.Tx, rule int64, cause error) error {
	id, err := ledger.NewID()
	if err != nil {
		return err
	}
	c := r.counts[rule]
	p := queries.InsertRuleRunParams{PublicID: id, HouseholdID: r.who.HouseholdID, RuleID: rule, Status: RuleRunSuccess,
		Matched: c.matched, Changed: c.changed, ExecutedAt: r.started, FinishedAt: tx.Stamp()}
	if cause != nil {
		p.Status, p.Error = RuleRunFailed, new(runReason(cause))
	}
	return tx.InsertRuleRun(ctx, p)
}

// runReason is what a client may be told about a run that did not come to its end.
func runReason(cause error) string {
	if e := ledger.AsError(cause); e != nil && e.Kind != ledger.Internal {
		return e.Message
	}
	if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		return "was interrupted; what it had changed has stayed. Run the rule again."
	}
	return "failed for a reason that is in the service's log; what it had changed has stayed. Run the rule again."
}

// ListRuleRuns gives a page of the runs of the household's rules, newest first, and how many the filter selects.
func (s *Service) ListRuleRuns(ctx context.Context, who ledger.Actor, f RuleRunFilter,
	page ledger.Page) (list []RuleRun, total int64, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		count, known, err := f.params(ctx, tx)
		if err != nil || !known {
			return err
		}
		total, err = tx.CountRuleRuns(ctx, count)
		if err != nil {
			return err
		}
		rows, err := tx.ListRuleRuns(ctx, queries.ListRuleRunsParams{HouseholdID: count.HouseholdID,
			RuleID: count.RuleID, Status: count.Status,
			FromStamp: count.FromStamp, ToStamp: count.ToStamp, Count: int64(page.Size), Skip: page.Offset()})
		for _, row := range rows {
			list = append(list, asRuleRun(queries.GetRuleRunRow(row)))
		}
		return err
	})
	return list, total, err
}

// params resolves the filter; known is false when it names a rule that is not there.
func (f RuleRunFilter) params(ctx context.Context, tx *ledger.Tx) (p queries.CountRuleRunsParams, known bool,
	err error) {
	p = queries.CountRuleRunsParams{HouseholdID: tx.HouseholdID, Status: ledger.OptionalText(f.Status),
		ToStamp: math.MaxInt64}
	if f.From.Has() {
		p.FromStamp = f.From.Value.UnixMilli()
	}
	if f.To.Has() {
		p.ToStamp = f.To.Value.UnixMilli()
	}
	if !f.RuleID.Has() {
		return p, true, nil
	}
	rule, err := rule.GetRule(ctx, tx, f.RuleID.Value)
	if ledger.IsKind(err, ledger.NotFound) {
		return p, false, nil
	}
	p.RuleID = rule.ID
	return p, true, err
}

// GetRuleRun gives one run.
func (s *Service) GetRuleRun(ctx context.Context, who ledger.Actor, id uuid.UUID) (run RuleRun, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := tx.GetRuleRun(ctx, queries.GetRuleRunParams{PublicID: queries.PublicID(id),
			HouseholdID: tx.HouseholdID})
		run = asRuleRun(row)
		return ledger.Missing(err, "Rule run")
	})
	return run, err
}
