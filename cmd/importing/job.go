// Package importing imports files at a terminal: it shows what importing a file would do, asks, has it published,
// shows how far that is, and says how it ended; and it lists imports and takes them back. What an import is, and what
// it does, is the importer's.
package importing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
)

// Options say what is to become of files.
type Options struct {
	Account     string // name or id; blank where the files name accounts themselves
	Duplicates  string // what becomes of rows that may be there already; blank: a person is asked
	DryRun      bool   // only show what would happen
	Yes         bool   // do not ask
	SkipInvalid bool   // leave out rows that cannot be imported
	Later       bool   // keep the file as a pending import
	JSONLine    bool   // print JSON lines
}

// Job is what the import of a command line's files needs.
type Job struct {
	*term.Terminal
	Options    Options
	Importer   *importer.Importer
	ledger     *books.Books
	Who        ledger.Actor
	Request    importer.Request
	format     *money.Formatter
	OnSameFile func(words ...string) string // another command on the file and in the household of this one
	stored     bool                         // the file at hand has become an import
}

// NewJob is for imports of a household.
func NewJob(t *term.Terminal, im *importer.Importer, books *books.Books, home ledger.Household) (*Job, error) {
	format, err := money.NewFormatter(home.Locale)
	return &Job{Terminal: t, Importer: im, ledger: books, Who: ledger.Actor{HouseholdID: home.ID,
		Origin: ledger.OriginCLI}, format: format}, err
}

// ImportAll goes on after rejected rows; any other error ends it.
func (j *Job) ImportAll(ctx context.Context, files []string) error {
	rejected := error(nil)
	for i, file := range files {
		j.stored = false
		err := j.ImportFile(ctx, file)
		if err != nil && ctx.Err() != nil && !j.stored {
			j.Say("Nothing of %s was imported.", file)
		}
		if err != nil && !errors.Is(err, exit.ErrRejected) {
			if rest := files[i+1:]; len(rest) > 0 {
				j.Say("Not imported either: %s", strings.Join(rest, ", "))
			}
			return err
		}
		rejected = errors.Join(rejected, err)
	}
	return rejected
}

func (j *Job) ChooseAccount(ctx context.Context) error {
	if j.Options.Account == "" {
		return nil
	}
	account, err := j.ledger.Names.Find(ctx, j.Who, names.Account, j.Options.Account)
	if err != nil {
		return err
	}
	j.Request.AccountID = ledger.Some(account.ID)
	return nil
}

// ImportFile takes one file from its bytes to its end. Rows that were rejected are exit.ErrRejected.
func (j *Job) ImportFile(ctx context.Context, file string) error {
	buffer, err := j.readFile(file)
	if err != nil {
		return err
	}
	in, name := j.Request, "standard input"
	in.Type = cmp.Or(in.Type, typeOf(file))
	if file != "-" {
		in.FileName, name = filepath.Base(file), file
	}
	out, err := j.Importer.Preflight(ctx, j.Who, in, buffer.File())
	if err != nil {
		return err
	}
	if err := show(j, name, out); err != nil {
		return err
	}
	if j.Options.Later && !j.Options.DryRun {
		return j.publish(ctx, in, buffer, out)
	}
	if out.Obstacle != "" || j.Options.DryRun {
		return errors.Join(summary(j, nil, out), j.refusal(name, out))
	}
	if !j.Options.Yes {
		agreed, err := j.Confirm(ctx, "Import "+term.Count(out.Valid-out.Matched-out.Held, "row")+"?")
		if err == nil && !agreed {
			j.Say("Nothing was imported.")
		}
		if err != nil || !agreed {
			return err
		}
	}
	in.Duplicates, err = j.askDuplicates(ctx, out)
	if err != nil {
		return err
	}
	return j.publish(ctx, in, buffer, out)
}

// askDuplicates asks what is to become of rows that may be there already; who cannot be asked has them held back.
func (j *Job) askDuplicates(ctx context.Context, out *importer.Preflight) (string, error) {
	if j.Options.Yes || j.Options.Duplicates != "" || out.Possible == 0 {
		return j.Options.Duplicates, nil
	}
	yes, err := j.Confirm(ctx, "Import the "+term.Count(out.Possible,
		"row")+" that may be there already, too? No holds them back until you decide.")
	if yes {
		return importer.DuplicatesNew, err
	}
	return importer.DuplicatesHold, err
}

func (j *Job) readFile(file string) (*source.Buffer, error) {
	buffer := j.Importer.NewBuffer()
	if file == "-" {
		_, err := io.Copy(buffer, j.Stdin)
		return buffer, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(buffer, f)
	return buffer, errors.Join(err, f.Close())
}

// refusal is why the file was not imported; nil after a look at a file that could be.
func (j *Job) refusal(file string, out *importer.Preflight) error {
	switch {
	case out.Broken != nil:
		return exit.Usagef("%s: %s\nSay how to read it with --account NAME and --set NAME=VALUE; see: finsvc import --help", file, out.Broken)
	case out.Invalid > 0 && !j.Options.SkipInvalid:
		return fmt.Errorf("%s: %w: nothing was imported. Correct the file or the settings, or leave these rows out with --skip-invalid", file, exit.ErrRejected)
	case len(out.Open) > 0:
		return exit.Usagef("%s: %s. Answer with %s", file, out.Obstacle, answers(out))
	case out.Obstacle != "":
		return ledger.NewInvalid("file "+file, "%s", out.Obstacle)
	case out.Invalid > 0:
		return fmt.Errorf("%s: %w", file, exit.ErrRejected)
	}
	return nil
}

// publish stores the file, has it published, and waits for that.
func (j *Job) publish(ctx context.Context, in importer.Request, buffer *source.Buffer, out *importer.Preflight) error {
	content, err := buffer.File().Open()
	if err != nil {
		return err
	}
	upload, err := j.Importer.Receive(ctx, j.Who)
	if err != nil {
		return err
	}
	if _, err := io.Copy(upload, content); err != nil {
		return errors.Join(err, upload.Discard(ctx))
	}
	in.Publish, in.Plan, in.Preflight = !j.Options.Later, out.Plan, out
	imp, err := upload.Finish(ctx, in)
	if err != nil {
		return err
	}
	j.stored = true
	if j.Options.Later {
		id := uuid.UUID(imp.PublicID)
		j.Say("Kept as pending. See its rows with: finsvc import show %s --rows; book it with: finsvc import publish %s", id, id)
		return j.Print(id.String())
	}
	imp, err = j.Settle(ctx, uuid.UUID(imp.PublicID))
	if err != nil {
		return err
	}
	return j.Report(imp, out)
}

// typeOf is the type of import that the name of a file speaks for; blank where it says nothing.
func typeOf(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".pdf":
		return record.PdfImport
	case ".qif":
		return "QifImport"
	case ".ndjson", ".zip":
		return "ServiceImport"
	}
	return ""
}
