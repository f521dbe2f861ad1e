package entry

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// attachments are what transactions have beside their rows, gathered to be written together.
type attachments struct {
	tags     []queries.InsertTransactionTagParams
	lines    []queries.InsertSplitLineParams
	lineTags []queries.InsertSplitLineTagParams
	notes    []queries.PutRuleNoteParams
}

// tag puts tags on the transaction with a key.
func (a *attachments) tag(key int64, tags []int64) {
	for _, tag := range tags {
		a.tags = append(a.tags, queries.InsertTransactionTagParams{TransactionID: key, TagID: tag})
	}
}

// split gives it lines. Those that are new get their ids.
func (a *attachments) split(key, household int64, lines []queries.SplitLine) (err error) {
	for _, s := range lines {
		if s.PublicID == (queries.PublicID{}) {
			s.PublicID, err = ledger.NewID()
			if err != nil {
				return err
			}
		}
		a.lines = append(a.lines, queries.InsertSplitLineParams{TransactionID: key, Position: s.Position,
			PublicID: s.PublicID, HouseholdID: household,
			Amount: s.Amount, Name: s.Name, Notes: s.Notes, CategoryID: s.CategoryID, MerchantID: s.MerchantID})
		for _, tag := range s.TagIDs {
			a.lineTags = append(a.lineTags, queries.InsertSplitLineTagParams{TransactionID: key, Position: s.Position,
				TagID: tag})
		}
	}
	return nil
}

// note keeps which rules have changed it. Only a name can have been anything before that no rule had put there.
func (a *attachments) note(key int64, effects []rule.RuleEffect, name string) {
	for _, e := range effects {
		note := queries.PutRuleNoteParams{TransactionID: key, Field: e.Field.String(), RuleID: e.Rule}
		if e.Field == rule.RuleName {
			note.Before = &name
		}
		a.notes = append(a.notes, note)
	}
}

// store writes what was gathered.
func (a *attachments) store(ctx context.Context, q *queries.Queries) error {
	if err := q.InsertTransactionTags(ctx, a.tags); err != nil {
		return err
	}
	if err := q.InsertSplitLines(ctx, a.lines); err != nil {
		return err
	}
	if err := q.InsertSplitLineTags(ctx, a.lineTags); err != nil {
		return err
	}
	return q.PutRuleNotes(ctx, a.notes)
}
