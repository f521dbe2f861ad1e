package answer

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// answerBalances says what is in accounts: of today as one list has it, of another day each by itself.
func answerBalances(q intent.Question, results []figures) (lines []string) {
	if !q.Said {
		return append(answerToday(q, results[0]), accountsCompared(q, results[0].Accounts)...)
	}
	var accounts []listedAccount
	for _, r := range results {
		lines = append(lines, fmt.Sprintf("The balance of %s is %s on %s.", ledger.Quote(r.Account),
			prose.Money(r.Total, r.Currency), r.Date))
		accounts = append(accounts, listedAccount{Name: r.Account, Currency: r.Currency, Balance: r.Total})
	}
	a := results[0]
	if len(results) == 2 && a.Account == results[1].Account {
		lines = append(lines, fmt.Sprintf("That is %s on %s.",
			prose.Difference(a.Total, results[1].Total, a.Currency), a.Date))
	}
	return append(lines, accountsCompared(q, accounts)...)
}

// answerToday lists the accounts that are asked for, or all.
func answerToday(q intent.Question, r figures) (lines []string) {
	var left []string
	for _, a := range r.Accounts {
		names := q.Filter[household.AccountKind]
		if len(names) > 0 && !slices.ContainsFunc(names,
			func(n string) bool { return ledger.Fold(n) == ledger.Fold(a.Name) }) {
			continue
		}
		lines = append(lines, a.String())
		if a.NotConverted != "" {
			left = append(left, fmt.Sprintf("%s of %s", a.NotConverted, ledger.Quote(a.Name)))
		}
	}
	day := q.Spans[0].String()
	switch {
	case len(lines) == 0 && len(q.Filter[household.AccountKind]) > 0:
		lines = []string{"The list of accounts is too long to show " + prose.Quoted(q.Filter[household.AccountKind]) +
			"."}
	case len(lines) == 0:
		lines = []string{"There are no accounts."}
	case len(lines) == 1:
		lines[0] += " on " + day + "."
	default:
		lines = append([]string{"Your accounts on " + day + ":"},
			bulleted(lines, maxNames, r.inAll("accounts", len(r.Accounts))-int64(len(r.Accounts)))...)
	}
	if len(left) > 0 {
		lines = append(lines, "Left out, because there is no exchange rate at all: "+strings.Join(left, "; ")+".")
	}
	return lines
}

// bulleted makes a list of at most so many lines; more says how many are not among them.
func bulleted(lines []string, most int, more int64) (list []string) {
	shown := min(len(lines), most)
	for _, line := range lines[:shown] {
		list = append(list, "- "+line)
	}
	return append(list, moreRows(shown, int64(len(lines))+more)...)
}

// String is what an account has, or what is owed on it.
func (a listedAccount) String() string {
	if a.Classification == ledger.Liability {
		return fmt.Sprintf("%s owed on %s", prose.Money(a.Balance, a.Currency), ledger.Quote(a.Name))
	}
	return fmt.Sprintf("%s in %s", prose.Money(a.Balance, a.Currency), ledger.Quote(a.Name))
}

// answerNetWorth says what the household is worth: on a day, on several, or over time.
func answerNetWorth(q intent.Question, results []figures) []string {
	r, s := results[0], q.Spans[0]
	switch {
	case q.IsSeries(s):
		return series(q, r)
	case len(results) == 1:
		return []string{worthOn(r, s)}
	}
	var lines []string
	for i, r := range results {
		lines = append(lines, worthOn(r, q.Spans[i]))
	}
	if len(results) == 2 {
		lines = append(lines, fmt.Sprintf("That is %s on %s.",
			prose.Difference(r.NetWorth, results[1].NetWorth, r.Currency), s))
	}
	return lines
}

func worthOn(r figures, s calendar.Span) string {
	return fmt.Sprintf("Your net worth is %s on %s: %s in assets less %s of debts.",
		prose.Money(r.NetWorth, r.Currency), s,
		prose.Money(r.Assets, r.Currency), prose.Money(r.Liabilities, r.Currency))
}

// maxPoints is how many points of a series are listed.
const maxPoints = 24

// series lists net worth over time, the newest first, and says what it changed by from the first day to the last.
func series(q intent.Question, r figures) []string {
	lines := []string{fmt.Sprintf("Your net worth is %s on %s.", prose.Money(r.NetWorth, r.Currency), r.Date)}
	if r.Change.Since != "" {
		before := r.NetWorth.Sub(r.Change.NetWorth)
		lines[0] = fmt.Sprintf("Your net worth is %s on %s, %s on %s: %s.", prose.Money(r.NetWorth, r.Currency),
			r.Date, prose.Money(before, r.Currency), r.Change.Since,
			prose.Difference(r.NetWorth, before, r.Currency))
	}
	var points []string
	for _, p := range r.Series {
		points = append(points, fmt.Sprintf("%s: %s", p.Date, prose.Money(p.NetWorth, r.Currency)))
	}
	return append(lines, bulleted(points, maxPoints, r.inAll("series", len(r.Series))-int64(len(r.Series)))...)
}

// answerDebts says what is owed; of today also where.
func answerDebts(q intent.Question, results []figures) []string {
	sheet := results[0]
	lines := []string{fmt.Sprintf("You owe %s on %s.", prose.Money(sheet.Liabilities, sheet.Currency), q.Spans[0])}
	for _, r := range results[1:] {
		for _, a := range r.Accounts {
			if a.Classification == ledger.Liability && !a.Balance.IsZero() {
				lines = append(lines, "- "+a.String())
			}
		}
	}
	return lines
}
