// Package parse reads a question word by word, completely or not at all: what is asked for, which names and periods
// it says and how they are joined, which amounts and how many rows. Every word is read once, by the first reader that
// knows it, and what none knows is said to be missing. What the words come to as a question is not decided here, and
// questions before it are not known.
package parse

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/household"
)

// Parsed is what a question says, word by word; package intent makes a question of it.
type Parsed struct {
	Cues     Cue
	Periods  []dates.Period
	Relation Relation
	Mentions []Mention
	Search   string           // words that are no name, to be looked for in texts
	Least    *decimal.Decimal // bounds of amounts
	Most     *decimal.Decimal
	Limit    int          // how many rows are wanted; 0 when it is not said
	Missing  []string     // words that nothing was made of
	Singular bool         // one transaction is asked for
	Against  bool         // a period is compared with
	Phrases  []SaidPhrase // those that have a cue
	Apart    bool         // it says by what figures are to be told apart
	Rate     Rate         // for which unit of the calendar figures are wanted
	Having   bool         // it asks what there is: "do I have"
	them     bool         // it asks for the transactions of what was said before
	Bare     bool         // it has no noun for what is wanted: "and the largest?"
	Pointing bool         // it says "them", "those"
	PerEntry bool         // it has a noun for a single transaction
	Notes    []string     // what was made of misspelt words
	Unclear  []string     // sentences that say what may mean more than one thing
}

// SaidPhrase is a phrase of a question.
type SaidPhrase struct {
	Cue  Cue
	Text string
}

// Mention is where a question names something. What several things are called like may mean any of them.
type Mention struct {
	Options   []household.Item
	Said      string    // the words, when they are not exactly the name
	Leading   string    // the preposition before it
	ByType    bool      // accounts of a type, such as "credit card"
	Noun      bool      // of accounts of a type: "savings account", not only "savings"
	One       bool      // a single thing is meant
	at        int       // its first word
	words     int       // how many it takes
	Connector Connector // how it is joined to the one before it
	From      int       // where that is said; at when it is not
}

// Says reports whether a question says any of some cues.
func (a Parsed) Says(any Cue) bool { return a.Cues&any != 0 }

// IsFlowAlone reports whether all income or all spending is asked for, and nothing that has a name.
func (a Parsed) IsFlowAlone() bool {
	return a.Says(Spending|Income|Saved) && len(a.Mentions) == 0 && a.Search == "" &&
		!a.Says(Category|Merchant|Tag|Transactions|Find|Count)
}

// AsksDifference reports whether nothing but a comparison is asked for: "difference?", "which is more?", "compare
// them".
func (a Parsed) AsksDifference() bool {
	isBare := len(a.Mentions)+len(a.Periods)+len(a.Missing) == 0 && a.Search == "" && a.Least == nil &&
		a.Most == nil && a.Relation == Relation{}
	isHowMuch := slices.ContainsFunc(a.Phrases,
		func(p SaidPhrase) bool { return strings.EqualFold(p.Text, "by how much") })
	return isBare && (a.Says(Compare|More|Change) || isHowMuch) &&
		a.Cues&^(Compare|More|Change|HowMuch|FollowUp|List|Hello) == 0 && a.Rate.Said == ""
}

// AsksForThem reports whether the transactions are asked for that a figure is made of: "show me the transactions",
// "list them".
func (a Parsed) AsksForThem() bool {
	isBare := len(a.Mentions)+len(a.Periods)+len(a.Missing) == 0 && a.Search == "" && a.Least == nil && a.Most == nil
	return isBare && a.them && a.Cues&^(Transactions|Find|List|FollowUp|Hello|Spending|Income|HowMuch) == 0
}

// Of are the options of a kind.
func (m Mention) Of(k household.Kind) (of []household.Item) {
	for _, o := range m.Options {
		if o.Kind == k {
			of = append(of, o)
		}
	}
	return of
}

// Shown is what a mention is called in a sentence.
func (m Mention) Shown() string {
	if m.Said != "" {
		return m.Said
	}
	return m.Options[0].Name
}

// IsSpentFor reports whether a mention means what money is owed for or was spent for, rather than what it was paid
// from: money that goes to a loan, a house or a car is none that its account spends.
func (m Mention) IsSpentFor() bool {
	return m.ByType && !slices.ContainsFunc(m.Of(household.AccountKind),
		func(k household.Item) bool { return !k.IsOfType("loan property vehicle") })
}

func (m Mention) covers(i int) bool { return m.at <= i && i < m.at+m.words }

// IsMeans reports whether what stands behind a word is what was paid with.
func IsMeans(word string) bool {
	return slices.Contains([]string{"with", "using", "via", "through"}, word)
}
