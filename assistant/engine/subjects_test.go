package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
)

// TestSubjectsCompared: what is put side by side, with the figures of [fixture.fill] added up by hand. In short, each
// row has the calls and then the answer.
func TestSubjectsCompared(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	const (
		april, may, october = "April 2026 (2026-04-01 to 2026-04-30)", "May 2026 (2026-05-01 to 2026-05-31)",
			"October 2026 (2026-10-01 to 2026-10-31)"
		inMay     = "income_statement 2026-05-01..2026-05-31"
		inApril   = "income_statement 2026-04-01..2026-04-30"
		thisYear  = "income_statement 2026-01-01..2026-11-21"
		foodOfMay = inMay + " categories=[Groceries Café] group_by=category"
		foodInMay = `You spent 100.00 EUR on "Groceries" and 3.20 EUR on "Café" in ` + may +
			`: 96.80 EUR more on "Groceries".`
		shopsOfMay = inMay + " group_by=merchant merchants=[Aldi Lidl]"
		shopsInMay = `You spent 90.25 EUR at "Aldi" and 9.75 EUR at "Lidl" in ` + may +
			`: 80.50 EUR more at "Aldi".`
		rentIsGuessed = "\n" + `I took "rent" as the category "Mortgage / Rent".`
		threeOfMay    = inMay + " categories=[Groceries Mortgage / Rent Café] group_by=category"
		threeInMay    = `You spent 1,003.20 EUR on "Groceries", "Mortgage / Rent" and "Café" in ` + may + `.
"Mortgage / Rent" comes first with 900.00 EUR, 800.00 EUR more than "Groceries".
- "Mortgage / Rent": 900.00 EUR
- "Groceries": 100.00 EUR
- "Café": 3.20 EUR` + rentIsGuessed
	)
	h.answers([][3]string{
		// Two categories.
		{"Did I spend more on groceries or on café in May?", foodOfMay, foodInMay},
		{"Did I spend more on groceries than on the café in May?", foodOfMay, foodInMay},
		{"did I spend less on groceries or cafe in May", foodOfMay, foodInMay},
		{"In May, did groceries cost more than café?", foodOfMay, foodInMay},
		{"How much more did I spend on groceries than on café in May?", foodOfMay, foodInMay},
		{"compare groceries and café in May", foodOfMay, foodInMay},
		{"Compare my spending on groceries with my spending on café in May", foodOfMay, foodInMay},
		{"how do groceries compare to café in May", foodOfMay, foodInMay},
		{"what's the difference between groceries and café in May?", foodOfMay, foodInMay},
		{"groceries vs. café, May", foodOfMay, foodInMay},
		{"groceries in May versus café in May", foodOfMay, foodInMay},
		{"which is larger: groceries or café in May?", foodOfMay, foodInMay},
		{"groceries or café in May", foodOfMay, foodInMay},
		{"Compare café and groceries last month",
			"income_statement 2026-10-01..2026-10-31 categories=[Café Groceries] group_by=category",
			`You spent 0.00 EUR on "Café" and 1,234.50 EUR on "Groceries" in ` + october +
				`: 1,234.50 EUR more on "Groceries".`},
		{"groceries vs rent this year", thisYear + " categories=[Groceries Mortgage / Rent] group_by=category", // 100.50 + 100 + 1,234.50 + 12; 3 * 900
			`You spent 1,447.00 EUR on "Groceries" and 2,700.00 EUR on "Mortgage / Rent" from 2026-01-01 to 2026-11-21: 1,253.00 EUR more on "Mortgage / Rent".` + rentIsGuessed},
		{"restaurants vs utilities in May", inMay + " categories=[Restaurants Utilities] group_by=category",
			`You spent 0.00 EUR on "Restaurants" and 0.00 EUR on "Utilities" in ` + may + `: the same.`},
		// Merchants, tags and accounts.
		{"How much did I spend at Aldi compared to Lidl in May?", shopsOfMay, shopsInMay},
		{"Did I spend more at Aldi or at Lidl in May?", shopsOfMay, shopsInMay},
		{"Aldi vs Lidl in May", shopsOfMay, shopsInMay},
		{"spending tagged kids compared with vacation this year", thisYear + " group_by=tag tags=[kids vacation]", // 20.50 + 30
			`You spent 50.50 EUR tagged "kids" and 0.00 EUR tagged "vacation" from 2026-01-01 to 2026-11-21: 50.50 EUR more tagged "kids".`},
		{"did I spend more from Checking or with my credit card in May", inMay + " accounts=[Checking Visa Gold] group_by=account", // 900 + 100 + 4.80 + 3.20 + 42
			`You spent 1,050.00 EUR in the account "Checking" and 15.99 EUR in the account "Visa Gold" in ` + may +
				`: 1,034.01 EUR more in the account "Checking".`},
		{"compare income and spending of Checking and Visa Gold in May", inMay + " accounts=[Checking Visa Gold] group_by=account", `What you received and spent in ` + may + `:
- "Checking": 2,500.00 EUR in, 1,050.00 EUR out, 1,450.00 EUR net
- "Visa Gold": 0.00 EUR in, 15.99 EUR out, -15.99 EUR net
The first is 2,500.00 EUR more in and 1,034.01 EUR more out.`},
		{"Checking vs DKB Tagesgeld", "accounts", `Your accounts on 2026-11-21:
- 3,803.00 EUR in "Checking"
- 5,000.00 EUR in "DKB Tagesgeld"
That is 1,197.00 EUR more in "DKB Tagesgeld" than in "Checking".`},
		{"compare Checking with Visa Gold", "accounts", `Your accounts on 2026-11-21:
- 3,803.00 EUR in "Checking"
- 215.99 EUR owed on "Visa Gold"
Of these, one is what you have and the other what you owe.`},
		{"Checking or House at the end of May", "explain_figure account=Checking date=2026-05-31 figure=balance | explain_figure account=House date=2026-05-31 figure=balance", // 1,000 - 500 + 1,499.50 + 1,450
			`The balance of "Checking" is 3,449.50 EUR on 2026-05-31.
The balance of "House" is 300,000.00 EUR on 2026-05-31.
That is 296,550.50 EUR more in "House" than in "Checking".`},
		// What comes in, and what goes out.
		{"which is more in May, salary or rent", inMay + " categories=[Salary Mortgage / Rent] group_by=category",
			`You received 2,500.00 EUR for "Salary" and spent 900.00 EUR on "Mortgage / Rent" in ` + may +
				`: 1,600.00 EUR more in than out.` + rentIsGuessed},
		{"salary and groceries vs rent in May", inMay + " categories=[Salary Groceries Mortgage / Rent] group_by=category", `What you received and spent in ` + may + `:
- "Salary" and "Groceries": 2,500.00 EUR in, 100.00 EUR out, 2,400.00 EUR net
- "Mortgage / Rent": 0.00 EUR in, 900.00 EUR out, -900.00 EUR net
The first is 2,500.00 EUR more in and 800.00 EUR less out.` + rentIsGuessed},
		// Narrowed, and by amounts, counts and averages.
		{"groceries at Aldi vs Lidl in May", inMay + " categories=[Groceries] group_by=merchant merchants=[Aldi Lidl]",
			`You spent 90.25 EUR at "Aldi" and 9.75 EUR at "Lidl" on "Groceries" in ` + may +
				`: 80.50 EUR more at "Aldi".`},
		{"groceries at Aldi or groceries at Lidl in May", inMay +
			" categories=[Groceries] group_by=merchant merchants=[Aldi Lidl]",
			`You spent 90.25 EUR at "Aldi" and 9.75 EUR at "Lidl" on "Groceries" in ` + may +
				`: 80.50 EUR more at "Aldi".`},
		{"groceries vs café over 20 EUR in May",
			"transactions 2026-05-01..2026-05-31 categories=[Groceries] min_amount=20 page_size=1 type=expense | transactions 2026-05-01..2026-05-31 categories=[Café] min_amount=20 page_size=1 type=expense",
			`You spent 90.25 EUR on "Groceries" and 0.00 EUR on "Café" of at least 20 in ` + may +
				`: 90.25 EUR more on "Groceries".`},
		{"how often did I shop at Aldi vs Lidl this year",
			"transactions 2026-01-01..2026-11-21 merchants=[Aldi] page_size=1 type=expense | transactions 2026-01-01..2026-11-21 merchants=[Lidl] page_size=1 type=expense",
			`4 expenses at "Aldi" from 2026-01-01 to 2026-11-21.
3 expenses at "Lidl" from 2026-01-01 to 2026-11-21.
That is 1 more at "Aldi".`},
		{"average groceries vs rent this year",
			"income_statement 2026-01-01..2026-10-31 categories=[Groceries] | income_statement 2026-01-01..2026-10-31 categories=[Mortgage / Rent]",
			`On average you spent 143.50 EUR a month on "Groceries" from 2026-01-01 to 2026-10-31: 1,435.00 EUR in 10 months.
On average you spent 270.00 EUR a month on "Mortgage / Rent" from 2026-01-01 to 2026-10-31: 2,700.00 EUR in 10 months.
That is 126.50 EUR a month more on "Mortgage / Rent".` + rentIsGuessed},
		{"groceries vs café by month since April",
			"income_statement 2026-04-01..2026-11-21 categories=[Groceries] group_by=month | income_statement 2026-04-01..2026-11-21 categories=[Café] group_by=month",
			`You spent 1,447.00 EUR on "Groceries" and 3.20 EUR on "Café" from 2026-04-01 to 2026-11-21: 1,443.80 EUR more on "Groceries".
- 2026-04: 100.50 EUR, and 0.00 EUR
- 2026-05: 100.00 EUR, and 3.20 EUR
- 2026-10: 1,234.50 EUR, and 0.00 EUR
- 2026-11: 12.00 EUR, and 0.00 EUR`},
		// Three, and some of them together.
		{"groceries, rent and café in May", threeOfMay, threeInMay},
		{"compare groceries, rent and café in May", threeOfMay, threeInMay},
		{"what did I spend the most on in May: groceries, rent or café?", threeOfMay, threeInMay},
		{"groceries and café vs rent in May", inMay + " categories=[Groceries Café Mortgage / Rent] group_by=category",
			`You spent 103.20 EUR on "Groceries" and "Café", and 900.00 EUR on "Mortgage / Rent" in ` + may +
				`: 796.80 EUR more on "Mortgage / Rent".` + rentIsGuessed},
		{"groceries vs café at Aldi and Lidl in May", inMay +
			" categories=[Groceries Café] group_by=category merchants=[Aldi Lidl]",
			`You spent 100.00 EUR on "Groceries" and 0.00 EUR on "Café" at "Aldi" and "Lidl" in ` + may +
				`: 100.00 EUR more on "Groceries".`},
		{"food and drink and bakery vs groceries in May", inMay +
			" categories=[Food & Drink Bakery Groceries] group_by=category",
			`You spent 4.80 EUR on "Food & Drink" and "Bakery", and 100.00 EUR on "Groceries" in ` + may +
				`: 95.20 EUR more on "Groceries".`},
		// One is part of the other.
		{"compare food and drink with bakery in May", inMay + " categories=[Food & Drink Bakery] group_by=category",
			`You spent 4.80 EUR on "Food & Drink" and 4.80 EUR on "Bakery" in ` + may + `: the same.
"Bakery" is part of "Food & Drink", and counts for both.`},
		{"groceries and café vs groceries in May", foodOfMay,
			`You spent 103.20 EUR on "Groceries" and "Café", and 100.00 EUR on "Groceries" in ` + may + `: 3.20 EUR more on "Groceries" and "Café".
"Groceries" is part of "Groceries" and "Café", and counts for both.`},
		// Each with a period of its own.
		{"groceries in May compared with rent in April", inMay + " categories=[Groceries] | " + inApril +
			" categories=[Mortgage / Rent]",
			`You spent 100.00 EUR on "Groceries" in ` + may + `, and 900.00 EUR on "Mortgage / Rent" in ` + april +
				`: 800.00 EUR more on "Mortgage / Rent".` + rentIsGuessed},
		{"did I spend more in May at Aldi than at Lidl in April", inMay + " merchants=[Aldi] | " + inApril +
			" merchants=[Lidl]",
			`You spent 90.25 EUR at "Aldi" in ` + may + `, and 20.50 EUR at "Lidl" in ` + april +
				`: 69.75 EUR more at "Aldi".`},
		{"May groceries vs April café", inMay + " categories=[Groceries] | " + inApril + " categories=[Café]",
			`You spent 100.00 EUR on "Groceries" in ` + may + `, and 0.00 EUR on "Café" in ` + april +
				`: 100.00 EUR more on "Groceries".`},
		{"café in April vs groceries in May and rent in October", inApril + " categories=[Café] | " + inMay +
			" categories=[Groceries] | income_statement 2026-10-01..2026-10-31 categories=[Mortgage / Rent]",
			`What you spent:
- "Mortgage / Rent" in ` + october + `: 900.00 EUR
- "Groceries" in ` + may + `: 100.00 EUR
- "Café" in ` + april + `: 0.00 EUR
"Mortgage / Rent" comes first with 900.00 EUR, 800.00 EUR more than "Groceries".` + rentIsGuessed},
		// Periods are still what is compared.
		{"groceries in May vs groceries in April", inMay + " categories=[Groceries] | " + inApril +
			" categories=[Groceries]",
			`You spent 100.00 EUR on "Groceries" in ` + may + `, and 100.50 EUR in ` + april + `: 0.50 EUR less.`},
		{"did I spend more on groceries and café in May than in April", inMay + " categories=[Groceries Café] | " +
			inApril + " categories=[Groceries Café]",
			`You spent 103.20 EUR on "Groceries" and "Café" in ` + may + `, and 100.50 EUR in ` + april +
				`: 2.70 EUR more.`},
		{"groceries vs salary in May and April", inMay + " categories=[Groceries Salary] group_by=category | " +
			inApril + " categories=[Groceries Salary] group_by=category",
			`What you received and spent for "Groceries" and "Salary":
- ` + may + `: 2,500.00 EUR in, 100.00 EUR out, 2,400.00 EUR net
- ` + april + `: 2,500.00 EUR in, 100.50 EUR out, 2,399.50 EUR net
The first is the same in and 0.50 EUR less out.
- "Salary": 2,500.00 EUR in, 0.00 EUR out, 2,500.00 EUR net, and 2,500.00 EUR in, 0.00 EUR out, 2,500.00 EUR net
- "Groceries": 0.00 EUR in, 100.00 EUR out, -100.00 EUR net, and 0.00 EUR in, 100.50 EUR out, -100.50 EUR net`},
		{"groceries vs café in May and April", inMay + " categories=[Groceries Café] group_by=category | " + inApril +
			" categories=[Groceries Café] group_by=category",
			`You spent 103.20 EUR on "Groceries" and "Café" in ` + may + `, and 100.50 EUR in ` + april + `: 2.70 EUR more.
- "Groceries": 100.00 EUR, and 100.50 EUR
- "Café": 3.20 EUR, and 0.00 EUR`},
	})
}

// TestComparisonsRefused: what cannot be compared is named, with three questions that can be answered.
func TestComparisonsRefused(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for text, named := range map[string]string{
		"groceries vs groceries in May":                                                `"Groceries compared with itself"`,
		"compare groceries in May with groceries in May":                               `"Groceries compared with itself"`,
		"rent vs mortgage in May":                                                      `"rent compared with mortgage, which is the same"`,
		"groceries in May vs May":                                                      `"May 2026 (2026-05-01 to 2026-05-31) compared with itself"`,
		"groceries vs foobar in May":                                                   `"foobar"`,
		"did I spend more on foobar or groceries in May":                               `"foobar"`,
		"groceries vs dining out this year":                                            `"dining out"`,
		"groceries vs Aldi in May":                                                     `"Aldi"`,
		"did I spend more on groceries or at Aldi in May":                              `"Aldi"`,
		"groceries at Aldi vs groceries in May":                                        `"Groceries"`,
		"income vs groceries in May and April":                                         `"more than one period here"`,
		"how many incomes vs groceries in May":                                         `"a comparison with all income"`,
		"income vs foobar in May":                                                      `"foobar"`,
		"vs groceries":                                                                 `"Groceries compared with nothing"`,
		"groceries vs":                                                                 `"vs"`,
		"groceries vs café in May vs April by month":                                   `"a comparison by month"`,
		"groceries vs café over 5 EUR by month":                                        `"an amount here"`,
		"groceries vs café at Aldi vs Lidl in May":                                     `"two comparisons at once"`,
		"groceries vs café at Foobar in May":                                           `"Foobar"`,
		"groceries vs café by merchant in May":                                         `"a comparison by merchant"`,
		"groceries in May vs rent in April by category":                                `"a comparison by category"`,
		"groceries vs café in March, April and May":                                    `"more than two periods by category"`,
		"how often did I shop at Aldi vs Lidl in March, April and May":                 `"more than one period here"`,
		"largest expenses at Aldi vs Lidl":                                             `"vs"`,
		"groceries, rent, café, travel, fees, taxes, utilities, bakery or restaurants": `"so many names"`,
	} {
		r := h.reply(text)
		if len(r.Calls) > 0 || !strings.HasPrefix(r.Text, "I cannot answer that: I do not know what to make of "+named) {
			t.Errorf("%s\n got %s%s\nwant a refusal that names %s", text, shortly(t, r.Calls), r.Text, named)
		}
		if n := strings.Count(r.Text, "\n- "); n != 3 {
			t.Errorf("%s: got %d questions that can be asked, want 3:\n%s", text, n, r.Text)
		}
	}
}

// TestComparisonsGoOn: a comparison may follow a question, and questions may follow a comparison.
func TestComparisonsGoOn(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const may = "income_statement 2026-05-01..2026-05-31"
	for _, c := range []struct {
		asked []string
		want  string
	}{
		{[]string{"How much did I spend on groceries in May?", "compared with café?"}, may +
			" categories=[Groceries Café] group_by=category"},
		{[]string{"How much did I spend at Aldi in May?", "and compared to Lidl?"}, may +
			" group_by=merchant merchants=[Aldi Lidl]"},
		{[]string{"compare groceries and café in May", "and in April?"},
			"income_statement 2026-04-01..2026-04-30 categories=[Groceries Café] group_by=category"},
		{[]string{"groceries vs café in April", "compared with May"},
			"income_statement 2026-04-01..2026-04-30 categories=[Groceries Café] group_by=category | " + may +
				" categories=[Groceries Café] group_by=category"},
		{[]string{"compare groceries and café in May", "what about rent?"}, may + " categories=[Mortgage / Rent]"},
		{[]string{"groceries vs café in May", "and at Aldi?"}, may + " merchants=[Aldi]"},
		{[]string{"what did I spend in May?", "compare groceries and café"}, may +
			" categories=[Groceries Café] group_by=category"},
	} {
		r := h.reply(c.asked...)
		if got := shortly(t, r.Calls); got != c.want {
			t.Errorf("%s\n got %s%s\nwant %s", strings.Join(c.asked, " / "), got, r.Text, c.want)
		}
	}
}

// TestComparisonsOfOtherCurrencies: what is left out might turn a comparison round, so there is none. The questions
// that are proposed can be answered.
func TestComparisonsOfOtherCurrencies(t *testing.T) {
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
		"did I spend more from Checking or from Dollars in May": `I cannot compare them: there is no exchange rate at all for 7.00 USD out. You can ask, for example:
- How much did I spend in the account "Checking" from 2026-05-01 to 2026-05-31?
- How much did I spend in the account "Dollars" from 2026-05-01 to 2026-05-31?
- What is my net worth?`,
		"groceries in May vs rent in April": `I cannot compare them: there is no exchange rate at all for 7.00 USD out. You can ask, for example:
- How much did I spend on "Groceries" from 2026-05-01 to 2026-05-31?
- How much did I spend on "Mortgage / Rent" from 2026-04-01 to 2026-04-30?
- What is my net worth?`,
		"compare income and spending of Checking and Dollars in May": `I cannot compare them: there is no exchange rate at all for 7.00 USD out. You can ask, for example:
- How much did I receive and spend in the account "Checking" from 2026-05-01 to 2026-05-31?
- How much did I receive and spend in the account "Dollars" from 2026-05-01 to 2026-05-31?
- What is my net worth?`,
		"income vs groceries in May": `I cannot compare them: there is no exchange rate at all for 7.00 USD out. You can ask, for example:
- How much did I receive in all from 2026-05-01 to 2026-05-31?
- How much did I spend on "Groceries" from 2026-05-01 to 2026-05-31?
- What is my net worth?`,
		"groceries vs café in April": `You spent 100.50 EUR on "Groceries" and 0.00 EUR on "Café" in April 2026 (2026-04-01 to 2026-04-30): 100.50 EUR more on "Groceries".`,
		"compare Checking and Dollars": `Your accounts on 2026-11-21:
- 3,803.00 EUR in "Checking"
- 63.00 USD in "Dollars"
I cannot say which is more: one is in EUR, the other in USD.`,
	} {
		got := h.answer(text, 16_000)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		for _, example := range strings.Split(got, "\n- ")[1:] {
			if strings.HasSuffix(example, "?") && len(h.reply(example).Calls) != 1 {
				t.Errorf("%s is proposed and not answered", example)
			}
		}
	}
}

// TestComparedTagsOfBothSides: where each has money that went one way only, that is said, though nobody has asked for
// it.
func TestComparedTagsOfBothSides(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	h.book(booking{"2026-05-30", "300", "Bonus", "Checking", "Salary", "", "vacation"})
	for text, want := range map[string]string{
		"kids vs vacation in May": `You spent 30.00 EUR tagged "kids" and received 300.00 EUR tagged "vacation" in May 2026 (2026-05-01 to 2026-05-31): 270.00 EUR more in than out.`,
		"vacation vs kids in May": `You received 300.00 EUR tagged "vacation" and spent 30.00 EUR tagged "kids" in May 2026 (2026-05-01 to 2026-05-31): 270.00 EUR more in than out.`,
	} {
		if got := h.answer(text, 16_000); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestComparedTagsOverlap: what has two tags counts for each, and that is said.
func TestComparedTagsOverlap(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	_, _, err := h.Entries.CreateTransaction(t.Context(), h.who,
		entry.TransactionInput{AccountID: ledger.Some(h.accounts["Checking"]), Date: ledger.Some(h.day("2026-05-30")),
			Amount: ledger.Some(decimal.NewFromInt(8)), Name: ledger.Some("Zoo"), TagIDs: ledger.Some([]uuid.UUID{h.tags["kids"], h.tags["vacation"]})})
	if err != nil {
		t.Fatal(err)
	}
	want := `You spent 38.00 EUR tagged "kids" and 8.00 EUR tagged "vacation" in May 2026 (2026-05-01 to 2026-05-31): 30.00 EUR more tagged "kids".
What has several of these tags counts for each of them.`
	if got := h.answer("kids vs vacation in May", 16_000); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestComparisonsOfCutLists: a subject whose figure there was no room for is not taken for one of nothing.
func TestComparisonsOfCutLists(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	calls := h.reply("groceries vs café in May").Calls
	calls[0].Result = json.RawMessage(`{"currency":"EUR","income":"0.00","expenses":"103.20","by_category":[{"name":"Groceries","expenses":"100.00"}],"cut":"by_category: 1 of 2 shown"}`)
	if got, want := h.answerTo(h.prompt("groceries vs café in May"), calls),
		"These were more figures than I can look up for one answer. Please ask for less at once."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestComparisonsAreSums: what a comparison says of a subject is what is said of it alone.
func TestComparisonsAreSums(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	for _, pair := range [][2]string{{`on "Food & Drink"`, "on Groceries"}, {"on Café", "on Bakery"},
		{"at Aldi", "at Netflix"}, {"tagged kids", "tagged vacation"},
		{"in the account Checking", "in the account Visa Gold"}, {"on Mortgage / Rent", "on Travel"}} {
		both := h.answer("did I spend more "+pair[0]+" than "+pair[1]+" this year", 16_000)
		for _, one := range pair {
			alone := h.answer("how much did I spend "+one+" this year", 16_000)
			figure, _, _ := strings.Cut(strings.TrimPrefix(alone, "You spent "), " from ")
			if !strings.HasPrefix(alone, "You spent ") || !strings.Contains(both, figure) {
				t.Errorf("%s: got %s, want %s in it", one, both, figure)
			}
		}
	}
}

// TestNamesThatAreWords: a word that the engine can make nothing of is a name where names are compared, if there is
// one.
func TestNamesThatAreWords(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	if _, err := h.Labels.CreateTag(t.Context(), h.who, catalog.TagInput{Name: ledger.Some("holiday")}); err != nil {
		t.Fatal(err)
	}
	const want = "income_statement 2026-05-01..2026-05-31 group_by=tag tags="
	h.asks([][2]string{
		{"holiday vs kids in May", want + "[holiday kids]"},
		{"compare the tags holiday and kids in May", want + "[holiday kids]"},
		{"did I spend more on kids than holiday in May", want + "[kids holiday]"},
	})
	if r := h.reply("how much did I spend during the holiday"); len(r.Calls) > 0 {
		t.Errorf("got %s for a holiday that may be any", shortly(t, r.Calls))
	}
}

// TestPlanOfComparison: the calls for a model without tools are told apart.
func TestPlanOfComparison(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	calls := must[[]model.Call](t)(h.Plan(t.Context(), h.prompt("groceries in May vs rent in April")))
	if len(calls) != 2 || calls[0].ID == calls[1].ID {
		t.Errorf("got %v, want two calls with ids of their own", calls)
	}
}
