package importer

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// opener gives the content of a file from its beginning, as often as it is called.
type opener func() (io.Reader, error)

// detected works out how a file is to be read: the given settings, those remembered from the last file of the same make
// if the file reads cleanly with them, and what the content says. given are the first two.
func (im *Importer) detected(ctx context.Context, who ledger.Actor, how reading, open opener) (d detection, given Settings, err error) {
	if err := mustBe(how.kind, open); err != nil {
		return detection{settings: how.settings}, how.settings, err
	}
	if kindNamed(how.kind, Defaults{}) == nil { // no CSV: its reader finds out itself
		return detection{settings: formatNamed(how.kind).settings(how.settings)}, how.settings, nil
	}
	defaults, err := im.defaults(ctx, who, how)
	if err != nil {
		return d, how.settings, err
	}
	if d, err = detect(open, how.settings, defaults); err != nil {
		return d, how.settings, err
	}
	old, learned, err := im.remembered(ctx, who, how, d)
	if err != nil || old == nil {
		return d, how.settings, err
	}
	merged := how.settings.with(*old)
	if merged == how.settings {
		return d, how.settings, nil
	}
	again, err := detect(open, merged, defaults)
	day := time.UnixMilli(learned).UTC().Format(time.DateOnly)
	if err != nil || len(again.questions) > 0 || !clean(open, again.settings, defaults) {
		d.noteMembers(how.settings, *old, "not as in the import of "+day+", with whose settings this file cannot be read")
		return d, how.settings, nil
	}
	again.noteMembers(how.settings, *old, "remembered from the import of "+day)
	return again, merged, nil
}

// remembered are the settings that were given for the last file of the same make; nil when there are none.
func (im *Importer) remembered(ctx context.Context, who ledger.Actor, how reading, d detection) (*Settings, int64, error) {
	params := queries.GetImportSettingsParams{HouseholdID: who.HouseholdID, Fingerprint: d.fingerprint()}
	if how.accountID != nil {
		params.AccountID = *how.accountID
	}
	var row queries.GetImportSettingsRow
	err := im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		row, err = q.GetImportSettings(ctx, params)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	var s Settings
	return &s, row.LearnedAt, json.Unmarshal([]byte(row.Settings), &s)
}

// clean says whether every row of a file can be read.
func clean(open opener, s Settings, d Defaults) bool {
	file, err := open()
	if err != nil {
		return false
	}
	rows, err := NewRows(file, s, d)
	if err != nil {
		return false
	}
	found := survey{account: func(Row) int64 { return 0 }}
	err = each(rows, func(row Row) error {
		found.add(row)
		return nil
	})
	return err == nil && found.invalid == 0
}

// with fills in what is absent.
func (s Settings) with(other Settings) Settings {
	mine := s.Members()
	for name, member := range other.Members() {
		if given(*mine[name]) == "" && *member != nil {
			*mine[name] = *member
		}
	}
	return s
}

// noteMembers says of every setting that was remembered, and not given, what became of it; a reason that there is already
// is kept behind it.
func (d *detection) noteMembers(given, old Settings, what string) {
	mine := given.Members()
	for name, member := range old.Members() {
		if *member == nil || *mine[name] != nil {
			continue
		}
		if before := d.reasons[name]; before != "" {
			d.reasons[name] = what + ": " + before
			continue
		}
		d.reasons[name] = what
	}
}

// note stores what was found out about a file.
func (v verdict) note(ctx context.Context, q *queries.Queries, f queries.FinishUploadParams) error {
	d := v.detection
	if d.reasons == nil {
		d.reasons = map[string]string{}
	}
	reasons, err := json.Marshal(d.reasons)
	if err != nil {
		return err
	}
	questions, err := json.Marshal(append([]question{}, d.questions...))
	if err != nil {
		return err
	}
	kept, err := json.Marshal(v.given.written())
	if err != nil {
		return err
	}
	return q.NoteImportReading(ctx, queries.NoteImportReadingParams{ID: f.ID, HouseholdID: f.HouseholdID, Reasons: string(reasons),
		Questions: string(questions), Given: string(kept), Fingerprint: d.fingerprint()})
}

// noteProved gives the settings that the reader of a file without columns has found their reason; found is JSON.
func (v *verdict) noteProved(found string) {
	var s Settings
	if json.Unmarshal([]byte(found), &s) == nil && v.reasons == nil {
		v.reasons = s.provedBeyond(v.given)
	}
}

// provedBeyond gives a reason to the settings that are there and were not given.
func (s Settings) provedBeyond(given Settings) map[string]string {
	reasons, mine := map[string]string{}, given.written()
	for name := range s.written() {
		if _, told := mine[name]; !told {
			reasons[name] = "all of the file agrees with it, and with nothing else"
		}
	}
	return reasons
}

// written are the settings that are there, by name.
func (s Settings) written() map[string]string {
	list := map[string]string{}
	for name, member := range s.Members() {
		if *member != nil && **member != "" {
			list[name] = **member
		}
	}
	return list
}

// fingerprint is nil for files that have no columns.
func (d detection) fingerprint() []byte {
	if d.print == [32]byte{} {
		return nil
	}
	return d.print[:]
}

// outcome is what a preflight says of a file before its rows are read.
func (d detection) outcome(kind string) Outcome {
	out := Outcome{Type: kind, Settings: d.settings, Reasons: d.reasons, Header: d.header, Unused: d.unused}
	if obstacle := d.obstacle(); obstacle != nil {
		out.Obstacle, out.Rows = *obstacle, d.rows
	}
	for _, q := range d.questions {
		out.Open = append(out.Open, q.Setting)
	}
	return out
}
