package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"finsvc/assistant/tools"
)

// said is the last answer of a conversation whose questions are parted by " / ".
func (h *fixture) said(conversation string) string {
	h.tb.Helper()
	asked := strings.Split(conversation, " / ")
	r := h.reply(asked...)
	if len(r.Calls) == 0 {
		return r.Text
	}
	for i, c := range r.Calls {
		result, err := tools.New(h.Books).Run(h.tb.Context(), h.who, c, 16_000)
		if err != nil {
			h.tb.Fatal(err)
		}
		r.Calls[i].Result = result
	}
	return h.answerTo(h.prompt(asked...), r.Calls)
}

// newFurnishedFixture has everything in it that strangers ask about.
func newFurnishedFixture(tb testing.TB) *fixture {
	tb.Helper()
	h := newFixture(tb)
	h.fill()
	h.furnish()
	return h
}

// TestFigures has conversations and the first line of their last answer, with the figures of [fixture.fill] and
// [fixture.furnish] added up by hand. A question that may mean more than one thing is answered with what it may mean.
func TestFigures(t *testing.T) {
	t.Parallel()
	h := newFurnishedFixture(t)
	short := strings.NewReplacer("{all}", " from the beginning of your books, 2023-12-31, to 2026-11-21", "{may}",
		"in May 2026 (2026-05-01 to 2026-05-31)",
		"{april}", "in April 2026 (2026-04-01 to 2026-04-30)", "{september}",
		"in September 2026 (2026-09-01 to 2026-09-30)",
		"{year}", "from 2026-01-01 to 2026-11-21", "{us}", `in the account "US Checking"`)
	for _, c := range [][2]string{
		// Days are no amounts.
		{`What did I spend between 3 and 17 September?`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`how much did I spend between the 3rd and the 17th of September`,
			`You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending between September 3rd and 17th`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending between Sept 3 and Sept 17`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending from the 3rd to the 17th of September`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending from 3 to 17 September`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending 3-17 Sept`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending 3 – 17 Sept`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending 3rd-17th of September`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending Sept 3-17`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending Sept 3 through 17`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending Sept 3 thru Sept 17`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending Sept 3rd until the 17th`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending from September 3 to 17, 2026`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending from the 3rd of September up to the 17th`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending in September from the 3rd to the 17th`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending in September between the 3rd and 17th`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`spending from the 3rd to the 17th`, `You spent 0.00 EUR from 2026-11-03 to 2026-11-17.`},
		{`spending between the 3rd and 17th of last month`, `You spent 1,234.50 EUR from 2026-10-03 to 2026-10-17.`},
		{`spending this year between 3 and 17 September`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`how much went out from September the 3rd to September the 17th`,
			`You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`what did I pay from 9/3/2026 to 17.9.2026`, `I cannot answer that: I do not know what to make of "9/3/2026".`},
		{`spending between 2026-09-03 and 2026-09-17`, `You spent 73.00 EUR from 2026-09-03 to 2026-09-17.`},
		{`expenses between 3 and 17 euros in September`, `Your expenses of 3 to 17 {september}:`},
		{`how much did I spend in September between 3 and 17 euros`, `You spent 53.00 EUR of 3 to 17 {september}.`},
		{`how much did I spend in September on things from 3 to 17 EUR`, `You spent 53.00 EUR of 3 to 17 {september}.`},
		{`how much did I spend in September of 3-17 euros`, `You spent 53.00 EUR of 3 to 17 {september}.`},
		{`how much did I spend in September between €3 and €17`, `You spent 53.00 EUR of 3 to 17 {september}.`},
		{`expenses between 3 and 17 in September`,
			`I cannot answer that yet: "between 3 and 17" may be days or amounts; say for example "from the 3rd to the 17th" or "between 3 and 17 EUR".`},
		{`expenses in September between 3 and 17`,
			`I cannot answer that yet: "between 3 and 17" may be days or amounts; say for example "from the 3rd to the 17th" or "between 3 and 17 EUR".`},
		{`spending over 2025`,
			`I cannot answer that yet: "over 2025" may be the year or an amount; say "in 2025" or "over 2025 EUR".`},
		{`expenses over 1000 in May`, `There is no expense of at least 1,000 {may}.`},
		// Halves, middles and ends.
		{`how much did I spend in the first half of September`, `You spent 39.00 EUR from 2026-09-01 to 2026-09-15.`},
		{`how much did I spend in the second half of September`, `You spent 124.00 EUR from 2026-09-16 to 2026-09-30.`},
		{`spending in the 2nd half of September 2026`, `You spent 124.00 EUR from 2026-09-16 to 2026-09-30.`},
		{`spending in the latter half of September`, `You spent 124.00 EUR from 2026-09-16 to 2026-09-30.`},
		{`spending in September, first half`, `You spent 39.00 EUR from 2026-09-01 to 2026-09-15.`},
		{`spending on US Checking in the first half of May`, `You spent 115.00 EUR {us} from 2026-05-01 to 2026-05-15.`},
		{`spending on US Checking in the second half of May`, `You spent 112.50 EUR {us} from 2026-05-16 to 2026-05-31.`},
		{`income in the second half of May`, `You received 3,300.00 EUR from 2026-05-16 to 2026-05-31.`},
		{`travel in the first half of 2025`, `You spent 590.00 EUR on "Travel" from 2025-01-01 to 2025-06-30.`},
		{`travel in the second half of 2025`, `You spent 0.00 EUR on "Travel" from 2025-07-01 to 2025-12-31.`},
		{`travel in H1 2025`, `You spent 590.00 EUR on "Travel" from 2025-01-01 to 2025-06-30.`},
		{`spending in the first half of this year`, `You spent 2,543.99 EUR from 2026-01-01 to 2026-06-30.`},
		{`spending in the first half of last year`, `You spent 590.00 EUR from 2025-01-01 to 2025-06-30.`},
		{`spending in the first half of last month`, `You spent 900.00 EUR from 2026-10-01 to 2026-10-15.`},
		{`spending in the first half of the year`, `You spent 2,543.99 EUR from 2026-01-01 to 2026-06-30.`},
		{`groceries in the last week of April`, `You spent 0.00 EUR on "Groceries" from 2026-04-24 to 2026-04-30.`},
		{`spending in the last 10 days of September`, `You spent 70.00 EUR from 2026-09-21 to 2026-09-30.`},
		{`spending in the first ten days of September`, `You spent 31.00 EUR from 2026-09-01 to 2026-09-10.`},
		{`spending until the end of August`,
			`You spent 4,543.99 EUR from the beginning of your books, 2023-12-31, to 2026-08-31.`},
		{`spending in 2026 until the end of August`, `You spent 3,953.99 EUR from 2026-01-01 to 2026-08-31.`},
		{`spending this year until the end of August`, `You spent 3,953.99 EUR from 2026-01-01 to 2026-08-31.`},
		{`spending from mid-March to the end of May`, `You spent 2,543.99 EUR from 2026-03-15 to 2026-05-31.`},
		{`spending since mid-March`, `You spent 6,263.49 EUR from 2026-03-15 to 2026-11-21.`},
		{`spending since the middle of May`, `You spent 3,939.99 EUR from 2026-05-15 to 2026-11-21.`},
		{`spending since the beginning of September`, `You spent 2,309.50 EUR from 2026-09-01 to 2026-11-21.`},
		{`spending since the end of September`, `You spent 2,216.50 EUR from 2026-09-30 to 2026-11-21.`},
		{`spending until mid-September this year`,
			`You spent 4,582.99 EUR from the beginning of your books, 2023-12-31, to 2026-09-15.`},
		{`spending from the beginning of September to the middle of September`,
			`You spent 39.00 EUR from 2026-09-01 to 2026-09-15.`},
		{`spending since mid-2025`, `You spent 6,263.49 EUR from 2025-07-01 to 2026-11-21.`},
		{`travel last year until the end of June`, `You spent 590.00 EUR on "Travel" from 2025-01-01 to 2025-06-30.`},
		{`travel last year since mid-March`, `You spent 500.00 EUR on "Travel" from 2025-03-15 to 2025-12-31.`},
		{`travel in 2025 before June`, `You spent 90.00 EUR on "Travel" from 2025-01-01 to 2025-05-31.`},
		{`groceries last year in May`, `You spent 0.00 EUR on "Groceries" in May 2025 (2025-05-01 to 2025-05-31).`},
		{`spending from January to date`, `You spent 6,263.49 EUR {year}.`},
		{`spending from September onwards`, `You spent 2,309.50 EUR from 2026-09-01 to 2026-11-21.`},
		{`spending at the end of August`,
			`I cannot answer that yet: the beginning, the middle or the end of a period is one day, here 2026-08-31, and does not say which days to look at; say so, for example "the last week of May" or "the second half of May".`},
		{`spending in mid-May`,
			`I cannot answer that yet: the beginning, the middle or the end of a period is one day, here 2026-05-15, and does not say which days to look at; say so, for example "the last week of May" or "the second half of May".`},
		{`spending in early May`, `I cannot answer that: I do not know what to make of "early".`},
		{`what did I spend around Christmas`,
			`I cannot answer that: I do not know what to make of "around" and "Christmas".`},
		{`balance of Checking at the end of August`, `The balance of "Checking" is 2,259.50 EUR on 2026-08-31.`},
		{`balance of Checking in mid-May`, `The balance of "Checking" is 901.50 EUR on 2026-05-15.`},
		{`net worth in mid-2025`,
			`Your net worth is 99,210.00 EUR on 2025-07-01: 309,410.00 EUR in assets less 210,200.00 EUR of debts.`},
		{`spending in the last days of August`, `I cannot answer that: I do not know what to make of "days".`},
		{`spending in the last months`, `I cannot answer that: I do not know what to make of "last".`},
		{`last month's spending`, `You spent 2,134.50 EUR in October 2026 (2026-10-01 to 2026-10-31).`},
		// All time.
		{`how much have I spent at Aldi`, `You spent 1,404.75 EUR at "Aldi"{all}.`},
		{`how much have I spent at Aldi so far`, `You spent 1,404.75 EUR at "Aldi"{all}.`},
		{`how much did I ever spend at Aldi`, `You spent 1,404.75 EUR at "Aldi"{all}.`},
		{`total spent at Lidl`, `You spent 42.25 EUR at "Lidl"{all}.`},
		{`what did Netflix cost me altogether`, `You spent 15.99 EUR at "Netflix"{all}.`},
		{`how much did we pay Costco in total`, `You spent 145.00 EUR at "Costco"{all}.`},
		{`how much did I spend on #kids`, `You spent 90.50 EUR tagged "kids"{all}.`},
		{`spending tagged japan`, `You spent 343.00 EUR tagged "japan"{all}.`},
		{`how much did the japan trip cost`, `You spent 343.00 EUR tagged "japan"{all}.`},
		{`how much have I spent on groceries so far`, `You spent 1,602.00 EUR on "Groceries"{all}.`},
		{`how much have I spent on groceries in all`, `You spent 1,602.00 EUR on "Groceries"{all}.`},
		{`groceries overall`, `You spent 1,602.00 EUR on "Groceries"{all}.`},
		{`total groceries`, `You spent 1,602.00 EUR on "Groceries"{all}.`},
		{`groceries to date`, `You spent 1,602.00 EUR on "Groceries"{all}.`},
		{`how much did I spend on groceries`, `You spent 12.00 EUR on "Groceries" from 2026-11-01 to 2026-11-21.`},
		{`total income`, `You received 8,308.50 EUR{all}.`},
		{`how much did I earn in total`, `You received 8,308.50 EUR{all}.`},
		{`what have I spent all in all`, `You spent 6,853.49 EUR{all}.`},
		{`how much did I spend in total in May`, `You spent 1,293.49 EUR {may}.`},
		{`how much have I spent on travel this year so far`, `You spent 250.00 EUR on "Travel" {year}.`},
		{`how much did I spend at Miller`, `You spent 42.00 EUR by transactions with "Miller" in their text{all}.`},
		{`how much interest have I paid so far`, `You spent 610.00 EUR on "Interest" and "Loan Interest"{all}.`},
		{`largest expense at Aldi`,
			`Your largest expense at "Aldi" until 2026-11-21: 2026-10-17, 1,234.50 EUR out, "Aldi party", account "Checking".`},
		{`Aldi vs Lidl in total`,
			`You spent 1,404.75 EUR at "Aldi" and 42.25 EUR at "Lidl"{all}: 1,362.50 EUR more at "Aldi".`},
		{`did I spend more at Aldi than last month`,
			`You spent 0.00 EUR at "Aldi" from 2026-11-01 to 2026-11-21, and 1,234.50 EUR in October 2026 (2026-10-01 to 2026-10-31): 1,234.50 EUR less.`},
		{`what's the total of my spending on groceries in May and June`,
			`You spent 195.00 EUR on "Groceries" from 2026-05-01 to 2026-06-30.`},
		{`total groceries in April, May and June`,
			`You spent 295.50 EUR on "Groceries" in Q2 2026 (2026-04-01 to 2026-06-30).`},
		{`total groceries in April and September`,
			`I cannot answer that yet: these periods do not follow each other, and I add up the days of one; ask for each of them.`},
		{`groceries in May / and in total?`, `You spent 1,602.00 EUR on "Groceries"{all}.`},
		{`groceries in May / and restaurants / and together?`,
			`I cannot answer that yet: say what is to be added up, for example "groceries and rent in May together".`},
		// Accounts.
		{`how much did I spend from the US account in May`, `You spent 227.50 EUR {us} {may}.`},
		{`how much did I spend from the us account in May`, `You spent 227.50 EUR {us} {may}.`},
		{`how much did I spend in May on US`, `You spent 227.50 EUR {us} {may}.`},
		{`how much did I spend in total on the US account`, `You spent 390.50 EUR {us}{all}.`},
		{`spending on my US Checking account in September`, `You spent 163.00 EUR {us} {september}.`},
		{`income on the US account in May`, `You received 800.00 EUR {us} {may}.`},
		{`groceries on the US account in May`, `You spent 95.00 EUR on "Groceries" {us} {may}.`},
		{`groceries from Checking in May`, `You spent 100.00 EUR on "Groceries" in the account "Checking" {may}.`},
		{`largest expense on the US account in May`,
			`Your largest expense {us} {may}: 2026-05-31, 100.00 EUR out, "Best Buy", account "US Checking".`},
		{`how many transactions on the US account in September`, `8 transactions {us} {september}.`},
		{`how many expenses on the US account in May`, `5 expenses {us} {may}.`},
		{`last transaction on the US account`,
			`Your latest transaction {us} until 2026-11-21: 2026-09-30, 70.00 EUR out, "Ninth thirty", account "US Checking".`},
		{`average spending on the US account per month this year`,
			`On average you spent 39.05 EUR a month {us} from 2026-01-01 to 2026-10-31: 390.50 EUR in 10 months.`},
		{`spending on the US account by category in May`, `You spent 227.50 EUR {us} {may}.`},
		{`did I spend more on the US account in May than in September`,
			`You spent 227.50 EUR {us} {may}, and 163.00 EUR {september}: 64.50 EUR more.`},
		{`US Checking vs Checking spending in May`,
			`You spent 227.50 EUR {us} and 1,050.00 EUR in the account "Checking" {may}: 822.50 EUR more in the account "Checking".`},
		{`how much did I spend on my credit card in May`, `You spent 15.99 EUR in the account "Visa Gold" {may}.`},
		{`how much did I spend with the Visa in May`, `You spent 15.99 EUR in the account "Visa Gold" {may}.`},
		{`how much did I spend with the Visa card this year`, `You spent 265.99 EUR in the account "Visa Gold" {year}.`},
		{`spending on the Visa Gold credit card this year`, `You spent 265.99 EUR in the account "Visa Gold" {year}.`},
		{`what did I charge to the Visa this year`, `You spent 265.99 EUR in the account "Visa Gold" {year}.`},
		{`how much did I pay by card this year`, `You spent 265.99 EUR in the account "Visa Gold" {year}.`},
		{`spending from the joint account in May`, `You spent 0.00 EUR in the account "Joint Account" {may}.`},
		{`how much did my savings account earn this year`, `You received 8.50 EUR in the account "DKB Tagesgeld" {year}.`},
		{`income on DKB this year`, `You received 8.50 EUR in the account "DKB Tagesgeld" {year}.`},
		{`how much came into the US account in May`, `You received 800.00 EUR {us} {may}.`},
		{`how much went out of the US account in May`, `You spent 227.50 EUR {us} {may}.`},
		{`balance of the US account`, `1,409.50 EUR in "US Checking" on 2026-11-21.`},
		{`how much is in the joint account`, `500.00 EUR in "Joint Account" on 2026-11-21.`},
		{`spending from the current account in May`,
			`I cannot answer that yet: "current account" may be the accounts "Checking", "Joint Account" and "US Checking"; say which.`},
		{`spending with my checking accounts in May`,
			`You spent 1,277.50 EUR in the accounts "Checking", "Joint Account" and "US Checking" {may}.`},
		{`spending on the Chase card in May`, `I cannot answer that: I do not know what to make of "Chase card".`},
		{`spending on the kids account in May`, `I cannot answer that: I do not know what to make of "kids account".`},
		{`spending in the US in May`, `You spent 227.50 EUR {us} {may}.`},
		{`how much did I spend on the car loan`,
			`I cannot answer that yet: what is paid to "Car Loan" is a transfer and not spent; ask for its balance, its interest, or for what was spent in the account.`},
		{`total on the US account in the first half of May between 20 and 50 euros`,
			`You spent 115.00 EUR {us} of 20 to 50 from 2026-05-01 to 2026-05-15.`},
		{`total on the US account in May`, `You received 800.00 EUR and spent 227.50 EUR {us} {may}.`},
		{`groceries on the US account in the second half of May`,
			`You spent 0.00 EUR on "Groceries" {us} from 2026-05-16 to 2026-05-31.`},
		{`kids spending on Checking this year`, `You spent 90.50 EUR tagged "kids" in the account "Checking" {year}.`},
		{`how much did I spend on the Visa in the first half of 2026`,
			`You spent 265.99 EUR in the account "Visa Gold" from 2026-01-01 to 2026-06-30.`},
		// Most and largest.
		{`what did I spend most on in May`,
			`"Mortgage / Rent" comes first with 900.00 EUR, of the 1,293.49 EUR that you spent {may}.`},
		{`what did I spend the most on this year`,
			`"Mortgage / Rent" comes first with 3,400.00 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`what did I spend the most money on in April`,
			`"Mortgage / Rent" comes first with 900.00 EUR, of the 1,000.50 EUR that you spent {april}.`},
		{`where did I spend the most in May`,
			`"Aldi" comes first with 90.25 EUR, of the 1,293.49 EUR that you spent {may}.`},
		{`which merchant did I spend the most at this year`,
			`"Aldi" comes first with 1,404.75 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`which merchant did I visit most this year`,
			`"Aldi" comes first with 4 times, 1,404.75 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`which shop did I go to most often this year`,
			`"Aldi" comes first with 4 times, 1,404.75 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`which merchant has the most transactions this year`,
			`"Aldi" comes first with 4 times, 1,404.75 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`who do I pay most often this year`,
			`"Aldi" comes first with 4 times, 1,404.75 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`my largest expense`,
			`Your largest expense {year}: 2026-10-17, 1,234.50 EUR out, "Aldi party", account "Checking".`},
		{`my largest expense in May`,
			`Your largest expense {may}: 2026-05-02, 900.00 EUR out, "Rent May", account "Checking".`},
		{`what was the most expensive thing I bought in May`,
			`Your largest expense {may}: 2026-05-02, 900.00 EUR out, "Rent May", account "Checking".`},
		{`the most expensive purchase in September`,
			`Your largest expense {september}: 2026-09-30, 70.00 EUR out, "Ninth thirty", account "US Checking".`},
		{`what's the most I spent at Lidl`,
			`Your largest expense at "Lidl" until 2026-11-21: 2026-04-12, 20.50 EUR out, "Lidl", account "Checking".`},
		{`what is the most I ever paid for groceries`,
			`Your largest expense on "Groceries" until 2026-11-21: 2026-10-17, 1,234.50 EUR out, "Aldi party", account "Checking".`},
		{`which account do I spend most from in May`,
			`"Checking" comes first with 1,050.00 EUR, of the 1,293.49 EUR that you spent {may}.`},
		{`which month did I spend the most this year`,
			`2026-10 comes first with 2,134.50 EUR, of the 6,263.49 EUR that you spent {year}.`},
		{`which category was the largest in May`,
			`"Mortgage / Rent" comes first with 900.00 EUR, of the 1,293.49 EUR that you spent {may}.`},
		{`biggest income in May`,
			`Your largest income {may}: 2026-05-29, 2,500.00 EUR in, "Acme May", account "Checking".`},
		{`largest groceries expense in May`,
			`Your largest expense on "Groceries" {may}: 2026-05-04, 60.25 EUR out, "Aldi 123", account "Checking".`},
		{`what was my smallest expense in May`, `I cannot answer that: I do not know what to make of "smallest".`},
		{`which day did I spend the most in May`, `I cannot answer that: I do not know what to make of "day".`},
		// Parts of split transactions.
		{`how much did I spend on groceries in August`,
			`You spent 60.00 EUR on "Groceries" in August 2026 (2026-08-01 to 2026-08-31).`},
		{`how much did I spend on childcare this year`, `You spent 40.00 EUR on "Childcare" {year}.`},
		{`spending tagged kids in August`, `You spent 40.00 EUR tagged "kids" in August 2026 (2026-08-01 to 2026-08-31).`},
		{`spending at Costco in August`, `You spent 100.00 EUR at "Costco" in August 2026 (2026-08-01 to 2026-08-31).`},
		{`groceries at Costco this year`, `You spent 105.00 EUR on "Groceries" at "Costco" {year}.`},
		{`spending by category in August`, `You spent 1,100.00 EUR in August 2026 (2026-08-01 to 2026-08-31).`},
		{`how much did I spend on rent in August`,
			`You spent 700.00 EUR on "Mortgage / Rent" in August 2026 (2026-08-01 to 2026-08-31).`},
		{`expenses over 50 on groceries in August`,
			`Your expense on "Groceries" of at least 50 in August 2026 (2026-08-01 to 2026-08-31): 2026-08-05, 60.00 EUR out, "Costco hall", account "Checking".`},
		{`largest groceries expense in August`,
			`Your largest expense on "Groceries" in August 2026 (2026-08-01 to 2026-08-31): 2026-08-05, 60.00 EUR out, "Costco hall", account "Checking".`},
		{`largest expense tagged kids this year`,
			`Your largest expense tagged "kids" {year}: 2026-08-05, 40.00 EUR out, "Costco hall", account "Checking".`},
		{`childcare transactions`,
			`Your transaction for "Childcare" until 2026-11-21: 2026-08-05, 40.00 EUR out, "Costco hall", account "Checking".`},
		{`how much did I spend in August between 250 and 350 euros`,
			`You spent 300.00 EUR of 250 to 350 in August 2026 (2026-08-01 to 2026-08-31).`},
		{`how many transactions at Costco`, `2 transactions at "Costco" until 2026-11-21.`},
		{`how many expenses in August`, `2 expenses in August 2026 (2026-08-01 to 2026-08-31).`},
		{`how many grocery expenses in August`, `1 expense on "Groceries" in August 2026 (2026-08-01 to 2026-08-31).`},
		// Interest.
		{`how much interest did I pay this year`, `You spent 610.00 EUR on "Interest" and "Loan Interest" {year}.`},
		{`how much interest did I pay on the mortgage this year`,
			`You spent 310.00 EUR on "Interest" and "Loan Interest" in the account "Home Loan" {year}.`},
		{`mortgage interest this year`,
			`You spent 310.00 EUR on "Interest" and "Loan Interest" in the account "Home Loan" {year}.`},
		{`how much interest did I pay in July`,
			`You spent 310.00 EUR on "Interest" and "Loan Interest" in July 2026 (2026-07-01 to 2026-07-31).`},
		{`how much interest did I earn this year`, `You received 8.50 EUR for "Interest" and "Loan Interest" {year}.`},
		{`how much interest did I receive in July`,
			`You received 4.00 EUR for "Interest" and "Loan Interest" in July 2026 (2026-07-01 to 2026-07-31).`},
		{`how much interest did my savings account earn this year`,
			`You received 8.50 EUR for "Interest" and "Loan Interest" in the account "DKB Tagesgeld" {year}.`},
		{`interest this year`, `You received 8.50 EUR and spent 610.00 EUR for "Interest" and "Loan Interest" {year}.`},
		{`loan interest this year`, `You spent 610.00 EUR on "Loan Interest" {year}.`},
		{`how much did I spend on the mortgage this year`, `You spent 3,400.00 EUR on "Mortgage / Rent" {year}.`},
		// Growth.
		{`how much did my net worth grow since 2020`,
			`Your net worth is 101,255.01 EUR on 2026-11-21: 312,031.00 EUR in assets less 210,775.99 EUR of debts.`},
		{`how much did my net worth grow in 2022`,
			`I cannot answer that yet: Your books begin on 2023-12-31, and have nothing of 2022-12-31.`},
		{`how much did Checking grow since 2020`, `The balance of "Checking" is 2,613.00 EUR on 2026-11-21.`},
		{`how much did my net worth grow this year`,
			`Your net worth is 101,255.01 EUR on 2026-11-21: 312,031.00 EUR in assets less 210,775.99 EUR of debts.`},
		{`spending in 2022`, `You spent 0.00 EUR in 2022 (2022-01-01 to 2022-12-31).`},
		{`spending in 2026 compared with 2022`,
			`I cannot answer that yet: Your books begin on 2023-12-31, and have nothing of 2022 (2022-01-01 to 2022-12-31).`},
		{`net worth in 2020`,
			`I cannot answer that yet: Your books begin on 2023-12-31, and have nothing of 2020 (2020-01-01 to 2020-12-31).`},
		{`how much did my spending grow from April to May`,
			`You spent 1,000.50 EUR {april}, and 1,293.49 EUR {may}: 292.99 EUR less.`},
		{`by how much did groceries rise in May`,
			`You spent 195.00 EUR on "Groceries" {may}, and 100.50 EUR {april}: 94.50 EUR more.`},
		// In a chat.
		{`groceries this year / and last year / difference?`,
			`The difference is 1,602.00 EUR: 1,602.00 EUR spent on "Groceries" {year}, and 0.00 EUR spent on "Groceries" in 2025 (2025-01-01 to 2025-12-31). The first is 1,602.00 EUR more.`},
		{`groceries in May / and in April / what's the difference?`,
			`The difference is 94.50 EUR: 195.00 EUR spent on "Groceries" {may}, and 100.50 EUR spent on "Groceries" {april}. The first is 94.50 EUR more.`},
		{`groceries in May / and in April / what is the difference between the two`,
			`The difference is 94.50 EUR: 195.00 EUR spent on "Groceries" {may}, and 100.50 EUR spent on "Groceries" {april}. The first is 94.50 EUR more.`},
		{`groceries in May / and in April / which is more?`,
			`The difference is 94.50 EUR: 195.00 EUR spent on "Groceries" {may}, and 100.50 EUR spent on "Groceries" {april}. The first is 94.50 EUR more.`},
		{`groceries in May / and restaurants / difference`,
			`The difference is 182.50 EUR: 195.00 EUR spent on "Groceries" {may}, and 12.50 EUR spent on "Restaurants" {may}. The first is 182.50 EUR more.`},
		{`how much did I spend in May / how much did I spend in April / by how much?`,
			`The difference is 292.99 EUR: 1,293.49 EUR spent {may}, and 1,000.50 EUR spent {april}. The first is 292.99 EUR more.`},
		{`income in May / and spending? / difference?`,
			`The difference is 2,006.51 EUR: 3,300.00 EUR received {may}, and 1,293.49 EUR spent {may}. The first is 2,006.51 EUR more.`},
		{`balance of Checking / and US Checking / difference?`,
			`The difference is 1,203.50 EUR: 2,613.00 EUR in "Checking" on 2026-11-21, and 1,409.50 EUR in "US Checking" on 2026-11-21. The first is 1,203.50 EUR more.`},
		{`net worth / and a year ago / difference?`,
			`The difference is 2,045.01 EUR: 101,255.01 EUR of net worth on 2026-11-21, and 99,210.00 EUR of net worth on 2025-11-21. The first is 2,045.01 EUR more.`},
		{`how many transactions at Aldi / and at Lidl / difference?`,
			`The difference is 1: 4 transactions at "Aldi" until 2026-11-21, and 3 transactions at "Lidl" until 2026-11-21. The first is 1 more.`},
		{`groceries in May vs April / difference?`,
			`You spent 195.00 EUR on "Groceries" {may}, and 100.50 EUR {april}: 94.50 EUR more.`},
		{`groceries in May / difference?`,
			`I cannot answer that yet: there is one figure so far; say what to compare it with, for example "compared with April".`},
		{`groceries in May / net worth / difference?`,
			`I cannot answer that yet: the last two answers have no two figures of the same kind; say what to compare with what.`},
		{`how many transactions at Aldi / groceries in May / difference?`,
			`The difference is 1: 4 transactions at "Aldi" until 2026-11-21, and 5 transactions for "Groceries" {may}. The first is 1 less.`},
		{`groceries in May / the same for income`, `You received 3,300.00 EUR {may}.`},
		{`groceries at Aldi in May / same for income`, `You received 3,300.00 EUR {may}.`},
		{`groceries in May / and income?`, `You received 3,300.00 EUR {may}.`},
		{`groceries on the US account in May / the same for income`, `You received 800.00 EUR {us} {may}.`},
		{`spending on the US account in May / what about income`, `You received 800.00 EUR {us} {may}.`},
		{`groceries in May / what about spending`, `You spent 1,293.49 EUR {may}.`},
		{`how much did I earn in May / the same for spending`, `You spent 1,293.49 EUR {may}.`},
		{`average groceries per month this year / same for income`,
			`On average you received 830.85 EUR a month from 2026-01-01 to 2026-10-31: 8,308.50 EUR in 10 months.`},
		{`groceries in May / and on the US account?`, `You spent 95.00 EUR on "Groceries" {us} {may}.`},
		{`spending on the US account in May / and groceries?`, `You spent 95.00 EUR on "Groceries" {us} {may}.`},
		{`spending on the US account in May / and in September?`, `You spent 163.00 EUR {us} {september}.`},
		{`groceries in May / show me the transactions`, `Your expenses on "Groceries" {may}:`},
		{`how much did I spend at Aldi / when was the last one?`,
			`Your latest expense at "Aldi"{all}: 2026-10-17, 1,234.50 EUR out, "Aldi party", account "Checking".`},
		{`spending in May / list all of them`, `Your expenses {may}:`},
		{`groceries in May / list them`, `Your expenses on "Groceries" {may}:`},
		{`groceries in May / which transactions are those?`, `Your expenses on "Groceries" {may}:`},
		{`spending on the US account in May / show me the transactions`, `Your expenses {us} {may}:`},
		{`how much did I spend at Lidl / show the transactions`, `Your expenses at "Lidl"{all}:`},
		{`how much did I save in May / show me the transactions`, `Your incomes {may}:`},
		{`groceries in May / and the largest?`,
			`Your largest expense on "Groceries" {may}: 2026-05-04, 60.25 EUR out, "Aldi 123", account "Checking".`},
		{`spending on the US account in May / what was the biggest?`,
			`Your largest expense {us} {may}: 2026-05-31, 100.00 EUR out, "Best Buy", account "US Checking".`},
		{`groceries in May / and last year / show me the transactions`,
			`There is no expense on "Groceries" in 2025 (2025-01-01 to 2025-12-31).`},
	} {
		got, _, _ := strings.Cut(h.said(c[0]), "\n")
		got, _, _ = strings.Cut(got, " You can ask, for example:")
		if want := short.Replace(c[1]); got != want {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, want)
		}
	}
}

// TestTransactionsOfFigures: the transactions behind a figure are those of the figure, and come to it.
func TestTransactionsOfFigures(t *testing.T) {
	t.Parallel()
	h := newFurnishedFixture(t)
	for conversation, want := range map[string]string{
		"spending on the US account in May / show me the transactions": `Your expenses in the account "US Checking" in May 2026 (2026-05-01 to 2026-05-31):
- 2026-05-31, 100.00 EUR out, "Best Buy", account "US Checking"
- 2026-05-16, 12.50 EUR out, "Diner", account "US Checking"
- 2026-05-15, 50.00 EUR out, "Walmart", account "US Checking"
- 2026-05-10, 20.00 EUR out, "Shell", account "US Checking"
- 2026-05-03, 45.00 EUR out, "Costco 7", account "US Checking"
Together: 227.50 EUR.`,
		"how much did I save on US Checking / show me the transactions": `I cannot answer that yet: no figure was shown before`,
		"list them":                               `I cannot answer that yet: no figure was shown before`,
		"groceries in May / why? / difference?":   `I cannot answer that yet: no figure was shown before`,
		"groceries in May / why? / and in April?": `You spent 100.50 EUR on "Groceries" in April`,
		"cash flow of US Checking in May / list them": `Your income in the account "US Checking" in May 2026 (2026-05-01 to 2026-05-31): 2026-05-28, 800.00 EUR in, "Acme US", account "US Checking".
Your expenses in the account "US Checking" in May 2026 (2026-05-01 to 2026-05-31):
- 2026-05-31, 100.00 EUR out, "Best Buy", account "US Checking"
- 2026-05-16, 12.50 EUR out, "Diner", account "US Checking"
- 2026-05-15, 50.00 EUR out, "Walmart", account "US Checking"
- 2026-05-10, 20.00 EUR out, "Shell", account "US Checking"
- 2026-05-03, 45.00 EUR out, "Costco 7", account "US Checking"
Together: 800.00 EUR in, 227.50 EUR out, 572.50 EUR net.`,
		"spending between 20 and 45 euros on US Checking in May / show me the transactions": `Your expenses in the account "US Checking" of 20 to 45 in May 2026 (2026-05-01 to 2026-05-31):
- 2026-05-10, 20.00 EUR out, "Shell", account "US Checking"
- 2026-05-03, 45.00 EUR out, "Costco 7", account "US Checking"`,
		"groceries in August / show me the transactions": `Your expense on "Groceries" in August 2026 (2026-08-01 to 2026-08-31): 2026-08-05, 60.00 EUR out, "Costco hall", account "Checking".
Together: 60.00 EUR.`,
		"spending at Costco in August / list them": `Your expenses at "Costco" in August 2026 (2026-08-01 to 2026-08-31):
- 2026-08-05, 60.00 EUR out, "Costco hall", account "Checking"
- 2026-08-05, 40.00 EUR out, "Costco hall", account "Checking"
Together: 100.00 EUR.`,
	} {
		if got := h.said(conversation); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %s\nwant %s", conversation, got, want)
		}
	}
}

// TestAccountsNarrow: whatever is asked of an account is at most what is asked of all, and the accounts come to it.
func TestAccountsNarrow(t *testing.T) {
	t.Parallel()
	h := newFurnishedFixture(t)
	accounts := []string{"the US account", "Checking", "the joint account", "the Visa", "the DKB account",
		"Depot", "House"}
	for _, days := range []string{"in May", "this year", "from 3 to 17 September", "in the first half of May",
		"since mid-March", "until the end of August", "in total"} {
		for _, what := range []string{"groceries", "income", "expenses", "travel"} {
			all, sum := h.figure(what+" "+days), decimal.Zero
			for _, account := range accounts {
				sum = sum.Add(h.figure(fmt.Sprintf("%s in %s %s", what, account, days)))
			}
			if !sum.Equal(all) { // the loan has only interest, booked outside of them
				if what != "expenses" || !sum.Add(h.figure("expenses in Home Loan "+days)).Equal(all) {
					t.Errorf("%s %s: all accounts have %s, each has %s", what, days, all, sum)
				}
			}
		}
	}
}

// TestHalvesAddUp: the halves of a month and of a year are the whole.
func TestHalvesAddUp(t *testing.T) {
	t.Parallel()
	h := newFurnishedFixture(t)
	for _, whole := range []string{"April 2026", "May", "August", "September", "last month", "2025", "2026",
		"this year", "last year", "February 2025"} {
		first, second := h.figure("expenses in the first half of "+whole), h.figure("expenses in the second half of "+whole)
		if all := h.figure("expenses in " + whole); !first.Add(second).Equal(all) || all.IsZero() {
			t.Errorf("%s: %s and %s, in all %s", whole, first, second, all)
		}
	}
}

// figure is the first amount in an answer.
func (h *fixture) figure(question string) decimal.Decimal {
	h.tb.Helper()
	answer := h.said(question)
	_, rest, _ := strings.Cut(answer, "You ")
	words := strings.Fields(rest)
	if len(words) < 3 || words[2] != "EUR" {
		h.tb.Fatalf("%s: no figure in %s", question, answer)
	}
	return must[decimal.Decimal](h.tb)(decimal.NewFromString(strings.ReplaceAll(words[1], ",", "")))
}
