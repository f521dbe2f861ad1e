package importer

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"

	"finsvc/db"
	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/queries"
)

// chunkSize is how many bytes of a file are stored in one piece: small enough that other writes do not
// notice.
const chunkSize = 512 << 10

// chunkWriter stores a file piece by piece, compressed, as it comes in.
type chunkWriter struct {
	ctx      context.Context
	im       *Importer
	importID int64
	number   int64
	size     int64
	buf      []byte
	packed   bytes.Buffer
	packer   *gzip.Writer
	sum      hash.Hash
}

func newChunkWriter(ctx context.Context, im *Importer, importID int64) *chunkWriter {
	w := &chunkWriter{ctx: ctx, im: im, importID: importID, sum: sha256.New()}
	w.packer, _ = gzip.NewWriterLevel(&w.packed, gzip.BestSpeed) // the level exists
	return w
}

// Write takes in bytes; the error of a file that is too long is one for the client.
func (w *chunkWriter) Write(p []byte) (int, error) {
	if w.size+int64(len(p)) > w.im.max {
		return 0, source.ErrTooLarge(w.im.max)
	}
	for taken := 0; taken < len(p); {
		n := min(chunkSize-len(w.buf), len(p)-taken)
		w.buf = append(w.buf, p[taken:taken+n]...)
		taken += n
		if len(w.buf) == chunkSize {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	w.size += int64(len(p))
	w.sum.Write(p)
	return len(p), nil
}

// flush stores what has come since the last piece. Write returns when the piece is stored, so its memory
// serves for the next one.
func (w *chunkWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	if err := w.pack(); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	w.number++
	return w.im.db.Write(w.ctx, func(ctx context.Context, q *queries.Queries) error {
		return q.InsertImportChunk(ctx, queries.InsertImportChunkParams{ImportID: w.importID, Number: w.number, Data: w.packed.Bytes()})
	})
}

func (w *chunkWriter) pack() error {
	w.packed.Reset()
	w.packer.Reset(&w.packed)
	if _, err := w.packer.Write(w.buf); err != nil {
		return err
	}
	return w.packer.Close()
}

// chunkReader reads a stored file from its beginning, one piece in memory at a time.
type chunkReader struct {
	ctx         context.Context
	db          *db.DB
	householdID int64
	importID    int64
	number      int64
	piece       io.Reader
}

// file is a stored file; the size may be 0 for who does not ask how much is left to read.
func (r *fileReader) file(ctx context.Context, householdID, importID, size int64) *source.File {
	file := source.New(size, func() (io.Reader, error) {
		return &chunkReader{ctx: ctx, db: r.db, householdID: householdID, importID: importID}, nil
	})
	if r.opened != nil {
		r.opened(file)
	}
	return file
}

// Read gives the following bytes of the file.
func (r *chunkReader) Read(p []byte) (int, error) {
	for {
		if r.piece != nil {
			n, err := r.piece.Read(p)
			if n > 0 || err != io.EOF {
				return n, err
			}
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
}

func (r *chunkReader) next() error {
	r.number++
	var data []byte
	err := r.db.Read(r.ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		data, err = q.GetImportChunk(ctx, queries.GetImportChunkParams{ImportID: r.importID, Number: r.number, HouseholdID: r.householdID})
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return io.EOF
	}
	if err != nil {
		return err
	}
	r.piece, err = gzip.NewReader(bytes.NewReader(data))
	return err
}

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
	Duplicates      string   // what becomes of rows that may be booked already, see [DuplicatesHold]
	Wait            bool     // an import that is to be published and cannot be waits for answers, and does not fail
	Plan            string   // that a person has seen; blank: publish whatever the plan is by now
	Seen            *Outcome // of a preflight of the same file; it saves work and changes nothing
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
	*chunkWriter
}

// Receive begins an upload; write the file's bytes to it.
func (im *Importer) Receive(ctx context.Context, who ledger.Actor) (*Upload, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	u := &Upload{im: im, who: who, public: queries.PublicID(id)}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		params := queries.InsertImportParams{PublicID: u.public, HouseholdID: who.HouseholdID, Stamp: im.now().UnixMilli()}
		if who.UserID != 0 {
			params.UserID = &who.UserID
		}
		u.id, err = q.InsertImport(ctx, params)
		return err
	})
	u.chunkWriter = newChunkWriter(ctx, im, u.id)
	return u, err
}

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
	if err := u.flush(); err != nil {
		return queries.Import{}, err
	}
	in.Type = cmp.Or(strings.TrimSpace(in.Type), record.TransactionImport)
	f, err := u.im.reviewer.describe(ctx, u.who, in)
	if err != nil {
		return queries.Import{}, err
	}
	f.ID, f.ByteSize, f.Sha256 = u.id, u.size, u.sum.Sum(nil)
	v := review{given: in.Settings}
	f.Status = StatusPending
	if u.size == 0 && u.number == 0 {
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
		if err := keepReport(ctx, ledger.NewTx(q, u.who), u.id, v.report); err != nil {
			return err
		}
		imp, err = getAlso(ctx, ledger.NewTx(q, u.who), uuid.UUID(u.public), also)
		return err
	})
	return imp, err
}

// describe checks the request by itself, all of it.
func (r *reviewer) describe(ctx context.Context, who ledger.Actor, in Request) (queries.FinishUploadParams, error) {
	f := queries.FinishUploadParams{HouseholdID: who.HouseholdID, Identity: match.Version, UpdatedAt: r.now().UnixMilli()}
	problems := in.Problems
	known := false
	f.Type, known = record.TypeNamed(in.Type)
	if !known {
		problems.Add("type", "must be one of %s, got %s", strings.Join(record.Types(), ", "), ledger.Quote(in.Type))
	} else if formatNamed(f.Type) == nil {
		problems.Add("type", "must be one of %s: this version does not read %s yet", strings.Join(readable(), ", "), f.Type)
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
func (r *reviewer) describeAccount(ctx context.Context, who ledger.Actor, id ledger.Opt[uuid.UUID], f *queries.FinishUploadParams) (problems ledger.Problems, err error) {
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
