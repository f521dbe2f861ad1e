package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant/model"
	"finsvc/assistant/tools"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// answer is what the engine says when the calls that it wants were made, with so much room for each result.
func (h *fixture) answer(text string, room int) string {
	h.tb.Helper()
	p := h.prompt(text)
	calls := h.reply(text).Calls
	for i, c := range calls {
		calls[i].Result = must[json.RawMessage](h.tb)(tools.New(h.Books).Run(h.tb.Context(), h.who, c, room))
	}
	return h.answerTo(p, calls)
}

// answerTo is what the engine says to results.
func (h *fixture) answerTo(p model.Prompt, calls []model.Call) string {
	h.tb.Helper()
	p.Turns = append(p.Turns, model.Turn{Role: model.RoleAssistant, Calls: calls})
	r := must[model.Reply](h.tb)(h.Reply(h.tb.Context(), p, func(string) error { return nil }))
	if len(r.Calls) > 0 {
		h.tb.Errorf("got calls instead of an answer: %s", shortly(h.tb, r.Calls))
	}
	return r.Text
}

// TestAnswers are of [fixture.fill], added up by hand.
func TestAnswers(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	for _, c := range []struct{ text, want string }{
		{"What did I spend on groceries in May compared with April?",
			`You spent 100.00 EUR on "Groceries" in May 2026 (2026-05-01 to 2026-05-31), and 100.50 EUR in April 2026 (2026-04-01 to 2026-04-30): 0.50 EUR less.`},
		{"How much at Aldi this year", `You spent 1,404.75 EUR at "Aldi" from 2026-01-01 to 2026-11-21.`}, // 80 + 90.25 + 1,234.50
		{"income last quarter", `You received 0.00 EUR in Q3 2026 (2026-07-01 to 2026-09-30).`},
		{"spending by category in May", `You spent 1,065.99 EUR in May 2026 (2026-05-01 to 2026-05-31).
- "Mortgage / Rent": 900.00 EUR
- "Groceries": 100.00 EUR
- no category: 57.99 EUR
- "Bakery": 4.80 EUR
- "Café": 3.20 EUR`},
		{"spending on Food and Drink in May", `You spent 4.80 EUR on "Food & Drink" in May 2026 (2026-05-01 to 2026-05-31).
- "Bakery": 4.80 EUR`},
		{"how much did I spend at Aldi or Lidl in May", `You spent 100.00 EUR at "Aldi" and "Lidl" in May 2026 (2026-05-01 to 2026-05-31).
- "Aldi": 90.25 EUR
- "Lidl": 9.75 EUR`},
		{"which merchants did I spend the most at in April", `"Aldi" comes first with 80.00 EUR, of the 1,000.50 EUR that you spent in April 2026 (2026-04-01 to 2026-04-30).
- no merchant: 900.00 EUR
- "Aldi": 80.00 EUR
- "Lidl": 20.50 EUR`},
		{"spending on the tag kids this year", `You spent 50.50 EUR tagged "kids" from 2026-01-01 to 2026-11-21.`}, // 20.50 + 30
		{"how much did I save in May",
			`You kept 1,434.01 EUR, 2,500.00 EUR in less 1,065.99 EUR out, in May 2026 (2026-05-01 to 2026-05-31).`},
		{"how much did I save this month",
			`You spent 12.00 EUR more than you received, 12.00 EUR out and 0.00 EUR in, from 2026-11-01 to 2026-11-21.`},
		{"cash flow by month since October", `You kept 353.50 EUR, 2,500.00 EUR in less 2,146.50 EUR out, from 2026-10-01 to 2026-11-21.
- 2026-10: 2,500.00 EUR in, 2,134.50 EUR out, 365.50 EUR net
- 2026-11: 0.00 EUR in, 12.00 EUR out, -12.00 EUR net`},
		{"in which month did I spend the most this year", `2026-10 comes first with 2,134.50 EUR, of the 4,212.99 EUR that you spent from 2026-01-01 to 2026-11-21.
- 2026-10: 2,134.50 EUR
- 2026-05: 1,065.99 EUR
- 2026-04: 1,000.50 EUR
- 2026-11: 12.00 EUR`},
		{"compare April, May and October", `What you received and spent:
- April 2026 (2026-04-01 to 2026-04-30): 2,500.00 EUR in, 1,000.50 EUR out, 1,499.50 EUR net
- May 2026 (2026-05-01 to 2026-05-31): 2,500.00 EUR in, 1,065.99 EUR out, 1,434.01 EUR net
- October 2026 (2026-10-01 to 2026-10-31): 2,500.00 EUR in, 2,134.50 EUR out, 365.50 EUR net`},
		{"spending in May vs April by category", `You spent 1,065.99 EUR in May 2026 (2026-05-01 to 2026-05-31), and 1,000.50 EUR in April 2026 (2026-04-01 to 2026-04-30): 65.49 EUR more.
- "Mortgage / Rent": 900.00 EUR, and 900.00 EUR
- "Groceries": 100.00 EUR, and 100.50 EUR
- no category: 57.99 EUR, and 0.00 EUR
- "Bakery": 4.80 EUR, and 0.00 EUR
- "Café": 3.20 EUR, and 0.00 EUR`},
		{"groceries in April vs May by merchant", `You spent 100.50 EUR on "Groceries" in April 2026 (2026-04-01 to 2026-04-30), and 100.00 EUR in May 2026 (2026-05-01 to 2026-05-31): 0.50 EUR more.
- "Aldi": 80.00 EUR, and 90.25 EUR
- "Lidl": 20.50 EUR, and 9.75 EUR`},
		{"expenses in October vs May by category", `You spent 2,134.50 EUR in October 2026 (2026-10-01 to 2026-10-31), and 1,065.99 EUR in May 2026 (2026-05-01 to 2026-05-31): 1,068.51 EUR more.
- "Groceries": 1,234.50 EUR, and 100.00 EUR
- "Mortgage / Rent": 900.00 EUR, and 900.00 EUR
- no category: 0.00 EUR, and 57.99 EUR
- "Bakery": 0.00 EUR, and 4.80 EUR
- "Café": 0.00 EUR, and 3.20 EUR`},
		{"transactions of 42 EUR",
			`Your transaction of exactly 42 until 2026-11-21: 2026-05-21, 42.00 EUR out, "Miller Plumbing", account "Checking".`},
		{"total of my Visa Gold transactions in May",
			`You spent 15.99 EUR in the account "Visa Gold" in May 2026 (2026-05-01 to 2026-05-31).`},
		{"how does this month compare with last month", `What you received and spent:
- 2026-11-01 to 2026-11-21: 0.00 EUR in, 12.00 EUR out, -12.00 EUR net
- October 2026 (2026-10-01 to 2026-10-31): 2,500.00 EUR in, 2,134.50 EUR out, 365.50 EUR net
The first is 2,500.00 EUR less in and 2,122.50 EUR less out.
The first of them is not over yet.`},
		{"How much do I spend on groceries per month on average this year?",
			`On average you spent 143.50 EUR a month on "Groceries" from 2026-01-01 to 2026-10-31: 1,435.00 EUR in 10 months.`}, // (100.50 + 100 + 1,234.50) / 10
		{"average spending in May",
			`In the only whole month you spent 1,065.99 EUR in May 2026 (2026-05-01 to 2026-05-31).`},
		{"how much did I spend at Miller this year", `You spent 42.00 EUR by transactions with "Miller" in their text from 2026-01-01 to 2026-11-21.
No category, merchant, tag or account is called "Miller"; these are the transactions that have it in their text.`},
		{"how much did I spend at Foobar this year",
			`No category, merchant, tag or account is called "Foobar", and no expense from 2026-01-01 to 2026-11-21 has it in its text.`},
		{"spending at netflx in May", `You spent 15.99 EUR at "Netflix" in May 2026 (2026-05-01 to 2026-05-31).
I took "netflx" as the merchant "Netflix".`},
		{"spending on travel in 2025", `You spent 500.00 EUR on "Travel" in 2025 (2025-01-01 to 2025-12-31).
There is a merchant of that name, too: ask for "merchant Travel".`},
		{"spending on groceries in 2027", `You spent 0.00 EUR on "Groceries" in 2027 (2027-01-01 to 2027-12-31).
Those days are still to come.`},
		{"top 3 expenses this year", `Your largest expenses from 2026-01-01 to 2026-11-21:
- 2026-10-17, 1,234.50 EUR out, "Aldi party", account "Checking"
- 2026-10-01, 900.00 EUR out, "Rent October", account "Checking"
- 2026-05-02, 900.00 EUR out, "Rent May", account "Checking"
- and 11 more`}, // 14 expenses this year
		{"what was my biggest expense in May",
			`Your largest expense in May 2026 (2026-05-01 to 2026-05-31): 2026-05-02, 900.00 EUR out, "Rent May", account "Checking".`},
		{"when did I last pay Netflix?",
			`Your latest expense at "Netflix" until 2026-11-21: 2026-05-20, 15.99 EUR out, "Netflix.com", account "Visa Gold".`},
		{"last transactions at World", `There is no transaction at "World" until 2026-11-21.`},
		{"transactions over 1,000 EUR in May",
			`Your transaction of at least 1,000 in May 2026 (2026-05-01 to 2026-05-31): 2026-05-29, 2,500.00 EUR in, "Acme May", account "Checking".`},
		{"how many transactions in May", `9 transactions in May 2026 (2026-05-01 to 2026-05-31).`},
		{"How many times did I shop at Lidl this year", `3 expenses at "Lidl" from 2026-01-01 to 2026-11-21.`},
		{"What is in my savings account?", `5,000.00 EUR in "DKB Tagesgeld" on 2026-11-21.`},
		{"balance of my credit card", `215.99 EUR owed on "Visa Gold" on 2026-11-21.`},
		{"account balances", `Your accounts on 2026-11-21:
- 3,803.00 EUR in "Checking"
- 2,500.00 EUR in "Depot"
- 5,000.00 EUR in "DKB Tagesgeld"
- 300,000.00 EUR in "House"
- 215.99 EUR owed on "Visa Gold"`},
		// 1,000.00 - 500.00; April - 1,000.50 + 2,500.00; the rent of May
		{"balance of Checking on May 3rd", `The balance of "Checking" is 1,099.50 EUR on 2026-05-03.`},
		{"balance of Checking on 2026-05-03 compared with 2026-04-30", `The balance of "Checking" is 1,099.50 EUR on 2026-05-03.
The balance of "Checking" is 1,999.50 EUR on 2026-04-30.
That is 900.00 EUR less on 2026-05-03.`},
		{"net worth", `Your net worth is 311,087.01 EUR on 2026-11-21: 311,303.00 EUR in assets less 215.99 EUR of debts.`},
		{"how has my net worth changed this year", `Your net worth is 311,087.01 EUR on 2026-11-21: 311,303.00 EUR in assets less 215.99 EUR of debts.
Your net worth is 307,800.00 EUR on 2025-12-31: 308,000.00 EUR in assets less 200.00 EUR of debts.
That is 3,287.01 EUR more on 2026-11-21.`},
		{"net worth from 2026-03-15 to 2026-05-31", `Your net worth is 310,733.51 EUR on 2026-05-31, 307,800.00 EUR on 2026-03-31: 2,933.51 EUR more.
- 2026-05-31: 310,733.51 EUR
- 2026-04-30: 309,299.50 EUR
- 2026-03-31: 307,800.00 EUR`},
		{"what do I owe", `You owe 215.99 EUR on 2026-11-21.
- 215.99 EUR owed on "Visa Gold"`},
		{"what did I owe on 2026-05-19", `You owe 200.00 EUR on 2026-05-19.`},
		{"my holdings", `Your holdings are worth 1,500.00 EUR on 2026-11-21.
- AAPL: 2.5 at 200.00 EUR (2026-03-03), 500.00 EUR, account "Depot"
- VWCE: 10 at 100.00 EUR (2026-03-02), 1,000.00 EUR, account "Depot"`},
		{"how many VWCE do I have", `Your holdings of "VWCE" are worth 1,000.00 EUR on 2026-11-21.
- VWCE: 10 at 100.00 EUR (2026-03-02), 1,000.00 EUR, account "Depot"`},
		{"how many VWCE did I hold at the end of 2025", `You hold no securities of "VWCE" on 2025-12-31.`},
		{"what tags do I have", "There are 2 tags:\n- \"kids\"\n- \"vacation\""},
	} {
		if got := h.answer(c.text, 16_000); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestDifferenceOfWhatIsLeftOut: without an exchange rate the difference of two figures is not known.
func TestDifferenceOfWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	a := must[catalog.Account](t)(h.Accounts.CreateAccount(t.Context(), h.who,
		catalog.AccountInput{Name: ledger.Some("Dollars"), AccountType: ledger.Some("depository"),
			Currency: ledger.Some("USD"),
			Balance:  ledger.Some(decimal.NewFromInt(70)), Date: ledger.Some(h.day("2025-12-31"))}))
	h.accounts["Dollars"] = uuid.UUID(a.PublicID)
	h.book(booking{"2026-05-08", "7", "Market", "Dollars", "Groceries", "", ""})
	const want = `I cannot say the difference, as not all of it can be added up: 100.00 EUR spent on "Groceries" in May 2026 (2026-05-01 to 2026-05-31), and ` +
		`100.50 EUR spent on "Groceries" in April 2026 (2026-04-01 to 2026-04-30).`
	if got := h.said("groceries in May / and in April / difference?"); !strings.HasPrefix(got, want) ||
		!strings.Contains(got, "7.00 USD") {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestAnswersSayWhatIsLeftOut: without an exchange rate nothing is added, and it is said.
func TestAnswersSayWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	a := must[catalog.Account](t)(h.Accounts.CreateAccount(t.Context(), h.who,
		catalog.AccountInput{Name: ledger.Some("Dollars"), AccountType: ledger.Some("depository"),
			Currency: ledger.Some("USD"),
			Balance:  ledger.Some(decimal.NewFromInt(70)), Date: ledger.Some(h.day("2025-12-31"))}))
	h.accounts["Dollars"] = uuid.UUID(a.PublicID)
	h.book(booking{"2026-05-08", "7", "Market", "Dollars", "Groceries", "", ""})
	for text, want := range map[string]string{
		"spending on groceries in May": `You spent 100.00 EUR on "Groceries" in May 2026 (2026-05-01 to 2026-05-31).
Left out, because there is no exchange rate at all: 7.00 USD out.`,
		"groceries in May vs April": `You spent 100.00 EUR on "Groceries" in May 2026 (2026-05-01 to 2026-05-31), and 100.50 EUR in April 2026 (2026-04-01 to 2026-04-30): 0.50 EUR less.
Left out, because there is no exchange rate at all: 7.00 USD out, May 2026 (2026-05-01 to 2026-05-31).`,
		"did I spend more than I earned in May": `You received 2,500.00 EUR and spent 1,065.99 EUR in May 2026 (2026-05-01 to 2026-05-31).
Left out, because there is no exchange rate at all: 7.00 USD out.`,
		"net worth": `Your net worth is 311,087.01 EUR on 2026-11-21: 311,303.00 EUR in assets less 215.99 EUR of debts.
Left out, because there is no exchange rate at all: 63.00 USD.`,
		"balance of Dollars": `63.00 USD in "Dollars" on 2026-11-21.`,
	} {
		if got := h.answer(text, 16_000); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestAnswersSayWhatIsTooLarge: what a total has no room for is left out of it, and it is said.
func TestAnswersSayWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	h := newEmptyFixture(t)
	for _, name := range []string{"First", "Second"} {
		a := must[catalog.Account](t)(h.Accounts.CreateAccount(t.Context(), h.who,
			catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some("depository")}))
		row := entry.TransactionInput{AccountID: ledger.Some(uuid.UUID(a.PublicID)),
			Date: ledger.Some(h.day("2026-05-08")), Name: ledger.Some("Big"),
			Amount: ledger.Some(decimal.New(-money.MaxMinor, -2))}
		must[[]entry.Transaction](t)(h.Entries.CreateTransactions(t.Context(), h.who,
			slices.Repeat([]entry.TransactionInput{row}, 1024)))
	}
	for text, want := range map[string]string{
		"net worth": `Your net worth is 92,160,000,000,000,000.00 EUR on 2026-11-21: 92,160,000,000,000,000.00 EUR in assets less 0.00 EUR of debts.
Left out, because the total with it is too large to be counted: 92,160,000,000,000,000.00 EUR.`,
		"income in May": `You received 92,160,000,000,000,000.00 EUR in May 2026 (2026-05-01 to 2026-05-31).
- no category: 92,160,000,000,000,000.00 EUR
Your books begin on 2026-05-07.
Left out, because the total with it is too large to be counted: 92,160,000,000,000,000.00 EUR in.`,
	} {
		if got := h.answer(text, 16_000); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestAnswersSayWhichRatesAreOld: what is converted at a rate of more than seven days is added up, and it is said.
func TestAnswersSayWhichRatesAreOld(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	a := must[catalog.Account](t)(h.Accounts.CreateAccount(t.Context(), h.who,
		catalog.AccountInput{Name: ledger.Some("Dollars"), AccountType: ledger.Some("depository"),
			Currency: ledger.Some("USD"),
			Balance:  ledger.Some(decimal.NewFromInt(70)), Date: ledger.Some(h.day("2025-12-31"))}))
	h.accounts["Dollars"] = uuid.UUID(a.PublicID)
	h.book(booking{"2026-05-08", "7", "Market", "Dollars", "Groceries", "", ""})
	h.book(booking{"2026-04-01", "9", "Market", "Dollars", "Groceries", "", ""})
	file := must[fx.RateFile](t)(fx.ParseRates([]byte("date,from,to,rate\n2026-04-30,USD,EUR,0.5\n")))
	must[fx.RatesImported](t)(h.Rates.ImportRates(t.Context(), file))
	for text, want := range map[string]string{
		"spending on groceries in May": `You spent 103.50 EUR on "Groceries" in May 2026 (2026-05-01 to 2026-05-31).
Converted at an old exchange rate: USD to EUR by the rate of 2026-04-30, 8 days old on 2026-05-08.`,
		"groceries in May vs April": `You spent 103.50 EUR on "Groceries" in May 2026 (2026-05-01 to 2026-05-31), and 100.50 EUR in April 2026 (2026-04-01 to 2026-04-30): 3.00 EUR more.
Left out, because there is no exchange rate at all: 9.00 USD out, April 2026 (2026-04-01 to 2026-04-30).
Converted at an old exchange rate: USD to EUR by the rate of 2026-04-30, 8 days old on 2026-05-08.`,
		"net worth": `Your net worth is 311,114.01 EUR on 2026-11-21: 311,330.00 EUR in assets less 215.99 EUR of debts.
Converted at an old exchange rate: USD to EUR by the rate of 2026-04-30, 205 days old on 2026-11-21.`,
	} {
		if got := h.answer(text, 16_000); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestAnswersOfCutLists: where there is no room for rows, the totals stay right and the rest is counted.
func TestAnswersOfCutLists(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	for text, want := range map[string][]string{
		"what do I own":               {"Your holdings are worth 1,500.00 EUR on 2026-11-21."},
		"spending by category in May": {"You spent 1,065.99 EUR in May 2026", "more"},
		"top 10 expenses this year":   {"Your largest expenses", "more"},
		"net worth over time":         {"Your net worth is 311,087.01 EUR on 2026-11-21", "more"},
		"what categories are there":   {"There are 13 categories:", "more"},
	} {
		got := h.answer(text, 400)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: got %s, want %q in it", text, got, part)
			}
		}
	}
}

// TestAnswersToStrangeResults: what a tool refuses, or nobody can read, is said and never taken for a figure.
func TestAnswersToStrangeResults(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	call := func(result string) []model.Call {
		calls := h.reply("how much did I spend at Foobar this year").Calls
		calls[0].Result = json.RawMessage(result)
		return calls
	}
	const unreadable = "The figures came back in a form that I cannot read. Please ask again."
	for result, want := range map[string]string{
		`{"error":"the disk is full","hint":"Make room."}`: "I could not look that up: the disk is full. Make room.",
		`{"error":"the disk is full"}`:                     "I could not look that up: the disk is full.",
		`{"total_results":60000,"currency":"EUR","transactions":[],"totals":"not added up"}`: `Those are 60,000 transactions from 2026-01-01 to 2026-11-21, too many to be added up at once. Ask for fewer days.
No category, merchant, tag or account is called "Foobar"; these are the transactions that have it in their text.`,
		`[]`: unreadable, `{`: unreadable, ``: unreadable, `{"total_income":"much"}`: unreadable, `{}`: unreadable,
		`{"total_results":3,"transactions":[]}`: unreadable,
	} {
		if got := h.answerTo(h.prompt("how much did I spend at Foobar this year"), call(result)); got != want {
			t.Errorf("%s\n got %s\nwant %s", result, got, want)
		}
	}
	two := h.reply("groceries in May vs April").Calls
	two[0].Result = json.RawMessage(`{"currency":"EUR"}`)
	if got, want := h.answerTo(h.prompt("groceries in May vs April"), two[:1]),
		"These were more figures than I can look up for one answer. Please ask for less at once."; got != want {
		t.Errorf("one result of two: got %s, want %s", got, want)
	}
}

// TestAnswersWithoutThePast: when the results have taken the room of the questions before, the question is still known;
// but not to another household.
func TestAnswersWithoutThePast(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	calls := h.reply("What did I spend on groceries in May?", "and in April?").Calls
	for i, c := range calls {
		calls[i].Result = must[json.RawMessage](t)(tools.New(h.Books).Run(t.Context(), h.who, c, 4000))
	}
	p := h.prompt("and in April?")
	if got, want := h.answerTo(p, calls),
		`You spent 100.50 EUR on "Groceries" in April 2026 (2026-04-01 to 2026-04-30).`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.Who.HouseholdID++
	p.Turns = append(p.Turns, model.Turn{Role: model.RoleAssistant, Calls: calls})
	if r, err := h.Reply(t.Context(), p, func(string) error { return nil }); err == nil {
		t.Errorf("got %s for a household that is not there", r.Text)
	}
}
