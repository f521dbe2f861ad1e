package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/names"
)

// ParseText reads what a rule does as people write it, conditions before an arrow and actions behind it:
//
//	name contains "rewe" and amount < 50 -> category Groceries, tag food
//
// Conditions, all of which must hold, are: name or notes contains TEXT, is TEXT or is blank; amount with > >= < <= = or
// != and a number; is income, is expense, is transfer; account, category, merchant or tag is NAME or is blank. In their
// place may stand: everything. Actions are: name TEXT, category NAME, merchant NAME, tag NAME and transfer ACCOUNT.
// What is not understood, or what several things are called, is a validation error of the field "rule".
func ParseText(refs *ledger.Refs, text string) (in Input, err error) {
	p := textParser{refs: refs}
	conditions, actions, found := cutWords(wordsOf(text), func(w textWord) bool { return w.is("->") || w.is("→") })
	switch {
	case !found:
		p.problem(`needs an arrow between its conditions and what it does, as in: name contains "rewe" -> category Groceries`)
	case len(conditions) == 1 && conditions[0].is("everything"):
		in.Conditions = ledger.Some([]Condition{})
	default:
		in.Conditions = ledger.Some(parts(conditions, p.condition))
	}
	if found {
		in.Actions = ledger.Some(parts(actions, p.action))
	}
	return in, p.problems.Err()
}

// textWord is a word of a rule; of one in quotes no letter means anything.
type textWord struct {
	text   string
	quoted bool
}

func (w textWord) is(text string) bool { return !w.quoted && strings.EqualFold(w.text, text) }

// wordsOf takes a text apart at blanks outside of quotes. A comma at the end of a word is one by itself.
func wordsOf(text string) (all []textWord) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] == '"' {
			quoted, rest, _ := strings.Cut(text[1:], `"`)
			all, text = append(all, textWord{quoted, true}), rest
			continue
		}
		word, rest, _ := strings.Cut(text, " ")
		if at := strings.IndexByte(word, '"'); at > 0 {
			word, rest = word[:at], text[at:]
		}
		text = rest
		bare := strings.TrimSuffix(word, ",")
		if bare != "" {
			all = append(all, textWord{text: bare})
		}
		if bare != word {
			all = append(all, textWord{text: ","})
		}
	}
	return all
}

func cutWords(words []textWord, at func(textWord) bool) (before, after []textWord, found bool) {
	i := slices.IndexFunc(words, at)
	if i < 0 {
		return words, nil, false
	}
	return words[:i], words[i+1:], true
}

// parts reads what stands between commas and the word and.
func parts[T any](words []textWord, read func([]textWord) T) []T {
	list := []T{}
	for more := true; more; {
		var part []textWord
		part, words, more = cutWords(words, func(w textWord) bool { return w.is(",") || w.is("and") })
		list = append(list, read(part))
	}
	return list
}

// joined are words as a text.
func joined(words []textWord) string {
	var out []string
	for _, w := range words {
		out = append(out, w.text)
	}
	return strings.Join(out, " ")
}

// textParser reads the parts of a rule with the names of a household.
type textParser struct {
	refs     *ledger.Refs
	problems ledger.Problems
}

func (p *textParser) problem(format string, args ...any) {
	p.problems.Add("rule", "%s", fmt.Sprintf(format, args...))
}

func (p *textParser) condition(words []textWord) (c Condition) {
	if len(words) < 2 {
		p.problem("has %s for a condition: write it as in name contains rewe, amount > 50, account is Everyday or is income; or everything",
			ledger.Quote(joined(words)))
		return c
	}
	subject, rest := strings.ToLower(words[0].text), words[1:]
	switch {
	case words[0].quoted:
		subject = ""
	case subject == "is":
		return Condition{Type: "transaction_type", Operator: "=", Value: strings.ToLower(joined(rest))}
	case subject == "amount":
		return p.amount(rest)
	}
	blank := len(rest) == 2 && rest[0].is("is") && rest[1].is("blank")
	contains := rest[0].is("contains")
	says := (contains || rest[0].is("is") || rest[0].is("=")) && len(rest) > 1
	kind := "transaction_" + subject
	switch subject {
	case "name", "notes":
		switch {
		case blank:
			return Condition{Type: kind, Operator: "is_null"}
		case says && contains:
			return Condition{Type: kind, Operator: "like", Value: joined(rest[1:])}
		case says:
			return Condition{Type: kind, Operator: "=", Value: joined(rest[1:])}
		}
		p.problem("has %s for a condition: %s contains TEXT, is TEXT or is blank", ledger.Quote(joined(words)), subject)
	case "account", "category", "merchant", "tag":
		switch {
		case blank:
			return Condition{Type: kind, Operator: "is_null"}
		case says && !contains:
			return Condition{Type: kind, Operator: "=", Value: p.id(names.Kind(subject), rest[1:])}
		}
		p.problem("has %s for a condition: %s is NAME or is blank", ledger.Quote(joined(words)), subject)
	default:
		p.problem("has %s for a condition: it must begin with name, notes, amount, account, category, merchant, tag or is",
			ledger.Quote(joined(words)))
	}
	return c
}

// amount reads "> 50" and ">50".
func (p *textParser) amount(words []textWord) Condition {
	text := joined(words)
	number := strings.TrimLeft(text, "<>=!")
	return Condition{Type: "transaction_amount", Operator: text[:len(text)-len(number)], Value: strings.TrimSpace(number)}
}

func (p *textParser) action(words []textWord) (a Action) {
	if len(words) > 1 && !words[0].quoted {
		rest := words[1:]
		switch strings.ToLower(words[0].text) {
		case "name":
			return Action{"set_transaction_name", joined(rest)}
		case "category":
			return Action{"set_transaction_category", p.id(names.Category, rest)}
		case "merchant":
			return Action{"set_transaction_merchant", p.id(names.Merchant, rest)}
		case "tag":
			return Action{"set_transaction_tags", p.id(names.Tag, rest)}
		case "transfer":
			return Action{"set_as_transfer_or_payment", p.id(names.Account, rest)}
		}
	}
	p.problem("has %s for what it does: write name TEXT, category NAME, merchant NAME, tag NAME or transfer ACCOUNT", ledger.Quote(joined(words)))
	return a
}

// id is that of the only one of a kind that words name.
func (p *textParser) id(kind names.Kind, words []textWord) string {
	all, text := names.Of(p.refs, kind), joined(words)
	found := names.Called(all, text)
	switch len(found) {
	case 1:
		return found[0].ID.String()
	case 0:
		p.problem("names no %s of the household: %s%s", kind, ledger.Quote(text), names.Nearest(all, text))
	default:
		p.problem("names %d of the kind %s by %s: give the id instead", len(found), kind, ledger.Quote(text))
	}
	return uuid.Nil.String()
}
