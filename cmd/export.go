package cmd

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
)

func newExport(a *app) *cobra.Command {
	return group("export", "Write a household's books for other programs", newExportCSV(a), newExportBackup(a), newExportHledger(a), newExportBeancount(a))
}

// exportFlags are what a command line says about where to write.
type exportFlags struct {
	household, output string
	force, verify     bool
}

func (f *exportFlags) add(c *cobra.Command) {
	householdFlag(c, &f.household)
	c.Flags().StringVarP(&f.output, "output", "o", "", "`FILE` to write instead of standard output; it appears when it is whole")
	c.Flags().BoolVar(&f.force, "force", false, "replace a file that is there already")
	c.Flags().BoolVar(&f.verify, "verify", false, "read the text back, add up all balances from it alone, and keep it only if they are those of the books")
}

// export is how a household is written and how that is added up once more.
type export struct {
	write func(ctx context.Context, s *ledger.Snapshot, w io.Writer) (what string, err error)
	read  func(ctx context.Context, s *ledger.Snapshot, text *io.SectionReader) (*recount, error)
}

// writeExport writes a household in one view of the data, to a file or to standard output.
func writeExport(a *app, c *cobra.Command, f exportFlags, e export) error {
	return inSnapshot(c, a, f.household, func(ctx context.Context, s *ledger.Snapshot) error {
		what, outcome := "", recountOutcome{}
		err := writeFile(&a.Terminal, f.output, f.force, f.verify, func(w io.Writer) (err error) {
			what, err = e.write(ctx, s, w)
			return err
		}, func(text *io.SectionReader) (err error) {
			outcome, err = e.verify(ctx, s, text)
			return err
		})
		if err == nil {
			sayExported(a, f, what, outcome)
		}
		return err
	})
}

func inSnapshot(c *cobra.Command, a *app, household string, work func(context.Context, *ledger.Snapshot) error) error {
	return a.inHousehold(c, household, func(l *ledger.Ledger, who ledger.Actor) error { return l.Snapshot(c.Context(), who, work) })
}

func sayExported(a *app, f exportFlags, what string, outcome recountOutcome) {
	if f.output != "" {
		a.Say("Wrote %s to %s.", what, f.output)
	}
	if f.verify {
		a.Say("Verified: %s.", outcome)
	}
}

func (e export) verify(ctx context.Context, s *ledger.Snapshot, text *io.SectionReader) (recountOutcome, error) {
	r, err := e.read(ctx, s, text)
	if err != nil {
		return recountOutcome{}, err
	}
	outcome, err := r.compare(ctx, s)
	return outcome, errors.Join(err, outcome.err())
}

// writeFile is writeOut, but where verify is true the text is read back before anybody can have it.
func writeFile(t *term.Terminal, name string, force, verify bool, write func(io.Writer) error, check func(*io.SectionReader) error) (err error) {
	if !verify {
		return writeOut(t, name, force, write)
	}
	checked := func(f *os.File) error {
		if err := t.Counting(f, write); err != nil {
			return err
		}
		size, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		return check(io.NewSectionReader(f, 0, size))
	}
	if name != "" {
		return put(name, force, checked)
	}
	f, err := os.CreateTemp("", "finsvc-export-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if err := checked(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(t.Stdout, f)
	return err
}

// accountCurrencies are those of the household's accounts by id, which journals do not say.
func accountCurrencies(ctx context.Context, s *ledger.Snapshot) (map[string]ledger.Currency, error) {
	accounts, err := s.Accounts(ctx)
	currencies := map[string]ledger.Currency{}
	for _, a := range accounts {
		currencies[uuid.UUID(a.PublicID).String()], _ = ledger.LookupCurrency(a.Currency) // what is stored was looked up
	}
	return currencies, err
}

// writeOut writes to a file or, when its name is empty, to standard output. The file is written beside its
// place and put there when it is whole, so that nobody finds half of it. Only its owner may read it.
func writeOut(t *term.Terminal, name string, force bool, write func(io.Writer) error) error {
	if name == "" {
		return write(t.Stdout)
	}
	return put(name, force, func(f *os.File) error { return t.Counting(f, write) })
}

// put writes a file.
func put(name string, force bool, write func(*os.File) error) error {
	if err := mayWrite(name, force); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return db.CannotWrite(name, err)
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = mayWrite(name, force) // another program may have been here meanwhile
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(db.CannotWrite(name, err), os.Remove(f.Name()))
	}
	return nil
}

func mayWrite(name string, force bool) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return exit.Usagef("%s is a directory; name a file", name)
	case !force:
		return ledger.NewConflict("%s is there already; replace it with --force, or choose another name", name)
	}
	return nil
}
