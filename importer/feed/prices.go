package feed

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/market"
)

// PriceTemplate is the address from which prices are read, with {ticker}, {mic}, {from} and {to} in place of what
// is asked for. The zero value is none.
type PriceTemplate struct{ addressTemplate }

// Set reads an address such as https://prices.example/{ticker}.csv?from={from}&to={to}. It must be one of http or
// https, and name the security outside of the host. The error continues a sentence that begins with the name of the
// setting. A PriceTemplate is a flag's value.
func (t *PriceTemplate) Set(text string) error {
	const example = "https://prices.example/{ticker}.csv?from={from}&to={to}"
	err := checkTemplate(text, PriceTemplate{addressTemplate{text}}.fill(market.PriceQuery{Ticker: "A", MIC: "XNAS"}),
		example, "{ticker}", "{mic}", "{from}", "{to}")
	if err == nil && !strings.Contains(text, "{ticker}") {
		err = fmt.Errorf("must have {ticker} where the ticker is to stand, such as %s", example)
	}
	if err != nil {
		return err
	}
	t.text = text
	return nil
}

// fill gives the address for a query. What separates the parts of an address is escaped in what is filled in.
func (t PriceTemplate) fill(of market.PriceQuery) string {
	return fillTemplate(t.text, map[string]string{"{ticker}": of.Ticker, "{mic}": of.MIC, "{from}": of.First.String(),
		"{to}": of.Last.String()})
}

// HTTPPrices is a [market.PriceSource] that reads CSV, see [market.ParseMarketPrices], from an address per security.
type HTTPPrices struct {
	template PriceTemplate
	client   *http.Client
}

// NewHTTPPrices makes a source that reads from the addresses that the template gives.
func NewHTTPPrices(template PriceTemplate) *HTTPPrices {
	return &HTTPPrices{template, newSourceClient(checkRedirect)}
}

// Prices asks for the prices of a security. Errors do not show the address, which may hold a key.
func (s *HTTPPrices) Prices(ctx context.Context, of market.PriceQuery) ([]market.MarketPrice, error) {
	answer, err := download(ctx, s.client, s.template.fill(of), "text/csv, text/plain;q=0.9, */*;q=0.1")
	if err != nil {
		return nil, err
	}
	prices, err := market.ParseMarketPrices(answer.content, of.Currency)
	if err != nil {
		return nil, fmt.Errorf("%s does not answer with prices: %s", answer.host, ledger.AsError(err).Message)
	}
	return prices, nil
}
