package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/ledger"
)

// importFlags are what a command line says about the files it imports.
type importFlags struct {
	household, kind, account           string
	set                                []string
	dryRun, yes, skipInvalid, jsonLine bool
	later                              bool
	duplicates                         string
}

func newImport(a *app) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use: "import FILE...", Short: "Import files of a bank, list what was imported, take it back",
		Long: "Read files, show what importing them would do, and import them.\n\n" +
			"How a file is read is found out from its content and shown with the reason; what nothing in it proves\n" +
			"is asked, and --set answers. - reads standard input. On a terminal you are asked before anything is\n" +
			"written; elsewhere say --yes or --dry-run. A file is imported as a whole or not at all.\n\n" +
			"Amounts: money into the account is positive. Where a file has it the other way round, give\n" +
			"--set signage_convention=inflows_negative. The id of each import is printed on standard output.\n\nMore: finsvc help importing",
		Example: "  finsvc import october.csv --account Giro\n" +
			"  finsvc import *.csv --account Giro --set date_format=%d/%m/%Y --set signage_convention=inflows_negative",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef("name the files to import, or one of: list, show, publish, rule, revert, cancel, delete")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.importFiles(c, &f, args) },
	}
	f.add(c)
	c.AddCommand(newImportList(a), newImportShow(a), newImportPublish(a), newImportRule(a), newImportRevert(a), newImportCancel(a), newImportDelete(a))
	return c
}

func (f *importFlags) add(c *cobra.Command) {
	flags := c.Flags()
	householdFlag(c, &f.household)
	flags.StringVar(&f.kind, "type", "", "`TYPE` of the files (default: by the name's ending, .pdf, .qif, .ndjson and .zip, else "+importer.TransactionImport+")")
	flags.StringVar(&f.account, "account", "", "`NAME` or id of the account, where the files do not name accounts themselves")
	flags.StringArrayVar(&f.set, "set", nil, "`NAME=VALUE`: how to read the files, such as date_format=%d.%m.%Y; may be repeated")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would happen")
	flags.BoolVar(&f.later, "later", false, "keep the file as a pending import, to be published later")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.StringVar(&f.duplicates, "duplicates", "", "rows that may be there already: `hold` them back, book them (new), or take them for what is there (same); without it you are asked, and with --yes they are held back")
	flags.BoolVar(&f.skipInvalid, "skip-invalid", false, "leave out rows that cannot be imported, instead of refusing the file")
	flags.BoolVar(&f.jsonLine, "json", false, "print JSON lines: preflight, row_error, progress, summary")
}

// request is what the flags say.
func (f *importFlags) request() (importer.Request, error) {
	in := importer.Request{Type: f.kind, SkipInvalidRows: f.skipInvalid, Duplicates: f.duplicates}
	members := in.Settings.Members()
	for _, entry := range f.set {
		name, value, found := strings.Cut(entry, "=")
		member, known := members[name]
		if !found || !known {
			return in, exit.Usagef("--set needs NAME=VALUE, got %s; the names are %s", ledger.Quote(entry), strings.Join(slices.Sorted(maps.Keys(members)), ", "))
		}
		*member = &value
	}
	return in, in.Resolved().Settings.Check().Err()
}

// importJob is what the import of a command line's files needs.
type importJob struct {
	*app
	flags   *importFlags
	im      *importer.Importer
	ledger  *ledger.Ledger
	who     ledger.Actor
	request importer.Request
	format  *ledger.Formatter
	stored  bool // the file at hand has become an import
}

// withImporter opens the database file and chooses the household, for commands about imports.
func (a *app) withImporter(c *cobra.Command, household string, do func(j *importJob) error) error {
	a.limitMemory()
	return a.withDatabase(c.Context(), func(database *db.DB, books *ledger.Ledger) error {
		im := importer.New(importer.Options{DB: database, Ledger: books, Logger: a.warnings(), Now: a.now, Max: int64(a.config.ImportMax), PDFText: pdfReader()})
		return a.asJob(c.Context(), household, &importJob{app: a, im: im, ledger: books}, do)
	})
}

func (a *app) asJob(ctx context.Context, household string, j *importJob, do func(j *importJob) error) error {
	home, err := chooseHousehold(ctx, j.ledger, household)
	if err != nil {
		return err
	}
	j.who = actor(home.ID)
	if j.format, err = ledger.NewFormatter(home.Locale); err != nil {
		return err
	}
	return do(j)
}

func (a *app) importFiles(c *cobra.Command, f *importFlags, files []string) error {
	in, err := f.request()
	if err != nil {
		return err
	}
	if !f.yes && !f.dryRun && !f.later && !a.CanAsk(files...) {
		return exit.Usagef("nobody can be asked here: say --yes to import, or --dry-run to see what would happen")
	}
	return a.withImporter(c, f.household, func(j *importJob) error {
		j.flags, j.request = f, in
		if err := j.chooseAccount(c.Context()); err != nil {
			return err
		}
		return j.importAll(c.Context(), files)
	})
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
