package cmd

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
	"finsvc/ledger"
)

// importOptions say what is to become of files.
type importOptions struct {
	account     string // name or id; blank where the files name accounts themselves
	duplicates  string // what becomes of rows that may be there already; blank: a person is asked
	dryRun      bool   // only show what would happen
	yes         bool   // do not ask
	skipInvalid bool   // leave out rows that cannot be imported
	later       bool   // keep the file as a pending import
	jsonLine    bool   // print JSON lines
}

// importJob is what the import of a command line's files needs.
type importJob struct {
	*term.Terminal
	flags      importOptions
	im         *importer.Importer
	ledger     *ledger.Ledger
	who        ledger.Actor
	request    importer.Request
	format     *ledger.Formatter
	onSameFile func(words ...string) string // another command on the file and in the household of this one
	stored     bool                         // the file at hand has become an import
}

// newImportJob is for imports of a household.
func newImportJob(t *term.Terminal, im *importer.Importer, books *ledger.Ledger, home ledger.Household) (*importJob, error) {
	format, err := ledger.NewFormatter(home.Locale)
	return &importJob{Terminal: t, im: im, ledger: books, who: actor(home.ID), format: format}, err
}

// importAll goes on after rejected rows; any other error ends it.
func (j *importJob) importAll(ctx context.Context, files []string) error {
	rejected := error(nil)
	for i, file := range files {
		j.stored = false
		err := j.importFile(ctx, file)
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

func (j *importJob) chooseAccount(ctx context.Context) error {
	if j.flags.account == "" {
		return nil
	}
	id, err := j.ledger.ResolveAccount(ctx, j.who, j.flags.account)
	if err != nil {
		return err
	}
	if _, err = j.ledger.GetAccount(ctx, j.who, id); err != nil {
		return err
	}
	j.request.AccountID = ledger.Some(id)
	return nil
}

// importFile takes one file from its bytes to its end. Rows that were rejected are exit.ErrRejected.
func (j *importJob) importFile(ctx context.Context, file string) error {
	spool, err := j.readFile(file)
	if err != nil {
		return err
	}
	in, name := j.request, "standard input"
	in.Type = cmp.Or(in.Type, typeOf(file))
	if file != "-" {
		in.FileName, name = filepath.Base(file), file
	}
	out, err := j.preflight(ctx, in, spool)
	if err != nil {
		return err
	}
	if err := j.show(name, out); err != nil {
		return err
	}
	if j.flags.later && !j.flags.dryRun {
		return j.publish(ctx, in, spool, out)
	}
	if out.Obstacle != "" || j.flags.dryRun {
		return errors.Join(j.summary(nil, out), j.refusal(name, out))
	}
	if agreed, err := j.agreed(ctx, out); err != nil || !agreed {
		return err
	}
	if in.Duplicates, err = j.askDuplicates(ctx, out); err != nil {
		return err
	}
	return j.publish(ctx, in, spool, out)
}

// askDuplicates asks what is to become of rows that may be there already; who cannot be asked has them held back.
func (j *importJob) askDuplicates(ctx context.Context, out *importer.Outcome) (string, error) {
	if j.flags.yes || j.flags.duplicates != "" || out.Doubtful == 0 {
		return j.flags.duplicates, nil
	}
	yes, err := j.Confirm(ctx, "Import the "+term.Count(out.Doubtful, "row")+" that may be there already, too? No holds them back until you decide.")
	if yes {
		return importer.DuplicatesNew, err
	}
	return importer.DuplicatesHold, err
}

func (j *importJob) preflight(ctx context.Context, in importer.Request, spool *importer.Spool) (*importer.Outcome, error) {
	return j.im.Preflight(ctx, j.who, in, spool.Open)
}

func (j *importJob) readFile(file string) (*importer.Spool, error) {
	spool := j.im.NewSpool()
	if file == "-" {
		_, err := io.Copy(spool, j.Stdin)
		return spool, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(spool, f)
	return spool, errors.Join(err, f.Close())
}

// refusal is why the file was not imported; nil after a look at a file that could be.
func (j *importJob) refusal(file string, out *importer.Outcome) error {
	switch {
	case out.Broken != nil:
		return exit.Usagef("%s: %s\nSay how to read it with --account NAME and --set NAME=VALUE; see: finsvc import --help", file, out.Broken)
	case out.Invalid > 0 && !j.flags.skipInvalid:
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

func (j *importJob) agreed(ctx context.Context, out *importer.Outcome) (bool, error) {
	if j.flags.yes {
		return true, nil
	}
	yes, err := j.Confirm(ctx, "Import "+term.Count(out.Valid-out.Matched-out.Held, "row")+"?")
	if err == nil && !yes {
		j.Say("Nothing was imported.")
	}
	return yes, err
}

// publish stores the file, has it published, and waits for that.
func (j *importJob) publish(ctx context.Context, in importer.Request, spool *importer.Spool, out *importer.Outcome) error {
	content, err := spool.Open()
	if err != nil {
		return err
	}
	upload, err := j.im.Receive(ctx, j.who)
	if err != nil {
		return err
	}
	if _, err := io.Copy(upload, content); err != nil {
		return errors.Join(err, upload.Discard(ctx))
	}
	in.Publish, in.Plan, in.Seen = !j.flags.later, out.Plan, out
	imp, err := upload.Finish(ctx, in)
	if err != nil {
		return err
	}
	j.stored = true
	if j.flags.later {
		return j.kept(uuid.UUID(imp.PublicID))
	}
	if imp, err = j.settle(ctx, uuid.UUID(imp.PublicID)); err != nil {
		return err
	}
	return j.report(imp, out)
}
