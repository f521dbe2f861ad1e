package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"finsvc/cmd/copies"
	"finsvc/cmd/exit"
	"finsvc/cmd/lock"
	"finsvc/db"
	"finsvc/db/filelock"
	"finsvc/ledger"
)

// restoreFlags are what a command line says about a restore.
type restoreFlags struct{ force, dryRun, list, unproved bool }

func newRestore(a *app) *cobra.Command {
	var f restoreFlags
	c := &cobra.Command{
		Use: "restore FILE", Short: "Put a copy in the place of the database", Args: cobra.MaximumNArgs(1),
		Long: "Check a copy and put it in the place of the database, which is kept beside it. A server that runs on the database must\n" +
			"be stopped before. A copy that has its checksum beside it and is what it was need not have its pages checked again.\n\nMore: finsvc help backups",
		Example: "  finsvc restore --list\n  finsvc restore backups/finance-20261122T020000Z.db\n" +
			"  finsvc restore /mnt/usb/finance-20261122T020000Z.db --data /srv/finsvc/finance.db --force",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.list:
				return listCopies(a, false)
			case len(args) == 0:
				return exit.Usagef("name the copy to restore; the copies there are: finsvc restore --list")
			case f.dryRun:
				return tryRestore(c.Context(), a, args[0])
			}
			return restoreCopy(c.Context(), a, args[0], f)
		},
	}
	c.Flags().BoolVar(&f.force, "force", false, "replace the database that is there, without asking")
	c.Flags().BoolVar(&f.unproved, "unproved", false, "also a copy in which the books of a household do not add up, without asking")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "only check the copy and say what would be done")
	c.Flags().BoolVar(&f.list, "list", false, "list the copies there are")
	a.config.AddFlags(c.Flags(), "backup-dir")
	return c
}

// tryRestore says what a restore would do.
func tryRestore(ctx context.Context, a *app, file string) error {
	place, err := filepath.Abs(a.config.Data)
	if err != nil {
		return err
	}
	place = lock.BehindLinks(place)
	if err := verifyCopy(ctx, a, file, false); err != nil {
		return err
	}
	if _, err := os.Stat(place); err == nil {
		a.Say("It would take the place of %s, which would be kept beside it.", place)
	} else {
		a.Say("It would become %s.", place)
	}
	return nil
}

// restoreCopy puts a copy in the place of the database. Everything is checked before anything is touched.
func restoreCopy(ctx context.Context, a *app, file string, f restoreFlags) (err error) {
	started := time.Now()
	place, err := filepath.Abs(a.config.Data)
	if err != nil {
		return err
	}
	place = lock.BehindLinks(place)
	lock, err := holdPlace(place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := mayReplace(ctx, a, place, file, f.force); err != nil {
		return err
	}
	fresh := place + ".restoring"
	r, err := freshCopy(ctx, a, file, fresh)
	if err == nil && len(r.Unproved) > 0 && !f.unproved {
		err = mayRestoreUnproved(ctx, a, file, &r)
	}
	if err != nil {
		return errors.Join(err, db.Discard(fresh))
	}
	swap, err := db.NewReplacement(place, fresh, a.now())
	if err == nil {
		err = swap.Run(ctx)
	}
	if err != nil {
		return errors.Join(err, db.Discard(fresh))
	}
	r.Milliseconds = time.Since(started).Milliseconds()
	a.Say("Restored %s: %s.", place, r.Summary())
	if swap.Kept != "" {
		a.Say("What was there is kept as %s; delete it when you are content.", swap.Kept)
	}
	a.Say("Start the server again: finsvc serve --data '%s'", place)
	return nil
}

// holdPlace keeps servers off the place of a database until the lock is given back.
func holdPlace(place string) (*filelock.Lock, error) {
	if folder := filepath.Dir(place); !lock.IsFolder(folder) {
		return nil, &ledger.Error{Kind: ledger.NotFound, Code: "not_found",
			Message: fmt.Sprintf("there is no folder %s to restore into. Create it first: mkdir -p '%[1]s'", folder)}
	}
	lock, err := lock.Take(place)
	if e := ledger.AsError(err); e != nil && e.Kind == ledger.Conflict {
		return nil, ledger.NewConflict("a server is running on %s. Stop it, restore, and start it again; or restore to another file with --data", place)
	}
	return lock, err
}

// mayReplace reports whether the copy may be put in the place; it asks where it can.
func mayReplace(ctx context.Context, a *app, place, file string, force bool) error {
	was, err := os.Stat(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if now, err := os.Stat(file); err == nil && os.SameFile(was, now) {
		return exit.Usagef("%s is the database itself", file)
	}
	if force {
		return nil
	}
	if !a.CanAsk() {
		return ledger.NewConflict("there is a database %s already. Replace it with --force; it is kept beside the restored one", place)
	}
	yes, err := a.Confirm(ctx, "Replace "+place+", which is kept beside it?")
	if err != nil || !yes {
		return errors.Join(err, ledger.NewConflict("nothing was restored"))
	}
	return nil
}

// mayRestoreUnproved asks whether a copy is to be restored in which the books of a household do not add up.
func mayRestoreUnproved(ctx context.Context, a *app, file string, r *copies.Report) error {
	a.Say("%s is whole, but not proved: the books of a household in it do not add up.", file)
	sayDefects(&a.Terminal, r)
	if !a.CanAsk() {
		return ledger.NewConflict("nothing was restored. Take a copy that is proved, if there is any: finsvc restore --list. Or restore this one all the same with --unproved")
	}
	yes, err := a.Confirm(ctx, "Restore it all the same?")
	if err != nil || !yes {
		return errors.Join(err, ledger.NewConflict("nothing was restored"))
	}
	return nil
}

// freshCopy copies the file that is to be restored, and checks the copy: that is what will be in the place.
func freshCopy(ctx context.Context, a *app, file, fresh string) (r copies.Report, err error) {
	if err := db.Discard(fresh); err != nil { // a restore was killed
		return r, err
	}
	view, err := db.View(ctx, file, a.migrations...)
	if err != nil {
		return r, err
	}
	progress, end := pageBar(&a.Terminal)
	err = errors.Join(view.CopyTo(ctx, fresh, progress), view.Close())
	end()
	if err != nil {
		return r, err
	}
	known, err := copies.VerifyChecksum(ctx, file)
	if err == nil {
		r, err = a.inspector().Inspect(ctx, fresh, copies.Depth(!known))
	}
	if err == nil && len(r.Defects) > 0 {
		sayDefects(&a.Terminal, &r)
		err = errors.New("it is damaged")
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s was not restored, and nothing was changed: %w. The copies there are: finsvc restore --list", file, err)
	}
	return r, err
}
