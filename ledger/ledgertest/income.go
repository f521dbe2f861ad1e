package ledgertest

import (
	"fmt"

	"github.com/google/uuid"

	"finsvc/ledger/catalog"
	"finsvc/ledger/report"
)

func (b *Fixture) Earned(start, end string, accounts ...catalog.Account) report.IncomeStatement {
	b.tb.Helper()
	in := report.IncomeInput{StartDate: DayOf(start), EndDate: DayOf(end)}
	for _, a := range accounts {
		in.AccountIDs = append(in.AccountIDs, uuid.UUID(a.PublicID))
	}
	s, err := b.Reports.IncomeStatement(b.Ctx(), b.Who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return s
}

// Sums are the totals, the transfers left out, the categories and what has no rate.
func Sums(s report.IncomeStatement) string {
	text := fmt.Sprintf("%d-%d=%d, %d left out", s.Income, s.Expenses, s.Net, s.TransfersLeftOut)
	for _, c := range s.ByCategory {
		name := "none"
		if c.Category != nil {
			name = c.Category.Name
		}
		text += fmt.Sprintf("; %s %d-%d of %d", name, c.Income, c.Expenses, c.Count)
	}
	for _, gap := range s.Unconverted {
		text += fmt.Sprintf("; no rate for %s %d-%d", gap.Currency, gap.Income, gap.Expenses)
	}
	return text
}
