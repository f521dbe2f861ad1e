package backup

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/money"
	"finsvc/ledger/transfer"
)

// accountOf finds the account of an entry.
func accountOf(b *line) *indexedAccount {
	id := b.required("account_id")
	found := b.index.accounts[id]
	if found == nil {
		if id != "" {
			b.issue("account_id", "must be the id of an Account of the file that can be imported, got "+
				ledger.Quote(id))
		}
		return &indexedAccount{currency: b.home}
	}
	b.row.Account, b.row.AccountRef = found.name, id
	return found
}

// readEntry reads what all entries have: account, day and currency.
func readEntry(b *line) *indexedAccount {
	account := accountOf(b)
	b.row.Date, b.row.Undated = b.date("date"), false
	b.currency(account.currency)
	return account
}

func planTransaction(b *line) {
	b.row.Body = record.Transaction{}
	id := b.required("id")
	if first := b.index.transactions[sourceOf(id)]; id != "" && first != 0 && int(first) != b.row.Number {
		b.issue("id", fmt.Sprintf("must be that of one Transaction, is that of row %d as well", first))
	}
	readEntry(b)
	b.row.Minor = -b.minor("amount", false) // there, money that leaves the account is positive
	entryTexts(b, "Imported transaction")
	b.row.Category = categoryOf(b, "category_id")
	b.row.Merchant = merchantOf(b, "merchant_id")
	b.row.Tags = tagsOf(b, "tag_ids")
	b.row.ExternalID, b.row.Source = b.name("external_id", b.text("external_id")), b.name("source", b.text("source"))
	if b.flag("excluded", false) {
		b.note("the transaction is excluded from reports there; here it counts")
	}
	b.row.Lines = readSplitLines(b)
	if len(b.row.Lines) > 0 {
		b.row.Category = "" // the lines say what it was for
	}
}

// entryTexts reads name and notes of an entry. A name that is too long is cut, and kept whole in front of the notes.
func entryTexts(b *line, otherwise string) {
	if notes := b.notes("notes"); notes != nil {
		b.row.Notes = *notes
	}
	name := cmp.Or(text.AsName(b.text("name")), otherwise)
	b.row.Name, b.row.Notes = ledger.FitName(name, b.row.Notes)
	if b.row.Name == name {
		return
	}
	b.note("name has more than %d characters: it was cut, and stands whole in the notes", ledger.MaxName)
	if text.Longer(b.row.Notes, ledger.MaxNotes) && len(b.row.Issues) == 0 {
		b.issue("name", text.TooLong(b.row.Notes, ledger.MaxNotes))
	}
}

func categoryOf(b *line, name string) string {
	id := b.text(name)
	path := b.index.path(id)
	if id != "" && path == "" {
		b.note("%s %s is not in the file: there is no category now", name, ledger.Quote(id))
	}
	return path
}

// merchantOf names a merchant. The application whose form this is leaves out those that a provider named.
func merchantOf(b *line, name string) string {
	id := b.text(name)
	if id == "" {
		return ""
	}
	if m := b.index.merchants[id]; m != nil {
		return m.name
	}
	given := text.AsName(b.text("merchant_name"))
	if given == "" {
		given = "Merchant " + id[:min(len(id), 8)]
	}
	b.note("%s %s is not in the file: the merchant is named %s", name, ledger.Quote(id), ledger.Quote(given))
	return text.CutName(given)
}

func tagsOf(b *line, name string) (tags []string) {
	for _, id := range b.ids(name) {
		if tag := b.index.tags[id]; tag != nil {
			tags = append(tags, tag.name)
			continue
		}
		b.note("%s has %s, which is not in the file: that tag is left out", name, ledger.Quote(id))
	}
	return tags
}

// readSplitLines are the parts of a transaction under one of the names that they go by.
func readSplitLines(b *line) (lines []record.SplitLine) {
	name, sum := splitField(b), money.Sum{}
	for i, element := range b.list(name) {
		if element[0] != '{' {
			b.issue(name, fmt.Sprintf("must be a list of JSON objects, member %d is none", i+1))
			return nil
		}
		line := readSplitLine(b, &jsonRecord{number: b.jsonRecord.number, line: b.line,
			kind: fmt.Sprintf("%s %s[%d]", b.kind, name, i), members: members(element, nil)})
		lines = append(lines, line)
		sum.Add(line.Minor)
	}
	if lines != nil && sum != money.SumOf(b.row.Minor) && len(b.row.Issues) == 0 {
		b.issue(name, fmt.Sprintf("must come to the amount %s of the transaction, come to %s",
			b.row.Currency.Plain(-b.row.Minor), b.row.Currency.PlainSum(money.Sum{}.Minus(sum))))
	}
	switch {
	case len(lines) == 1:
		b.row.Category = cmp.Or(b.row.Category, lines[0].Category)
		b.note("has one line only, which is no split: it gives the category")
		return nil
	case len(lines) > entry.MaxSplitLines:
		b.issue(name, fmt.Sprintf("must have %d lines at most, has %d", entry.MaxSplitLines, len(lines)))
		return nil
	}
	return lines
}

// splitField is the name under which a transaction has split lines.
func splitField(b *line) (name string) {
	for _, name = range []string{"split_lines", "splitLines", "splits"} {
		if b.value(name) != nil {
			break
		}
	}
	return name
}

func readSplitLine(b *line, rec *jsonRecord) record.SplitLine {
	part := &line{rec, b.row, b.index, b.home}
	line := record.SplitLine{Minor: -part.minor(firstOf(part, "amount", "amount_money", "amount_decimal"), false),
		Category: categoryOf(part, "category_id")} // without a merchant or tags it has those of the transaction
	name := firstOf(part, "name", "memo", "description")
	line.Name = part.name(name, part.text(name))
	if notes := part.notes("notes"); notes != nil {
		line.Notes = *notes
	}
	if part.flag("excluded", false) {
		part.note("a split line is excluded from reports there; here it counts")
	}
	if part.has("merchant_id") {
		line.Merchant = merchantOf(part, "merchant_id")
	}
	if part.value("tag_ids") != nil {
		line.Tags = tagsOf(part, "tag_ids")
	}
	return line
}

// firstOf is the first of some names under which there is a member, else the first of them.
func firstOf(b *line, names ...string) string {
	for _, name := range names {
		if b.has(name) {
			return name
		}
	}
	return names[0]
}

func planTransfer(b *line, rejected bool) {
	thing := &record.Transfer{Rejected: rejected}
	b.row.Body = thing
	thing.Inflow, thing.Outflow = readSide(b, "inflow_transaction_id"), readSide(b, "outflow_transaction_id")
	thing.Status, thing.Reason = transfer.TransferPending, cmp.Or(b.name("reason", b.text("reason")),
		"linked in the backup")
	if b.text("status") == transfer.TransferConfirmed {
		thing.Status = transfer.TransferConfirmed
	}
	thing.Notes = b.notes("notes")
}

// readSide is the row of a transaction. A rejected pair of which one is gone says nothing any more.
func readSide(b *line, name string) int32 {
	id := b.required(name)
	number := b.index.transactions[sourceOf(id)]
	switch {
	case id == "" || number != 0:
	case b.row.Entity() == record.EntityRejected:
		b.row.Skipped = record.SkippedMissing
		b.note("%s %s is not in the file: the rejected transfer is left out", name, ledger.Quote(id))
	default:
		b.issue(name, "must be the id of a Transaction of the file, got "+ledger.Quote(id))
	}
	return number
}

func planTrade(b *line) {
	plan := &record.Trade{}
	b.row.Body = plan
	checkUnique(b, b.text("id"))
	readEntry(b)
	quantity, _ := b.number("qty")
	price, _ := b.number("price")
	b.row.Minor = -b.minor("amount", true)
	plan.Kind, plan.Quantity = tradeKind(b, quantity), quantity.Abs()
	if b.has("security_id") || b.has("ticker") || plan.Kind != tradeFee && plan.Kind != tradeInterest {
		named := readSecurity(b)
		plan.Ticker, plan.MIC = named.Ticker, named.MIC
	}
	plan.SecurityName = b.name("security_name", b.text("security_name"))
	plan.AllowShort = b.flag("allow_short", true) // where that is not said, a sale is a fact, covered or not
	plan.KeepsLeave = b.has("allow_short")
	plan.Label = b.name("investment_activity_label", b.text("investment_activity_label"))
	if len(b.row.Issues) == 0 {
		readDeal(b, plan, quantity, price)
	}
	entryTexts(b, "")
	b.row.Category = categoryOf(b, "category_id")
}

// The kinds of trades.
const (
	tradeBuy      = "buy"
	tradeSell     = "sell"
	tradeDividend = "dividend"
	tradeInterest = "interest"
	tradeFee      = "fee"
)

// tradeKind is what the record says, else what its figures and its label do: without a quantity it only moves cash.
func tradeKind(b *line, quantity decimal.Decimal) string {
	said, label := strings.ToLower(b.text("trade_type")), strings.ToLower(b.text("investment_activity_label")+" "+
		b.text("name"))
	switch {
	case quantity.IsNegative():
		return tradeSell
	case quantity.IsPositive():
		return tradeBuy
	case said == tradeDividend || said == tradeInterest || said == tradeFee:
		return said
	case b.row.Minor < 0:
		return tradeFee
	case strings.Contains(label, tradeInterest):
		return tradeInterest
	}
	return tradeDividend
}

// readDeal checks the figures of a trade. What it moves in cash beyond quantity times price is the fee.
func readDeal(b *line, plan *record.Trade, quantity, price decimal.Decimal) {
	if quantity.IsZero() {
		if b.row.Minor == 0 {
			b.issue("amount", "must not be 0 for a trade without a quantity")
		}
		if (b.row.Minor < 0) != (plan.Kind == tradeFee) {
			b.issue("amount", "must be negative for what comes in, and positive for a fee")
		}
		return
	}
	plan.Price = price
	if b.report(intake.CheckTerms(quantity, price)); len(b.row.Issues) > 0 {
		return
	}
	if b.has("fee") {
		plan.Fee = b.minor("fee", true)
	} else if cash, err := b.row.Currency.Minor(quantity.Mul(price).Round(int32(b.row.Currency.Exponent))); err == nil {
		plan.Fee = max(0, -b.row.Minor-cash)
	}
	if plan.Fee < 0 {
		b.issue("fee", "must not be negative")
	}
}

func planValuation(b *line) {
	thing := &record.Valuation{}
	b.row.Body = thing
	checkUnique(b, b.text("id"))
	account := accountOf(b)
	*thing = readValuation(b, account)
	b.row.Name = "Valuation"
	if len(b.row.Issues) > 0 {
		return
	}
	if thing.Opening {
		b.row.Name = "Opening balance"
		if account.opening != nil && account.opening.line != b.line {
			b.issue("kind", fmt.Sprintf("must not be opening_anchor: line %d is the opening balance of that account",
				account.opening.line))
		}
	}
	day := indexedDay{sourceOf(b.row.AccountRef), b.row.Date}
	if first := b.index.days[day]; first != 0 && !thing.Undated {
		b.issue("date", fmt.Sprintf("must be a day without another valuation of the account, line %d is one", first))
	}
	if !thing.Undated {
		b.index.days[day] = int32(b.line)
	}
}

func readValuation(b *line, account *indexedAccount) record.Valuation {
	b.row.Date, b.row.Undated = b.date("date"), false
	b.row.Currency = account.currency
	if code := b.text("currency"); code != "" && !strings.EqualFold(code, account.currency.Code) {
		b.issue("currency", "must be that of the account, "+account.currency.Code+", got "+ledger.Quote(code))
	}
	b.row.Minor = b.minor("amount", true)
	return record.Valuation{Opening: b.text("kind") == "opening_anchor", Undated: b.flag("undated", false),
		Notes: b.notes("notes"), Sign: account.sign}
}
