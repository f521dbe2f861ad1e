package handlers

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

// pair is one name=value of a query or a form.
type pair struct {
	name, value string
	at          int // byte offset
}

// parsePairs reads name=value&name=value in its order. A semicolon is an ordinary character. The cuts are what was taken out.
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

// query reads the parameters of a request and collects what is wrong with them. Parameters that are
// absent or blank have no effect, and those that nobody reads have none either.
type query struct {
	pairs     []pair
	malformed error
	problems  ledger.Problems
}

// query begins reading the query; end it with err.
func (r *request) query() *query {
	pairs, err := parsePairs(r.URL.RawQuery, nil)
	if err != nil {
		err = ledger.NewMalformed("the query has %s", err)
	}
	return &query{pairs: pairs, malformed: err}
}

// err is everything that was wrong, at once.
func (q *query) err() error {
	if q.malformed != nil {
		return q.malformed
	}
	return q.problems.Err()
}

// one is the value of a parameter that can be given once; "" when absent or blank.
func (q *query) one(name string) string {
	given, times := "", 0
	for _, p := range q.pairs {
		if p.name == name && strings.TrimSpace(p.value) != "" {
			given = p.value
			times++
		}
	}
	if times > 1 {
		q.problems.Add(name, "must be given once, got %d values", times)
		return ""
	}
	return given
}

// list is the values of a parameter in all its spellings: x[]=a&x[]=b, x[0]=a, x=a&x=b, x=a,b.
func (q *query) list(name string) []string {
	var values []string
	for _, p := range q.pairs {
		base, index, bracketed := strings.Cut(p.name, "[")
		if base != name || bracketed && !isIndex(strings.TrimSuffix(index, "]")) {
			continue
		}
		for item := range strings.SplitSeq(p.value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				values = append(values, item)
			}
		}
	}
	return values
}

// isIndex says whether text is what stands between the brackets of a list: nothing, or a number.
func isIndex(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// readParam reads a parameter by parse, whose error continues the sentence that name begins.
func readParam[T any](q *query, name string, parse func(string) (T, error)) ledger.Opt[T] {
	return readParamExactly(q, name, func(text string) (T, error) { return parse(strings.TrimSpace(text)) })
}

// readParamExactly is readParam with the white space around the value.
func readParamExactly[T any](q *query, name string, parse func(string) (T, error)) ledger.Opt[T] {
	text := q.one(name)
	if text == "" {
		return ledger.Opt[T]{}
	}
	v, err := parse(text)
	if err != nil {
		q.problems.Add(name, "%s", err)
		return ledger.Opt[T]{}
	}
	return ledger.Some(v)
}

// date reads a day, or the day of an instant; no blanks stand around it.
func (q *query) date(name string) ledger.Opt[ledger.Date] {
	return readParamExactly(q, name, ledger.ParseDay)
}

// decimal reads an exact number.
func (q *query) decimal(name string) ledger.Opt[decimal.Decimal] {
	return readParam(q, name, money.ParseDecimal)
}

// id reads an id.
func (q *query) id(name string) ledger.Opt[uuid.UUID] { return readParam(q, name, parseID) }

// instant reads an instant such as 2026-01-31T12:00:00Z.
func (q *query) instant(name string) ledger.Opt[time.Time] {
	return readParam(q, name, func(text string) (time.Time, error) {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return t, fmt.Errorf("must be an instant such as 2026-01-31T12:00:00Z, got %s", ledger.Quote(text))
		}
		return t, nil
	})
}

// flag reads true, false, 1 or 0.
func (q *query) flag(name string) ledger.Opt[bool] { return readParam(q, name, parseFlag) }

// text reads a text of one line, without surrounding white space; "" when absent.
func (q *query) text(name string) string {
	return q.problems.CheckLine(name, q.one(name))
}

// oneOf reads one of some words; "" when absent.
func (q *query) oneOf(name string, words ...string) string {
	return readParam(q, name, func(text string) (string, error) { return text, checkWord(text, words) }).Value
}

// word reads one of some words in any case, as clients send them; "" when absent.
func (q *query) word(name string, words ...string) string {
	return readParam(q, name, func(text string) (string, error) {
		word := strings.ToLower(text)
		return word, checkWord(word, words)
	}).Value
}

// ids reads a list of ids; nil when absent.
func (q *query) ids(name string) []uuid.UUID {
	var ids []uuid.UUID
	for _, text := range q.list(name) {
		id, err := parseID(text)
		if err != nil {
			q.problems.Add(name, "must be a list of ids (UUIDs), has %s", ledger.Quote(text))
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// Limits of pages.
const (
	defaultPerPage = 25
	maxPerPage     = 100
)

// page reads page and per_page. They are never rejected: what makes no sense is the default.
func (q *query) page() ledger.Page {
	return ledger.Page{
		Number: q.count("page", 1, math.MaxInt32),
		Size:   q.count("per_page", defaultPerPage, maxPerPage),
	}
}

// count reads a number from 1 to most, which also stands for all above it.
func (q *query) count(name string, otherwise, most int) int {
	text := ""
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
		return id, fmt.Errorf("must be an id (a UUID), got %s", ledger.Quote(text))
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

// has reports whether a parameter is given, in any of its spellings.
func (q *query) has(name string) bool { return len(q.list(name)) > 0 }
