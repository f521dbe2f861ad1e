package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"finsvc/ledger/market"
)

// Stand is a source of prices whose answers are CSV by ticker; an answer that begins with ! is an error.
type Stand struct {
	Answers map[string]string
	Asked   []string
	Then    func()
}

func (s *Stand) Prices(_ context.Context, of market.PriceQuery) ([]market.MarketPrice, error) {
	s.Asked = append(s.Asked, fmt.Sprint(market.TickerText(of.Ticker, of.MIC), " ", of.First, " ", of.Last, " ",
		of.Currency))
	if s.Then != nil {
		s.Then()
	}
	switch text := s.Answers[of.Ticker]; {
	case text == "!busy":
		return nil, fmt.Errorf("later: %w", market.ErrSourceBusy)
	case strings.HasPrefix(text, "!"):
		return nil, errors.New(text[1:])
	default:
		return market.ParseMarketPrices([]byte(text), of.Currency)
	}
}

func (b *Fixture) Fetch(ctx context.Context, s *Stand) string {
	b.tb.Helper()
	var out []string
	err := b.Market.FetchPrices(ctx, b.Who, s, func(f market.Fetched) {
		text := fmt.Sprint(f.Ticker, " ", f.Added, " ", f.Replaced, " ", f.Unchanged)
		if f.Err != nil {
			text = f.Ticker + " " + Wrong(f.Err)
		}
		out = append(out, text)
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return strings.Join(out, ", ")
}
