package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/google/uuid"

	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/queries"
)

// The states of an import that clients see (contract, "States and transitions").
const (
	StatusPending      = "pending"
	StatusImporting    = "importing"
	StatusComplete     = "complete"
	StatusReverting    = "reverting"
	StatusRevertFailed = "revert_failed"
	StatusFailed       = "failed"
)

// Request is what a client says about a file. Problems are what decoding found.
type Request struct {
	Type            string // blank: TransactionImport
	AccountID       ledger.Opt[uuid.UUID]
	Settings        record.Settings
	Publish         bool
	SkipInvalidRows bool
	Duplicates      string     // what becomes of rows that may be booked already, see [DuplicatesHold]
	Wait            bool       // an import that is to be published and cannot be waits for answers, and does not fail
	Plan            string     // that a person has seen; blank: publish whatever the plan is by now
	Preflight       *Preflight // of a preflight of the same file; it saves work and changes nothing
	FileName        string
	Problems        ledger.Problems
}

// Resolved is the request with its type, and with the settings that the type has where none were given.
func (in Request) Resolved() Request {
	in.Type = cmp.Or(strings.TrimSpace(in.Type), record.TransactionImport)
	if f := formatNamed(in.Type); f != nil {
		in.Settings = f.Settings(in.Settings)
	}
	return in
}

// Upload is a file on its way in. It must be ended with Finish or Discard.
type Upload struct {
	im     *Importer
	who    ledger.Actor
	id     int64
	public queries.PublicID
	file   *source.Store
}

// Receive begins an upload; write the file's bytes to it.
func (im *Importer) Receive(ctx context.Context, who ledger.Actor) (*Upload, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	u := &Upload{im: im, who: who, public: queries.PublicID(id)}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		params := queries.InsertImportParams{PublicID: u.public, HouseholdID: who.HouseholdID,
			Stamp: im.now().UnixMilli()}
		if who.UserID != 0 {
			params.UserID = &who.UserID
		}
		u.id, err = q.InsertImport(ctx, params)
		return err
	})
	u.file = source.NewStore(ctx, im.db, u.id, im.max)
	return u, err
}

// Write takes in bytes of the file; the error of one that is too long is one for the client.
func (u *Upload) Write(p []byte) (int, error) { return u.file.Write(p) }

// Discard removes what was received.
func (u *Upload) Discard(ctx context.Context) error {
	return u.im.db.Write(context.WithoutCancel(ctx), func(ctx context.Context, q *queries.Queries) error {
		return q.DeleteImport(ctx, queries.DeleteImportParams{ID: u.id, HouseholdID: u.who.HouseholdID})
	})
}

// Finish reads the file as the request says and makes it an import: pending, failed when its content is
// broken, or importing when it is to be published and can be. A request that is wrong in itself is a
// validation error and leaves nothing behind.
func (u *Upload) Finish(ctx context.Context, in Request, also ...Also) (queries.Import, error) {
	imp, err := u.finish(ctx, in, also)
	if err != nil {
		return queries.Import{}, errors.Join(err, u.Discard(ctx))
	}
	if imp.Status == StatusImporting {
		u.im.notify()
	}
	return imp, nil
}

func (u *Upload) finish(ctx context.Context, in Request, also []Also) (queries.Import, error) {
	if err := u.file.Flush(); err != nil {
		return queries.Import{}, err
	}
	in.Type = cmp.Or(strings.TrimSpace(in.Type), record.TransactionImport)
	f, err := u.im.reviewer.describe(ctx, u.who, in)
	if err != nil {
		return queries.Import{}, err
	}
	f.ID, f.ByteSize, f.Sha256 = u.id, u.file.Size(), u.file.Sum()
	v := review{given: in.Settings}
	f.Status = StatusPending
	if u.file.Size() == 0 {
		f.Error = new("has no content yet: send it as raw_file_content, or as the part named file of a form")
	} else {
		v, err = u.im.reviewer.review(ctx, u.who, in, &f)
		if err != nil {
			return queries.Import{}, err
		}
	}
	in.cannotStart(&f)
	var imp queries.Import
	err = u.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		if err := v.note(ctx, q, f); err != nil {
			return err
		}
		if err := q.FinishUpload(ctx, f); err != nil {
			return err
		}
		if err := keepReport(ctx, u.im.ledger.Tx(q, u.who), u.id, v.report); err != nil {
			return err
		}
		imp, err = getAlso(ctx, u.im.ledger.Tx(q, u.who), uuid.UUID(u.public), also)
		return err
	})
	return imp, err
}

// describe checks the request by itself, all of it.
func (r *reviewer) describe(ctx context.Context, who ledger.Actor, in Request) (queries.FinishUploadParams, error) {
	f := queries.FinishUploadParams{HouseholdID: who.HouseholdID, Identity: match.Version,
		UpdatedAt: r.now().UnixMilli()}
	problems := in.Problems
	known := false
	f.Type, known = record.TypeNamed(in.Type)
	if !known {
		problems.Add("type", "must be one of %s, got %s", strings.Join(record.Types(), ", "), ledger.Quote(in.Type))
	} else if formatNamed(f.Type) == nil {
		problems.Add("type", "must be one of %s: this version does not read %s yet", strings.Join(readable(), ", "),
			f.Type)
	}
	problems = append(problems, in.Resolved().Settings.Check()...)
	found, err := r.describeAccount(ctx, who, in.AccountID, &f)
	if err != nil {
		return f, err
	}
	problems = append(problems, found...)
	if fileName := problems.CheckLine("filename", in.FileName); fileName != "" {
		f.FileName = &fileName
	}
	if in.SkipInvalidRows {
		f.SkipInvalidRows = 1
	}
	checkDuplicates(&problems, in.Duplicates)
	f.PossibleDuplicates = cmp.Or(in.Duplicates, DuplicatesHold)
	settings, err := json.Marshal(in.Resolved().Settings)
	f.Settings = string(settings)
	return f, errors.Join(problems.Err(), err)
}

// describeAccount checks the account that a request names, and says what is wrong with it.
func (r *reviewer) describeAccount(ctx context.Context, who ledger.Actor, id ledger.Opt[uuid.UUID],
	f *queries.FinishUploadParams) (problems ledger.Problems, err error) {
	switch {
	case !id.Has():
		return nil, nil
	case !record.HasAccount(f.Type):
		problems.Add("account_id", "must not be given with %s: its rows belong to no account", f.Type)
		return problems, nil
	}
	key, err := r.ledger.Entries.AccountKey(ctx, who, id.Value)
	if ledger.IsKind(err, ledger.NotFound) {
		problems.Add("account_id", "is not the id of one of the household's own accounts: %s", id.Value)
		return problems, nil
	}
	f.AccountID = &key
	if err == nil && f.Type == record.TradeImport {
		err = r.ledger.Trades.CheckTradingAccount(ctx, who, key)
	}
	if ledger.IsKind(err, ledger.Invalid) {
		return ledger.AsError(err).Fields, nil
	}
	return problems, err
}
