package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"

	"finsvc/ledger"
)

// errorView is a page that says what went wrong.
type errorView struct {
	Status    int
	Heading   string
	Message   string
	Details   []string
	Reference string // of the log; of what only the operator can mend
	Back      string // what was being done, to be tried again; may be empty
}

// fail answers with the page of an error.
func (v *visit) fail(err error) {
	if errors.Is(err, errSignIn) {
		v.askToSignIn()
		return
	}
	if v.askToConfirm(err) {
		return
	}
	if errors.Is(v.Request.Context().Err(), context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return // the browser is gone
	}
	page := v.describe(err)
	v.w.Header().Del("Content-Length")
	if failed := v.renderStatus(page.Status, "error", page.Heading, page); failed != nil {
		v.site.Logger.Error("the page of an error failed", "error", failed.Error(), "of", err.Error())
		http.Error(v.w, page.Heading+" "+page.Message, page.Status)
	}
}

// askToSignIn sends to the page for that, and from there to where the visitor wanted to be, unless something was to be
// done there: what was typed is not kept.
func (v *visit) askToSignIn() {
	path := "/login"
	if v.Method == http.MethodGet && v.URL.Path != "/" {
		path += "?" + url.Values{"next": {v.URL.RequestURI()}}.Encode()
	}
	_ = v.goTo(path)
}

// describe says what an error is, in words for people.
func (v *visit) describe(err error) errorView {
	page := errorView{Status: http.StatusInternalServerError, Heading: "Something went wrong here",
		Message: "Nothing that you did is to blame. The log says more under the reference below."}
	e := ledger.AsError(err)
	kind := ledger.Internal
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		page = errorView{Status: http.StatusServiceUnavailable, Heading: "This took too long",
			Message: "Looking for it was given up. Ask for less at once, such as fewer days or a longer word."}
		return page
	case ledger.IsUnavailable(err):
		kind = ledger.Unavailable
	case e != nil:
		kind = e.Kind
	}
	if e != nil && kind != ledger.Internal {
		page.Message = e.Message
		if len(e.Fields) > 0 {
			page.Message = ""
			page.Details = e.Fields.Sentences()
		}
	}
	switch kind {
	case ledger.Malformed:
		page.Status, page.Heading = http.StatusBadRequest, "This could not be read"
	case ledger.Invalid:
		page.Status, page.Heading = http.StatusUnprocessableEntity, "This cannot be done as it is"
	case ledger.Unauthorized:
		page.Status, page.Heading = http.StatusUnauthorized, "You are not signed in"
	case ledger.Forbidden:
		page.Status, page.Heading = http.StatusForbidden, "You may not do this"
	case ledger.NotFound:
		page.Status, page.Heading = http.StatusNotFound, "There is nothing here"
	case ledger.Conflict:
		page.Status, page.Heading = http.StatusConflict, "This is not possible now"
	case ledger.RateLimited:
		page.Status, page.Heading = http.StatusTooManyRequests, "Too often in too short a time"
		if seconds, ok := e.Details["reset_in_seconds"].(int); ok {
			v.w.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
	case ledger.Unavailable:
		page.Status, page.Heading = http.StatusServiceUnavailable, "The books are busy"
		page.Message = "Nothing was written. Try again in a moment."
		v.w.Header().Set("Retry-After", "2")
	default:
		page.Reference = v.w.Header().Get("X-Request-Id")
		v.site.Logger.LogAttrs(v.Context(), slog.LevelError, "page failed", slog.String("request_id", page.Reference),
			slog.String("route", v.route.pattern), slog.String("error", err.Error()))
	}
	return page
}

// showNothing answers for paths that nothing is at.
func showNothing(v *visit) error {
	return &ledger.Error{Kind: ledger.NotFound, Message: "No page has this address."}
}

// showForged answers what was posted from a page that is not one of these: another program on the same host could have
// made it, and the browser would have sent the cookie along.
func showForged(v *visit) error {
	return &ledger.Error{Kind: ledger.Forbidden, Message: "This was sent by a page of another address (" +
		ledger.Quote(v.Header.Get("Origin")) + ") than the one that it arrived at (" + ledger.Quote(v.Host) + "), so it was not done. " +
		"If a proxy stands between you and finsvc, let it pass the host name on, or name the address that you use: FINSVC_PUBLIC_URL."}
}
