package importing

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/queries"
)

// How often progress is looked at, and work is looked for that another process may be doing.
const (
	progressEvery = 100 * time.Millisecond
	workEvery     = 200 * time.Millisecond
)

// Settle works, as a server on the same file may, until the import is settled: whoever comes first takes
// it, and what waits before it is done, too.
func (j *Job) Settle(ctx context.Context, id uuid.UUID) (queries.Import, error) {
	_, waiting, err := j.Importer.List(ctx, j.Who, importer.Filter{Statuses: []string{importer.StatusImporting}},
		ledger.Page{Number: 1, Size: 1})
	if err != nil {
		return queries.Import{}, err
	}
	if waiting > 1 { // a household's imports are done one by one
		j.Say("%s that came before must be finished first.", term.Count(waiting-1, "import"))
	}
	watching, stop := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { j.watchProgress(watching, id) })
	imp, err := j.work(ctx, id)
	stop()
	watcher.Wait()
	if err != nil && ctx.Err() != nil {
		return j.interrupted(ctx, id)
	}
	return imp, err
}

// interrupted says what becomes of an import that nobody waits for any more. It may have been settled by the work that
// was under way.
func (j *Job) interrupted(ctx context.Context, id uuid.UUID) (queries.Import, error) {
	imp, err := j.Importer.Get(context.WithoutCancel(ctx), j.Who, id)
	switch {
	case err != nil:
		return imp, err
	case imp.Status == importer.StatusImporting:
		j.Say("Import %s is not finished, and nothing of it is booked yet: a server that runs on this file goes on with it, else the next start of one or the next import.\n"+
			"To give it up: %s", id, j.OnSameFile("import", "cancel", id.String()))
	case imp.Status == importer.StatusReverting:
		j.Say("The revert of import %s is not finished: a server that runs on this file goes on with it, else the next start of one or the next import.", id)
	default:
		return imp, nil
	}
	return imp, ctx.Err()
}

func (j *Job) work(ctx context.Context, id uuid.UUID) (queries.Import, error) {
	again := time.NewTicker(workEvery)
	defer again.Stop()
	for {
		worked, err := j.Importer.Work(db.Background(ctx)) // nobody else writes here: it must not be in its own way
		if err != nil {
			return queries.Import{}, err
		}
		imp, err := j.Importer.Get(ctx, j.Who, id)
		if err != nil || imp.Status != importer.StatusImporting && imp.Status != importer.StatusReverting {
			return imp, err
		}
		if worked {
			continue
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return imp, ctx.Err()
		}
	}
}

// watchProgress shows how far the import is until ctx ends.
func (j *Job) watchProgress(ctx context.Context, id uuid.UUID) {
	meter := j.newMeter()
	defer meter.close()
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			imp, err := j.Importer.Get(ctx, j.Who, id)
			if err == nil {
				err = meter.show(&imp)
			}
			if err != nil {
				return // the work itself says what is wrong
			}
		}
	}
}

// meter shows the progress of an import: as JSON lines, or to people.
type meter struct {
	*term.Progress
	job  *Job
	done int64
}

func (j *Job) newMeter() *meter {
	m := &meter{job: j}
	if !j.Options.JSONLine {
		m.Progress = j.NewProgress("rows")
	}
	return m
}

func (m *meter) show(imp *queries.Import) error {
	p, working := importer.ProgressOf(imp)
	switch {
	case !working:
		return nil // the work itself says how it ended
	case m.Progress != nil:
		return m.Progress.Show(p.Done, p.Total)
	case p.Done == m.done:
		return nil
	}
	m.done = p.Done
	return m.job.PrintJSONLine(progressJSON{"progress", p.Done, p.Total, p.Left})
}

func (m *meter) close() {
	if m.Progress != nil {
		m.Progress.Close()
	}
}

// Report says how the import ended.
func (j *Job) Report(imp queries.Import, out *importer.Preflight) error {
	if err := summary(j, &imp, out); err != nil {
		return err
	}
	if imp.Status != importer.StatusComplete {
		reason := "it is " + imp.Status
		if imp.Error != nil {
			reason = *imp.Error
		}
		return errors.New("nothing was imported: " + reason)
	}
	there := ""
	if imp.MatchedRowsCount > 0 {
		there = fmt.Sprintf("; %s were there already", term.Count(imp.MatchedRowsCount, "row"))
	}
	j.Say("Imported %s%s. See them with: finsvc import show %s --rows", term.Count(bookedRows(&imp), "row"), there,
		uuid.UUID(imp.PublicID))
	if imp.DoubtfulRowsCount > 0 {
		j.Say("Held back: %s that may be there already. Book all of them with: finsvc import rule %s --all new; or none, with: --all same", term.Count(imp.DoubtfulRowsCount, "row"), uuid.UUID(imp.PublicID))
	}
	for _, line := range verificationLines(imp) {
		j.Say("  %s: %s", line[0], line[1])
	}
	if out.Invalid > 0 {
		return fmt.Errorf("%s left out: %w", term.Count(out.Invalid, "row"), exit.ErrRejected)
	}
	return nil
}
