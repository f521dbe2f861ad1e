package balance

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// Lifetime says when an account's books begin.
type Lifetime struct {
	Account  int64
	currency string
	// First is the day of the first entry; with a floating opening balance the day before, and without
	// any entry the day on which the account was made.
	First    ledger.Date
	Floating int64       // the key of an opening balance that has no date of its own; 0 when there is none
	created  int64       // when the account was made
	Entry    ledger.Date // the day of the first entry; never without any
}

// never is what ListAccountStarts gives for an account without entries.
const never = 1_000_000

// Lifetimes are those of all accounts of the household, and the present day there.
func Lifetimes(ctx context.Context, tx *ledger.Tx) ([]Lifetime, ledger.Date, error) {
	home, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return nil, 0, ledger.Missing(err, "Household")
	}
	rows, err := tx.ListAccountStarts(ctx, tx.HouseholdID)
	lives := make([]Lifetime, len(rows))
	for i, r := range rows {
		lives[i] = Lifetime{r.ID, r.Currency, ledger.Date(r.FirstDay), r.Floating, r.CreatedAt, ledger.Date(r.FirstDay)}
		switch {
		case r.FirstDay == never:
			lives[i].First = ledger.DateOf(ledger.Instant(r.CreatedAt).In(tx.Zone(home.Timezone)))
		case r.Floating != 0:
			lives[i].First = max(ledger.MinDate, ledger.Date(r.FirstDay)-1)
		}
	}
	return lives, tx.TodayOf(ledger.AsHousehold(home)), err
}

// BooksBegin gives the first day on which the books of each account have anything; an account without entries is not
// among them.
func (s *Service) BooksBegin(ctx context.Context, who ledger.Actor) (begins map[uuid.UUID]ledger.Date, err error) {
	begins = map[uuid.UUID]ledger.Date{}
	err = s.WithRefs(ctx, s.DB.Read, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListAccountStarts(ctx, tx.HouseholdID)
		for _, r := range rows {
			account := tx.Refs.Accounts.ByKey[r.ID]
			switch {
			case r.FirstDay == never || account == nil:
			case r.Floating != 0:
				begins[account.ID] = max(ledger.MinDate, ledger.Date(r.FirstDay)-1)
			default:
				begins[account.ID] = ledger.Date(r.FirstDay)
			}
		}
		return err
	})
	return begins, err
}
