package engine_test

import (
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// TestPhrases: questions as people type them, with the figures of [fixture.fill] added up by hand.
func TestPhrases(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	h.account("Savings", "depository", "", "40")
	if _, err := h.Labels.CreateTag(t.Context(), h.who, catalog.TagInput{Name: ledger.Some("christmas")}); err != nil {
		t.Fatal(err)
	}
	const (
		inMay    = "income_statement 2026-05-01..2026-05-31"
		thisYear = "income_statement 2026-01-01..2026-11-21"
		october  = "October 2026 (2026-10-01 to 2026-10-31)"
		may      = "May 2026 (2026-05-01 to 2026-05-31)"
		rent     = "\n" + `I took "rent" as the category "Mortgage / Rent".`
		ofOct    = `You spent 2,134.50 EUR in ` + october + `.
- "Groceries": 1,234.50 EUR
- "Mortgage / Rent": 900.00 EUR`
		savedInMay = `You kept 1,434.01 EUR, 2,500.00 EUR in less 1,065.99 EUR out, in ` + may + `.`
		kidsOfYear = `You spent 50.50 EUR tagged "kids" from 2026-01-01 to 2026-11-21.` // 20.50 + 30
		unnamed    = "\n" + `You named no days, so I looked at the latest; ask for others, such as "this year".`
		acme       = `Your latest income with "Acme" in the text until 2026-11-21: 2026-10-30, 2,500.00 EUR in, "Acme October", account "Checking".
No category, merchant, tag or account is called "Acme"; these are the transactions that have it in their text.`
		assets = `Your net worth is 311,127.01 EUR on 2026-11-21: 311,343.00 EUR in assets less 215.99 EUR of debts.`
	)
	h.answers([][3]string{
		// A letter wrong.
		{"expences last month", "income_statement 2026-10-01..2026-10-31 group_by=category", ofOct + "\n" +
			`I took "expences" as "expenses".`},
		{"spending in Ocotber", "income_statement 2026-10-01..2026-10-31 group_by=category", ofOct + "\n" +
			`I took "Ocotber" as "october".`},
		{"wat did we spend last month", "income_statement 2026-10-01..2026-10-31 group_by=category", ofOct},
		{"how much did I spend on a charger last month",
			"transactions 2026-10-01..2026-10-31 page_size=1 search=charger type=expense",
			`No category, merchant, tag or account is called "charger", and no expense in ` + october +
				` has it in its text.`},
		// Tags.
		{"how much did I spend on #kids this year", thisYear + " tags=[kids]", kidsOfYear},
		{"#kids this year", thisYear + " tags=[kids]", kidsOfYear},
		{"#Lidl in May", inMay + " merchants=[Lidl]", `You spent 9.75 EUR at "Lidl" in ` + may + `.`},
		{"christmas spending this year", thisYear + " tags=[christmas]",
			`You spent 0.00 EUR tagged "christmas" from 2026-01-01 to 2026-11-21.`},
		// Which way the money went.
		{"when did Acme last pay", "transactions ..2026-11-21 page_size=1 search=Acme type=income", acme},
		{"when did Acme pay me last", "transactions ..2026-11-21 page_size=1 search=Acme type=income", acme},
		{"how much went out last month", "income_statement 2026-10-01..2026-10-31 group_by=category", ofOct},
		{"where did my income come from in May", inMay + " group_by=category", `You received 2,500.00 EUR in ` + may + `.
- "Salary": 2,500.00 EUR`},
		{"profit in May", inMay, savedInMay},
		{"am I up or down in May", inMay, savedInMay},
		{"were we saving money in May", inMay, savedInMay},
		{"are we saving money", "income_statement 2026-11-01..2026-11-21",
			`You spent 12.00 EUR more than you received, 12.00 EUR out and 0.00 EUR in, from 2026-11-01 to 2026-11-21.`},
		{"how much is in savings", "accounts", `40.00 EUR in "Savings" on 2026-11-21.`},
		{"average saving per month this year", "income_statement 2026-01-01..2026-10-31", // 7,500 / 10 less 4,200.99 / 10
			`On average you kept 329.90 EUR, 750.00 EUR in less 420.10 EUR out, a month from 2026-01-01 to 2026-10-31: 7,500.00 EUR in, 4,200.99 EUR out, 3,299.01 EUR net in 10 months.`},
		{"did I save more in May than in April", inMay + " | income_statement 2026-04-01..2026-04-30", `What you received and spent:
- ` + may + `: 2,500.00 EUR in, 1,065.99 EUR out, 1,434.01 EUR net
- April 2026 (2026-04-01 to 2026-04-30): 2,500.00 EUR in, 1,000.50 EUR out, 1,499.50 EUR net
The first is the same in and 65.49 EUR more out.
What is left of it is 65.49 EUR less.`},
		{"who did I pay the most in April", "income_statement 2026-04-01..2026-04-30 group_by=merchant", `"Aldi" comes first with 80.00 EUR, of the 1,000.50 EUR that you spent in April 2026 (2026-04-01 to 2026-04-30).
- no merchant: 900.00 EUR
- "Aldi": 80.00 EUR
- "Lidl": 20.50 EUR`},
		{"were groceries more expensive in May than in April", inMay +
			" categories=[Groceries] | income_statement 2026-04-01..2026-04-30 categories=[Groceries]",
			`You spent 100.00 EUR on "Groceries" in ` + may +
				`, and 100.50 EUR in April 2026 (2026-04-01 to 2026-04-30): 0.50 EUR less.`},
		{"summary of May", inMay, `You received 2,500.00 EUR and spent 1,065.99 EUR in ` + may + `.`},
		{"is my spending going up this year", thisYear + " group_by=month", `You spent 4,212.99 EUR from 2026-01-01 to 2026-11-21.
- 2026-04: 1,000.50 EUR
- 2026-05: 1,065.99 EUR
- 2026-10: 2,134.50 EUR
- 2026-11: 12.00 EUR`},
		// Names where a subject stands, and several of them.
		{"what's my rent", "income_statement 2026-11-01..2026-11-21 categories=[Mortgage / Rent]",
			`You spent 0.00 EUR on "Mortgage / Rent" from 2026-11-01 to 2026-11-21.` + unnamed + rent},
		{"is my rent more than my groceries in May", inMay + " categories=[Mortgage / Rent Groceries] group_by=category",
			`You spent 900.00 EUR on "Mortgage / Rent" and 100.00 EUR on "Groceries" in ` + may +
				`: 800.00 EUR more on "Mortgage / Rent".` + rent},
		{"rent + groceries in May", inMay + " categories=[Mortgage / Rent Groceries] group_by=category", `You spent 1,000.00 EUR on "Mortgage / Rent" and "Groceries" in ` + may + `.
- "Mortgage / Rent": 900.00 EUR
- "Groceries": 100.00 EUR` + rent},
		// Texts.
		{"Miller this year", "transactions 2026-01-01..2026-11-21 page_size=1 search=Miller", `You spent 42.00 EUR by transactions with "Miller" in their text from 2026-01-01 to 2026-11-21.
No category, merchant, tag or account is called "Miller"; these are the transactions that have it in their text.`},
		{"how much was Miller in May", "transactions 2026-05-01..2026-05-31 page_size=1 search=Miller", `You spent 42.00 EUR by transactions with "Miller" in their text in ` + may + `.
No category, merchant, tag or account is called "Miller"; these are the transactions that have it in their text.`},
		{"Foobar this year vs last year",
			"transactions 2026-01-01..2026-11-21 page_size=1 search=Foobar | transactions 2025-01-01..2025-12-31 page_size=1 search=Foobar",
			`No category, merchant, tag or account is called "Foobar", and no transaction has it in its text.
The first of them is not over yet.`},
		{"how much did I spend at Foobar", "transactions ..2026-11-21 page_size=1 search=Foobar type=expense",
			`No category, merchant, tag or account is called "Foobar", and no expense from the beginning of your books, 2023-12-31, to 2026-11-21 has it in its text.`},
		// Transactions.
		{"show me everything over 1,000 in May", "transactions 2026-05-01..2026-05-31 min_amount=1000 page_size=10",
			`Your transaction of at least 1,000 in ` + may +
				`: 2026-05-29, 2,500.00 EUR in, "Acme May", account "Checking".`},
		{"did I buy anything at Lidl in May",
			"transactions 2026-05-01..2026-05-31 merchants=[Lidl] page_size=10 type=expense",
			`Your expense at "Lidl" in ` + may + `: 2026-05-12, 9.75 EUR out, "Lidl", account "Checking".`},
		{"last time at Lidl", "transactions ..2026-11-21 merchants=[Lidl] page_size=1",
			`Your latest transaction at "Lidl" until 2026-11-21: 2026-11-20, 12.00 EUR out, "Lidl", account "Checking".`},
		{"what was the last Netflix bill", "transactions ..2026-11-21 merchants=[Netflix] page_size=1 type=expense",
			`Your latest expense at "Netflix" until 2026-11-21: 2026-05-20, 15.99 EUR out, "Netflix.com", account "Visa Gold".`},
		{"latest 2 salary", "transactions ..2026-11-21 categories=[Salary] page_size=2", `Your latest transactions for "Salary" until 2026-11-21:
- 2026-10-30, 2,500.00 EUR in, "Acme October", account "Checking"
- 2026-05-29, 2,500.00 EUR in, "Acme May", account "Checking"
- and 1 more`},
		{"what groceries do we have", "transactions ..2026-11-21 categories=[Groceries] page_size=10", `Your transactions for "Groceries" until 2026-11-21:
- 2026-11-20, 12.00 EUR out, "Lidl", account "Checking"
- 2026-10-17, 1,234.50 EUR out, "Aldi party", account "Checking"
- 2026-05-12, 9.75 EUR out, "Lidl", account "Checking"
- 2026-05-11, 30.00 EUR out, "Aldi 124", account "Checking"
- 2026-05-04, 60.25 EUR out, "Aldi 123", account "Checking"
- 2026-04-12, 20.50 EUR out, "Lidl", account "Checking"
- 2026-04-10, 80.00 EUR out, "Aldi 123", account "Checking"`},
		// What there is.
		{"money in Checking vs DKB Tagesgeld", "accounts", `Your accounts on 2026-11-21:
- 3,803.00 EUR in "Checking"
- 5,000.00 EUR in "DKB Tagesgeld"
That is 1,197.00 EUR more in "DKB Tagesgeld" than in "Checking".`},
		{"how much have I got in Checking", "accounts", `3,803.00 EUR in "Checking" on 2026-11-21.`},
		{"how much is left in Checking", "accounts", `3,803.00 EUR in "Checking" on 2026-11-21.`},
		{"assets vs debts", "balance_sheet", assets},
		{"biggest holding", "holdings", `Your holdings are worth 1,500.00 EUR on 2026-11-21.
The largest in EUR is VWCE with 1,000.00 EUR.
- VWCE: 10 at 100.00 EUR (2026-03-02), 1,000.00 EUR, account "Depot"
- AAPL: 2.5 at 200.00 EUR (2026-03-03), 500.00 EUR, account "Depot"`},
		// Ranges beside what is compared.
		{"groceries vs café from April to May",
			"income_statement 2026-04-01..2026-05-31 categories=[Groceries Café] group_by=category",
			`You spent 200.50 EUR on "Groceries" and 3.20 EUR on "Café" from 2026-04-01 to 2026-05-31: 197.30 EUR more on "Groceries".`},
		{"compare groceries and café between April and May",
			"income_statement 2026-04-01..2026-05-31 categories=[Groceries Café] group_by=category",
			`You spent 200.50 EUR on "Groceries" and 3.20 EUR on "Café" from 2026-04-01 to 2026-05-31: 197.30 EUR more on "Groceries".`},
		{"groceries from April to May vs October",
			"income_statement 2026-04-01..2026-05-31 categories=[Groceries] | income_statement 2026-10-01..2026-10-31 categories=[Groceries]",
			`You spent 200.50 EUR on "Groceries" from 2026-04-01 to 2026-05-31, and 1,234.50 EUR in ` + october +
				`: 1,034.00 EUR less.`},
		{"compare spending from April to May", "income_statement 2026-04-01..2026-04-30 | " + inMay,
			`You spent 1,000.50 EUR in April 2026 (2026-04-01 to 2026-04-30), and 1,065.99 EUR in ` + may +
				`: 65.49 EUR less.`},
	})
}
