// Package feed reads prices of securities and exchange rates from an address that the household has named, and from
// nowhere else: one file at a time, over no proxy, with limits of time, size and redirects. What is read is checked
// and booked by package ledger.
package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/market"
)

// Limits of what is read from a source of prices or rates.
const (
	maxSourceAnswer    = 16 << 20 // bytes
	maxSourceRedirects = 3
	sourceTimeout      = 30 * time.Second // for one answer, redirects and all
	maxSourceHeader    = 64 << 10         // bytes
)

// addressTemplate is an address with names in braces. The zero value is none.
type addressTemplate struct{ text string }

// String is the address as it was given.
func (t *addressTemplate) String() string { return t.text }

// Type stands for the value in the help.
func (t *addressTemplate) Type() string { return "URL" }

// IsSet reports whether there is an address at all.
func (t addressTemplate) IsSet() bool { return t.text != "" }

// checkTemplate says what is wrong with an address that has names in braces, of which filled is an example. The error
// continues a sentence that begins with the name of a setting.
func checkTemplate(text, filled, example string, names ...string) error {
	for _, name := range regexp.MustCompile(`\{[^}]*\}?`).FindAllString(text, -1) {
		if !slices.Contains(names, name) {
			last := len(names) - 1
			return fmt.Errorf("must have no other names in braces than %s and %s, has %s",
				strings.Join(names[:last], ", "), names[last], ledger.Quote(name))
		}
	}
	address, err := url.Parse(filled)
	head, _, _ := strings.Cut(text, "{")
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "":
		return fmt.Errorf("must be an address of http or https such as %s", example)
	case strings.Count(head, "/") < 3 && head != text:
		return fmt.Errorf("must name the host without braces, such as %s", example)
	}
	return nil
}

// fillTemplate replaces names in an address. What separates the parts of an address is escaped in what is filled in.
func fillTemplate(text string, values map[string]string) string {
	path, query, has := strings.Cut(text, "?")
	path = replaceNames(path, values, url.PathEscape)
	if !has {
		return path
	}
	return path + "?" + replaceNames(query, values, url.QueryEscape)
}

func replaceNames(text string, values map[string]string, escape func(string) string) string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, name, escape(value))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// newSourceClient makes a client for what is configured and nothing else: it asks no proxy, whatever the environment
// says.
func newSourceClient(redirect func(next *http.Request, before []*http.Request) error) *http.Client {
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: sourceTimeout}).DialContext,
		TLSHandshakeTimeout:    sourceTimeout,
		MaxResponseHeaderBytes: maxSourceHeader,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        sourceTimeout,
		ForceAttemptHTTP2:      true,
	}
	return &http.Client{Transport: transport, Timeout: sourceTimeout, CheckRedirect: redirect}
}

// checkRedirect follows a few redirects, and none from https to http.
func checkRedirect(next *http.Request, before []*http.Request) error {
	switch {
	case len(before) > maxSourceRedirects:
		return fmt.Errorf("it redirects more than %d times", maxSourceRedirects)
	case next.URL.Scheme != "https" && (next.URL.Scheme != "http" || before[0].URL.Scheme == "https"):
		return fmt.Errorf("it redirects to an address of %s", ledger.Quote(next.URL.Scheme))
	}
	return nil
}

// downloaded is what a host has answered.
type downloaded struct {
	host    string
	content []byte
}

// download reads an answer as a whole. Errors do not show the address, which may hold a key.
func download(ctx context.Context, client *http.Client, address, accept string) (downloaded, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return downloaded{}, errors.New("the address for it cannot be written")
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", "finsvc")
	host := request.URL.Hostname()
	answer, err := client.Do(request)
	if err != nil {
		return downloaded{}, withoutAddress(host, err)
	}
	defer answer.Body.Close()
	if err := checkAnswer(answer); err != nil {
		return downloaded{}, err
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxSourceAnswer+1))
	switch {
	case err != nil:
		return downloaded{}, withoutAddress(host, err)
	case len(content) > maxSourceAnswer:
		return downloaded{}, fmt.Errorf("%s answers with more than %d MiB", host, maxSourceAnswer>>20)
	}
	return downloaded{host, content}, nil
}

// withoutAddress says what went wrong on the way to a host.
func withoutAddress(host string, err error) error {
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Errorf("%s does not answer in time", host)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s cannot be asked: %w", host, err)
}

// checkAnswer reports whether there can be prices in an answer.
func checkAnswer(answer *http.Response) error {
	host := answer.Request.URL.Hostname()
	switch answer.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusNotFound:
		return fmt.Errorf("%s does not know it (404)", host)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		wait := ledger.Quote(answer.Header.Get("Retry-After"))
		return fmt.Errorf("%s wants to be asked later (status %d, Retry-After %s): %w", host, answer.StatusCode, wait,
			market.ErrSourceBusy)
	}
	return fmt.Errorf("%s answers with status %d", host, answer.StatusCode)
}
