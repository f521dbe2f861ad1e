package engine_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestMonthsOfSeveral: several things or periods, month by month.
func TestMonthsOfSeveral(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	const (
		since        = "income_statement 2026-04-01..2026-11-21"
		threeByMonth = since + " categories=[Groceries] group_by=month | " + since +
			" categories=[Café] group_by=month | " + since + " categories=[Mortgage / Rent] group_by=month"
		threeOfMonths = `What you spent from 2026-04-01 to 2026-11-21:
- "Mortgage / Rent": 2,700.00 EUR
- "Groceries": 1,447.00 EUR
- "Café": 3.20 EUR
"Mortgage / Rent" comes first with 2,700.00 EUR, 1,253.00 EUR more than "Groceries".
- 2026-04: "Mortgage / Rent" 900.00 EUR; "Groceries" 100.50 EUR; "Café" 0.00 EUR
- 2026-05: "Mortgage / Rent" 900.00 EUR; "Groceries" 100.00 EUR; "Café" 3.20 EUR
- 2026-10: "Mortgage / Rent" 900.00 EUR; "Groceries" 1,234.50 EUR; "Café" 0.00 EUR
- 2026-11: "Mortgage / Rent" 0.00 EUR; "Groceries" 12.00 EUR; "Café" 0.00 EUR
I took "rent" as the category "Mortgage / Rent".`
	)
	h.answers([][3]string{
		{"groceries vs café vs rent by month since April", threeByMonth, threeOfMonths},
		{"groceries, café and rent by month since April", threeByMonth, threeOfMonths},
		{"groceries in Q2 vs Q4 by month",
			"income_statement 2026-04-01..2026-06-30 categories=[Groceries] group_by=month | income_statement 2026-10-01..2026-11-21 categories=[Groceries] group_by=month",
			`You spent 200.50 EUR on "Groceries" in Q2 2026 (2026-04-01 to 2026-06-30), and 1,246.50 EUR from 2026-10-01 to 2026-11-21: 1,046.00 EUR less.
- 2026-04 100.50 EUR; 2026-10 1,234.50 EUR
- 2026-05 100.00 EUR; 2026-11 12.00 EUR`},
		{"groceries in April, May and October by month",
			"income_statement 2026-04-01..2026-04-30 categories=[Groceries] group_by=month | income_statement 2026-05-01..2026-05-31 categories=[Groceries] group_by=month | income_statement 2026-10-01..2026-10-31 categories=[Groceries] group_by=month",
			`What you spent on "Groceries":
- April 2026 (2026-04-01 to 2026-04-30): 100.50 EUR
- May 2026 (2026-05-01 to 2026-05-31): 100.00 EUR
- October 2026 (2026-10-01 to 2026-10-31): 1,234.50 EUR
- 2026-04 100.50 EUR; 2026-05 100.00 EUR; 2026-10 1,234.50 EUR`},
		{"spending by month in 2026 compared with 2025",
			"income_statement 2026-01-01..2026-11-21 group_by=month | income_statement 2025-01-01..2025-12-31 group_by=month",
			`You spent 4,212.99 EUR from 2026-01-01 to 2026-11-21, and 500.00 EUR in 2025 (2025-01-01 to 2025-12-31): 3,712.99 EUR more.
- 2026-04 1,000.50 EUR; 2025-04 0.00 EUR
- 2026-05 1,065.99 EUR; 2025-05 0.00 EUR
- 2026-06 0.00 EUR; 2025-06 500.00 EUR
- 2026-10 2,134.50 EUR; 2025-10 0.00 EUR
- 2026-11 12.00 EUR; 2025-11 0.00 EUR
The first of them is not over yet.`},
	})
}

// TestAveragesCompared: averages of several periods are put side by side, and not their totals.
func TestAveragesCompared(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	const (
		years  = "income_statement 2026-01-01..2026-10-31 | income_statement 2025-01-01..2025-12-31"
		months = "from 2026-01-01 to 2026-10-31"
		// (1,000.50 + 1,065.99 + 2,134.50) / 10 = 420.099; 500 / 12 = 41.666...
		spent = `On average you spent 420.10 EUR a month ` + months + `: 4,200.99 EUR in 10 months.
On average you spent 41.67 EUR a month in 2025 (2025-01-01 to 2025-12-31): 500.00 EUR in 12 months.
The first is 378.43 EUR more a month.`
	)
	h.answers([][3]string{
		{"average spending this year vs last year", years, spent},
		{"did I spend more per month this year than last year", years, spent},
		{"am I spending more a month than last year", years, spent},
		{"average monthly income and spending this year vs last year", years,
			`On average you received 750.00 EUR and spent 420.10 EUR a month ` + months + `: 7,500.00 EUR in, 4,200.99 EUR out, 3,299.01 EUR net in 10 months.
On average you received 0.00 EUR and spent 41.67 EUR a month in 2025 (2025-01-01 to 2025-12-31): 0.00 EUR in, 500.00 EUR out, -500.00 EUR net in 12 months.
The first is 750.00 EUR more in and 378.43 EUR more out a month.`},
		{"average groceries in May vs April",
			"income_statement 2026-05-01..2026-05-31 categories=[Groceries] | income_statement 2026-04-01..2026-04-30 categories=[Groceries]",
			`In the only whole month you spent 100.00 EUR on "Groceries" in May 2026 (2026-05-01 to 2026-05-31).
In the only whole month you spent 100.50 EUR on "Groceries" in April 2026 (2026-04-01 to 2026-04-30).
The first is 0.50 EUR less a month.`},
		{"average groceries in 2024, 2025 and 2026",
			"income_statement 2024-01-01..2024-12-31 categories=[Groceries] | income_statement 2025-01-01..2025-12-31 categories=[Groceries] | income_statement 2026-01-01..2026-10-31 categories=[Groceries]",
			`On average you spent 0.00 EUR a month on "Groceries" in 2024 (2024-01-01 to 2024-12-31): 0.00 EUR in 12 months.
On average you spent 0.00 EUR a month on "Groceries" in 2025 (2025-01-01 to 2025-12-31): 0.00 EUR in 12 months.
On average you spent 143.50 EUR a month on "Groceries" from 2026-01-01 to 2026-10-31: 1,435.00 EUR in 10 months.`},
		{"average spending at Miller this year", "transactions 2026-01-01..2026-10-31 page_size=1 search=Miller type=expense", // 42 / 10
			`On average you spent 4.20 EUR a month by transactions with "Miller" in their text ` + months + `: 42.00 EUR in 10 months.
No category, merchant, tag or account is called "Miller"; these are the transactions that have it in their text.`},
	})
}

// TestRates: figures per day, week, quarter and year.
func TestRates(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	const may = "income_statement 2026-05-01..2026-05-31"
	const foodOfMay = `On average you spent 22.58 EUR a week on "Groceries" in May 2026 (2026-05-01 to 2026-05-31): 100.00 EUR in 31 days.` // 100 * 7 / 31
	h.answers([][3]string{
		{"how much did I spend on groceries per week in May", may + " categories=[Groceries]", foodOfMay},
		{"weekly groceries in May", may + " categories=[Groceries]", foodOfMay},
		{"how much did I spend on groceries a week in May", may + " categories=[Groceries]", foodOfMay},
		{"groceries per day in May", may + " categories=[Groceries]", // 100 / 31
			`On average you spent 3.23 EUR a day on "Groceries" in May 2026 (2026-05-01 to 2026-05-31): 100.00 EUR in 31 days.`},
		{"what do I spend in an average week", "income_statement 2025-11-01..2026-10-31", // 4,200.99 * 7 / 365
			`On average you spent 80.57 EUR a week from 2025-11-01 to 2026-10-31: 4,200.99 EUR in 365 days.`},
		{"weekly groceries in May vs April", may + " categories=[Groceries] | income_statement 2026-04-01..2026-04-30 categories=[Groceries]", foodOfMay + `
On average you spent 23.45 EUR a week on "Groceries" in April 2026 (2026-04-01 to 2026-04-30): 100.50 EUR in 30 days.
The first is 0.87 EUR less a week.`}, // 100.50 * 7 / 30
		{"groceries vs rent per week in May", may + " categories=[Groceries] | " + may + " categories=[Mortgage / Rent]", foodOfMay + `
On average you spent 203.23 EUR a week on "Mortgage / Rent" in May 2026 (2026-05-01 to 2026-05-31): 900.00 EUR in 31 days.
That is 180.65 EUR a week more on "Mortgage / Rent".
I took "rent" as the category "Mortgage / Rent".`}, // 900 * 7 / 31
		{"spending per quarter this year", "income_statement 2026-01-01..2026-11-21 group_by=month", `You spent 4,212.99 EUR from 2026-01-01 to 2026-11-21.
- 2026 Q2: 2,066.49 EUR
- 2026 Q4: 2,146.50 EUR`},
		{"income by quarter", "income_statement 2026-01-01..2026-11-21 group_by=month", `You received 7,500.00 EUR from 2026-01-01 to 2026-11-21.
- 2026 Q2: 5,000.00 EUR
- 2026 Q4: 2,500.00 EUR`},
		{"how much do I spend a year", "income_statement 2024-01-01..2026-11-21 group_by=month", `You spent 4,712.99 EUR from 2024-01-01 to 2026-11-21.
- 2025: 500.00 EUR
- 2026: 4,212.99 EUR`},
		{"groceries vs rent by quarter this year",
			"income_statement 2026-01-01..2026-11-21 categories=[Groceries] group_by=month | income_statement 2026-01-01..2026-11-21 categories=[Mortgage / Rent] group_by=month",
			`You spent 1,447.00 EUR on "Groceries" and 2,700.00 EUR on "Mortgage / Rent" from 2026-01-01 to 2026-11-21: 1,253.00 EUR more on "Mortgage / Rent".
- 2026 Q2: 200.50 EUR, and 1,800.00 EUR
- 2026 Q4: 1,246.50 EUR, and 900.00 EUR
I took "rent" as the category "Mortgage / Rent".`},
	})
}

// TestRatesGoOn: a rate holds for the questions that follow.
func TestRatesGoOn(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const want = "income_statement 2026-04-01..2026-04-30 categories=[Groceries]"
	if got := shortly(t, h.reply("groceries per week in May", "and in April?").Calls); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCutMonths: months that there was no room for are not taken for months of nothing.
func TestCutMonths(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, text := range []string{"groceries by month in 2026 vs 2025", "spending by category in May vs April",
		"groceries by quarter"} {
		calls := h.reply(text).Calls
		for i := range calls {
			calls[i].Result = json.RawMessage(`{"currency":"EUR","income":"0.00","expenses":"9.00","by_month":[],"cut":"by_month: 1 of 9 shown; by_category: 1 of 9 shown"}`)
		}
		if got, want := h.answerTo(h.prompt(text), calls),
			"These were more figures than I can look up for one answer. Please ask for less at once."; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
