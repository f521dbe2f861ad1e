package importer_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/market"
)

// record is a line of a backup; single quotes stand for double ones.
func record(kind, data string) string {
	return fmt.Sprintf(`{"type":%q,"data":{%s}}`, kind, strings.ReplaceAll(data, "'", `"`)) + "\n"
}

// The records that others refer to in the tests.
func bases() string {
	return record("Account", "'id':'a1','name':'Giro','balance':'100.00','accountable_type':'Depository','currency':'EUR'") +
		record("Account", "'id':'a2','name':'Broker','balance':0,'accountable_type':'Investment','currency':'USD'") +
		record("Category", "'id':'c1','name':'Food'") + record("Category",
		"'id':'c2','name':'Bread','parent_id':'c1'") +
		record("Tag", "'id':'t1','name':'Fun'") + record("Merchant", "'id':'m1','name':'Corner Bakery'") +
		record("Transaction", "'id':'x1','account_id':'a1','date':'2026-01-31','amount':'12.50'") +
		record("Transaction", "'id':'x2','account_id':'a1','date':'2026-01-31','amount':-12.5")
}

// rowsOf gives the rows that a backup has after the bases.
func (k *fixture) rowsOf(content string) []importer.Result {
	k.tb.Helper()
	imp := k.send(bases()+content, importer.Request{Type: recordpkg.ServiceImport})
	_, list, err := k.Results(k.tb.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	for _, row := range list[:8] {
		if len(row.Issues) > 0 {
			k.tb.Fatalf("a base is wrong: %v", row.Issues)
		}
	}
	return list[8:]
}

func TestBackupBadLines(t *testing.T) {
	t.Parallel()
	lines := []struct{ line, want string }{
		{"{", "line must be JSON: unexpected end of JSON input"},
		{"[1]", `line must be a JSON object such as {"type": "Tag", "data": {...}}`},
		{`{"type":"Tag"}`, "line must have a type, which is a text, and data"},
		{`{"data":{}}`, "line must have a type, which is a text, and data"},
		{`{"type":7,"data":{}}`, "line must have a type, which is a text, and data"},
		{`{"type":"Tag","data":[]}`, "line must have a JSON object as data"},
		{`{"type":"Goal","data":{}}`, `type must be one of Account, Balance, Category`},
		{strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000),
			"line must be JSON: invalid character '{' exceeded max depth"},

		{record("Account", "'name':'x','balance':'1','accountable_type':'Loan'"),
			"Account id is required and must not be blank"},
		{record("Account", "'id':'a1','name':'x','balance':'1','accountable_type':'Loan'"),
			"Account id must be that of one Account, is that of line 1 as well"},
		{record("Account", "'id':'a9','name':' ','balance':'1','accountable_type':'Loan'"),
			"Account name is required and must not be blank"},
		{record("Account", "'id':'a9','name':'x','balance':'1','accountable_type':'loan'"),
			`Account accountable_type must be a type of account such as Depository or CreditCard, got "loan"`},
		{record("Account", "'id':'a9','name':'x','balance':'1','accountable_type':'Loan','subtype':'checking'"),
			"Account subtype must be one of those of Loan (mortgage,"},
		{record("Account", "'id':'a9','name':'x','accountable_type':'Loan'"),
			"Account balance is required and must not be blank"},
		{record("Account", "'id':'a9','name':'x','balance':'1,5','accountable_type':'Loan'"),
			`Account balance must be a number such as 12.50, got "1,5"`},
		{record("Account", "'id':'a9','name':'x','balance':'1','accountable_type':'Loan','currency':'EURO'"),
			`Account currency must be an ISO 4217 code such as EUR, got "EURO"`},

		{record("Category", "'id':'c9'"), "Category name is required and must not be blank"},
		{record("Category", "'id':'c9','name':{}"), "Category name must be a text"},
		{record("Category", "'id':'c9','name':'x','color':'red'"), "Category color must be"},
		{record("Category", "'id':'c9','name':'x','classification':'both'"),
			`Category classification must be income or expense, got "both"`},
		{record("Category", "'id':'self','name':'x','parent_id':'self'"),
			"Category parent_id must be that of another category"},
		{record("Category", "'id':'c9','name':'x','parent_id':'c2'"),
			`Category parent_id must be that of a category without a parent, since there are two levels only; "Bread" has one`},
		{record("Tag", "'id':'t9','name':null"), "Tag name is required and must not be blank"},
		{record("Tag", "'id':'t1','name':'x'"), "Tag id must be that of one Tag, is that of line 5 as well"},
		{record("Merchant", "'name':'x'"), "Merchant id is required and must not be blank"},

		{record("Transaction", "'id':'x9','date':'2026-01-31','amount':'1'"),
			"Transaction account_id is required and must not be blank"},
		{record("Transaction", "'id':'x9','account_id':'a9','date':'2026-01-31','amount':'1'"),
			`Transaction account_id must be the id of an Account of the file that can be imported, got "a9"`},
		{record("Transaction", "'id':'x1','account_id':'a1','date':'2026-01-31','amount':'1'"),
			"Transaction id must be that of one Transaction, is that of row 7 as well"},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-02-30','amount':'1'"),
			`Transaction date must be a date such as 2026-01-31, got "2026-02-30"`},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':'1.005'"),
			"Transaction amount has more decimals than EUR allows (2): 1.005"},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':true"),
			`Transaction amount must be a number such as 12.50, got "true"`},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':1,'tag_ids':'t1'"),
			"Transaction tag_ids must be a list of ids"},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':1,'split_lines':{}"),
			"Transaction split_lines must be a list"},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':1,'splits':[1]"),
			"Transaction splits must be a list of JSON objects, member 1 is none"},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':'3','splitLines':[{'amount':1},{'amount':'1.50'}]"),
			"Transaction splitLines must come to the amount 3.00 of the transaction, come to 2.50"},
		{record("Transaction", "'id':'x9','account_id':'a1','date':'2026-01-31','amount':'3','split_lines':[{'amount':3},{}]"), "Transaction split_lines[1] amount is required"},

		{record("Transfer", "'inflow_transaction_id':'x2'"),
			"Transfer outflow_transaction_id is required and must not be blank"},
		{record("Transfer", "'inflow_transaction_id':'x2','outflow_transaction_id':'x9'"),
			`Transfer outflow_transaction_id must be the id of a Transaction of the file, got "x9"`},
		{record("RejectedTransfer", "'outflow_transaction_id':'x1'"),
			"RejectedTransfer inflow_transaction_id is required"},

		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'1','price':'2','amount':'2'"),
			"Trade ticker is required and must not be blank"},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'1','price':'0','amount':'2','ticker':'ACME'"),
			"Trade price must be greater than 0, got 0"},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'x','price':'2','amount':'2','ticker':'ACME'"),
			`Trade qty must be a number such as 12.50, got "x"`},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'0','price':'0','amount':'0','ticker':'ACME'"),
			"Trade amount must not be 0 for a trade without a quantity"},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'1','price':'2','amount':'2','ticker':'ACME','exchange_operating_mic':'?'"), "Trade exchange_operating_mic must name a market"},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'0','price':'0','amount':'5','ticker':'ACME','trade_type':'dividend'"), "Trade amount must be negative for what comes in"},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'1','price':'2','amount':'2','fee':'-1','ticker':'ACME'"), "Trade fee must not be negative"},
		{record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'1','price':'2','amount':'2','ticker':'ACME','allow_short':'x'"), `Trade allow_short must be true or false, got "x"`},

		{record("Holding", "'account_id':'a2','date':'2026-01-31','qty':'1','price':'2','ticker':'ACME'"),
			"Holding amount is required"},
		{record("Balance", "'account_id':'a1','date':'2026-01-31'"), "Balance balance is required"},
		{record("Valuation", "'account_id':'a1','amount':'1'"), "Valuation date is required"},
		{record("Valuation", "'account_id':'a1','date':'2026-01-31','amount':'1','currency':'USD'"),
			`Valuation currency must be that of the account, EUR, got "USD"`},
		{record("Rule", "'id':'r1','resource_type':'account','actions':[{}]"),
			`Rule resource_type must be transaction, got "account"`},
		{record("Rule", "'id':'r1','conditions':[]"), "Rule actions must have at least one action"},
		{record("Rule", "'id':'r1','conditions':[1],'actions':[{}]"),
			"Rule conditions must be a list of JSON objects, member 1 is none"},
		{record("Rule", "'id':'r1','actions':[{}],'effective_date':'soon'"),
			`Rule effective_date must be a date such as 2026-01-31, got "soon"`},
		{record("Security", "'id':'s1'"), "Security ticker is required"},
		{record("SecuritySplit", "'ticker':'ACME','date':'2026-01-31','numerator':2,'denominator':2"),
			"SecuritySplit numerator must differ from denominator"},
		{record("SecuritySplit", "'ticker':'ACME','date':'2026-01-31','numerator':'2.5','denominator':1"),
			`SecuritySplit numerator must be a whole number, got "2.5"`},
		{record("SecurityPrice", "'ticker':'ACME','date':'2026-01-31','price':'-1','currency':'EUR'"),
			"SecurityPrice price must be greater than 0, got -1"},
	}
	k := newFixture(t)
	var file strings.Builder
	own := regexp.MustCompile(`"id":"(.9|r1)"`)
	for i, l := range lines {
		line := own.ReplaceAllString(strings.TrimSuffix(l.line, "\n"), fmt.Sprintf(`"id":"own %d"`, i))
		file.WriteString(line + "\n\n")
	}
	rows := k.rowsOf(file.String())
	if len(rows) != len(lines) {
		t.Fatalf("%d rows, want %d", len(rows), len(lines))
	}
	for i, l := range lines {
		if got := strings.Join(rows[i].Sentences(), "; "); !strings.HasPrefix(got, l.want) || rows[i].Line != 9+2*i ||
			rows[i].Number != 9+i {
			t.Errorf("row %d, line %d: got %q, want %q", rows[i].Number, rows[i].Line, got, l.want)
		}
	}
}

// TestBackupDuplicateValuations: what is wrong only because of a line before it.
func TestBackupDuplicateValuations(t *testing.T) {
	t.Parallel()
	rows := newFixture(t).rowsOf(
		record("Valuation", "'account_id':'a1','date':'2026-01-31','amount':'1'") + record("Valuation",
			"'account_id':'a1','date':'2026-01-31','amount':'2'") +
			record("Valuation", "'account_id':'a2','date':'2026-01-01','amount':'1','kind':'opening_anchor'") +
			record("Valuation", "'account_id':'a2','date':'2026-01-02','amount':'1','kind':'opening_anchor'"))
	for i, want := range []string{"", "Valuation date must be a day without another valuation of the account, line 9 is one", "",
		"Valuation kind must not be opening_anchor: line 11 is the opening balance of that account"} {
		if got := strings.Join(rows[i].Sentences(), "; "); got != want {
			t.Errorf("row %d: got %q, want %q", i, got, want)
		}
	}
}

func TestBackupGoodLines(t *testing.T) {
	t.Parallel()
	rows := newFixture(t).rowsOf(
		record("Transaction", "'id':'x3','account_id':'a1','date':'2026-01-31T10:00:00Z','amount':'-20.00','category_id':'c2','merchant_id':'m1','tag_ids':['t1'],'notes':'a\\nb','external_id':'7','source':'bank'") +
			record("Transaction", "'id':'x4','account_id':'a1','date':'2026-02-01','amount':'10','category_id':'c9','merchant_id':'0123456789','tag_ids':['t9'],'excluded':true,'name':'\\u00e4b'") +
			record("Transaction", "'id':'x5','account_id':'a1','date':'2026-02-01','amount':'10','merchant_id':'m1','splits':[{'amount':'12','memo':'Bread','category_id':'c2'},{'amount_money':-2,'merchant_id':'','tag_ids':[]}]") +
			record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'10','price':'12.345','amount':'124.95','ticker':'acme','exchange_operating_mic':'xnas'") +
			record("Trade", "'account_id':'a2','date':'2026-01-31','qty':-3,'price':'10','amount':'-29.00','ticker':'ACME'") +
			record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'0','price':'0','amount':'-7.5','ticker':'ACME','name':'Payout'") +
			record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'0','price':'0','amount':'-7.5','name':'Interest of January','investment_activity_label':'Interest'") +
			record("Trade", "'account_id':'a2','date':'2026-01-31','qty':'0','price':'0','amount':'4'") +
			record("RejectedTransfer", "'inflow_transaction_id':'gone','outflow_transaction_id':'x1'") +
			record("Budget", "'id':'b1'") + record("BudgetCategory",
			"'budget_id':'b1'") + record("RecurringTransaction", "'id':'r1'"))
	want := []string{
		"transaction 2026-01-31 20.00 EUR \"Imported transaction\" of Corner Bakery for Food:Bread [Fun] 7 bank",
		"transaction 2026-02-01 -10.00 EUR \"äb\" of Merchant 01234567 for  []  ",
		"transaction 2026-02-01 -10.00 EUR \"Imported transaction\" of Corner Bakery for  []   = -12.00 Bread  Food:Bread + 2.00   ",
		"trade -124.95 USD buy 10 ACME|XNAS at 12.345 fee 150",
		"trade 29.00 USD sell 3 ACME at 10 fee 100",
		"trade 7.50 USD dividend 0 ACME at 0 fee 0",
		"trade 7.50 USD interest 0  at 0 fee 0",
		"trade -4.00 USD fee 0  at 0 fee 0",
		"rejected_transfer left out: missing_reference", "budget left out: not_kept",
		"budget_category left out: not_kept", "recurring_transaction left out: not_kept",
	}
	for i, row := range rows {
		if got := backupSketch(row); got != want[i] {
			t.Errorf("row %d: got  %s\nwant %s (%v)", i, got, want[i], row.Issues)
		}
	}
	if told := strings.Join(rows[1].Changes, "\n"); told != `line 10: category_id "c9" is not in the file: there is no category now
line 10: merchant_id "0123456789" is not in the file: the merchant is named "Merchant 01234567"
line 10: tag_ids has "t9", which is not in the file: that tag is left out
line 10: the transaction is excluded from reports there; here it counts` {
		t.Errorf("told %s", told)
	}
}

func backupSketch(row importer.Result) string {
	money := row.Currency.Plain(row.Minor) + " " + row.Currency.Code
	switch {
	case row.Skipped != "":
		return row.Entity() + " left out: " + row.Skipped
	case row.Trade() != nil:
		p := row.Trade()
		return fmt.Sprintf("trade %s %s %s %s at %s fee %d", money, p.Kind, p.Quantity,
			market.TickerText(p.Ticker, p.MIC), p.Price, p.Fee)
	}
	text := fmt.Sprintf("transaction %s %s %q of %s for %s %v %s %s", row.Date, money, row.Name, row.Merchant,
		row.Category, row.Tags, row.ExternalID, row.Source)
	for i, l := range row.Lines {
		text += []string{" = ", " + "}[min(i, 1)] + row.Currency.Plain(l.Minor) + " " + l.Name + " " + l.Merchant +
			" " + l.Category
	}
	return text
}

// TestBackupTellsDetails: what accounts and lines have there and have no place here is told.
func TestBackupTellsDetails(t *testing.T) {
	t.Parallel()
	rows := newFixture(t).rowsOf(record("Account", "'id':'a9','name':'House loan','balance':'5000','accountable_type':'Loan','exclude_from_reports':true,"+
		"'accountable':{'subtype':'mortgage','rate_type':'fixed','interest_rate':'3.5','term_months':120,'initial_balance':null,'id':'x'}") +
		record("Transaction", "'id':'x9','account_id':'a9','date':'2026-01-31','amount':'3','split_lines':[{'amount':'1','excluded':true},{'amount':'2'}]"))
	const want = `line 9: the account is excluded from reports there; here it counts
line 9: of the account is not kept: rate_type, interest_rate, term_months
line 10: a split line is excluded from reports there; here it counts`
	if told := strings.Join(slices.Concat(rows[0].Changes, rows[1].Changes), "\n"); told != want {
		t.Errorf("told %s", told)
	}
}
