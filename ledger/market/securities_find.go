package market

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// maxTicker is the longest ticker in characters. Files without tickers name securities in words.
const maxTicker = 100

// ParseTicker reads SYMBOL or SYMBOL|MIC, where MIC is the code of a market (ISO 10383), and gives both in
// capitals; the market is empty when none is named. A third part, which other services know, is left out.
// The error continues a sentence that begins with the field's name.
func ParseTicker(text string) (symbol, mic string, err error) {
	symbol, mic, _ = strings.Cut(text, "|")
	mic, _, _ = strings.Cut(mic, "|")
	symbol, err = ParseSymbol(symbol)
	if err != nil {
		return "", "", err
	}
	mic, err = ParseMIC(mic)
	return symbol, mic, err
}

// ParseSymbol reads a ticker without a market.
func ParseSymbol(text string) (string, error) {
	symbol := ledger.NormalText(strings.ToUpper(strings.Join(strings.Fields(ledger.NormalText(text)), " ")))
	switch n := utf8.RuneCountInString(symbol); {
	case symbol == "":
		return "", errors.New("is required and must not be blank, write AAPL or AAPL|XNAS")
	case n > maxTicker:
		return "", fmt.Errorf("must have at most %d characters, has %d", maxTicker, n)
	case !utf8.ValidString(text) || strings.ContainsFunc(symbol,
		func(r rune) bool { return r == '|' || unicode.IsControl(r) }):
		return "", fmt.Errorf("must be a ticker such as AAPL, got %s", money.Clip(text))
	}
	return symbol, nil
}

// ParseMIC reads the code of a market (ISO 10383): four letters and digits, given in capitals, or nothing. The error
// continues a sentence that begins with the name of the field.
func ParseMIC(text string) (string, error) {
	mic := strings.ToUpper(strings.TrimSpace(text))
	if len(mic) != 0 && len(mic) != 4 || strings.Trim(mic, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return "", fmt.Errorf("must name a market by its four letters or digits such as XNAS, got %s", money.Clip(text))
	}
	return mic, nil
}

// SecurityName names one of the household's securities: by its id, else by its ticker, see [ParseTicker].
type SecurityName struct {
	ID     ledger.Opt[uuid.UUID]
	Ticker ledger.Opt[string]
}

// SecurityIndex finds the household's securities.
type SecurityIndex struct {
	byID     map[uuid.UUID]*queries.Security
	ByTicker map[string][]*queries.Security // by market
}

func newSecurityIndex(ctx context.Context, tx *ledger.Tx) (*SecurityIndex, error) {
	rows, err := tx.ListSecurities(ctx, SecurityFilter{}.Params(tx.Actor, ledger.Everything()))
	index := &SecurityIndex{map[uuid.UUID]*queries.Security{}, map[string][]*queries.Security{}}
	for i, s := range rows {
		index.byID[uuid.UUID(s.PublicID)] = &rows[i]
		index.ByTicker[s.Ticker] = append(index.ByTicker[s.Ticker], &rows[i])
	}
	return index, err
}

// Named gives the security of a ticker: that on the market, if one is named, else that without a market, else
// the only one that there is. The error continues a sentence that begins with the field's name.
func (x *SecurityIndex) Named(symbol, mic string) (*queries.Security, error) {
	list := x.ByTicker[symbol]
	var names []string
	for _, s := range list {
		if s.Mic == mic {
			return s, nil
		}
		names = append(names, TickerOf(s))
	}
	switch {
	case len(list) == 1 && mic == "":
		return list[0], nil
	case len(list) > 0 && mic == "":
		return nil, fmt.Errorf("must name the market as well, one of %s", strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("is not that of one of the household's own securities: %s", TickerText(symbol, mic))
}

// TickerOf is how a security is named in one word: SYMBOL, or SYMBOL|MIC.
func TickerOf(s *queries.Security) string { return TickerText(s.Ticker, s.Mic) }

// TickerText is the same of a ticker and the code of a market, which may be empty.
func TickerText(symbol, mic string) string {
	if mic == "" {
		return symbol
	}
	return symbol + "|" + mic
}

// find gives the security that is referred to. What is wrong is noted under the prefix, and nil given.
func (x *SecurityIndex) find(ref SecurityName, problems *ledger.Problems, prefix string) *queries.Security {
	switch {
	case problems.Has(prefix+"security_id") || problems.Has(prefix+"ticker"):
		return nil
	case ref.ID.Has():
		s := x.byID[ref.ID.Value]
		if s == nil {
			problems.Add(prefix+"security_id", "is not the id of one of the household's own securities: %s",
				ref.ID.Value)
		}
		return s
	case !ref.Ticker.Has():
		problems.Add(prefix+"security_id", "is required, or in its place a ticker such as AAPL or AAPL|XNAS")
		return nil
	}
	s, err := x.ticker(ref.Ticker.Value)
	if err != nil {
		problems.Add(prefix+"ticker", "%s", err)
	}
	return s
}

func (x *SecurityIndex) ticker(text string) (*queries.Security, error) {
	symbol, mic, err := ParseTicker(text)
	if err != nil {
		return nil, err
	}
	return x.Named(symbol, mic)
}

// FindSecurity gives the security that is referred to by id or ticker, see [ParseTicker].
func (s *Service) FindSecurity(ctx context.Context, who ledger.Actor, ref SecurityName) (found queries.Security,
	err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		found, err = findSecurity(ctx, tx, ref, new(ledger.Problems))
		return err
	})
	return found, err
}

// findSecurity is the security that one reference means; the error has all problems that there are by then.
func findSecurity(ctx context.Context, tx *ledger.Tx, ref SecurityName, problems *ledger.Problems) (queries.Security,
	error) {
	index, err := newSecurityIndex(ctx, tx)
	if err != nil {
		return queries.Security{}, err
	}
	found := index.find(ref, problems, "")
	if found == nil {
		return queries.Security{}, problems.Err()
	}
	return *found, problems.Err()
}
