package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"finsvc/cmd/copies"
	"finsvc/cmd/demo"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/handlers/machine"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// keeper gives the pages of a server what the commands backup, doctor, demo and restore do.
type keeper struct {
	a        *app
	database *db.DB
	books    *books.Books
	schedule *copies.Schedule // whose copies these are
	log      *slog.Logger
}

// errSeveral refuses what would show the books of one household to the people of another.
func errSeveral() error {
	return &ledger.Error{Kind: ledger.Forbidden, Code: "forbidden",
		Message: "The file has the books of several households. Whoever runs the server copies and examines it: finsvc backup, finsvc doctor."}
}

// alone refuses where there are several households.
func (k *keeper) alone(ctx context.Context) error {
	n, _, err := k.books.Audits.CountBooks(ctx)
	if err == nil && n > 1 {
		err = errSeveral()
	}
	return err
}

// LastCopy is when the newest good copy was made.
func (k *keeper) LastCopy() (time.Time, bool) { return k.schedule.Folder.LastProved() }

// Copies lists the copies.
func (k *keeper) Copies(ctx context.Context) ([]machine.Copy, error) {
	if err := k.alone(ctx); err != nil {
		return nil, err
	}
	files, err := k.schedule.Folder.List()
	var list []machine.Copy
	for _, f := range files {
		list = append(list, machine.Copy{Name: filepath.Base(f.Path), Kind: f.Kind(), Size: term.Size(f.Size), At: f.At, Good: f.Rest == ""})
	}
	return list, err
}

// MakeCopy makes a copy where those of the schedule are.
func (k *keeper) MakeCopy(ctx context.Context) (machine.Inspected, error) {
	if err := k.alone(ctx); err != nil {
		return machine.Inspected{}, err
	}
	path, err := k.schedule.Folder.NewPath()
	if err != nil {
		return machine.Inspected{}, err
	}
	r, err := copies.Make(ctx, k.database, path, nil, k.schedule.Inspect)
	if errors.Is(err, copies.ErrDamaged) || errors.Is(err, copies.ErrUnproved) {
		err = nil // the report says so
	}
	return inspected(&r), err
}

func inspected(r *copies.Report) machine.Inspected {
	problems := append(append([]string(nil), r.Defects...), r.Unproved...)
	return machine.Inspected{Name: filepath.Base(r.Path), Summary: r.Summary(), Problems: problems}
}

// path is the path of a copy of a name, which must be one of the list.
func (k *keeper) path(ctx context.Context, name string) (string, error) {
	if err := k.alone(ctx); err != nil {
		return "", err
	}
	files, err := k.schedule.Folder.List()
	for _, f := range files {
		if filepath.Base(f.Path) == name {
			return f.Path, nil
		}
	}
	if err == nil {
		err = ledger.NewNotFound("Backup")
	}
	return "", err
}

// OpenCopy opens a copy to be read.
func (k *keeper) OpenCopy(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	path, err := k.path(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// VerifyCopy looks a copy through, and at its checksum.
func (k *keeper) VerifyCopy(ctx context.Context, name string) (machine.Inspected, error) {
	path, err := k.path(ctx, name)
	if err != nil {
		return machine.Inspected{}, err
	}
	r, err := k.schedule.Inspect(ctx, path)
	if err != nil {
		return machine.Inspected{}, err
	}
	r.Path = path
	if _, err := copies.VerifyChecksum(ctx, path); errors.Is(err, copies.ErrAltered) {
		r.Defects = append(r.Defects, err.Error())
	} else if err != nil {
		return machine.Inspected{}, err
	}
	return inspected(&r), nil
}

// Examine has the doctor examine everything in a process of its own: what it asks of the lock and of the file must be
// asked by another process than the one that holds them, and its memory goes with it.
func (k *keeper) Examine(ctx context.Context) (found []machine.Finding, err error) {
	if err := k.alone(ctx); err != nil {
		return nil, err
	}
	self := ownCommand("doctor", "--json", "--data", k.a.config.Data)
	if self == nil {
		return nil, ledger.NewConflict("the program does not know its own file; examine it with finsvc doctor")
	}
	if k.a.config.Backup.Dir != "" {
		self = append(self, "--backup-dir", k.a.config.Backup.Dir)
	}
	var said bytes.Buffer
	doctor := exec.CommandContext(ctx, self[0], self[1:]...)
	doctor.Env, doctor.Stderr = []string{}, &said
	for name, value := range k.a.env {
		doctor.Env = append(doctor.Env, name+"="+value)
	}
	out, err := doctor.Output()
	if json.Unmarshal(out, &found) == nil {
		return found, nil // with whatever failed
	}
	return nil, fmt.Errorf("the examination failed: %w: %s", err, strings.TrimSpace(said.String()))
}

// FillDemo puts the books of the demonstration into a household.
func (k *keeper) FillDemo(ctx context.Context, who ledger.Actor) error {
	home, err := k.books.Tenants.GetHousehold(ctx, who)
	if err != nil {
		return err
	}
	return demo.Furnish(ctx, k.database, k.books, home, k.a.now, k.log)
}

// Receive keeps a copy that was brought along, beside the others but under a name that is none of theirs. One that cannot be
// restored does not stay.
func (k *keeper) Receive(ctx context.Context, file io.Reader) (got machine.Inspected, command string, err error) {
	n, _, err := k.books.Audits.CountBooks(ctx)
	if err == nil && n > 0 {
		err = ledger.NewConflict("there are books here already")
	}
	if err != nil {
		return got, "", err
	}
	folder := k.schedule.Folder
	path, err := folder.NewPath() // which makes the folder
	if err != nil {
		return got, "", err
	}
	path = filepath.Join(folder.Path, "uploaded-"+filepath.Base(path))
	err = store(path, file)
	var r copies.Report
	if err == nil {
		r, err = k.schedule.Inspect(ctx, path)
		if err != nil && ctx.Err() == nil {
			k.log.Warn("what was brought along cannot be read", "error", err.Error())
			err = ledger.NewInvalid("file", "is no backup that can be read")
		}
	}
	if err == nil && len(r.Defects) > 0 {
		err = ledger.NewInvalid("file", "is no backup that can be restored: %s", r.Defects[0])
	}
	if err != nil {
		return got, "", errors.Join(err, os.Remove(path))
	}
	r.Path = path
	return inspected(&r), "finsvc restore " + term.ShellQuote(path) + " --data " + term.ShellQuote(k.database.Path()) + " --force", nil
}

// store writes a new file.
func store(path string, from io.Reader) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = io.Copy(f, from)
	return err
}
