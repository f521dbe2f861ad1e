package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"finsvc/ledger"
)

// ErrClientGone stands for a request whose client did not wait for the answer.
var ErrClientGone = errors.New("client gone")

// Codes of errors that are HTTP's own; their kinds are Malformed, their statuses more exact.
const (
	codeMethod    = "method_not_allowed"
	codeMediaType = "unsupported_media_type"
	CodeTooLarge  = "content_too_large"
	codeTimeout   = "request_timeout"
)

// CodePrecondition is the code of errors with status 412, whose kind is Conflict.
const CodePrecondition = "precondition_failed"

// retryUnavailable is after how many seconds a request that could not be served may be sent again.
const retryUnavailable = "5"

func ErrMethod(method string, allowed []string) error {
	return &ledger.Error{Kind: ledger.Malformed, Code: codeMethod,
		Message: MethodName(method) + " is not possible here; possible are " + strings.Join(allowed, ", ")}
}

// MethodName keeps words that a client made up out of the log.
func MethodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}

// Interrupted tells apart why a request's context ended: the client left (the context has no cause of
// its own), or the server is shutting down.
func Interrupted(ctx context.Context, err error) error {
	switch {
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
			Message: "this took too long; nothing was written", Err: err}
	case ctx.Err() == nil || !errors.Is(err, ctx.Err()):
		return err
	case errors.Is(context.Cause(ctx), context.Canceled):
		return ErrClientGone
	}
	return ErrStopping(err)
}

// ErrStopping is why a request is not answered that came when the server was told to stop.
func ErrStopping(cause error) error {
	return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
		Message: "the server is shutting down; nothing was written", Err: cause}
}

// Classified is the error as a client may be told of it.
func Classified(err error) *ledger.Error {
	if e := ledger.AsError(err); e != nil {
		return e
	}
	if ledger.IsBusy(err) {
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
			Message: "too many reads that take long are running for this household; ask again in a few seconds",
			Err:     err}
	}
	if ledger.IsDisplaced(err) {
		return ErrDisplaced(err)
	}
	if ledger.IsUnavailable(err) {
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
			Message: "the database cannot be written at present, such as when the disk is full; nothing was written",
			Err:     err}
	}
	return &ledger.Error{Kind: ledger.Internal, Err: err}
}

// ErrDisplaced tells of a database file that was removed, moved or replaced, and not where it was.
func ErrDisplaced(err error) *ledger.Error {
	return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable", Err: err,
		Message: "the database file was removed, moved or replaced under the server: reading goes on, nothing was written, and nothing will be until the file " +
			"is back in its place. The server's log says what happened, and where it has written a copy"}
}

// codeTooLong is the code of a write that was given up because others had waited for it.
const codeTooLong = "write_too_long"

// TooLong says that the write of a request was given up for the sake of those that waited for it. What a run of rules
// or the like has done in earlier writes stays; its own write is undone.
func TooLong(r *Request, err error) error {
	if ledger.AsError(err) != nil || !ledger.IsOverBudget(err) {
		return err
	}
	what := MethodName(r.Method) + " " + r.Pattern
	return &ledger.Error{Kind: ledger.Unavailable, Code: codeTooLong, Details: map[string]any{"operation": what},
		Err:     err,
		Message: what + " took too long: other writes waited for it, so it was given up and undone. Send it again when less is written, or ask for less at a time"}
}

// outcome is the status of an error, and its code where it has none of its own.
func outcome(e *ledger.Error) (status int, code string) {
	switch e.Code {
	case codeMethod:
		return http.StatusMethodNotAllowed, e.Code
	case codeMediaType:
		return http.StatusUnsupportedMediaType, e.Code
	case CodePrecondition:
		return http.StatusPreconditionFailed, e.Code
	case codeTimeout:
		return http.StatusRequestTimeout, e.Code
	}
	switch e.Kind {
	case ledger.Malformed:
		status, code = http.StatusBadRequest, "bad_request"
	case ledger.Invalid:
		status, code = http.StatusUnprocessableEntity, "validation_failed"
	case ledger.Unauthorized:
		status, code = http.StatusUnauthorized, "unauthorized"
	case ledger.Forbidden:
		status, code = http.StatusForbidden, "insufficient_scope"
	case ledger.NotFound:
		status, code = http.StatusNotFound, "not_found"
	case ledger.Conflict:
		status, code = http.StatusConflict, "conflict"
	case ledger.RateLimited:
		status, code = http.StatusTooManyRequests, "rate_limit_exceeded"
	case ledger.Unavailable:
		status, code = http.StatusServiceUnavailable, "unavailable"
	default:
		return http.StatusInternalServerError, "internal_error"
	}
	if e.Code != "" {
		code = e.Code
	}
	return status, code
}

// errorBody is the one shape of every error.
type errorBody struct {
	Error   string   `json:"error"`
	Message *string  `json:"message"`
	Details any      `json:"details"`
	Errors  []string `json:"errors,omitempty"` // of validation failures: the same as Details
}

// Fail makes the answer that of an error. What an internal error says stays inside.
func (a *Answer) Fail(r *Request, e *ledger.Error) {
	status, code := outcome(e)
	body := errorBody{Error: code}
	switch {
	case e.Kind == ledger.Internal:
		body.Message = new("something went wrong here, and the server's log says what under request id " + r.ID)
	case e.Message != "":
		body.Message = &e.Message
	}
	switch {
	case e.Kind == ledger.Internal:
	case len(e.Fields) > 0:
		body.Errors = e.Fields.Sentences()
		body.Details = body.Errors
	case len(e.Details) > 0:
		body.Details = e.Details
	}
	if status == http.StatusServiceUnavailable {
		a.Header().Set("Retry-After", retryUnavailable)
	}
	a.Status, a.ContentType = status, TypeJSON
	if err := a.Encode(body); err != nil { // Details that JSON cannot hold: a mistake of ours
		body.Details = nil
		_ = a.Encode(body)
	}
}
