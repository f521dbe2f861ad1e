package wire

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

func ParseCurrency(text string) (money.Currency, error) {
	currency, known := money.LookupCurrency(text)
	if !known {
		return currency, fmt.Errorf("must be an ISO 4217 code such as EUR, got %s", ledger.Quote(text))
	}
	return currency, nil
}

// pair is one name=value of a query or a form.
type pair struct {
	name, value string
	at          int // byte offset
}

// parsePairs reads name=value&name=value in its order. A semicolon is an ordinary character. The cuts are what was
// taken out.
func parsePairs(text string, cuts cuts) ([]pair, error) {
	var pairs []pair
	at := 0
	for part := range strings.SplitSeq(text, "&") {
		name, val, _ := strings.Cut(part, "=")
		p := pair{at: at}
		var errName, errValue error
		p.name, errName = url.QueryUnescape(name)
		p.value, errValue = url.QueryUnescape(val)
		switch {
		case errName != nil || errValue != nil:
			return nil, fmt.Errorf("a broken %%-escape in the part that begins at byte %d", cuts.origin(at))
		case !utf8.ValidString(p.name) || !utf8.ValidString(p.value):
			return nil, fmt.Errorf("invalid UTF-8 in the part that begins at byte %d", cuts.origin(at))
		case part != "":
			pairs = append(pairs, p)
		}
		at += len(part) + 1
	}
	return pairs, nil
}

// Query reads the parameters of a request and collects what is wrong with them. Parameters that are
// absent or blank have no effect, and those that nobody reads have none either.
type Query struct {
	pairs     []pair
	malformed error
	asked     []string // names of parameters that were looked for
	Problems  ledger.Problems
}

// Query begins reading the query; end it with err.
func (r *Request) Query() *Query {
	pairs, err := parsePairs(r.URL.RawQuery, nil)
	if err != nil {
		err = ledger.NewMalformed("the query has %s", err)
	}
	r.query = &Query{pairs: pairs, malformed: err}
	return r.query
}

// Err is everything that was wrong, at once.
func (q *Query) Err() error {
	if q.malformed != nil {
		return q.malformed
	}
	return q.Problems.Err()
}

// One is the value of a parameter that can be given once; "" when absent or blank.
func (q *Query) One(name string) string {
	given, times := "", 0
	q.asked = append(q.asked, name)
	for _, p := range q.pairs {
		if p.name == name && strings.TrimSpace(p.value) != "" {
			given = p.value
			times++
		}
	}
	if times > 1 {
		q.Problems.Add(name, "must be given once, got %d values", times)
		return ""
	}
	return given
}

// List is the values of a parameter in all its spellings: x[]=a&x[]=b, x[0]=a, x=a&x=b, x=a,b.
func (q *Query) List(name string) []string {
	var values []string
	q.asked = append(q.asked, name)
	for _, p := range q.pairs {
		base, index, bracketed := strings.Cut(p.name, "[")
		if base != name || bracketed && !isIndex(strings.TrimSuffix(index, "]")) {
			continue
		}
		for item := range strings.SplitSeq(p.value, ",") {
			item = strings.TrimSpace(item)
			if item != "" {
				values = append(values, item)
			}
		}
	}
	return values
}

// isIndex reports whether text is what stands between the brackets of a list: nothing, or a number.
func isIndex(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// ReadParam reads a parameter by parse, whose error continues the sentence that name begins.
func ReadParam[T any](q *Query, name string, parse func(string) (T, error)) ledger.Opt[T] {
	return readParamExactly(q, name, func(text string) (T, error) { return parse(strings.TrimSpace(text)) })
}

// readParamExactly is readParam with the white space around the value.
func readParamExactly[T any](q *Query, name string, parse func(string) (T, error)) ledger.Opt[T] {
	text := q.One(name)
	if text == "" {
		return ledger.Opt[T]{}
	}
	v, err := parse(text)
	if err != nil {
		q.Problems.Note(name, err)
		return ledger.Opt[T]{}
	}
	return ledger.Some(v)
}

// Date reads a day, or the day of an instant; no blanks stand around it.
func (q *Query) Date(name string) ledger.Opt[ledger.Date] {
	return readParamExactly(q, name, ledger.ParseDay)
}

// Decimal reads an exact number.
func (q *Query) Decimal(name string) ledger.Opt[decimal.Decimal] {
	return ReadParam(q, name, money.ParseDecimal)
}

// Id reads an id.
func (q *Query) Id(name string) ledger.Opt[uuid.UUID] { return ReadParam(q, name, parseID) }

// Instant reads an instant such as 2026-01-31T12:00:00Z.
func (q *Query) Instant(name string) ledger.Opt[time.Time] {
	return ReadParam(q, name, func(text string) (time.Time, error) {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return t, fmt.Errorf("must be an instant such as 2026-01-31T12:00:00Z, got %s", ledger.Quote(text))
		}
		return t, nil
	})
}

// Flag reads true, false, 1 or 0.
func (q *Query) Flag(name string) ledger.Opt[bool] { return ReadParam(q, name, parseFlag) }

// Text reads a text of one line, without surrounding white space; "" when absent.
func (q *Query) Text(name string) string {
	return q.Problems.CheckLine(name, q.One(name))
}

// OneOf reads one of some words; "" when absent.
func (q *Query) OneOf(name string, words ...string) string {
	return ReadParam(q, name, func(text string) (string, error) { return text, checkWord(text, words) }).Value
}

// Word reads one of some words in any case, as clients send them; "" when absent.
func (q *Query) Word(name string, words ...string) string {
	return ReadParam(q, name, func(text string) (string, error) {
		word := strings.ToLower(text)
		return word, checkWord(word, words)
	}).Value
}

// Ids reads a list of ids; nil when absent.
func (q *Query) Ids(name string) []uuid.UUID {
	var ids []uuid.UUID
	for _, text := range q.List(name) {
		id, err := parseID(text)
		if err != nil {
			q.Problems.Note(name, &ledger.NoID{Text: text, Message: "must be a list of ids (UUIDs), has " + ledger.Quote(text)})
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// Limits of pages.
const (
	DefaultPerPage = 25
	maxPerPage     = 100
)

// Page reads page and per_page. They are never rejected: what makes no sense is the default.
func (q *Query) Page() ledger.Page {
	return ledger.Page{
		Number: q.count("page", 1, math.MaxInt32),
		Size:   q.count("per_page", DefaultPerPage, maxPerPage),
	}
}

// count reads a number from 1 to most, which also stands for all above it.
func (q *Query) count(name string, otherwise, most int) int {
	text := ""
	q.asked = append(q.asked, name)
	for _, p := range q.pairs {
		if p.name == name {
			text = strings.TrimSpace(p.value)
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil && n != math.MaxInt64: // too many digits give MaxInt64 and an error
		return otherwise
	case n < 1:
		return otherwise
	}
	return int(min(n, int64(most)))
}

func parseID(text string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(text)
	if !ok {
		return id, &ledger.NoID{Text: text, Message: "must be an id (a UUID), got " + ledger.Quote(text)}
	}
	return id, nil
}

func parseFlag(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("must be true or false, got %s", ledger.Quote(text))
}

func checkWord(text string, words []string) error {
	if slices.Contains(words, text) {
		return nil
	}
	last := len(words) - 1
	choice := words[last]
	if last > 0 {
		choice = strings.Join(words[:last], ", ") + " or " + choice
	}
	return fmt.Errorf("must be %s, got %s", choice, ledger.Quote(text))
}

// Has reports whether a parameter is given, in any of its spellings.
func (q *Query) Has(name string) bool { return len(q.List(name)) > 0 }
