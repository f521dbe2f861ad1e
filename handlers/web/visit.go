package web

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/signin"
)

// formMax is the longest form in bytes that is no file.
const formMax = 1 << 20

// visit is one request for a page: what was asked, by whom, and how it is answered.
type visit struct {
	*http.Request
	w       http.ResponseWriter
	site    *Site
	route   route
	session *signin.Session // nil where nobody is signed in
	show    *display        // how amounts and days are written
	today   ledger.Date     // where the household lives
}

// who is the person that acts. All that a request changes is one operation of the history, which the next page offers to
// take back.
func (v *visit) who() ledger.Actor { return v.session.Actor }

// device is what the request is known by.
func (v *visit) device() signin.Device {
	return signin.Device{Agent: v.UserAgent(), Address: v.address()}
}

func (v *visit) address() netip.Addr { return v.site.Origins.Client(v.Request) }

// path is a path of these pages as links have it, below the base path.
func (v *visit) path(path string) string { return v.site.Origins.Of(v.Request).Root + path }

// answer wraps the handler of a route: who asks is found out, a read is given up after a while, and errors become pages.
func (s *Site) answer(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		reading := hr.Method == http.MethodGet || hr.Method == http.MethodHead
		if reading && !r.lasts {
			ctx, cancel := context.WithTimeout(hr.Context(), s.ReadLimit)
			defer cancel()
			hr = hr.WithContext(ctx)
		}
		if !reading && !r.uploads {
			hr.Body = http.MaxBytesReader(w, hr.Body, formMax)
		}
		v := &visit{Request: hr, w: w, site: s, route: r}
		err := v.admit()
		if err == nil && !reading && !r.uploads {
			err = v.readForm()
		}
		if err == nil {
			err = r.handle(v)
		}
		if err != nil {
			v.fail(err)
		}
	})
}

// admit finds out who asks, and refuses who may not.
func (v *visit) admit() (err error) {
	v.show, err = v.site.formats.of("en-GB", false) // until it is known who asks
	if err != nil {
		return err
	}
	session, err := v.readSession()
	switch {
	case ledger.IsKind(err, ledger.Unauthorized):
	case err != nil:
		return err
	default:
		v.session = session
	}
	if v.session == nil {
		if v.route.access == open {
			return nil
		}
		return errSignIn
	}
	if v.Method != http.MethodGet && v.Method != http.MethodHead {
		id, err := ledger.NewID()
		if err != nil {
			return err
		}
		v.session.Operation = id
	}
	v.today = v.site.Ledger.Today(v.session.Household)
	v.show, err = v.site.formats.of(v.session.Household.Locale, v.session.HideAmounts)
	if err == nil && v.route.access == writes && !v.session.Writes() {
		err = &ledger.Error{Kind: ledger.Forbidden, Code: "insufficient_scope",
			Message: "you signed in with a key that may only read: sign in with one that may read and write (read_write), or with a password"}
	}
	return err
}

// errSignIn sends a visitor to the page on which to sign in, and back from there.
var errSignIn = errors.New("not signed in")

func (v *visit) readForm() error {
	if err := v.ParseMultipartForm(formMax); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			return &ledger.Error{Kind: ledger.Invalid, Code: "content_too_large", Message: "what was sent is longer than a form may be"}
		}
		return ledger.NewMalformed("the form cannot be read: %s", err)
	}
	return nil
}

// id reads an id of the path; what is none is not found.
func (v *visit) id(what string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(v.PathValue("id"))
	if !ok {
		return id, ledger.NewNotFound(what)
	}
	return id, nil
}

// goTo answers with a redirect to a path of these pages, which may have a query.
func (v *visit) goTo(path string) error {
	http.Redirect(v.w, v.Request, v.path(path), http.StatusSeeOther)
	return nil
}

// goOn is [visit.goTo] after a change of the books: that page says what was done, and offers to take it back.
func (v *visit) goOn(path string) error {
	at, err := url.Parse(path)
	if err != nil {
		return err
	}
	q := at.Query()
	q.Set(paramDone, uuid.UUID(v.session.Operation).String())
	at.RawQuery = q.Encode()
	return v.goTo(at.String())
}

// back is the page that a form says it was on, else another one: a path of these pages and nothing else.
func (v *visit) back(otherwise string) string {
	return ownPath(v.FormValue("back"), otherwise)
}

// ownPath is a path of these pages, with its query but not with what was done before; of anything else it is otherwise.
func ownPath(text, otherwise string) string {
	at, err := url.Parse(text)
	if err != nil || at.Scheme != "" || at.Host != "" || at.User != nil || !strings.HasPrefix(at.Path, "/") ||
		strings.HasPrefix(text, "//") || strings.ContainsAny(text, "\\\r\n\t") {
		return otherwise
	}
	q := at.Query()
	q.Del(paramDone)
	at.RawQuery, at.Fragment = q.Encode(), ""
	return at.String()
}

// paramDone names the operation that the last request was.
const paramDone = "done"

// done is what the request before this one did, if it changed the books and that can be taken back.
func (v *visit) done() (*doneView, error) {
	id, ok := ledger.ParseID(v.URL.Query().Get(paramDone))
	if !ok {
		return nil, nil
	}
	op, err := v.site.Ledger.History.Get(v.Context(), v.who(), id)
	if ledger.IsKind(err, ledger.NotFound) { // nothing was changed
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &doneView{ID: id, Summary: op.Summary(), CanUndo: op.Fixed == "" && v.session.Writes()}, nil
}

// doneView is a line that says what was done.
type doneView struct {
	ID      uuid.UUID
	Summary string
	CanUndo bool
}

// undoChange answers POST /changes/{id}/undo.
func undoChange(v *visit) error {
	id, err := v.id("Change")
	if err != nil {
		return err
	}
	if _, err := v.site.Ledger.History.Undo(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goOn(v.back("/history"))
}

// hideAmounts answers POST /hide: amounts are no longer in the pages of this browser, or are again.
func hideAmounts(v *visit) error {
	if err := v.site.Ledger.SignIn.SetHideAmounts(v.Context(), v.session, v.FormValue("hide") == "true"); err != nil {
		return err
	}
	return v.goTo(v.back("/"))
}
