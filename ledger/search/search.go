// Package search reads what people type to find transactions. Words stand for texts, amounts, accounts, categories,
// tags, merchants, kinds and days; a minus before one means its contrary. Names of one kind are alternatives, everything
// else must hold together. A word that is not understood is never dropped: [Query.Err] says which and why. Pages, the
// API, commands and tools of a model read by this one grammar:
//
//	rewe "blue bottle"                  in the name, the notes or the merchant's name
//	>50 <=20 =12.50 10..20              amounts without their sign, decimals after a point or a comma
//	@everyday cat:food #trip by:rewe    account, category, tag, merchant, by name or its beginning
//	is:income is:expense is:transfer    no:category no:merchant no:tag
//	2026 2026-10 2026-10-05 oct last month, last 30 days, since:2026-01 until:2026-03-15
package search

import (
	"context"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/entry"
)

// What a search may have at most.
const (
	mostBytes = 1000
	mostWords = 40
)

// Query is a search that was read: what it selects, and what each of its words means.
type Query struct {
	Filter entry.TransactionFilter
	Words  []Word
}

// Word is one or several words of a search that mean one thing. Start and End are where they stand in it, in bytes.
// Means says what was understood; Problem, where Means is blank, why nothing was.
type Word struct {
	Text, Means, Problem string
	Start, End           int
}

// Err is a validation error of a field with all that was not understood; nil when everything was.
func (q Query) Err(field string) error {
	var p ledger.Problems
	for _, w := range q.Words {
		if w.Problem != "" {
			p.Add(field, "has %s, which %s", ledger.Quote(w.Text), w.Problem)
		}
	}
	return p.Err()
}

// Service reads searches in a household.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service { return &Service{store} }

// Read reads a search with the names of the household, on its present day.
func (s *Service) Read(ctx context.Context, who ledger.Actor, text string) (q Query, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(ctx context.Context, tx *ledger.Tx) error {
		today, err := tx.Today(ctx)
		q = Parse(tx.Refs, today, text)
		return err
	})
	return q, err
}

// Parse reads a search with the names of a household, on a day.
func Parse(refs *ledger.Refs, today ledger.Date, text string) Query {
	p := &parser{refs: refs, today: today, text: text, tokens: tokensOf(text)}
	switch {
	case len(text) > mostBytes:
		p.problem(0, len(p.tokens), "is longer than %d bytes", mostBytes)
	case len(p.tokens) > mostWords:
		p.problem(0, len(p.tokens), "has more than %d words", mostWords)
	default:
		for i := 0; i < len(p.tokens); {
			i += p.read(i)
		}
		p.finish()
	}
	return p.query
}

// token is a word between blanks. Of -cat:"eating out" it has the minus as not, "cat:" as the mark and the rest as the
// value, which is quoted.
type token struct {
	start, end  int
	not, quoted bool
	mark, value string
}

const blanks = " \t\r\n"

// tokensOf takes a text apart at blanks outside of quotes.
func tokensOf(text string) (all []token) {
	for at := 0; at < len(text); {
		if strings.IndexByte(blanks, text[at]) >= 0 {
			at++
			continue
		}
		t := tokenAt(text, at)
		all = append(all, t)
		at = t.end
	}
	return all
}

func tokenAt(text string, start int) token {
	t, rest := token{start: start}, text[start:]
	if len(rest) > 1 && rest[0] == '-' && strings.IndexByte(blanks, rest[1]) < 0 {
		t.not, rest = true, rest[1:]
	}
	for _, mark := range []string{"@", "#", "cat:", "by:", "is:", "no:", "since:", "until:"} {
		if len(rest) >= len(mark) && strings.EqualFold(rest[:len(mark)], mark) {
			t.mark, rest = mark, rest[len(mark):]
			break
		}
	}
	if strings.HasPrefix(rest, `"`) {
		t.quoted = true
		t.value, rest, _ = strings.Cut(rest[1:], `"`) // one that is not closed goes to the end
		t.value = strings.TrimSpace(t.value)
	} else {
		end := strings.IndexAny(rest, blanks)
		if end < 0 {
			end = len(rest)
		}
		t.value, rest = rest[:end], rest[end:]
	}
	t.end = len(text) - len(rest)
	return t
}
