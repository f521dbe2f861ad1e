package provider

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"finsvc/assistant/model"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is what a provider answers instead of a reply. Its text has no words of the provider, which may repeat
// what it was asked; Message has.
type Error struct {
	// of HTTP; of an error within an answer the one that its code stands for, 0 when it stands for none
	Status            int
	Code, Type, Param string // as the provider says
	Message           string // for a person's eyes, never for a log
	RetryAfter        time.Duration
}

// maxField is how much of a field is logged, in letters.
const maxField = 100

// Error is for the log.
func (e *Error) Error() string {
	text := "the provider answered with an error"
	if e.Status > 0 {
		text = fmt.Sprintf("the provider answered with status %d", e.Status)
	}
	for _, field := range [][2]string{{"code", e.Code}, {"type", e.Type}, {"param", e.Param}} {
		if field[1] != "" {
			text += fmt.Sprintf(", %s %.*q", field[0], maxField, field[1])
		}
	}
	return text
}

// hide takes a key out of what the provider says.
func (e *Error) hide(key string) {
	if key == "" {
		return
	}
	for _, text := range []*string{&e.Code, &e.Type, &e.Param, &e.Message} {
		*text = strings.ReplaceAll(*text, key, "KEY")
	}
}

// readProviderError reads the error that an answer is.
func readProviderError(resp *http.Response, body io.Reader) error {
	var whole struct{ Error json.RawMessage }
	text, err := io.ReadAll(io.LimitReader(body, maxErrorBody))
	if err != nil || json.Unmarshal(text, &whole) != nil {
		whole.Error = nil // cut off, or a page: the status says enough
	}
	e := parseProviderError(whole.Error)
	e.Status = resp.StatusCode
	e.RetryAfter = retryAfter(resp.Header)
	return e
}

// parseProviderError reads an error's object, or the text that some have instead.
func parseProviderError(raw json.RawMessage) *Error {
	e := &Error{}
	if json.Unmarshal(raw, &e.Message) == nil {
		return e
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return e
	}
	field := func(name string) string {
		var text string
		if json.Unmarshal(members[name], &text) != nil {
			text = string(members[name]) // a number
		}
		return text
	}
	e.Code, e.Type, e.Param = field("code"), field("type"), field("param")
	_ = json.Unmarshal(members["message"], &e.Message) // without one there is none
	return e
}

// streamedError is an error that comes within an answer.
func streamedError(raw json.RawMessage) error {
	e := parseProviderError(raw)
	for _, code := range []string{e.Code, e.Type} {
		if e.Status == 0 {
			e.Status = statusOf(code)
		}
	}
	return e
}

// statusOf is the status that a code or type of an error stands for; 0 when it is unknown.
func statusOf(code string) int {
	n, err := strconv.Atoi(code)
	if err == nil && n >= 400 && n < 600 {
		return n
	}
	switch code {
	case "rate_limit_exceeded", "rate_limit_error", codeNoQuota:
		return http.StatusTooManyRequests
	case "server_error", "internal_server_error", "api_error", "overloaded_error", "timeout_error",
		"server_is_overloaded":
		return http.StatusServiceUnavailable
	case "invalid_api_key", "authentication_error":
		return http.StatusUnauthorized
	case "permission_error":
		return http.StatusForbidden
	case "model_not_found", "not_found_error":
		return http.StatusNotFound
	}
	return 0
}

// codeNoQuota is the code of a 429 that no waiting ends.
const codeNoQuota = "insufficient_quota"

// maxRetryAfter keeps what a header asks for within reason.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the header of that name: seconds, or a date, which counts from the provider's own.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(0, until.Sub(now)), maxRetryAfter)
}

// failed is what becomes of an error: the context's own stays, every other is a [model.Failure]. Nothing is to be
// tried again when text has come: it was shown.
func (r *Client) failed(ctx context.Context, err error, spoken bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := &model.Failure{Err: err}
	e, ok := errors.AsType[*Error](err)
	if ok {
		e.hide(r.o.Key)
		f.Kind, f.RetryAfter = kindOfStatus(e.Status), e.RetryAfter
		f.Again = isTemporary(e.Status) && e.Code != codeNoQuota && e.Type != codeNoQuota
	} else {
		f.Kind = kindOfTransport(err)
		f.Again = f.Kind == model.FailureUnavailable
	}
	f.Again = f.Again && !spoken
	return f
}

func kindOfStatus(status int) model.FailureKind {
	switch {
	case status == http.StatusTooManyRequests:
		return model.FailureRateLimited
	case status == http.StatusRequestTimeout, status >= 500:
		return model.FailureUnavailable
	case status >= 300 && status < 400, status == http.StatusUnauthorized, status == http.StatusPaymentRequired,
		status == http.StatusForbidden, status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return model.FailureMisconfigured
	}
	return model.FailureOther
}

// isTemporary reports whether the status may be another one in a moment.
func isTemporary(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// kindOfTransport goes by the types of errors.
func kindOfTransport(err error) model.FailureKind {
	if misconfigured(err) {
		return model.FailureMisconfigured
	}
	_, cut := errors.AsType[cutError](err)
	if cut {
		return model.FailureUnavailable
	}
	_, network := errors.AsType[*net.OpError](err) // to dial, to read, to write
	late, timed := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, errQuiet), errors.Is(err, errEndless), network, timed && late.Timeout():
		return model.FailureUnavailable
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF): // closed without an answer, or in the middle of one
		return model.FailureUnavailable
	}
	return model.FailureOther
}

// misconfigured reports whether an error of the transport is one that only an administrator can mend: the address, the
// certificate, the settings.
func misconfigured(err error) bool {
	dns, ok := errors.AsType[*net.DNSError](err)
	if ok {
		return dns.IsNotFound
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, alert := errors.AsType[tls.AlertError](err)
	_, record := errors.AsType[tls.RecordHeaderError](err)
	return certificate || alert || record || errors.Is(err, errNotLocal) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// formRefused reports whether a server may have refused the form of a request rather than what is asked. Too long a
// question is refused in any form, and must not make a model seem to have no tools.
func formRefused(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code == "context_length_exceeded" || e.Type == "exceed_context_size_error" ||
		e.Code == "model_not_found" {
		return false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}
