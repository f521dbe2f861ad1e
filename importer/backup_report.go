package importer

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// BackupReport is what the records of a backup come to, and what was found of them after they were published. The
// counts are by kind of record.
type BackupReport struct {
	Expected    map[string]int64 `json:"expected_record_counts"`
	Readback    Readback         `json:"readback"`
	NotKept     map[string]int64 `json:"not_kept"`
	Differences []string         `json:"differences"` // sentences: where the books differ from what the file says; the first of them
}

// Readback says whether all that a backup holds was found in the books. Delta counts what the import added, Checked
// what was found, be it added or there before.
type Readback struct {
	Status     string              `json:"status"` // not_verified, matched, mismatch, failed or reverted
	CheckedAt  *string             `json:"checked_at"`
	Expected   map[string]int64    `json:"expected_record_counts"`
	Delta      map[string]int64    `json:"actual_delta_counts"`
	Checked    map[string]int64    `json:"checked_counts"`
	Mismatches map[string]Mismatch `json:"mismatches"`
	Error      *string             `json:"error"`
}

// Mismatch is a count that is another than that of the file.
type Mismatch struct {
	Expected int64 `json:"expected"`
	Actual   int64 `json:"actual"`
}

// The states of a readback.
const (
	readbackOpen     = "not_verified"
	readbackMatched  = "matched"
	readbackMismatch = "mismatch"
	readbackFailed   = "failed"
	readbackReverted = "reverted"
)

// recordCounts gives the name of a count by entity, and whether records of that kind are kept.
func recordCounts() map[string]struct {
	name string
	kept bool
} {
	return map[string]struct {
		name string
		kept bool
	}{
		entityAccount: {"accounts", true}, entityBalance: {"balances", true}, entityCategory: {"categories", true}, entityTag: {"tags", true},
		entityMerchant: {"merchants", true}, entityRecurring: {"recurring_transactions", false}, "": {"transactions", true},
		entityTransfer: {"transfers", true}, entityRejected: {"rejected_transfers", true}, entityTrade: {"trades", true},
		entityHolding: {"holdings", true}, entityValuation: {"valuations", true}, entityBudget: {"budgets", false},
		entityBudgeted: {"budget_categories", false}, entityRule: {"rules", true},
	}
}

// expectReport is the report of a backup that is not published, given how many rows there are of each entity.
func expectReport(entities map[string]int64, status string) BackupReport {
	r := BackupReport{Expected: map[string]int64{}, NotKept: map[string]int64{}, Differences: []string{}, Readback: Readback{Status: status,
		Expected: map[string]int64{}, Delta: map[string]int64{}, Checked: map[string]int64{}, Mismatches: map[string]Mismatch{}}}
	for entity, count := range recordCounts() {
		r.Expected[count.name], r.Readback.Expected[count.name] = entities[entity], entities[entity]
		if !count.kept && entities[entity] > 0 {
			r.NotKept[count.name] = entities[entity]
		}
	}
	return r
}

// report is what a file of that type is expected to bring; nil for types that are not verified.
func (s *survey) report(kind string) *BackupReport {
	if kind != ServiceImport {
		return nil
	}
	r := expectReport(s.entities, readbackOpen)
	return &r
}

// keepReport stores a report; nil stores nothing.
func keepReport(ctx context.Context, q *queries.Queries, who ledger.Actor, importID int64, r *BackupReport) error {
	if r == nil {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return q.SetImportReport(ctx, queries.SetImportReportParams{Report: new(string(text)), ID: importID, HouseholdID: who.HouseholdID})
}

// verify reads a backup that was published against what is in the books now. That it fails changes nothing of the
// import, so it must not fail the publishing.
func (p *publisher) verify(ctx context.Context) {
	if p.imp.Type != ServiceImport {
		return
	}
	c := newBackupCheck(p)
	err := db.Contained("panic", func() error { return c.run(ctx) })
	if ctx.Err() != nil {
		return // the service stops: it stays unverified
	}
	if err != nil {
		p.im.log.LogAttrs(ctx, slog.LevelWarn, "verifying an import", slog.Int64("import", p.imp.ID), slog.String("error", err.Error()))
		c.fail()
	}
	if err := p.store(ctx, c.report); err != nil {
		p.im.log.LogAttrs(ctx, slog.LevelWarn, "verifying an import", slog.Int64("import", p.imp.ID), slog.String("error", err.Error()))
	}
}

func (p *publisher) store(ctx context.Context, r BackupReport) error {
	r.Readback.CheckedAt = new(p.im.now().UTC().Format(time.RFC3339))
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		return keepReport(ctx, q, p.who, p.imp.ID, &r)
	})
}

// forgetReport says of an import that was taken back that its report is of the past.
func (p *publisher) forgetReport(ctx context.Context, q *queries.Queries) error {
	if p.imp.Report == nil {
		return nil
	}
	var before BackupReport
	if err := json.Unmarshal([]byte(*p.imp.Report), &before); err != nil {
		return err
	}
	after := BackupReport{Expected: before.Expected, NotKept: before.NotKept, Differences: []string{}, Readback: Readback{Status: readbackReverted,
		Expected: before.Expected, Delta: map[string]int64{}, Checked: map[string]int64{}, Mismatches: map[string]Mismatch{}}}
	return keepReport(ctx, q, p.who, p.imp.ID, &after)
}
