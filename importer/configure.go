package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// verdict is what reading a file has told.
type verdict struct {
	detection
	given  Settings // by the request, or remembered
	report *BackupReport
}

// judge reads the file and decides what the import is.
func (im *Importer) judge(ctx context.Context, who ledger.Actor, in Request, f *queries.FinishUploadParams) (v verdict, err error) {
	how := reading{kind: f.Type, accountID: f.AccountID, settings: in.Settings, duplicates: in.Duplicates}
	s, err := im.see(ctx, who, in, how, f)
	if v.detection, v.given = s.detection, s.given; err != nil {
		return v, judged(f, err)
	}
	if f.Error = v.obstacle(); f.Error == nil {
		how.settings = v.settings
		v.report, err = im.weigh(ctx, who, in, how, s, f)
		v.noteProved(f.Settings)
		return v, judged(f, err)
	}
	settings, err := json.Marshal(v.settings)
	f.Settings = string(settings)
	return v, err
}

// cannotStart makes an import that is to be published and waits for an answer one that failed, so that who waits for the end of it
// is told: it can be answered and published all the same.
func (in *Request) cannotStart(f *queries.FinishUploadParams) {
	if in.Publish && !in.Wait && f.Status == StatusPending && f.Error != nil {
		f.Status = StatusFailed
	}
}

// judged makes of content that cannot be read, or not in one way only, what the import says.
func judged(f *queries.FinishUploadParams, err error) error {
	if open, ok := errors.AsType[*OpenQuestion](err); ok {
		f.Error = pointer(open.Error())
		return nil
	}
	if broken, ok := errors.AsType[*FileError](err); ok {
		f.Status, f.Error = StatusFailed, pointer(broken.Error())
		return nil
	}
	return err
}

// weigh counts the rows and finds those that are booked, unless that was seen before, and says whether they can be published.
func (im *Importer) weigh(ctx context.Context, who ledger.Actor, in Request, how reading, s seen, f *queries.FinishUploadParams) (report *BackupReport, err error) {
	o := s.outlook
	if o == nil {
		o, err = im.look(ctx, who, im.openSized(ctx, who.HouseholdID, f.ID, f.ByteSize), how)
	}
	if err != nil {
		return nil, err
	}
	settings, err := json.Marshal(complete(f.Type, o.settings))
	if err != nil {
		return nil, err
	}
	f.RowsCount, f.ValidRowsCount, f.InvalidRowsCount = o.rows, o.valid, o.invalid
	f.MatchedRowsCount, f.DoubtfulRowsCount, f.Plan, f.Layout = o.bookedCount(), int64(len(o.doubts)), o.plan, o.layout
	f.PendingRowsCount = o.pending
	f.Settings, f.Error = string(settings), o.obstacle(in.SkipInvalidRows)
	if !in.Publish || f.Error != nil {
		return o.report(f.Type), nil
	}
	f.Status, f.AgreedPlan = StatusImporting, in.Plan
	if err = o.agrees(in.Plan); err == nil {
		im.foresight.keep(f.ID, s.basis, o)
	}
	return o.report(f.Type), err
}

// Configure reads the file of a pending or failed import again with further settings, or for another account; what was
// given before stays unless it is given anew. Settings that cannot be obeyed, and another type, are a validation error.
func (im *Importer) Configure(ctx context.Context, who ledger.Actor, id uuid.UUID, in Request, also ...Also) (imp queries.Import, err error) {
	imp, err = im.Get(ctx, who, id)
	if err != nil {
		return imp, err
	}
	if imp.Status != StatusPending && imp.Status != StatusFailed {
		return imp, ledger.NewConflict("an import that is %s cannot be read anew; only a pending or failed one can", imp.Status)
	}
	var before Settings
	if err := json.Unmarshal([]byte(imp.Given), &before); err != nil {
		return imp, err
	}
	in.Settings, in.SkipInvalidRows, in.Publish, in.Duplicates = in.Settings.with(before), imp.SkipInvalidRows == 1, false, imp.PossibleDuplicates
	account, err := im.checkAgain(ctx, who, &in, imp)
	if err != nil {
		return imp, err
	}
	f := queries.FinishUploadParams{ID: imp.ID, HouseholdID: who.HouseholdID, Type: imp.Type, AccountID: account, Settings: imp.Settings,
		Status: StatusPending, ByteSize: imp.ByteSize, UpdatedAt: im.now().UnixMilli()}
	v, err := im.judge(ctx, who, in, &f)
	if err != nil {
		return imp, err
	}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err := q.ConfigureImport(ctx, queries.ConfigureImportParams{ID: f.ID, HouseholdID: f.HouseholdID, AccountID: f.AccountID, Status: f.Status, Error: f.Error, Settings: f.Settings,
			RowsCount: f.RowsCount, ValidRowsCount: f.ValidRowsCount, InvalidRowsCount: f.InvalidRowsCount, UpdatedAt: f.UpdatedAt,
			MatchedRowsCount: f.MatchedRowsCount, DoubtfulRowsCount: f.DoubtfulRowsCount, PendingRowsCount: f.PendingRowsCount, Plan: f.Plan, Layout: f.Layout})
		if err == nil && n == 0 {
			return ledger.NewConflict("the import is being published meanwhile")
		}
		if err != nil {
			return err
		}
		if err := v.note(ctx, q, f); err != nil {
			return err
		}
		imp, err = getAlso(ctx, q, who, id, also)
		return err
	})
	return imp, err
}

// checkAgain checks what is said of a file that is to be read again, and gives its account.
func (im *Importer) checkAgain(ctx context.Context, who ledger.Actor, in *Request, imp queries.Import) (account *int64, err error) {
	if kind, known := TypeNamed(or(in.Type, imp.Type)); !known || kind != imp.Type {
		return nil, ledger.NewInvalid("type", "must stay %s, got %s: send the file again to have it read as another type", imp.Type, ledger.Quote(in.Type))
	}
	in.Type = imp.Type
	if !in.AccountID.Has() {
		return imp.AccountID, in.Resolved().Settings.Check().Err()
	}
	f, err := im.describe(ctx, who, *in)
	return f.AccountID, err
}

// remember keeps the settings that were given for an import that is being published.
func (p *publisher) remember(ctx context.Context, q *queries.Queries) error {
	if err := q.ForgetImportSettings(ctx, queries.ForgetImportSettingsParams{ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}); err != nil {
		return fmt.Errorf("forget settings: %w", err)
	}
	return q.RememberImportSettings(ctx, queries.RememberImportSettingsParams{LearnedAt: p.im.now().UnixMilli(), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID})
}
