package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/calendar"
	"finsvc/ledger/names"
)

// parser is a search under way.
type parser struct {
	refs   *ledger.Refs
	today  ledger.Date
	text   string
	tokens []token
	query  Query

	kinds  []string // of "is:"
	period bool     // a word was a period
}

// word notes what the words from one on, n of them, mean, and gives n.
func (p *parser) word(i, n int, means, problem string) int {
	start, end := 0, len(p.text)
	if i < len(p.tokens) {
		start, end = p.tokens[i].start, p.tokens[i+n-1].end
	}
	p.query.Words = append(p.query.Words, Word{p.text[start:end], means, problem, start, end})
	return n
}

func (p *parser) problem(i, n int, format string, args ...any) int {
	return p.word(i, n, "", fmt.Sprintf(format, args...))
}

// means notes what a word means, or its contrary.
func (p *parser) means(i int, format string, args ...any) int {
	text := fmt.Sprintf(format, args...)
	if p.tokens[i].not {
		text = "not " + text
	}
	return p.word(i, 1, text, "")
}

// read reads the word at a place with those that belong to it, and gives how many these are.
func (p *parser) read(i int) int {
	t := &p.tokens[i]
	if t.mark != "" && t.value == "" {
		return p.problem(i, 1, "lacks what comes after it")
	}
	f := &p.query.Filter
	switch t.mark {
	case "@":
		return p.label(i, names.Account, &f.AccountIDs, &f.NotAccountIDs)
	case "cat:":
		return p.label(i, names.Category, &f.CategoryIDs, &f.NotCategoryIDs)
	case "#":
		return p.label(i, names.Tag, &f.TagIDs, &f.NotTagIDs)
	case "by:":
		return p.label(i, names.Merchant, &f.MerchantIDs, &f.NotMerchantIDs)
	case "is:":
		return p.kind(i)
	case "no:":
		return p.none(i)
	case "since:", "until:":
		return p.bound(i)
	}
	if !t.quoted {
		if first, last, _ := strings.Cut(t.value, ".."); calendar.IsYear(first) && calendar.IsYear(last) {
			return p.problem(i, 1, "may be of years or amounts: write since:%s until:%s or >=%[1]s <=%[2]s", first, last)
		}
		if least, most, found := amountOf(t.value); found {
			return p.amount(i, least, most)
		}
		if span, n := p.periodAt(i); n > 0 {
			return p.during(i, n, span)
		}
		if looksLikeAmount(t.value) {
			return p.problem(i, 1, "is no amount: write it as in >50, <=20, =12.50 or 10..20")
		}
	}
	return p.search(i)
}

// search takes a word as a text.
func (p *parser) search(i int) int {
	t, f := &p.tokens[i], &p.query.Filter
	text := ledger.NormalText(t.value)
	switch {
	case strings.TrimSpace(text) == "":
		return p.problem(i, 1, "is no text")
	case t.not:
		f.NotTexts = append(f.NotTexts, text)
	default:
		f.Texts = append(f.Texts, text)
	}
	return p.means(i, "text %s", ledger.Quote(text))
}

// label takes a name for all that it means, or whose names begin with it.
func (p *parser) label(i int, kind names.Kind, ids, not *[]uuid.UUID) int {
	t := &p.tokens[i]
	all := names.Of(p.refs, kind)
	found := names.Beginning(all, t.value)
	if found == nil {
		return p.problem(i, 1, "names no %s%s", kind, names.Nearest(all, t.value))
	}
	if t.not {
		ids = not
	}
	var called []string
	for _, n := range found {
		*ids = append(append(*ids, n.ID), n.Parts...)
		called = append(called, n.Name)
	}
	slices.SortFunc(*ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	*ids = slices.Compact(*ids)
	return p.means(i, "%s %s", kind, strings.Join(called, " or "))
}

// kind takes "is:" for incomes, expenses and transfers. Incomes and expenses are without transfers.
func (p *parser) kind(i int) int {
	t := &p.tokens[i]
	kind, known := map[string]string{"income": "income", "in": "income", "expense": "expense", "out": "expense",
		"transfer": "transfer", "transfers": "transfer"}[strings.ToLower(t.value)]
	switch {
	case !known:
		return p.problem(i, 1, "must be is:income, is:expense or is:transfer")
	case t.not && kind != "transfer":
		return p.problem(i, 1, "has two contraries: write is:expense, is:income or is:transfer")
	case t.not:
		kind = "booked"
	}
	p.kinds = append(p.kinds, kind)
	return p.word(i, 1, map[string]string{"income": "incomes", "expense": "expenses", "transfer": "transfers", "booked": "no transfers"}[kind], "")
}

// none takes "no:" for what has none of a label.
func (p *parser) none(i int) int {
	t, f := &p.tokens[i], &p.query.Filter
	has, known := map[string]**bool{"category": &f.HasCategory, "cat": &f.HasCategory, "merchant": &f.HasMerchant,
		"tag": &f.HasTag, "tags": &f.HasTag}[strings.ToLower(t.value)]
	switch {
	case !known:
		return p.problem(i, 1, "must be no:category, no:merchant or no:tag")
	case *has != nil && **has != t.not:
		return p.problem(i, 1, "is the contrary of another word")
	}
	*has = new(t.not)
	return p.means(i, "without a %s", strings.ToLower(t.value))
}

// amount narrows the amounts to a range of absolute ones. A bound with its number not included is open.
func (p *parser) amount(i int, least, most edge) int {
	t, f := &p.tokens[i], &p.query.Filter
	if t.not {
		return p.problem(i, 1, "cannot be turned round: write >, <, >= or <=")
	}
	f.Absolute = true
	if at := least.at; at != nil && (!f.MinAmount.Has() || at.GreaterThan(f.MinAmount.Value) || at.Equal(f.MinAmount.Value) && least.open) {
		f.MinAmount, f.AboveMin = ledger.Some(*at), least.open
	}
	if at := most.at; at != nil && (!f.MaxAmount.Has() || at.LessThan(f.MaxAmount.Value) || at.Equal(f.MaxAmount.Value) && most.open) {
		f.MaxAmount, f.BelowMax = ledger.Some(*at), most.open
	}
	return p.means(i, "amount %s", describe(least, most))
}

// edge is an end of a range of amounts, open where its number is not included; at is nil where there is none.
type edge struct {
	at   *decimal.Decimal
	open bool
}

func describe(least, most edge) string {
	switch {
	case most.at == nil:
		return map[bool]string{false: "at least ", true: "more than "}[least.open] + least.at.String()
	case least.at == nil:
		return map[bool]string{false: "at most ", true: "less than "}[most.open] + most.at.String()
	case least.at.Equal(*most.at):
		return least.at.String()
	}
	return least.at.String() + " to " + most.at.String()
}

// amountOf reads ">50", "<=20", "=12.50" and "10..20".
func amountOf(text string) (least, most edge, found bool) {
	if low, high, is := strings.Cut(text, ".."); is {
		a, b := number(low), number(high)
		return edge{at: a}, edge{at: b}, a != nil && b != nil && a.LessThanOrEqual(*b)
	}
	sign := text[:len(text)-len(strings.TrimLeft(text, "<>="))]
	n := number(text[len(sign):])
	switch sign {
	case ">", ">=":
		least = edge{n, sign == ">"}
	case "<", "<=":
		most = edge{n, sign == "<"}
	case "=":
		least, most = edge{at: n}, edge{at: n}
	default:
		return least, most, false
	}
	return least, most, n != nil
}

// looksLikeAmount reports whether a word was meant for an amount and is none.
func looksLikeAmount(text string) bool {
	return strings.ContainsAny(text[:1], "<>=") || strings.Contains(text, "..") && strings.IndexAny(text[:1], "0123456789") == 0
}

// number reads an amount without a sign. A comma is a decimal mark where two digits or one follow it: with three it may
// be one of thousands, and that is not guessed.
func number(text string) *decimal.Decimal {
	whole, fraction, comma := strings.Cut(text, ",")
	if comma {
		if len(fraction) < 1 || len(fraction) > 2 {
			return nil
		}
		text = whole + "." + fraction
	}
	digits := strings.Replace(text, ".", "", 1)
	if digits == "" || len(digits) > 20 || strings.Trim(digits, "0123456789") != "" {
		return nil
	}
	n, err := decimal.NewFromString(text)
	if err != nil {
		return nil
	}
	return &n
}

// finish turns what several words say together into the filter.
func (p *parser) finish() {
	f := &p.query.Filter
	slices.Sort(p.kinds)
	switch kinds := slices.Compact(p.kinds); {
	case len(kinds) == 0:
	case slices.Contains(kinds, "transfer") && len(kinds) > 1:
		p.query.Words = append(p.query.Words, Word{Text: p.text, End: len(p.text),
			Problem: "asks for transfers and for what is none: neither incomes nor expenses are transfers"})
	case kinds[0] == "transfer":
		f.Transfers = new(true)
	default:
		f.Transfers = new(false)
		if income, expense := slices.Contains(kinds, "income"), slices.Contains(kinds, "expense"); income != expense {
			f.Type = map[bool]string{true: "income", false: "expense"}[income]
		}
	}
	// The longest text is the one that the index looks for.
	if len(f.Texts) > 0 {
		longest := 0
		for i, text := range f.Texts {
			if len(text) > len(f.Texts[longest]) {
				longest = i
			}
		}
		f.Search = f.Texts[longest]
		f.Texts = slices.Delete(f.Texts, longest, longest+1)
		if len(f.Texts) == 0 {
			f.Texts = nil
		}
	}
}
