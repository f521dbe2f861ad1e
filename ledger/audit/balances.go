package audit

import (
	"context"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/audit/recount"
	"finsvc/ledger/balance"
	"finsvc/ledger/report"
	"finsvc/queries"
)

func figureText(f *recount.Figure, currency string) string {
	if f == nil {
		return "none"
	}
	text := wholeText(f.Minor.BigInt(), currency)
	if f.LeftOut != "" {
		text += " without " + f.LeftOut + " in minor units"
	}
	return text
}

// answers are the figures of a household that were counted, as the ledger answers them.
func (s *Service) answers(ctx context.Context, q *queries.Queries, home queries.Household,
	counted recount.Figures) (recount.Figures, error) {
	days := counted.Days(home.ID)
	all := make(recount.Figures, len(counted))
	if len(days) == 0 {
		return all, nil
	}
	who := ledger.Actor{HouseholdID: home.ID}
	for _, day := range days {
		balances, err := balance.Of(ctx, s.Tx(q, who), 0, ledger.Date(day))
		if err != nil {
			return nil, err
		}
		for account, b := range balances {
			all[recount.Key{Household: home.ID, Account: account,
				Day: day}] = recount.Figure{Minor: decimal.New(b.Minor, 0), LeftOut: leftOut(b.Unconverted)}
		}
	}
	sheets, err := report.NewSheet(ctx, s.Tx(q, who))
	if err != nil {
		return nil, err
	}
	worth, err := sheets.NetWorths(ctx, days)
	for day, minor := range worth {
		all[recount.Key{Household: home.ID, Day: day}] = recount.Figure{Minor: minor}
	}
	return all, err
}

func leftOut(list []balance.Unconverted) string {
	sums := make(map[string]decimal.Decimal, len(list))
	for _, u := range list {
		sums[u.Currency] = sums[u.Currency].Add(decimal.New(u.Minor, 0))
	}
	return recount.LeftOut(sums)
}
