package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
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
		RunE:    func(c *cobra.Command, _ []string) error { return a.backup(c.Context(), f) },
	}
	c.Flags().StringVarP(&f.output, "output", "o", "", "`FILE` to write, folder to write into, or - for standard output, instead of --backup-dir")
	c.Flags().IntVar(&f.keep, "keep", 0, "remove the oldest copies in the folder when there are more than `N`")
	jsonFlag(c, &f.asJSON)
	a.config.addFlags(c.Flags(), "backup-dir")
	c.AddCommand(newBackupList(a), newBackupVerify(a))
	return c
}

func (a *app) backup(ctx context.Context, f backupFlags) (err error) {
	if err := a.checkBackup(f); err != nil {
		return err
	}
	view, err := db.View(ctx, a.config.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	if f.output == "-" {
		return a.streamCopy(ctx, view)
	}
	path, isFolder, err := a.copyPath(f.output)
	if err != nil {
		return err
	}
	r, err := a.checkedCopy(ctx, view, path)
	switch {
	case !isFolder || f.keep == 0:
	case err == nil:
		err = a.prune(filepath.Dir(path), path, f.keep)
	case errors.Is(err, errUnproved):
		err = errors.Join(err, a.pruneUnproved(filepath.Dir(path), f.keep))
	}
	switch {
	case err != nil && !errors.Is(err, errUnproved):
		return err
	case f.asJSON:
		return errors.Join(a.PrintJSON(r), err)
	}
	return errors.Join(a.Print(r.Path), err)
}

func (a *app) checkBackup(f backupFlags) error {
	switch {
	case f.keep < 0:
		return exit.Usagef("--keep must be a number of copies from 1, got %d", f.keep)
	case f.output == "-" && term.IsTerminal(a.Stdout):
		return exit.Usagef("a copy is nothing to look at: name a file with -o FILE, or send standard output elsewhere")
	case f.output == "-" && (f.asJSON || f.keep > 0):
		return exit.Usagef("with -o - standard output is the copy: leave --json and --keep out")
	}
	return a.needFile()
}

// copyPath is where the copy goes, and whether its name in a folder is ours.
func (a *app) copyPath(output string) (path string, isFolder bool, err error) {
	folder := output
	if output == "" {
		folder = a.backupFolder()
	} else if info, err := os.Stat(output); (err != nil || !info.IsDir()) && !os.IsPathSeparator(output[len(output)-1]) {
		return output, false, nil
	}
	path, err = a.newCopyPath(folder)
	return path, true, err
}

// checkedCopy makes a copy and says what came of it.
func (a *app) checkedCopy(ctx context.Context, view *db.DB, path string) (copyReport, error) {
	progress, end := a.pageBar()
	r, err := a.makeCopy(ctx, view, path, progress, a.inspectWhole)
	end()
	if errors.Is(err, errBadCopy) {
		a.Say("%s is damaged:", r.Path)
		a.sayDefects(&r)
		return r, errors.New("the copy is damaged, and the database with it. See: finsvc doctor; the copies there are: finsvc backup list")
	}
	if errors.Is(err, errUnproved) {
		a.Say("%s is a whole copy of the database: %s. It is not proved:", r.Path, r.summary())
		a.sayDefects(&r)
		return r, fmt.Errorf("%w. What is named above is so in the database, too. See: finsvc doctor", err)
	}
	if err == nil {
		a.Say("OK: %s: %s.", r.Path, r.summary())
	}
	return r, err
}

// streamCopy writes a checked copy to standard output.
func (a *app) streamCopy(ctx context.Context, view *db.DB) (err error) {
	folder, err := a.scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	r, unproved := a.checkedCopy(ctx, view, filepath.Join(folder, "copy.db"))
	if unproved != nil && !errors.Is(unproved, errUnproved) {
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
func (a *app) pageBar() (progress func(done, total int), end func()) {
	if !a.Animates() {
		return nil, func() {}
	}
	p := a.NewProgress("pages")
	return func(done, total int) { _ = p.Show(int64(done), int64(total)) }, p.Close // a terminal that cannot be written to shows nothing anyway
}

func newBackupList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the copies of the database, the newest first", Args: cobra.NoArgs,
		Example: "  finsvc backup list\n  finsvc backup list --backup-dir /mnt/usb",
		RunE:    func(*cobra.Command, []string) error { return a.listCopies(asJSON) },
	}
	jsonFlag(c, &asJSON)
	a.config.addFlags(c.Flags(), "backup-dir")
	return c
}

// copyJSON is a copy in a list, in JSON.
type copyJSON struct {
	Path  string  `json:"path"`
	At    *string `json:"at"`
	Kind  string  `json:"kind"`
	Bytes int64   `json:"size"`
}

func (a *app) listCopies(asJSON bool) error {
	all, err := a.copies(a.backupFolder())
	if err != nil {
		return err
	}
	if asJSON {
		rows := []copyJSON{}
		for _, c := range all {
			rows = append(rows, copyJSON{c.Path, term.Stamp(c.At), c.kind(), c.Size})
		}
		return a.PrintJSON(rows)
	}
	if len(all) == 0 {
		a.Say("There are no copies in %s yet. Make one: finsvc backup", a.backupFolder())
	}
	return term.PrintTable(&a.Terminal, term.Columns("made", "kind", "#size", "file"), all, func(c copyFile) []string {
		return []string{term.Moment(c.At), c.kind(), humanize.IBytes(uint64(c.Size)), c.Path}
	})
}

// kind says in words what a copy is.
func (c copyFile) kind() string {
	switch {
	case c.Rest == db.Damaged:
		return "damaged"
	case c.Rest == db.Unproved:
		return "not proved"
	case c.Rest != "":
		return "unfinished"
	case c.Label != "":
		return strings.ReplaceAll(c.Label, "-", " ")
	}
	return "checked"
}

func newBackupVerify(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "verify FILE", Short: "Check that a copy is sound and could be restored", Args: cobra.ExactArgs(1),
		Long: "Check the pages, the indexes and the checksum of a copy, and count its balances from its rows. A copy of an older\n" +
			"schema is copied once more and brought up to date, to prove that it can be. The copy stays as it is.",
		Example: "  finsvc backup verify backups/finance-20261122T020000Z.db",
		RunE:    func(c *cobra.Command, args []string) error { return a.verifyCopy(c.Context(), args[0], asJSON) },
	}
	jsonFlag(c, &asJSON)
	return c
}

func (a *app) verifyCopy(ctx context.Context, file string, asJSON bool) error {
	r, err := a.inspect(ctx, file, everything)
	if err != nil {
		return err
	}
	if _, err := verifyChecksum(ctx, file); errors.Is(err, errAltered) {
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
		a.sayDefects(&r)
		return errors.New(file + " is damaged. Do not restore it; the copies there are: finsvc backup list")
	}
	if len(r.Unproved) > 0 {
		a.sayDefects(&r)
		return errors.New(file + " is whole, but not proved: the books of a household in it do not add up. Restore one that is proved, if there is any: finsvc backup list")
	}
	a.Say("OK: %s: %s.", file, r.summary())
	if r.upgraded {
		a.Say("Its schema is an older one. A server that is started on it brings it up to date.")
	}
	return nil
}
