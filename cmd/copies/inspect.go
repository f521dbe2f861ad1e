package copies

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"finsvc/cmd/term"
	"finsvc/db"
	bookspkg "finsvc/ledger/books"
)

// Report is what is known of a copy that was looked through, in JSON.
type Report struct {
	Path         string   `json:"path"`
	Size         int64    `json:"size"` // bytes
	Schema       int64    `json:"schema"`
	Households   int64    `json:"households"`
	Accounts     int64    `json:"accounts"`
	Transactions int64    `json:"transactions"`
	Trades       int64    `json:"trades"`
	Valuations   int64    `json:"valuations"`
	Balances     int64    `json:"balances"` // recomputed from rows and compared
	Milliseconds int64    `json:"milliseconds"`
	Defects      []string `json:"defects"`  // of pages: the file is damaged
	Unproved     []string `json:"unproved"` // what does not add up in the books of a household, or could not be checked

	Upgraded bool // the schema is an older one, and a copy of the copy could be brought up to date
}

// Depth is how much of a file is looked through.
type Depth bool

const (
	everything Depth = true  // each page, index and row
	books      Depth = false // of pages that are known to be good, what the rows say
)

// Inspector looks through copies of a database.
type Inspector struct {
	Data string // the database, beside which there is room for large files
	Now  func() time.Time
	// Migrations are other ones than the program's, for tests.
	Migrations []db.Option
}

// Whole looks at all of a copy.
func (i Inspector) Whole(ctx context.Context, file string) (Report, error) {
	return i.Inspect(ctx, file, everything)
}

// Inspect looks through a database file without changing it: its pages, its indexes, and the books, whose balances are
// counted from rows. One of an older schema is copied, brought up to date and looked through as well.
func (i Inspector) Inspect(ctx context.Context, path string, deep Depth) (r Report, err error) {
	started := time.Now()
	r.Path, r.Defects, r.Unproved = path, []string{}, []string{}
	view, err := db.View(ctx, path, i.Migrations...)
	if err != nil {
		return r, err
	}
	defer func() {
		r.Milliseconds = time.Since(started).Milliseconds()
		err = errors.Join(err, view.Close())
	}()
	r.Schema, err = view.SchemaVersion(ctx)
	if err != nil {
		return r, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return r, err
	}
	r.Size = info.Size()
	return r, i.lookThrough(ctx, view, &r, deep)
}

// lookThrough looks at pages and books at the same time, each on a core of its own.
func (i Inspector) lookThrough(ctx context.Context, view *db.DB, r *Report, deep Depth) error {
	type integrity struct {
		found []string
		err   error
	}
	pages := make(chan integrity, 1)
	go func() {
		var checked integrity
		if deep == everything {
			checked.found, checked.err = view.CheckIntegrity(ctx)
		}
		pages <- checked
	}()
	err := i.auditAny(ctx, view, r)
	checked := <-pages
	r.Defects = append(r.Defects, checked.found...)
	if err != nil && len(checked.found) > 0 {
		r.Defects, err = append(r.Defects, "the books cannot be read: "+err.Error()), nil
	}
	return errors.Join(err, checked.err)
}

// auditAny audits the books, of an older schema those of a copy that is brought up to date.
func (i Inspector) auditAny(ctx context.Context, view *db.DB, r *Report) (err error) {
	r.Upgraded, err = view.Outdated(ctx)
	if err != nil || !r.Upgraded {
		return errors.Join(err, i.audit(ctx, view, r))
	}
	folder, err := i.Scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	trial := filepath.Join(folder, "trial.db")
	if err := view.CopyTo(ctx, trial, nil); err != nil {
		return err
	}
	d, err := db.Open(ctx, trial, append(i.Migrations, db.WithoutCopy())...)
	if err != nil {
		return err
	}
	return errors.Join(i.audit(ctx, d, r), d.Close())
}

func (i Inspector) audit(ctx context.Context, d *db.DB, r *Report) error {
	found, err := bookspkg.New(d, i.Now).Audits.Audit(ctx)
	r.Households, r.Accounts, r.Transactions, r.Trades = found.Households, found.Accounts, found.Transactions,
		found.Trades
	r.Valuations, r.Balances = found.Valuations, found.Balances
	for _, defect := range found.Defects {
		r.Unproved = append(r.Unproved, strings.TrimPrefix(defect.Where+": "+defect.Detail, ": "))
	}
	return err
}

// Scratch is a new folder for a large file, on the disk of the database: other places may be small, or in memory.
func (i Inspector) Scratch() (string, error) {
	beside := filepath.Dir(i.Data)
	// Remove what killed processes left.
	entries, _ := os.ReadDir(beside) // where nothing can be read there is nothing to tidy
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.IsDir() && strings.HasPrefix(entry.Name(), scratchName) &&
			i.Now().Sub(info.ModTime()) > oldPart {
			_ = os.RemoveAll(filepath.Join(beside, entry.Name())) // the next one tries again
		}
	}
	folder, err := os.MkdirTemp(beside, scratchName)
	if err != nil {
		return os.MkdirTemp("", scratchName)
	}
	return folder, nil
}

const scratchName = ".finsvc-scratch-"

// Summary says what a copy holds.
func (r *Report) Summary() string {
	text := fmt.Sprintf("%s, schema %d, %s, %s, %s", term.Size(r.Size), r.Schema,
		term.Count(r.Transactions, "transaction"),
		term.Count(r.Accounts, "account"), term.Count(r.Households, "household"))
	if r.Balances > 0 {
		text += ", " + term.Count(r.Balances, "balance") + " recomputed"
	}
	return fmt.Sprintf("%s, %d.%d s", text, r.Milliseconds/1000, r.Milliseconds%1000/100)
}

// MaxSaidDefects is how many defects are listed.
const MaxSaidDefects = 20

// checksumEnding follows the name of a copy in that of the file with its checksum, as sha256sum writes it.
const checksumEnding = ".sha256"

// ErrAltered: a copy is not what it was when it was made.
var ErrAltered = errors.New("it is not what it was when it was made: its checksum differs")

// writeChecksum writes the checksum of a file that will be called name, beside it.
func writeChecksum(ctx context.Context, file, name string) error {
	sum, err := checksum(ctx, file)
	if err == nil {
		err = os.WriteFile(name+checksumEnding, []byte(sum+"  "+filepath.Base(name)+"\n"), 0o600)
	}
	return cmp.Or(err, db.Flush(name+checksumEnding))
}

// VerifyChecksum reports whether a copy has a checksum beside it; one that differs is [ErrAltered].
func VerifyChecksum(ctx context.Context, file string) (bool, error) {
	want, err := os.ReadFile(file + checksumEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	got, err := checksum(ctx, file)
	if err == nil && !strings.HasPrefix(string(want), got+" ") {
		err = ErrAltered
	}
	return true, err
}

func checksum(ctx context.Context, file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(hash, f, 1<<22)
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = ctx.Err()
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}
