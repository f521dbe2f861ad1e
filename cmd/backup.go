package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"finsvc/cmd/copies"
	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger/books"
)

// backupFlags are what a command line says about a copy.
type backupFlags struct {
	output string
	keep   int
	asJSON bool
}

func newBackup(a *app) *cobra.Command {
	var f backupFlags
	c := &cobra.Command{
		Use: "backup", Short: "Copy the database, also while a server runs, and check the copy", Args: cobra.NoArgs,
		Long: "Copy the database as it is at one moment, also while a server runs on it. The copy is opened, its pages and\n" +
			"indexes are checked, and all balances are counted from its rows; only then it gets its name, which is printed. A\n" +
			"copy that is damaged, or whose books of a household do not add up, is kept under a name that says so, with exit\n" +
			"status 1.\n\nMore: finsvc help backups",
		Example: "  finsvc backup\n  finsvc backup -o /mnt/usb --keep 30\n  finsvc backup -o - | ssh nas 'cat > finance-copy.db'",
		RunE:    func(c *cobra.Command, _ []string) error { return makeBackup(c.Context(), a, f) },
	}
	c.Flags().StringVarP(&f.output, "output", "o", "", "`FILE` to write, folder to write into, or - for standard output, instead of --backup-dir")
	c.Flags().IntVar(&f.keep, "keep", 0, "remove the oldest copies in the folder when there are more than `N`")
	shell.JSONFlag(c, &f.asJSON)
	a.config.AddFlags(c.Flags(), "backup-dir")
	c.AddCommand(newBackupList(a), newBackupVerify(a))
	return c
}

func makeBackup(ctx context.Context, a *app, f backupFlags) (err error) {
	switch {
	case f.keep < 0:
		return exit.Usagef("--keep must be a number of copies from 1, got %d", f.keep)
	case f.output == "-" && term.IsTerminal(a.Stdout):
		return exit.Usagef("a copy is nothing to look at: name a file with -o FILE, or send standard output elsewhere")
	case f.output == "-" && (f.asJSON || f.keep > 0):
		return exit.Usagef("with -o - standard output is the copy: leave --json and --keep out")
	}
	if err := a.needFile(); err != nil {
		return err
	}
	view, err := db.View(ctx, a.config.Data, a.migrations...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	if f.output == "-" {
		return streamCopy(ctx, a, view)
	}
	path, folder, err := copyPath(a, f.output)
	if err != nil {
		return err
	}
	r, err := checkedCopy(ctx, a, view, path)
	switch {
	case folder == nil || f.keep == 0:
	case err == nil:
		err = folder.Prune(path, f.keep)
	case errors.Is(err, copies.ErrUnproved):
		err = errors.Join(err, folder.PruneUnproved(f.keep))
	}
	switch {
	case err != nil && !errors.Is(err, copies.ErrUnproved):
		return err
	case f.asJSON:
		return errors.Join(a.PrintJSON(r), err)
	}
	return errors.Join(a.Print(r.Path), err)
}

// copyPath is where the copy goes, and the folder in which its name is ours; nil where it is not.
func copyPath(a *app, output string) (path string, folder *copies.Folder, err error) {
	f := a.copies()
	if output != "" {
		info, err := os.Stat(output)
		if (err != nil || !info.IsDir()) && !os.IsPathSeparator(output[len(output)-1]) {
			return output, nil, nil
		}
		f.Path = output
	}
	path, err = f.NewPath()
	return path, &f, err
}

// checkedCopy makes a copy and says what came of it.
func checkedCopy(ctx context.Context, a *app, view *db.DB, path string) (copies.Report, error) {
	progress, end := pageBar(&a.Terminal)
	r, err := copies.Make(ctx, view, path, progress, a.inspector().Whole)
	end()
	if errors.Is(err, copies.ErrDamaged) {
		a.Say("%s is damaged:", r.Path)
		sayDefects(&a.Terminal, &r)
		return r, errors.New("the copy is damaged, and the database with it. See: finsvc doctor; the copies there are: finsvc backup list")
	}
	if errors.Is(err, copies.ErrUnproved) {
		a.Say("%s is a whole copy of the database: %s. It is not proved:", r.Path, r.Summary())
		sayDefects(&a.Terminal, &r)
		return r, fmt.Errorf("%w. What is named above is so in the database, too. See: finsvc doctor", err)
	}
	if err == nil {
		a.Say("OK: %s: %s.", r.Path, r.Summary())
	}
	return r, err
}

// streamCopy writes a checked copy to standard output.
func streamCopy(ctx context.Context, a *app, view *db.DB) (err error) {
	folder, err := a.inspector().Scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	r, unproved := checkedCopy(ctx, a, view, filepath.Join(folder, "copy.db"))
	if unproved != nil && !errors.Is(unproved, copies.ErrUnproved) {
		return unproved
	}
	f, err := os.Open(r.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(a.Stdout, f)
	return errors.Join(err, unproved)
}

// pageBar shows on a terminal how far a copy is, until end is called.
func pageBar(t *term.Terminal) (progress func(done, total int), end func()) {
	if !t.Animates() {
		return nil, func() {}
	}
	p := t.NewProgress("pages")
	// a terminal that cannot be written to shows nothing anyway
	return func(done, total int) { _ = p.Show(int64(done), int64(total)) }, p.Close
}

// sayDefects lists what is wrong with a copy.
func sayDefects(t *term.Terminal, r *copies.Report) {
	sayList(t, r.Defects)
	sayList(t, r.Unproved)
}

func sayList(t *term.Terminal, lines []string) {
	for _, line := range lines[:min(len(lines), copies.MaxSaidDefects)] {
		t.Say("  %s", line)
	}
	if more := len(lines) - copies.MaxSaidDefects; more > 0 {
		t.Say("  and %d more", more)
	}
}

func newBackupList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the copies of the database, the newest first", Args: cobra.NoArgs,
		Example: "  finsvc backup list\n  finsvc backup list --backup-dir /mnt/usb",
		RunE:    func(*cobra.Command, []string) error { return listCopies(a, asJSON) },
	}
	shell.JSONFlag(c, &asJSON)
	a.config.AddFlags(c.Flags(), "backup-dir")
	return c
}

// copyJSON is a copy in a list, in JSON.
type copyJSON struct {
	Path  string  `json:"path"`
	At    *string `json:"at"`
	Kind  string  `json:"kind"`
	Bytes int64   `json:"size"`
}

func listCopies(a *app, asJSON bool) error {
	folder := a.copies()
	all, err := folder.List()
	if err != nil {
		return err
	}
	if asJSON {
		rows := []copyJSON{}
		for _, c := range all {
			rows = append(rows, copyJSON{c.Path, term.Stamp(c.At), c.Kind(), c.Size})
		}
		return a.PrintJSON(rows)
	}
	if len(all) == 0 {
		a.Say("There are no copies in %s yet. Make one: finsvc backup", folder.Path)
	}
	return term.PrintTable(&a.Terminal, term.Columns("made", "kind", "#size", "file"), all,
		func(c copies.File) []string {
			return []string{term.Moment(c.At), c.Kind(), humanize.IBytes(uint64(c.Size)), c.Path}
		})
}

func newBackupVerify(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "verify FILE", Short: "Check that a copy is sound and could be restored", Args: cobra.ExactArgs(1),
		Long: "Check the pages, the indexes and the checksum of a copy, and count its balances from its rows. A copy of an older\n" +
			"schema is copied once more and brought up to date, to prove that it can be. The copy stays as it is.",
		Example: "  finsvc backup verify backups/finance-20261122T020000Z.db",
		RunE:    func(c *cobra.Command, args []string) error { return verifyCopy(c.Context(), a, args[0], asJSON) },
	}
	shell.JSONFlag(c, &asJSON)
	return c
}

func verifyCopy(ctx context.Context, a *app, file string, asJSON bool) error {
	r, err := a.inspector().Whole(ctx, file)
	if err != nil {
		return err
	}
	if _, err := copies.VerifyChecksum(ctx, file); errors.Is(err, copies.ErrAltered) {
		r.Defects = append(r.Defects, err.Error())
	} else if err != nil {
		return err
	}
	if asJSON {
		if err := a.PrintJSON(r); err != nil {
			return err
		}
	}
	if len(r.Defects) > 0 {
		sayDefects(&a.Terminal, &r)
		return errors.New(file + " is damaged. Do not restore it; the copies there are: finsvc backup list")
	}
	if len(r.Unproved) > 0 {
		sayDefects(&a.Terminal, &r)
		return errors.New(file + " is whole, but not proved: the books of a household in it do not add up. Restore one that is proved, if there is any: finsvc backup list")
	}
	a.Say("OK: %s: %s.", file, r.Summary())
	if r.Upgraded {
		a.Say("Its schema is an older one. A server that is started on it brings it up to date.")
	}
	return nil
}

// newSchedule is the schedule of the settings.
func newSchedule(a *app, database *db.DB, books *books.Books, log *slog.Logger) *copies.Schedule {
	inspect := a.inspector().Whole
	if self := ownCommand("backup", "verify"); self != nil {
		inspect = copies.Apart(self, a.config.Data)
	}
	s := &copies.Schedule{Folder: a.copies(), Inspect: inspect, Every: time.Duration(a.config.Backup.Every),
		Keep:     a.config.Backup.Keep.Value,
		Database: database, Books: books, Log: log}
	s.Begin()
	return s
}
