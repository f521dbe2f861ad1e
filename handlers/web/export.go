package web

import (
	"context"
	"io"
	"net/http"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/export"
)

// exportPage is where the books are taken away from.
const exportPage = "/settings/export"

// exportForm is a form in which a household is written, as the command of the same name does it.
type exportForm struct {
	Name, Ending, Type, Words string
	write                     func(ctx context.Context, s *export.Snapshot, w io.Writer) error
}

func exportForms(now time.Time) []exportForm {
	return []exportForm{
		{"csv", "zip", "application/zip", "Tables for a spreadsheet, in a zip file",
			func(ctx context.Context, s *export.Snapshot, w io.Writer) error {
				_, err := s.Zip(ctx, w, now)
				return err
			}},
		{"ndjson", "ndjson", "application/x-ndjson", "Everything, as lines of JSON that can be imported again",
			func(ctx context.Context, s *export.Snapshot, w io.Writer) error {
				_, err := s.Backup(ctx, w)
				return err
			}},
		{"hledger", "journal", "text/plain; charset=utf-8", "A journal for hledger",
			func(ctx context.Context, s *export.Snapshot, w io.Writer) error {
				_, err := s.Journal(ctx, w)
				return err
			}},
		{"beancount", "beancount", "text/plain; charset=utf-8", "A journal for Beancount",
			func(ctx context.Context, s *export.Snapshot, w io.Writer) error {
				_, err := s.Beancount(ctx, w)
				return err
			}},
	}
}

// showExport answers GET /settings/export.
func showExport(v *visit) error { return v.render("export", "Export", exportForms(v.site.Now())) }

// exportBooks answers GET /settings/export/{form}: the household in one view of the data, sent as it is written.
func exportBooks(v *visit) error {
	if err := v.proved(exportPage); err != nil {
		return err
	}
	now := v.site.Now()
	for _, form := range exportForms(now) {
		if form.Name != v.PathValue("form") {
			continue
		}
		send := v.download("finsvc-"+v.today.String()+"."+form.Ending, form.Type)
		if v.Method == http.MethodHead {
			return nil
		}
		err := v.site.Ledger.Exports.Snapshot(v.Context(), v.who(), func(ctx context.Context, s *export.Snapshot) error {
			return form.write(ctx, s, send)
		})
		return send.end(err)
	}
	return ledger.NewNotFound("Form of export")
}

// download sends a file to be kept. It gives up on a browser that takes nothing for a while, as what is read of the
// database stays open until then.
type download struct {
	v       *visit
	control *http.ResponseController
	begun   bool
}

func (v *visit) download(name, contentType string) *download {
	h := v.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return &download{v: v, control: http.NewResponseController(v.w)}
}

// Write sends a piece.
func (d *download) Write(p []byte) (int, error) {
	d.begun = true
	_ = d.control.SetWriteDeadline(time.Now().Add(sendPatience)) // unsupported by recorders only
	return d.v.w.Write(p)
}

// end cuts the connection of a file that is not whole, so that the browser does not take it for one; before anything was
// sent an error becomes a page as ever.
func (d *download) end(err error) error {
	if err == nil || d.begun {
		if err != nil {
			d.v.site.Logger.Warn("a download ended early", "error", err.Error())
			panic(http.ErrAbortHandler)
		}
		return nil
	}
	d.v.w.Header().Del("Content-Disposition")
	return err
}
