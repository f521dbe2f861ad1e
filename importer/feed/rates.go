package feed

import (
	"context"
	"fmt"
	"net/http"

	"finsvc/ledger"
	"finsvc/ledger/fx"
)

// RateTemplate is the address from which exchange rates are read, with {from} and {to} in place of the first and the
// last day, if it has them. The zero value is none.
type RateTemplate struct{ addressTemplate }

// Set reads an address of http or https. The error continues a sentence that begins with the name of the setting. A
// RateTemplate is a flag's value.
func (t *RateTemplate) Set(text string) error {
	const example = "https://rates.example/eurofxref-hist.zip or https://rates.example/rates.csv?from={from}&to={to}"
	if err := checkTemplate(text, RateTemplate{addressTemplate{text}}.fill(ledger.MinDate, ledger.MinDate), example,
		"{from}", "{to}"); err != nil {
		return err
	}
	t.text = text
	return nil
}

func (t RateTemplate) fill(first, last ledger.Date) string {
	return fillTemplate(t.text, map[string]string{"{from}": first.String(), "{to}": last.String()})
}

// FetchRates reads exchange rates from the address for a range of days: what [fx.ParseRates] reads, 16 MiB at most.
// It goes to no other host than the one that is configured. Errors do not show the address, which may hold a key.
func FetchRates(ctx context.Context, from RateTemplate, first, last ledger.Date) (fx.RateFile, error) {
	answer, err := download(ctx, newSourceClient(sameHost), from.fill(first, last),
		"text/csv, application/zip, application/xml, */*;q=0.1")
	if err != nil {
		return fx.RateFile{}, err
	}
	file, err := fx.ParseRates(answer.content)
	if err != nil {
		return file, fmt.Errorf("%s does not answer with exchange rates: %s", answer.host, ledger.AsError(err).Message)
	}
	return file, nil
}

// sameHost follows a few redirects that stay where they began.
func sameHost(next *http.Request, before []*http.Request) error {
	if next.URL.Host != before[0].URL.Host {
		return fmt.Errorf("it redirects to another host, %s", ledger.Quote(next.URL.Host))
	}
	return checkRedirect(next, before)
}
