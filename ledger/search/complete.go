package search

import (
	"context"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/names"
)

// Completion is how the last word of a search could go on: the word, what it means, and the whole search with it.
type Completion struct{ Word, Means, Text string }

// mostCompletions is how many are given.
const mostCompletions = 8

// grammar is the words that are no names, with what they are for.
func grammar() []Completion {
	return []Completion{
		{Word: "@", Means: "an account"}, {Word: "cat:", Means: "a category"}, {Word: "by:", Means: "a merchant"}, {Word: "#", Means: "a tag"},
		{Word: "last month", Means: "the month before this one"}, {Word: "this month", Means: "from its first day on"},
		{Word: "last 30 days", Means: "up to today"}, {Word: "this year", Means: "from its first day on"},
		{Word: "last year", Means: "the year before this one"}, {Word: "today", Means: "this day"}, {Word: "yesterday", Means: "the day before"},
		{Word: "since:", Means: "from a day on, such as 2026-01"}, {Word: "until:", Means: "up to a day, such as 2026-03-15"},
		{Word: "is:income", Means: "incomes"}, {Word: "is:expense", Means: "expenses"}, {Word: "is:transfer", Means: "transfers"},
		{Word: "no:category", Means: "without a category"}, {Word: "no:merchant", Means: "without a merchant"}, {Word: "no:tag", Means: "without a tag"},
		{Word: ">50", Means: "amounts above"}, {Word: "<20", Means: "amounts below"},
	}
}

// Complete gives how the last word of a search could go on, with the names of the household. After a blank, and of nothing,
// it is what a word can begin with.
func (s *Service) Complete(ctx context.Context, who ledger.Actor, text string) (list []Completion, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *ledger.Tx) error {
		list = completions(tx.Refs, text)
		return nil
	})
	return list, err
}

func completions(refs *ledger.Refs, text string) (list []Completion) {
	var last token
	before := text
	tokens := tokensOf(text)
	if len(text) > mostBytes || len(tokens) > mostWords {
		return nil
	}
	if len(tokens) > 0 && tokens[len(tokens)-1].end == len(text) {
		last = tokens[len(tokens)-1]
		before = text[:last.start]
		if last.quoted && strings.HasSuffix(text, `"`) && last.value != "" {
			return nil // it is whole
		}
	}
	sign := ""
	if last.not {
		sign = "-"
	}
	add := func(word, means string) {
		c := Completion{Word: sign + word, Means: means, Text: before + sign + word}
		if len(list) < mostCompletions && c.Text != text && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	marks := []struct {
		mark string
		kind names.Kind
	}{{"@", names.Account}, {"cat:", names.Category}, {"by:", names.Merchant}, {"#", names.Tag}}
	typed := ledger.Fold(last.value)
	for _, m := range marks {
		if last.mark != m.mark && (last.mark != "" || last.quoted || len(typed) < 2) {
			continue
		}
		for _, n := range names.Of(refs, m.kind) {
			if name := ledger.Fold(n.Name); strings.HasPrefix(name, typed) || strings.Contains(name, " "+typed) {
				add(m.mark+quoted(n.Name), string(m.kind))
			}
		}
	}
	if !last.quoted && !slices.Contains([]string{"@", "cat:", "by:", "#"}, last.mark) {
		typed = strings.ToLower(last.mark) + typed
		for _, g := range grammar() {
			if strings.HasPrefix(g.Word, typed) {
				add(g.Word, g.Means)
			}
		}
	}
	return list
}

// quoted is a name as a search has it: in quotes where it would be taken apart. One that has a quote in it is written up to
// there, of which it is a beginning.
func quoted(name string) string {
	whole, _, _ := strings.Cut(name, `"`)
	if strings.ContainsAny(whole, blanks) || whole == "" {
		return `"` + strings.TrimSpace(whole) + `"`
	}
	return whole
}
