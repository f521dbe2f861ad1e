package engine_test

import "testing"

// answers asks questions of [fixture.fill], each with its calls in short and its answer, added up by hand.
func (h *fixture) answers(table [][3]string) {
	h.tb.Helper()
	for _, c := range table {
		if got := shortly(h.tb, h.reply(c[0]).Calls); got != c[1] {
			h.tb.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
		if got := h.answer(c[0], 16_000); got != c[2] {
			h.tb.Errorf("%s\n got %s\nwant %s", c[0], got, c[2])
		}
	}
}

// TestIncomeComparedWithThings: all that came in or went out, against what has a name.
func TestIncomeComparedWithThings(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fill()
	const (
		inMay         = "income_statement 2026-05-01..2026-05-31"
		may           = "May 2026 (2026-05-01 to 2026-05-31)"
		rent          = " categories=[Mortgage / Rent]"
		rentIsGuessed = "\n" + `I took "rent" as the category "Mortgage / Rent".`
		incomeAndRent = `You received 2,500.00 EUR in all and spent 900.00 EUR on "Mortgage / Rent" in ` + may +
			`: 1,600.00 EUR more in than out.` + rentIsGuessed
		incomeAndFood = `You received 2,500.00 EUR in all and spent 100.00 EUR on "Groceries" in ` + may +
			`: 2,400.00 EUR more in than out.`
	)
	h.answers([][3]string{
		{"income vs rent in May", inMay + " | " + inMay + rent, incomeAndRent},
		{"compare my income with rent in May", inMay + " | " + inMay + rent, incomeAndRent},
		{"is my income in May higher than my rent", inMay + " | " + inMay + rent, incomeAndRent},
		{"compare income and groceries in May", inMay + " | " + inMay + " categories=[Groceries]", incomeAndFood},
		{"income vs spending on groceries in May", inMay + " | " + inMay + " categories=[Groceries]", incomeAndFood},
		{"rent vs total income in May", inMay + rent + " | " + inMay,
			`You spent 900.00 EUR on "Mortgage / Rent" and received 2,500.00 EUR in all in ` + may +
				`: 1,600.00 EUR more in than out.` + rentIsGuessed},
		{"income vs spending at Aldi in May", inMay + " | " + inMay + " merchants=[Aldi]",
			`You received 2,500.00 EUR in all and spent 90.25 EUR at "Aldi" in ` + may +
				`: 2,409.75 EUR more in than out.`},
		{"income vs groceries and rent in May", inMay + " | " + inMay + " categories=[Groceries Mortgage / Rent]",
			`You received 2,500.00 EUR in all, and spent 1,000.00 EUR on "Groceries" and "Mortgage / Rent" in ` +
				may + `: 1,500.00 EUR more in than out.` + rentIsGuessed},
		{"income vs groceries vs rent in May", inMay + " | " + inMay + " categories=[Groceries] | " + inMay + rent, `What you received and spent in ` + may + `:
- all income: 2,500.00 EUR in, 0.00 EUR out, 2,500.00 EUR net
- "Groceries": 0.00 EUR in, 100.00 EUR out, -100.00 EUR net
- "Mortgage / Rent": 0.00 EUR in, 900.00 EUR out, -900.00 EUR net` + rentIsGuessed},
		{"groceries vs income vs rent in May", inMay + " categories=[Groceries] | " + inMay + " | " + inMay + rent, `What you received and spent in ` + may + `:
- "Groceries": 0.00 EUR in, 100.00 EUR out, -100.00 EUR net
- all income: 2,500.00 EUR in, 0.00 EUR out, 2,500.00 EUR net
- "Mortgage / Rent": 0.00 EUR in, 900.00 EUR out, -900.00 EUR net` + rentIsGuessed},
		{"groceries vs spending in May", inMay + " categories=[Groceries] | " + inMay,
			`You spent 100.00 EUR on "Groceries" and 1,065.99 EUR in all in ` + may + `: 965.99 EUR more in all.
"Groceries" is part of all spending, and counts for both.`},
		{"did I earn more from Salary than income in May", inMay + " categories=[Salary] | " + inMay,
			`You received 2,500.00 EUR for "Salary" and 2,500.00 EUR in all in ` + may + `: the same.
"Salary" is part of all income, and counts for both.`},
		{"income in May vs rent in April", inMay + " | income_statement 2026-04-01..2026-04-30" + rent,
			`You received 2,500.00 EUR in all in ` + may +
				`, and spent 900.00 EUR on "Mortgage / Rent" in April 2026 (2026-04-01 to 2026-04-30): 1,600.00 EUR more in than out.` + rentIsGuessed},
		{"income vs rent from April to May",
			"income_statement 2026-04-01..2026-05-31 | income_statement 2026-04-01..2026-05-31" + rent,
			`You received 5,000.00 EUR in all and spent 1,800.00 EUR on "Mortgage / Rent" from 2026-04-01 to 2026-05-31: 3,200.00 EUR more in than out.` + rentIsGuessed},
		{"income vs rent by month since October",
			"income_statement 2026-10-01..2026-11-21 group_by=month | income_statement 2026-10-01..2026-11-21" +
				rent + " group_by=month",
			`You received 2,500.00 EUR in all and spent 900.00 EUR on "Mortgage / Rent" from 2026-10-01 to 2026-11-21: 1,600.00 EUR more in than out.
- 2026-10: 2,500.00 EUR, and 900.00 EUR
- 2026-11: 0.00 EUR, and 0.00 EUR` + rentIsGuessed},
		{"average income vs rent this year", "income_statement 2026-01-01..2026-10-31 | income_statement 2026-01-01..2026-10-31" + rent, // 7,500 / 10; 2,700 / 10
			`On average you received 750.00 EUR a month from 2026-01-01 to 2026-10-31: 7,500.00 EUR in 10 months.
On average you spent 270.00 EUR a month on "Mortgage / Rent" from 2026-01-01 to 2026-10-31: 2,700.00 EUR in 10 months.
That is 480.00 EUR a month more in than out.` + rentIsGuessed},
		// Both are asked for of everything, or of what has a name.
		{"did I spend more than I earned in May", inMay, `You received 2,500.00 EUR and spent 1,065.99 EUR in ` + may + `.
That is 1,434.01 EUR more in than out.`},
		{"do I spend more than I earn", "income_statement 2026-11-01..2026-11-21", `You received 0.00 EUR and spent 12.00 EUR from 2026-11-01 to 2026-11-21.
That is 12.00 EUR more out than in.`},
		{"compare April and May income for Salary", "income_statement 2026-04-01..2026-04-30 categories=[Salary] | " +
			inMay + " categories=[Salary]",
			`You received 2,500.00 EUR for "Salary" in April 2026 (2026-04-01 to 2026-04-30), and 2,500.00 EUR in ` +
				may + `: the same.`},
	})
}
