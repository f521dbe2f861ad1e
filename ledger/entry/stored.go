package entry

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// stored is a transaction with what hangs on it.
type stored struct {
	queries.Transaction
	tags  []int64 // rising
	lines []queries.SplitLine
	notes []ruleNote // which rules have set its fields
}

// ruleNote says which rule has set a field. Before is what the name was until then.
type ruleNote struct {
	Field  string    `json:"field"`
	RuleID uuid.UUID `json:"rule_id"`
	Before *string   `json:"before,omitempty"`
}

func (n ruleNote) equal(m ruleNote) bool {
	return n.Field == m.Field && n.RuleID == m.RuleID && ledger.Same(n.Before, m.Before)
}

// readStored reads what hangs on a transaction.
func readStored(ctx context.Context, tx *ledger.Tx, t queries.Transaction) (s stored, err error) {
	s.Transaction = t
	s.tags, err = tx.ListTransactionTagIDs(ctx, t.ID)
	if err != nil {
		return s, err
	}
	s.lines, err = tx.GetSplitLines(ctx, t.ID)
	if err != nil {
		return s, err
	}
	notes, err := readNotes(ctx, tx, []int64{t.ID})
	s.notes = notes[t.ID]
	return s, err
}

// readNotes are the notes of rules of some transactions. Households without rules pay nothing.
func readNotes(ctx context.Context, tx *ledger.Tx, keys []int64) (map[int64][]ruleNote, error) {
	if len(tx.Refs.Rules.ByKey) == 0 {
		return nil, nil
	}
	rows, err := tx.ListRuleNotes(ctx, queries.ListRuleNotesParams{Ids: ledger.JSONArray(keys),
		HouseholdID: tx.HouseholdID})
	notes := map[int64][]ruleNote{}
	for _, r := range rows {
		if by := tx.Refs.Rules.ByKey[r.RuleID]; by != nil && r.Field != rule.RuleTransfer.String() {
			notes[r.TransactionID] = append(notes[r.TransactionID], ruleNote{r.Field, by.ID, r.Before})
		}
	}
	return notes, err
}

// claim makes fields a person's, whatever rule has set them before.
func (s *stored) claim(bits int64) {
	s.UserFields |= bits
	s.notes = slices.DeleteFunc(slices.Clone(s.notes), func(n ruleNote) bool {
		return bits&rule.RuleFieldNamed(n.Field).Bit() != 0
	})
}

// credit notes that rules have set fields. What a name was before the first of them stays.
func (s *stored) credit(refs *ledger.Refs, effects []rule.RuleEffect, name string) {
	s.notes = slices.Clone(s.notes)
	for _, e := range effects {
		by := refs.Rules.ByKey[e.Rule]
		if by == nil || e.Field == rule.RuleTransfer {
			continue
		}
		at := slices.IndexFunc(s.notes, func(n ruleNote) bool { return n.Field == e.Field.String() })
		if at >= 0 {
			s.notes[at].RuleID = by.ID
			continue
		}
		note := ruleNote{Field: e.Field.String(), RuleID: by.ID}
		if e.Field == rule.RuleName {
			note.Before = &name
		}
		s.notes = append(s.notes, note)
	}
}

// storeNotes writes the notes that are other ones than before.
func storeNotes(ctx context.Context, tx *ledger.Tx, key int64, before, after []ruleNote) error {
	if slices.EqualFunc(before, after, ruleNote.equal) {
		return nil
	}
	var gone []string
	for _, n := range before {
		gone = append(gone, n.Field)
	}
	if len(gone) > 0 {
		if err := forgetNotes(ctx, tx.Queries, key, gone...); err != nil {
			return err
		}
	}
	var put []queries.PutRuleNoteParams
	for _, n := range after {
		if by, there := tx.Refs.Rules.Keys[n.RuleID]; there {
			put = append(put, queries.PutRuleNoteParams{TransactionID: key, Field: n.Field, RuleID: by, Before: n.Before})
		}
	}
	return tx.PutRuleNotes(ctx, put)
}

// nameLines gives new lines their ids, which the history knows as well.
func (s *stored) nameLines() (err error) {
	s.lines = slices.Clone(s.lines)
	for i := range s.lines {
		if s.lines[i].PublicID == (queries.PublicID{}) {
			s.lines[i].PublicID, err = ledger.NewID()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// image is a transaction as the history keeps it: labels by the ids that clients know, as keys are given anew to
// others. Amounts are in minor units, into the account positive. A change keeps the members that differ alone, so that
// what else has changed since is no hindrance to take it back.
type image struct {
	AccountID  uuid.UUID   `json:"account_id"`
	Date       string      `json:"date"`
	Amount     int64       `json:"signed_amount_cents"`
	Currency   string      `json:"currency"`
	Name       string      `json:"name"`
	Notes      *string     `json:"notes"`
	CategoryID *uuid.UUID  `json:"category_id"`
	MerchantID *uuid.UUID  `json:"merchant_id"`
	TagIDs     []uuid.UUID `json:"tag_ids"`
	Lines      []lineImage `json:"split_lines"`
	UserFields int64       `json:"user_fields"`
	Rules      []ruleNote  `json:"applied_rules"`
}

// lineImage is a line of it.
type lineImage struct {
	ID         uuid.UUID   `json:"id"`
	Amount     int64       `json:"signed_amount_cents"`
	Name       *string     `json:"name,omitempty"`
	Notes      *string     `json:"notes,omitempty"`
	CategoryID *uuid.UUID  `json:"category_id,omitempty"`
	MerchantID *uuid.UUID  `json:"merchant_id,omitempty"`
	TagIDs     []uuid.UUID `json:"tag_ids,omitempty"`
}

// members are those of an image by their names in JSON, as text: two images are equal in a member when its texts are.
func (m image) members() map[string]json.RawMessage {
	text, _ := json.Marshal(m) // of plain values alone
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(text, &members) // an object, as was just written
	return members
}

// difference keeps the members in which two images differ. It looks at them as they are first: most are the same, and
// text costs more.
func difference(before, after image) (was, is map[string]json.RawMessage) {
	was, is = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	put := func(name string, same bool, before, after any) {
		if same {
			return
		}
		was[name], _ = json.Marshal(before) // of plain values alone
		is[name], _ = json.Marshal(after)
	}
	put("account_id", before.AccountID == after.AccountID, before.AccountID, after.AccountID)
	put("date", before.Date == after.Date, before.Date, after.Date)
	put("signed_amount_cents", before.Amount == after.Amount, before.Amount, after.Amount)
	put("currency", before.Currency == after.Currency, before.Currency, after.Currency)
	put("name", before.Name == after.Name, before.Name, after.Name)
	put("notes", ledger.Same(before.Notes, after.Notes), before.Notes, after.Notes)
	put("category_id", ledger.Same(before.CategoryID, after.CategoryID), before.CategoryID, after.CategoryID)
	put("merchant_id", ledger.Same(before.MerchantID, after.MerchantID), before.MerchantID, after.MerchantID)
	put("tag_ids", slices.Equal(before.TagIDs, after.TagIDs), before.TagIDs, after.TagIDs)
	put("split_lines", slices.EqualFunc(before.Lines, after.Lines, lineImage.equal), before.Lines, after.Lines)
	put("user_fields", before.UserFields == after.UserFields, before.UserFields, after.UserFields)
	put("applied_rules", slices.EqualFunc(before.Rules, after.Rules, ruleNote.equal), before.Rules, after.Rules)
	return was, is
}

func (l lineImage) equal(m lineImage) bool {
	return l.ID == m.ID && l.Amount == m.Amount && ledger.Same(l.Name, m.Name) && ledger.Same(l.Notes, m.Notes) &&
		ledger.Same(l.CategoryID, m.CategoryID) && ledger.Same(l.MerchantID, m.MerchantID) &&
		slices.Equal(l.TagIDs, m.TagIDs)
}

// imageOf is what the history keeps of a transaction.
func imageOf(refs *ledger.Refs, s stored) image {
	m := image{AccountID: refs.Accounts.ByKey[s.AccountID].ID, Date: ledger.Date(s.Date).String(), Amount: s.Amount, Currency: s.Currency, Name: s.Name, Notes: s.Notes,
		TagIDs: tagIDs(refs, s.tags), UserFields: s.UserFields}
	if len(s.notes) > 0 { // null and no list alike
		m.Rules = slices.Clone(s.notes)
	}
	m.CategoryID, m.MerchantID = categoryID(refs, s.CategoryID), merchantID(refs, s.MerchantID)
	slices.SortFunc(m.Rules, func(a, b ruleNote) int { return bytes.Compare([]byte(a.Field), []byte(b.Field)) })
	for _, line := range s.lines {
		m.Lines = append(m.Lines, lineImage{ID: uuid.UUID(line.PublicID), Amount: line.Amount, Name: line.Name,
			Notes: line.Notes, CategoryID: categoryID(refs, line.CategoryID), MerchantID: merchantID(refs, line.MerchantID),
			TagIDs: tagIDs(refs, line.TagIDs)})
	}
	return m
}

func categoryID(refs *ledger.Refs, key *int64) *uuid.UUID {
	if key == nil || refs.Categories.ByKey[*key] == nil {
		return nil
	}
	return &refs.Categories.ByKey[*key].ID
}

func merchantID(refs *ledger.Refs, key *int64) *uuid.UUID {
	if key == nil || refs.Merchants.ByKey[*key] == nil {
		return nil
	}
	return &refs.Merchants.ByKey[*key].ID
}

func tagIDs(refs *ledger.Refs, keys []int64) (ids []uuid.UUID) {
	for _, key := range keys {
		if tag := refs.Tags.ByKey[key]; tag != nil {
			ids = append(ids, tag.ID)
		}
	}
	return ids
}
