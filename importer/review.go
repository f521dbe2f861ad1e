package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/importer/detect"
	"finsvc/importer/record"
	"finsvc/importer/sniff"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/queries"
)

// review is what reading a file has told.
type review struct {
	detect.Result
	given  record.Settings // by the request, or remembered
	report *BackupReport
}

// reviewer decides what becomes of a request: whether it is right in itself, what its file is, and whether that can be
// published.
type reviewer struct {
	db       *db.DB
	ledger   *books.Books
	now      func() time.Time
	reader   *fileReader
	analyser *analyser
}

// review reads the file and decides what the import is. It is read twice: for how it is to be read, and for what its
// rows would do. Only where rows cannot be read with remembered settings it is read anew without these.
func (r *reviewer) review(ctx context.Context, who ledger.Actor, in Request, f *queries.FinishUploadParams) (v review,
	err error) {
	how := reading{kind: f.Type, accountID: f.AccountID, settings: in.Settings, duplicates: in.Duplicates}
	s, err := r.see(ctx, who, in, how, f)
	for {
		v.Result, v.given = s.detection.Result, s.detection.given
		if err != nil {
			return v, noteFailure(f, err)
		}
		f.Error = v.Obstacle()
		if f.Error != nil {
			settings, err := json.Marshal(v.Settings)
			f.Settings = string(settings)
			return v, err
		}
		how.settings = v.Settings
		if s.analysis == nil {
			s.analysis, err = r.analyser.analyse(ctx, who, r.reader.file(ctx, who.HouseholdID, f.ID, f.ByteSize), how)
		}
		if !s.detection.remembered || s.analysis.isClean(err) {
			break
		}
		how.settings, s.analysis = in.Settings, nil
		s.detection, err = r.analyser.detected(ctx, who, how, r.reader.file(ctx, who.HouseholdID, f.ID, f.ByteSize),
			false)
	}
	if err == nil {
		v.report, err = r.countRows(in, s, f)
		// Give the settings that the reader of a file without columns has found their reason; found is JSON.
		found := f.Settings
		var s record.Settings
		if json.Unmarshal([]byte(found), &s) == nil && v.Reasons == nil {
			v.Reasons = s.ProvedBeyond(v.given)
		}
	}
	return v, noteFailure(f, err)
}

// cannotStart makes an import that is to be published and waits for an answer one that failed, so that who waits for
// the end of it is told: it can be answered and published all the same.
func (in *Request) cannotStart(f *queries.FinishUploadParams) {
	if in.Publish && !in.Wait && f.Status == StatusPending && f.Error != nil {
		f.Status = StatusFailed
	}
}

// noteFailure makes of content that cannot be read, or not in one way only, what the import says.
func noteFailure(f *queries.FinishUploadParams, err error) error {
	if open, ok := errors.AsType[*record.OpenQuestion](err); ok {
		f.Error = new(open.Error())
		return nil
	}
	if broken, ok := errors.AsType[*text.FileError](err); ok {
		f.Status, f.Error = StatusFailed, new(broken.Error())
		return nil
	}
	return err
}

// countRows notes how many rows there are and how many of them are booked, and says whether they can be published.
func (r *reviewer) countRows(in Request, s uploadKey, f *queries.FinishUploadParams) (report *BackupReport, err error) {
	o := s.analysis
	settings, err := json.Marshal(record.Complete(f.Type, o.settings))
	if err != nil {
		return nil, err
	}
	f.RowsCount, f.ValidRowsCount, f.InvalidRowsCount = o.rows, o.valid, o.invalid
	f.MatchedRowsCount, f.DoubtfulRowsCount, f.Plan, f.Layout = o.bookedCount(), int64(len(o.possibleDuplicates)),
		o.plan, o.layout
	f.PendingRowsCount = o.pending
	f.Settings, f.Error = string(settings), o.obstacle(in.SkipInvalidRows)
	if !in.Publish || f.Error != nil {
		return o.report(f.Type), nil
	}
	f.Status, f.AgreedPlan = StatusImporting, in.Plan
	if err = o.agrees(in.Plan); err == nil {
		r.analyser.cache.keep(f.ID, s.basis, o)
	}
	return o.report(f.Type), err
}

// Configure reads the file of a pending or failed import again with further settings, or for another account; what was
// given before stays unless it is given anew. Settings that cannot be obeyed, and another type, are a validation error.
func (im *Importer) Configure(ctx context.Context, who ledger.Actor, id uuid.UUID, in Request,
	also ...Also) (imp queries.Import, err error) {
	imp, err = im.Get(ctx, who, id)
	if err != nil {
		return imp, err
	}
	if imp.Status != StatusPending && imp.Status != StatusFailed {
		return imp, ledger.NewConflict("an import that is %s cannot be read anew; only a pending or failed one can",
			imp.Status)
	}
	var before record.Settings
	if err := json.Unmarshal([]byte(imp.Given), &before); err != nil {
		return imp, err
	}
	in.Settings, in.SkipInvalidRows, in.Publish, in.Duplicates = in.Settings.With(before), imp.SkipInvalidRows == 1,
		false, imp.PossibleDuplicates
	account, err := im.reviewer.checkAgain(ctx, who, &in, imp)
	if err != nil {
		return imp, err
	}
	f := queries.FinishUploadParams{ID: imp.ID, HouseholdID: who.HouseholdID, Type: imp.Type, AccountID: account,
		Settings: imp.Settings,
		Status:   StatusPending, ByteSize: imp.ByteSize, UpdatedAt: im.now().UnixMilli()}
	v, err := im.reviewer.review(ctx, who, in, &f)
	if err != nil {
		return imp, err
	}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err := q.ConfigureImport(ctx, queries.ConfigureImportParams{ID: f.ID, HouseholdID: f.HouseholdID,
			AccountID: f.AccountID, Status: f.Status, Error: f.Error, Settings: f.Settings,
			RowsCount: f.RowsCount, ValidRowsCount: f.ValidRowsCount, InvalidRowsCount: f.InvalidRowsCount,
			UpdatedAt:        f.UpdatedAt,
			MatchedRowsCount: f.MatchedRowsCount, DoubtfulRowsCount: f.DoubtfulRowsCount,
			PendingRowsCount: f.PendingRowsCount, Plan: f.Plan, Layout: f.Layout})
		if err == nil && n == 0 {
			return ledger.NewConflict("the import is being published meanwhile")
		}
		if err != nil {
			return err
		}
		if err := v.note(ctx, q, f); err != nil {
			return err
		}
		imp, err = getAlso(ctx, im.ledger.Tx(q, who), id, also)
		return err
	})
	return imp, err
}

// checkAgain checks what is said of a file that is to be read again, and gives its account.
func (r *reviewer) checkAgain(ctx context.Context, who ledger.Actor, in *Request, imp queries.Import) (account *int64,
	err error) {
	if kind, known := record.TypeNamed(cmp.Or(in.Type, imp.Type)); !known || kind != imp.Type {
		return nil, ledger.NewInvalid("type", "must stay %s, got %s: send the file again to have it read as another type", imp.Type, ledger.Quote(in.Type))
	}
	in.Type = imp.Type
	if !in.AccountID.Has() {
		return imp.AccountID, in.Resolved().Settings.Check().Err()
	}
	f, err := r.describe(ctx, who, *in)
	return f.AccountID, err
}

// detection is how a file is to be read.
type detection struct {
	detect.Result
	given      record.Settings // by the request, or remembered
	remembered bool            // some were remembered: they hold if the file can be read with them
}

// detected works out how a file is to be read: the given settings, those remembered from the last file of the same make
// if they are wanted and leave nothing open, and what the content says.
func (a *analyser) detected(ctx context.Context, who ledger.Actor, how reading, file *source.File,
	remember bool) (detection, error) {
	found := detection{Result: detect.Result{Settings: how.settings}, given: how.settings}
	if err := sniff.Check(how.kind, file); err != nil {
		return found, err
	}
	if table.KindNamed(how.kind, record.Defaults{}) == nil { // no CSV: its reader finds out itself
		found.Settings = formatNamed(how.kind).Settings(how.settings)
		return found, nil
	}
	defaults, err := a.reader.defaults(ctx, who, how)
	if err != nil {
		return detection{given: how.settings}, err
	}
	print, err := detect.Fingerprint(file, how.settings, defaults)
	if err != nil {
		return a.found(file, how, defaults)
	}
	old, learned, err := a.remembered(ctx, who, how, print)
	if err != nil {
		return detection{given: how.settings}, err
	}
	if old == nil || how.settings.With(*old) == how.settings {
		return a.found(file, how, defaults)
	}
	day := time.UnixMilli(learned).UTC().Format(time.DateOnly)
	if remember {
		merged := how.settings.With(*old)
		again, err := detect.Find(file, merged, defaults)
		if err == nil && len(again.Questions) == 0 {
			again.NoteMembers(how.settings, *old, "remembered from the import of "+day)
			return detection{again, merged, true}, nil
		}
	}
	found, err = a.found(file, how, defaults)
	if err == nil {
		found.NoteMembers(how.settings, *old, "not as in the import of "+day+
			", with whose settings this file cannot be read")
	}
	return found, err
}

// found is what the content says beside the given settings.
func (a *analyser) found(file *source.File, how reading, defaults record.Defaults) (detection, error) {
	result, err := detect.Find(file, how.settings, defaults)
	return detection{Result: result, given: how.settings}, err
}

// remembered are the settings that were given for the last file of the same make; nil when there are none.
func (a *analyser) remembered(ctx context.Context, who ledger.Actor, how reading, print []byte) (*record.Settings,
	int64, error) {
	params := queries.GetImportSettingsParams{HouseholdID: who.HouseholdID, Fingerprint: print}
	if how.accountID != nil {
		params.AccountID = *how.accountID
	}
	var row queries.GetImportSettingsRow
	err := a.db.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		row, err = q.GetImportSettings(ctx, params)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	var s record.Settings
	return &s, row.LearnedAt, json.Unmarshal([]byte(row.Settings), &s)
}

// note stores what was found out about a file.
func (v review) note(ctx context.Context, q *queries.Queries, f queries.FinishUploadParams) error {
	d := v.Result
	if d.Reasons == nil {
		d.Reasons = map[string]string{}
	}
	reasons, err := json.Marshal(d.Reasons)
	if err != nil {
		return err
	}
	questions, err := json.Marshal(append([]record.Question{}, d.Questions...))
	if err != nil {
		return err
	}
	kept, err := json.Marshal(v.given.Written())
	if err != nil {
		return err
	}
	return q.NoteImportReading(ctx, queries.NoteImportReadingParams{ID: f.ID, HouseholdID: f.HouseholdID,
		Reasons:   string(reasons),
		Questions: string(questions), Given: string(kept), Fingerprint: d.Fingerprint()})
}

// outcomeOf is what a preflight says of a file before its rows are read.
func outcomeOf(d detect.Result, kind string) Preflight {
	out := Preflight{Type: kind, Settings: d.Settings, Reasons: d.Reasons, Header: d.Header, Unused: d.Unused}
	if obstacle := d.Obstacle(); obstacle != nil {
		out.Obstacle, out.Rows = *obstacle, d.Rows
	}
	for _, q := range d.Questions {
		out.Open = append(out.Open, q.Setting)
	}
	return out
}
