package engine

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/ledger"
)

// answerBalances says what is in accounts: of today as one list has it, of another day each by itself.
func (q question) answerBalances(results []found) (lines []string) {
	if !q.said {
		return append(q.answerToday(results[0]), q.accountsCompared(results[0].Accounts)...)
	}
	var accounts []listedAccount
	for _, r := range results {
		lines = append(lines, fmt.Sprintf("The balance of %s is %s on %s.", ledger.Quote(r.Account), moneyText(r.Total, r.Currency), r.Date))
		accounts = append(accounts, listedAccount{Name: r.Account, Currency: r.Currency, Balance: r.Total})
	}
	if a := results[0]; len(results) == 2 && a.Account == results[1].Account {
		lines = append(lines, fmt.Sprintf("That is %s on %s.", difference(a.Total, results[1].Total, a.Currency), a.Date))
	}
	return append(lines, q.accountsCompared(accounts)...)
}

// answerToday lists the accounts that are asked for, or all.
func (q question) answerToday(r found) (lines []string) {
	var left []string
	for _, a := range r.Accounts {
		if names := q.filter[accountKind]; len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return ledger.Fold(n) == ledger.Fold(a.Name) }) {
			continue
		}
		lines = append(lines, a.String())
		if a.NotConverted != "" {
			left = append(left, fmt.Sprintf("%s of %s", a.NotConverted, ledger.Quote(a.Name)))
		}
	}
	day := q.spans[0].String()
	switch {
	case len(lines) == 0 && len(q.filter[accountKind]) > 0:
		lines = []string{"The list of accounts is too long to show " + quoted(q.filter[accountKind]) + "."}
	case len(lines) == 0:
		lines = []string{"There are no accounts."}
	case len(lines) == 1:
		lines[0] += " on " + day + "."
	default:
		lines = append([]string{"Your accounts on " + day + ":"}, bulleted(lines, maxNames, r.inAll("accounts", len(r.Accounts))-int64(len(r.Accounts)))...)
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
		return fmt.Sprintf("%s owed on %s", moneyText(a.Balance, a.Currency), ledger.Quote(a.Name))
	}
	return fmt.Sprintf("%s in %s", moneyText(a.Balance, a.Currency), ledger.Quote(a.Name))
}

// answerNetWorth says what the household is worth: on a day, on several, or over time.
func (q question) answerNetWorth(results []found) []string {
	r, s := results[0], q.spans[0]
	switch {
	case q.isSeries(s):
		return q.series(r)
	case len(results) == 1:
		return []string{worthOn(r, s)}
	}
	var lines []string
	for i, r := range results {
		lines = append(lines, worthOn(r, q.spans[i]))
	}
	if len(results) == 2 {
		lines = append(lines, fmt.Sprintf("That is %s on %s.", difference(r.NetWorth, results[1].NetWorth, r.Currency), s))
	}
	return lines
}

func worthOn(r found, s span) string {
	return fmt.Sprintf("Your net worth is %s on %s: %s in assets less %s of debts.", moneyText(r.NetWorth, r.Currency), s,
		moneyText(r.Assets, r.Currency), moneyText(r.Liabilities, r.Currency))
}

// maxPoints is how many points of a series are listed.
const maxPoints = 24

// series lists net worth over time, the newest first, and says what it changed by from the first day to the last.
func (q question) series(r found) []string {
	lines := []string{fmt.Sprintf("Your net worth is %s on %s.", moneyText(r.NetWorth, r.Currency), r.Date)}
	if r.Change.Since != "" {
		before := r.NetWorth.Sub(r.Change.NetWorth)
		lines[0] = fmt.Sprintf("Your net worth is %s on %s, %s on %s: %s.", moneyText(r.NetWorth, r.Currency), r.Date, moneyText(before, r.Currency), r.Change.Since,
			difference(r.NetWorth, before, r.Currency))
	}
	var points []string
	for _, p := range r.Series {
		points = append(points, fmt.Sprintf("%s: %s", p.Date, moneyText(p.NetWorth, r.Currency)))
	}
	return append(lines, bulleted(points, maxPoints, r.inAll("series", len(r.Series))-int64(len(r.Series)))...)
}

// answerDebts says what is owed; of today also where.
func (q question) answerDebts(results []found) []string {
	sheet := results[0]
	lines := []string{fmt.Sprintf("You owe %s on %s.", moneyText(sheet.Liabilities, sheet.Currency), q.spans[0])}
	for _, r := range results[1:] {
		for _, a := range r.Accounts {
			if a.Classification == ledger.Liability && !a.Balance.IsZero() {
				lines = append(lines, "- "+a.String())
			}
		}
	}
	return lines
}
