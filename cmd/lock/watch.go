package lock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/db/disk"
	"finsvc/db/filelock"
	"finsvc/ledger"
)

// How often a server looks whether its file and its lock are where they were, and how often it says that they are not.
const (
	WatchEvery = 2 * time.Second
	placeAgain = time.Minute
)

// Watch looks whether the path of a served database still leads to the open file. When it does not, it says so again
// and again, and writes one copy of what the file holds, which is gone with the process otherwise. It keeps the
// server's lock where others look for it.
type Watch struct {
	Backups  string // folder of the copies
	Now      func() time.Time
	database *db.DB
	Log      *slog.Logger
	Lock     *filelock.Lock
	By       Owner // what stands in the lock file

	problem string    // what was said last; empty while all is well
	said    time.Time // when
	copied  string    // the copy of what is held now; empty when there is none
	version int64     // of the data in that copy
}

// Begin notes which file was opened, so that commands can tell it from one that is in its place later.
func (w *Watch) Begin(database *db.DB) {
	w.database = database
	if info, err := os.Stat(w.By.Path); err == nil {
		w.By.File = disk.Identity(info)
	}
	w.By.Write(w.Lock)
}

// Tick looks once.
func (w *Watch) Tick(ctx context.Context) error {
	w.keepLock()
	err := w.database.Displaced()
	switch {
	case err == nil && w.problem == "":
		return nil
	case err == nil:
		w.problem = ""
		w.Log.Info("the database file is back in its place; writes go on", "file", w.By.Path)
		return nil
	case err.Error() == w.problem && time.Since(w.said) < placeAgain:
		return nil
	}
	w.problem, w.said = err.Error(), time.Now()
	w.Log.Error("the database file is not in its place; nothing is written", "error", w.problem)
	return w.rescue(ctx)
}

// End is the last look: a copy that is still missing is written before the file is closed.
func (w *Watch) End() {
	if w.database.Displaced() == nil {
		return
	}
	if err := w.rescue(context.Background()); err != nil {
		w.Log.Error("what the database file held is lost unless it is put back", "error", err.Error())
	}
}

// rescue writes what is held beside where the file was, or among the backups where that folder is gone, unless a copy
// holds it already. It is not looked through: a restore does that. A stop waits for it.
func (w *Watch) rescue(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	version, err := w.database.Version(ctx)
	if err != nil {
		return err
	}
	if w.copied != "" && w.version == version && isFile(w.copied) {
		w.Log.Error("what it holds is in a copy", "copy", w.copied, "restore", w.restoreCommand())
		return nil
	}
	folder := w.database.Folder()
	if !IsFolder(folder) {
		folder = w.Backups
		if !IsFolder(folder) {
			return fmt.Errorf("no copy of what it holds can be written: its folder %s is gone. Put the folder back, or make an empty one for the copy: mkdir -p %s",
				w.database.Folder(), term.ShellQuote(w.database.Folder()))
		}
	}
	path := filepath.Join(folder, db.CopyName(w.By.Path, w.Now(), db.RescueLabel))
	if err := w.database.CopyTo(ctx, path+db.Unfinished, nil); err != nil {
		return fmt.Errorf("no copy of what it holds was written: %w", err)
	}
	if err := db.MoveTo(path+db.Unfinished, path); err != nil {
		return errors.Join(fmt.Errorf("no copy of what it holds was written: %w", err), db.Discard(path+db.Unfinished))
	}
	w.copied, w.version = path, version
	w.Log.Error("what it holds was copied", "copy", path, "restore", w.restoreCommand())
	return nil
}

// restoreCommand is what puts the copy in the place of the file, once the server is stopped.
func (w *Watch) restoreCommand() string {
	return fmt.Sprintf("finsvc restore --data %s %s", term.ShellQuote(w.By.Path), term.ShellQuote(w.copied))
}

// keepLock takes the lock anew when its file is gone, before another server does.
func (w *Watch) keepLock() {
	if w.Lock.InPlace() || !IsFolder(filepath.Dir(w.Lock.Path())) {
		return
	}
	fresh, err := takeBeside(strings.TrimSuffix(w.Lock.Path(), lockEnding))
	if err != nil {
		w.Log.Error("the lock file of this server is gone, and cannot be made anew", "file", w.Lock.Path(), "error",
			err.Error())
		return
	}
	_ = w.Lock.Release() // of a file that is gone
	w.Lock = fresh
	w.By.Write(fresh)
	w.Log.Warn("the lock file of this server was removed, and made anew", "file", fresh.Path())
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// CheckPlace refuses to use a path while a server has another file open by it, or this file by another path: the log
// that lies beside the one is not that of the other.
func CheckPlace(path string) error {
	by, running, err := ServerOn(path)
	if err != nil {
		return nil // whoever cannot look cannot open it either, and is told then
	}
	info, errFile := os.Stat(path)
	switch {
	case !running:
		served, err := db.Served(path)
		if err == nil && served {
			return servedElsewhere(path)
		}
		return nil
	case by.File == "": // it has not opened the file yet, or does not know which it is
		return nil
	case errors.Is(errFile, fs.ErrNotExist):
		return ledger.NewConflict("%s was removed or moved away from under the server that runs on it (%s), which still has it open, and writes nothing. "+
			"Put it back; or stop that server and restore the copy that it has written: its log says which", path, by)
	case errFile == nil && by.File != disk.Identity(info):
		return ledger.NewConflict("%s is not the file that the server that runs on it has open (%s): it was replaced. That server writes nothing. "+
			"Put the old file back; or stop that server, then choose between this file and the copy that it has written: its log says which", path, by)
	}
	return nil
}
