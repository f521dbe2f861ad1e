package web

import (
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"strconv"

	"finsvc/handlers/machine"
	"finsvc/ledger"
)

// backupPage is where copies of the file are.
const backupPage = "/settings/backup"

// backupView is the copies of the file. Made is what one was looked through for just now.
type backupView struct {
	Copies []machine.Copy
	Last   string // when the newest good one was made; blank when there is none
	Made   *machine.Inspected
	Doing  string // what Made came of: made or verified
}

// keeper is the program around the server, for an admin.
func (v *visit) keeper() (machine.Machine, error) {
	if v.site.Machine == nil {
		return nil, ledger.NewNotFound("Page")
	}
	return v.site.Machine, v.needAdmin()
}

// backupStamp is how pages write the time of a copy.
const backupStamp = "2006-01-02 15:04"

func (v *visit) backups() (view backupView, err error) {
	k, err := v.keeper()
	if err != nil {
		return view, err
	}
	if at, ok := k.LastCopy(); ok {
		view.Last = at.UTC().Format(backupStamp)
	}
	view.Copies, err = k.Copies(v.Context())
	return view, err
}

// showBackups answers GET /settings/backup.
func showBackups(v *visit) error {
	view, err := v.backups()
	if err != nil {
		return err
	}
	return v.render("backup", "Backup", view)
}

// makeBackup answers POST /settings/backup: the page says what the new copy holds.
func makeBackup(v *visit) error {
	return v.inspect("made", func(k machine.Machine) (machine.Inspected, error) { return k.MakeCopy(v.Context()) })
}

// verifyBackup answers POST /settings/backup/{name}/verify.
func verifyBackup(v *visit) error {
	return v.inspect("verified", func(k machine.Machine) (machine.Inspected, error) {
		return k.VerifyCopy(v.Context(), v.PathValue("name"))
	})
}

func (v *visit) inspect(doing string, work func(machine.Machine) (machine.Inspected, error)) error {
	k, err := v.keeper()
	if err != nil {
		return err
	}
	got, err := work(k)
	if err != nil {
		return err
	}
	view, err := v.backups()
	if err != nil {
		return err
	}
	view.Made, view.Doing = &got, doing
	return v.render("backup", "Backup", view)
}

// sendBackup answers GET /settings/backup/{name}.
func sendBackup(v *visit) error {
	k, err := v.keeper()
	if err != nil {
		return err
	}
	if err := v.proved(backupPage); err != nil {
		return err
	}
	name := v.PathValue("name")
	file, size, err := k.OpenCopy(v.Context(), name)
	if err != nil {
		return err
	}
	defer file.Close()
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "backup sent", slog.String("file", name),
		slog.String("user", v.session.User.PublicID.String()), slog.String("address", v.address().String()))
	send := v.download(name, "application/vnd.sqlite3")
	v.w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	if v.Method == http.MethodHead {
		return nil
	}
	_, err = io.Copy(send, file)
	return send.end(err)
}

// showDoctor answers GET /settings/doctor: the examination takes time, and begins with a button.
func showDoctor(v *visit) error {
	if _, err := v.keeper(); err != nil {
		return err
	}
	return v.render("doctor", "Examination", []machine.Finding(nil))
}

// examine answers POST /settings/doctor. Nothing is changed.
func examine(v *visit) error {
	k, err := v.keeper()
	if err != nil {
		return err
	}
	found, err := k.Examine(v.Context())
	if err != nil {
		return err
	}
	return v.render("doctor", "Examination", found)
}

// restoreView is the page on which a backup is brought along before there are any books.
type restoreView struct {
	Got      *machine.Inspected
	Command  string // that finishes it
	Problems formProblems
}

// maxRestored is the largest backup that is taken, in bytes.
const maxRestored = 16 << 30

// atSetUp refuses whoever does not have the code, and everybody when there are books.
func (v *visit) atSetUp() (machine.Machine, error) {
	if v.site.Machine == nil {
		return nil, ledger.NewNotFound("Page")
	}
	return v.site.Machine, v.site.Ledger.SignIn.CheckSetUp(v.Context(), v.keptCode())
}

// showRestore answers GET /setup/restore.
func showRestore(v *visit) error {
	if _, err := v.atSetUp(); err != nil {
		return v.wrongCode(err, v.newSetUp())
	}
	return v.render("restore", "Restore a backup", restoreView{})
}

// receiveBackup answers POST /setup/restore: the file is kept and looked through. It cannot take the place of the file that
// this server has open, so the page says the command that does it when the server has stopped.
func receiveBackup(v *visit) error {
	k, err := v.atSetUp()
	if err != nil {
		return v.wrongCode(err, v.newSetUp())
	}
	v.Body = http.MaxBytesReader(v.w, v.Body, maxRestored)
	file, err := v.filePart("file")
	var view restoreView
	if err == nil {
		var got machine.Inspected
		got, view.Command, err = k.Receive(v.Context(), file)
		view.Got = &got
	}
	if err != nil {
		return v.again(err, "restore", "Restore a backup", func(p formProblems) any { return restoreView{Problems: p} })
	}
	return v.render("restore", "Restore a backup", view)
}

// filePart is the file of a form, which is read as it comes.
func (v *visit) filePart(name string) (*multipart.Part, error) {
	parts, err := v.MultipartReader()
	for err == nil {
		var part *multipart.Part
		part, err = parts.NextPart()
		if err == nil && part.FormName() == name && part.FileName() != "" {
			return part, nil
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, http.ErrNotMultipart) {
		return nil, ledger.NewMalformed("the form cannot be read: %s", err)
	}
	return nil, ledger.NewInvalid(name, "is required: choose a backup")
}
