package importer

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
)

// PriceTemplate is the address from which prices are read, with {ticker}, {mic}, {from} and {to} in place of what
// is asked for. The zero value is none.
type PriceTemplate struct{ text string }

// Limits of what is read from a source of prices.
const (
	maxPriceAnswer    = 16 << 20 // bytes
	maxPriceRedirects = 3
	priceTimeout      = 30 * time.Second // for one security, redirects and all
	maxPriceHeader    = 64 << 10         // bytes
)

// Set reads an address such as https://prices.example/{ticker}.csv?from={from}&to={to}. It must be one of http or
// https, and name the security outside of the host. The error continues a sentence that begins with the name of the
// setting. A PriceTemplate is a flag's value.
func (t *PriceTemplate) Set(text string) error {
	const example = "https://prices.example/{ticker}.csv?from={from}&to={to}"
	for _, name := range regexp.MustCompile(`\{[^}]*\}?`).FindAllString(text, -1) {
		if !slices.Contains([]string{"{ticker}", "{mic}", "{from}", "{to}"}, name) {
			return fmt.Errorf("must have no other names in braces than {ticker}, {mic}, {from} and {to}, has %s", ledger.Quote(name))
		}
	}
	address, err := url.Parse(PriceTemplate{text}.fill(ledger.PriceQuery{Ticker: "A", MIC: "XNAS"}))
	head, _, _ := strings.Cut(text, "{")
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "":
		return fmt.Errorf("must be an address of http or https such as %s", example)
	case strings.Count(head, "/") < 3:
		return fmt.Errorf("must name the host without braces, such as %s", example)
	case !strings.Contains(text, "{ticker}"):
		return fmt.Errorf("must have {ticker} where the ticker is to stand, such as %s", example)
	}
	t.text = text
	return nil
}

// String is the address as it was given.
func (t *PriceTemplate) String() string { return t.text }

// Type stands for the value in the help.
func (t *PriceTemplate) Type() string { return "URL" }

// IsSet says whether there is an address at all.
func (t PriceTemplate) IsSet() bool { return t.text != "" }

// fill gives the address for a query. What separates the parts of an address is escaped in what is filled in.
func (t PriceTemplate) fill(of ledger.PriceQuery) string {
	path, query, has := strings.Cut(t.text, "?")
	path = replaceNames(path, of, url.PathEscape)
	if !has {
		return path
	}
	return path + "?" + replaceNames(query, of, url.QueryEscape)
}

func replaceNames(text string, of ledger.PriceQuery, escape func(string) string) string {
	return strings.NewReplacer("{ticker}", escape(of.Ticker), "{mic}", escape(of.MIC), "{from}", of.First.String(), "{to}", of.Last.String()).Replace(text)
}

// HTTPPrices is a [ledger.PriceSource] that reads CSV, see [ledger.ParseMarketPrices], from an address per security.
type HTTPPrices struct {
	template PriceTemplate
	client   *http.Client
}

// NewHTTPPrices makes a source that reads from the addresses that the template gives. It asks no proxy, whatever the
// environment says: what is configured is what is dialled.
func NewHTTPPrices(template PriceTemplate) *HTTPPrices {
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: priceTimeout}).DialContext,
		TLSHandshakeTimeout:    priceTimeout,
		MaxResponseHeaderBytes: maxPriceHeader,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        priceTimeout,
		ForceAttemptHTTP2:      true,
	}
	return &HTTPPrices{template, &http.Client{Transport: transport, Timeout: priceTimeout, CheckRedirect: checkRedirect}}
}

// checkRedirect follows a few redirects, and none from https to http.
func checkRedirect(next *http.Request, before []*http.Request) error {
	switch {
	case len(before) > maxPriceRedirects:
		return fmt.Errorf("it redirects more than %d times", maxPriceRedirects)
	case next.URL.Scheme != "https" && (next.URL.Scheme != "http" || before[0].URL.Scheme == "https"):
		return fmt.Errorf("it redirects to an address of %s", ledger.Quote(next.URL.Scheme))
	}
	return nil
}

// Prices asks for the prices of a security. Errors do not show the address, which may hold a key.
func (s *HTTPPrices) Prices(ctx context.Context, of ledger.PriceQuery) ([]ledger.MarketPrice, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.template.fill(of), nil)
	if err != nil {
		return nil, errors.New("the address for it cannot be written")
	}
	request.Header.Set("Accept", "text/csv, text/plain;q=0.9, */*;q=0.1")
	request.Header.Set("User-Agent", "finsvc")
	answer, err := s.client.Do(request)
	if err != nil {
		return nil, withoutAddress(request.URL.Hostname(), err)
	}
	defer answer.Body.Close()
	if err := checkAnswer(answer); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxPriceAnswer+1))
	switch {
	case err != nil:
		return nil, withoutAddress(request.URL.Hostname(), err)
	case len(content) > maxPriceAnswer:
		return nil, fmt.Errorf("%s answers with more than %d MiB", request.URL.Hostname(), maxPriceAnswer>>20)
	}
	prices, err := ledger.ParseMarketPrices(content, of.Currency)
	if err != nil {
		return nil, fmt.Errorf("%s does not answer with prices: %s", request.URL.Hostname(), ledger.AsError(err).Message)
	}
	return prices, nil
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

// checkAnswer says whether there can be prices in an answer.
func checkAnswer(answer *http.Response) error {
	host := answer.Request.URL.Hostname()
	switch answer.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusNotFound:
		return fmt.Errorf("%s does not know it (404)", host)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		wait := ledger.Quote(answer.Header.Get("Retry-After"))
		return fmt.Errorf("%s wants to be asked later (status %d, Retry-After %s): %w", host, answer.StatusCode, wait, ledger.ErrSourceBusy)
	}
	return fmt.Errorf("%s answers with status %d", host, answer.StatusCode)
}
