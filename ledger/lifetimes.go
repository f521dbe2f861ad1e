package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// lifetime says when an account's books begin.
type lifetime struct {
	account  int64
	currency string
	// first is the day of the first entry; with a floating opening balance the day before, and without
	// any entry the day on which the account was made.
	first    Date
	floating int64 // the key of an opening balance that has no date of its own; 0 when there is none
	created  int64 // when the account was made
	entry    Date  // the day of the first entry; never without any
}

// never is what ListAccountStarts gives for an account without entries.
const never = 1_000_000

// lifetimes are those of all accounts of the household, and the present day there.
func (l *Ledger) lifetimes(ctx context.Context, q *queries.Queries, who Actor) ([]lifetime, Date, error) {
	home, err := q.GetHousehold(ctx, who.HouseholdID)
	if err != nil {
		return nil, 0, Missing(err, "Household")
	}
	rows, err := q.ListAccountStarts(ctx, who.HouseholdID)
	lives := make([]lifetime, len(rows))
	for i, r := range rows {
		lives[i] = lifetime{r.ID, r.Currency, Date(r.FirstDay), r.Floating, r.CreatedAt, Date(r.FirstDay)}
		switch {
		case r.FirstDay == never:
			lives[i].first = DateOf(Instant(r.CreatedAt).In(l.zone(home.Timezone)))
		case r.Floating != 0:
			lives[i].first = max(MinDate, Date(r.FirstDay)-1)
		}
	}
	return lives, l.Today(asHousehold(home)), err
}

// BooksBegin gives the first day on which the books of each account have anything; an account without entries is not among them.
func (l *Ledger) BooksBegin(ctx context.Context, who Actor) (begins map[uuid.UUID]Date, err error) {
	begins = map[uuid.UUID]Date{}
	err = l.withLabels(ctx, l.db.Read, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		rows, err := q.ListAccountStarts(ctx, who.HouseholdID)
		for _, r := range rows {
			account := names.accounts.byKey[r.ID]
			switch {
			case r.FirstDay == never || account == nil:
			case r.Floating != 0:
				begins[account.ID] = max(MinDate, Date(r.FirstDay)-1)
			default:
				begins[account.ID] = Date(r.FirstDay)
			}
		}
		return err
	})
	return begins, err
}
