package entry

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// MaxSplitLines is how many lines a transaction may have.
const MaxSplitLines = 250

// SplitLineInput is what a client says about a line of a split transaction. Amount is in major units as written, and
// never in another currency than the transaction's.
//
// The lines add up to the transaction's amount, with the sign that it is written with or with the opposite one; so a
// line goes the transaction's way when it has the sign of that sum, else the other way, as a refund within a bill
// does. Where the sum is zero, positive is an expense, unless the nature of the transaction is income.
type SplitLineInput struct {
	ID                     ledger.Opt[uuid.UUID] // of the part that the line is; absent for a new one
	Amount                 ledger.Opt[decimal.Decimal]
	AmountIsNumber         bool // as in [TransactionInput]
	Name, Notes            ledger.Opt[string]
	Currency               ledger.Opt[string]
	CategoryID, MerchantID ledger.Opt[uuid.UUID]
	TagIDs                 ledger.Opt[[]uuid.UUID]
}

// changedParts are the lines before and after a change. Those that are not mentioned stay, and so must what they
// depend on: the amount, and the category that they have instead of the transaction.
func (c checker) changedParts(before queries.Transaction, after *queries.Transaction,
	lines []queries.SplitLine) splitChange {
	problems := &c.in.Problems
	if c.in.SplitLines.Set || len(lines) == 0 {
		return splitChange{before: lines, after: c.splitLines(after, lines)}
	}
	const fixed = "cannot change while the transaction is split: give split_lines that %s, or remove the split first, with null"
	switch {
	case after.Currency == "" || problems.Has("amount"):
	case after.Amount != before.Amount:
		problems.Add(c.amountField(), fixed, "add up to it")
	case after.Currency != before.Currency:
		problems.Add("currency", fixed, "are in it")
	}
	if c.in.CategoryID.Has() {
		problems.Add("category_id", "cannot be given to a split transaction, whose lines have the categories: remove the split first, with split_lines null")
	}
	return splitChange{lines, lines}
}

// amountField is the field by which an amount was changed.
func (c checker) amountField() string {
	switch {
	case c.in.Amount.Has():
		return "amount"
	case c.in.Currency.Has():
		return "currency"
	}
	return "nature"
}

// splitLines checks the lines that are given, in the place of those before if there are any, and takes the category off
// the transaction that gets some.
func (c checker) splitLines(t *queries.Transaction, before []queries.SplitLine) []queries.SplitLine {
	given, problems := c.in.SplitLines.Or(nil), &c.in.Problems
	if len(given) == 0 || problems.Has("split_lines") {
		return nil
	}
	if c.in.CategoryID.Has() {
		problems.Add("category_id", "must not be given together with split_lines: the lines have the categories")
	}
	t.CategoryID = nil
	if n := len(given); n < 2 || n > MaxSplitLines {
		problems.Add("split_lines", "must have 2 to %d members, or none where the transaction is not split, has %d",
			MaxSplitLines, n)
		return nil
	}
	lines := make([]queries.SplitLine, len(given))
	for i, in := range given {
		lines[i] = c.splitLine(int64(i+1), in, t.Currency)
	}
	if currency, known := money.LookupCurrency(t.Currency); known &&
		!slices.ContainsFunc(*problems, ledger.FieldError.OfAmounts) {
		c.direct(lines, t.Amount, currency)
	}
	// Give lines the ids of those before that they are: by the id that was given, and without one by saying the
	// same. What is said of no line before, as of all those of a new transaction, is ignored.
	left := slices.Clone(before)
	take := func(line *queries.SplitLine, is func(queries.SplitLine) bool) bool {
		at := slices.IndexFunc(left, is)
		if at >= 0 {
			line.PublicID = left[at].PublicID
			left = slices.Delete(left, at, at+1)
		}
		return at >= 0
	}
	for i, in := range c.in.SplitLines.Value {
		if id := in.ID; id.Has() && len(before) > 0 && !take(&lines[i],
			func(s queries.SplitLine) bool { return uuid.UUID(s.PublicID) == id.Value }) {
			c.in.Problems.Add(fmt.Sprintf("split_lines[%d].id", i),
				"must be that of one part of this transaction, each once, or absent for a new one, got %s", id.Value)
		}
	}
	for i, in := range c.in.SplitLines.Value {
		if !in.ID.Has() {
			take(&lines[i], func(s queries.SplitLine) bool { return sameLine(s, lines[i]) })
		}
	}
	return lines
}

// splitLine checks a line by itself. Its amount is as written.
func (c checker) splitLine(position int64, in SplitLineInput, code string) queries.SplitLine {
	at, problems := fmt.Sprintf("split_lines[%d].", position-1), &c.in.Problems
	line := queries.SplitLine{Position: position, Amount: lineAmount(problems, at, in, code),
		TagIDs: c.tagKeys(at+"tag_ids", in.TagIDs)}
	name, notes := problems.FitName(at+"name", problems.EntryName(at+"name", in.Name.Or("")),
		ledger.OptionalText(problems.CheckNotes(at+"notes", in.Notes.Or(""))))
	line.Name, line.Notes = ledger.OptionalText(name), notes
	line.CategoryID = problems.Reference(at+"category_id", in.CategoryID, c.refs.Categories.Keys)
	line.MerchantID = problems.Reference(at+"merchant_id", in.MerchantID, c.refs.Merchants.Keys)
	slices.Sort(line.TagIDs)
	return line
}

// lineAmount is the amount of a line in minor units of the transaction's currency.
func lineAmount(p *ledger.Problems, at string, in SplitLineInput, code string) int64 {
	p.Require(in.Amount.Has(), at+"amount", "is required, such as 12.50")
	currency, known := money.LookupCurrency(code)
	if !known {
		return 0
	}
	if own, _ := money.LookupCurrency(in.Currency.Or(code)); own != currency {
		p.Add(at+"currency", "must be that of the transaction, %s, got %s", code, ledger.Quote(in.Currency.Value))
	}
	minor, err := currency.Minor(currency.Meant(in.Amount.Value, in.AmountIsNumber))
	p.Note(at+"amount", err)
	return minor
}

// direct gives the lines, whose amounts are as written, the directions that add up to the amount of the transaction.
func (c checker) direct(lines []queries.SplitLine, amount int64, currency money.Currency) {
	sum := sumOf(lines)
	way := DirectionOf(&c.in.Problems, c.in.Nature)
	switch {
	case sum != amount && sum != -amount:
		c.in.Problems.Add("split_lines", "must add up to the amount of the transaction, %s %s, but add up to %s",
			currency.Plain(max(amount, -amount)), currency.Code, currency.Plain(sum))
	case sum != amount, sum == 0 && way != Inflow:
		for i := range lines {
			lines[i].Amount = -lines[i].Amount
		}
	}
}

func sumOf(lines []queries.SplitLine) (sum int64) {
	for _, s := range lines {
		sum += s.Amount
	}
	return sum
}
