package rule

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"finsvc/ledger"
	"finsvc/queries"
)

// Field is something of a transaction that a rule can set, or that only a person sets.
type Field uint8

// The fields. Their order is that of the bits in transactions.user_fields, which are stored.
const (
	RuleName Field = iota
	RuleNotes
	RuleCategory
	RuleMerchant
	RuleTags
	RuleTransfer
	RuleFieldCount
)

// String is the name of the field in answers and in the database.
func (f Field) String() string {
	return [...]string{"name", "notes", "category", "merchant", "tags", "transfer"}[f]
}

func (f Field) Bit() int64 { return 1 << f }

// RuleFieldNamed is the field with that name; RuleFieldCount when there is none.
func RuleFieldNamed(name string) Field {
	for f := range RuleFieldCount {
		if f.String() == name {
			return f
		}
	}
	return RuleFieldCount
}

// RuleEffect is what one rule has set of a transaction. Rule is the key of the rule.
type RuleEffect struct {
	Field Field
	Rule  int64
}

// Subject is a transaction as rules see it, and after [Engine.Apply] as they leave it. Keys are 0 where there
// is nothing. It is used for one transaction after the other, so that its room is allocated once.
type Subject struct {
	AccountID, CategoryID, MerchantID int64
	Tags                              []int64
	Minor                             int64 // minor units of Currency, into the account positive
	Currency                          string
	Date                              ledger.Date
	Name, Notes                       string
	InTransfer                        bool
	Imported                          bool                  // the name is a bank's, not a person's
	UserFields                        int64                 // bits of the fields that rules leave alone
	SetByRule                         [RuleFieldCount]int64 // the rule that has set a field before; 0: none has

	MerchantName string   // of the merchant that a rule has set
	TransferTo   int64    // the account that a rule calls the other side
	was          snapshot // before the rules
	effects      []RuleEffect
	texts        [2]ruleText // of name and notes
	Hits         []bool      // by place of the rule in the book, where the caller counts matches
}

// Reset makes room for the next transaction.
func (f *Subject) Reset() {
	*f = Subject{effects: f.effects[:0], texts: f.texts, Hits: f.Hits}
	clear(f.Hits)
	f.texts[0].reset()
	f.texts[1].reset()
}

// See takes a stored transaction, or one that is about to be.
func (f *Subject) See(t *queries.Transaction, tags []int64) {
	f.Reset()
	f.AccountID, f.Minor, f.Currency, f.Date, f.Name = t.AccountID, t.Amount, t.Currency, ledger.Date(t.Date), t.Name
	f.InTransfer, f.Imported, f.UserFields, f.Tags = t.TransferID != nil, t.SourceHash != nil, t.UserFields, tags
	if t.Notes != nil {
		f.Notes = *t.Notes
	}
	if t.CategoryID != nil {
		f.CategoryID = *t.CategoryID
	}
	if t.MerchantID != nil {
		f.MerchantID = *t.MerchantID
	}
}

// free reports whether a rule may set a field. It never may where a person has set it, nor where anything is that no
// rule has put there; a name is a bank's to begin with. What a rule has set, it and the rules before it may set anew.
func (f *Subject) free(field Field, rule int64) bool {
	if f.UserFields&field.Bit() != 0 {
		return false
	}
	if by := f.SetByRule[field]; by != 0 {
		return by >= rule
	}
	switch field {
	case RuleName:
		return f.Imported
	case RuleCategory:
		return f.CategoryID == 0
	case RuleMerchant:
		return f.MerchantID == 0
	case RuleTags:
		return len(f.Tags) == 0
	}
	return !f.InTransfer
}

// note says that a rule has set a field.
func (f *Subject) note(field Field, rule int64) {
	f.SetByRule[field] = rule
	for i := range f.effects {
		if f.effects[i].Field == field {
			f.effects[i].Rule = rule
			return
		}
	}
	f.effects = append(f.effects, RuleEffect{field, rule})
}

// Write puts what the rules have set into a transaction and gives its tags.
func (f *Subject) Write(t *queries.Transaction) (tags []int64) {
	t.Name, t.CategoryID, t.MerchantID = f.Name, ledger.OptionalKey(f.CategoryID), ledger.OptionalKey(f.MerchantID)
	return f.Tags
}

// snapshot is what rules can set, to tell in the end what they have changed.
type snapshot struct {
	name               string
	category, merchant int64
	tags               []int64
}

func (f *Subject) snapshot() snapshot { return snapshot{f.Name, f.CategoryID, f.MerchantID, f.Tags} }

// Real are the effects but for those on fields that in the end are what they were before: one rule may have undone
// what another did. They are no changes, but they are to be noted, for the field is that rule's from then on.
func (f *Subject) Real() []RuleEffect {
	return slices.DeleteFunc(slices.Clone(f.effects), func(e RuleEffect) bool {
		switch e.Field {
		case RuleName:
			return f.Name == f.was.name
		case RuleCategory:
			return f.CategoryID == f.was.category
		case RuleMerchant:
			return f.MerchantID == f.was.merchant
		case RuleTags:
			return slices.Equal(f.Tags, f.was.tags)
		}
		return false
	})
}

// ruleText is a text in the forms in which rules compare it, each made when it is first needed.
type ruleText struct {
	plain, folded             []byte
	plainIsMade, foldedIsMade bool
}

func (t *ruleText) reset() { t.plainIsMade, t.foldedIsMade = false, false }

// contains reports whether the text has the part, whatever its case and white space; the part is folded.
func (t *ruleText) contains(text string, part []byte) bool {
	if !t.foldedIsMade {
		t.folded, t.foldedIsMade = appendCollapsed(t.folded[:0], text, true), true
	}
	return bytes.Contains(t.folded, part)
}

// equals reports whether the text is the other, whatever its white space; the other is collapsed.
func (t *ruleText) equals(text string, other []byte) bool {
	if !t.plainIsMade {
		t.plain, t.plainIsMade = appendCollapsed(t.plain[:0], text, false), true
	}
	return bytes.Equal(t.plain, other)
}

// appendCollapsed appends a text with its white space as single blanks between words, and with fold as [ledger.Fold]
// has it, in the form of [ledger.NormalText]. It is Fold without allocations.
func appendCollapsed(dst []byte, text string, fold bool) []byte {
	start, parted := len(dst), false
	for _, r := range ledger.NormalText(text) {
		if unicode.IsSpace(r) {
			parted = len(dst) > start
			continue
		}
		if parted {
			dst, parted = append(dst, ' '), false
		}
		if fold {
			r = foldRune(r)
		}
		dst = utf8.AppendRune(dst, r)
	}
	if fold && !norm.NFC.IsNormal(dst[start:]) {
		dst = append(dst[:start], norm.NFC.Bytes(dst[start:])...) // as Fold does
	}
	return dst
}

func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
