package catalog

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/queries"
)

// Valuation is what an account is worth at the end of a day, by statement rather than by sum.
type Valuation struct {
	queries.Valuation
	Day     ledger.Date // of an opening balance without a date: the one before the account's first entry
	Minor   int64       // minor units of the account's currency, in the written sign (see [Account])
	Account *ledger.AccountRef
}

// ValuationFilter selects valuations; what is not given selects all. Both days are included.
type ValuationFilter struct {
	AccountID          ledger.Opt[uuid.UUID]
	StartDate, EndDate ledger.Opt[ledger.Date]
}

// GetValuation gives one valuation.
func (s *Accounts) GetValuation(ctx context.Context, who ledger.Actor, id uuid.UUID) (v Valuation, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := getValuation(ctx, tx, id)
		if err != nil {
			return err
		}
		v, err = readValuation(ctx, tx, row)
		return err
	})
	return v, err
}

func getValuation(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Valuation, error) {
	row, err := tx.GetValuation(ctx, queries.GetValuationParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	return row, ledger.Missing(err, "Valuation")
}

// readValuation puts its day, its written amount and its account to a row.
func readValuation(ctx context.Context, tx *ledger.Tx, row queries.Valuation) (Valuation, error) {
	if row.Date != nil {
		return ValuationOf(tx.Refs, row, ledger.Date(*row.Date)), nil
	}
	lives, _, err := balance.Lifetimes(ctx, tx)
	if err != nil {
		return Valuation{}, err
	}
	at := slices.IndexFunc(lives, func(life balance.Lifetime) bool { return life.Account == row.AccountID })
	return ValuationOf(tx.Refs, row, lives[at].First), nil
}

func ValuationOf(refs *ledger.Refs, row queries.Valuation, day ledger.Date) Valuation {
	account := refs.Accounts.ByKey[row.AccountID]
	return Valuation{row, day, account.Sign() * row.Amount, account}
}

// ListValuations gives a page of the valuations that the filter selects, newest day first, and how many
// it selects in all.
func (s *Accounts) ListValuations(ctx context.Context, who ledger.Actor, f ValuationFilter,
	page ledger.Page) (list []Valuation, total int64, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		account, known := tx.Refs.Accounts.Keys[f.AccountID.Value]
		if f.AccountID.Has() && !known {
			return nil
		}
		keys, err := valuationKeys(ctx, tx, account, f.StartDate.Or(ledger.MinDate), f.EndDate.Or(ledger.MaxDate))
		if err != nil {
			return err
		}
		total = int64(len(keys))
		first := min(page.Offset(), total)
		list, err = valuationsOf(ctx, tx, keys[first:min(first+int64(page.Size), total)])
		return err
	})
	return list, total, err
}

// valuationKey is what valuations are listed by.
type valuationKey struct {
	id  int64
	day ledger.Date
}

// valuationKeys are those of an account, or of all when it is 0, in list order: newest day first, then
// newest created.
func valuationKeys(ctx context.Context, tx *ledger.Tx, account int64, first, last ledger.Date) ([]valuationKey, error) {
	dated, err := tx.ListValuationDays(ctx, queries.ListValuationDaysParams{
		HouseholdID: tx.HouseholdID, FirstDay: int64(first), LastDay: int64(last), AccountID: account})
	if err != nil {
		return nil, err
	}
	lives, _, err := balance.Lifetimes(ctx, tx)
	if err != nil {
		return nil, err
	}
	var keys []valuationKey
	for _, v := range dated {
		keys = append(keys, valuationKey{v.ID, ledger.Date(v.Day)})
	}
	for _, life := range lives {
		if life.Floating != 0 && (account == 0 || account == life.Account) && first <= life.First &&
			life.First <= last {
			keys = append(keys, valuationKey{life.Floating, life.First})
		}
	}
	slices.SortFunc(keys, func(a, b valuationKey) int {
		return cmp.Or(cmp.Compare(b.day, a.day),
			cmp.Compare(b.id, a.id))
	})
	return keys, nil
}

// valuationsOf reads those with the keys, in their order.
func valuationsOf(ctx context.Context, tx *ledger.Tx, keys []valuationKey) ([]Valuation, error) {
	ids := make([]int64, len(keys))
	for i, k := range keys {
		ids[i] = k.id
	}
	rows, err := tx.ListValuationsByID(ctx, queries.ListValuationsByIDParams{HouseholdID: tx.HouseholdID,
		Ids: ledger.JSONArray(ids)})
	list := make([]Valuation, len(rows))
	for _, row := range rows {
		at := slices.Index(ids, row.ID)
		list[at] = ValuationOf(tx.Refs, row, keys[at].day)
	}
	return list, err
}

// CreateValuation states what an account is worth at the end of a day. One that the account already has
// on that day is overwritten and keeps its kind; created is then false.
func (s *Accounts) CreateValuation(ctx context.Context, who ledger.Actor, in ValuationInput) (v Valuation, created bool,
	err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		fresh, err := in.newValuation(tx.Actor, tx.Refs)
		if err != nil {
			return err
		}
		var row queries.Valuation
		row, created, err = storeValuation(ctx, tx, fresh, in.Notes.Set)
		if err != nil {
			return err
		}
		if err := balance.Check(ctx, tx, []int64{row.AccountID}); err != nil {
			return err
		}
		v, err = readValuation(ctx, tx, row)
		return err
	})
	return v, created, err
}

// storeValuation writes a new valuation, or the amount and, if so wished, the notes of the one that is there.
func storeValuation(ctx context.Context, tx *ledger.Tx, fresh queries.Valuation, notes bool) (row queries.Valuation,
	created bool, err error) {
	old, err := tx.GetValuationOfDay(ctx, queries.GetValuationOfDayParams{AccountID: fresh.AccountID, Day: *fresh.Date,
		HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		row, err = InsertValuation(ctx, tx, fresh)
		return row, true, err
	}
	if err != nil {
		return old, false, err
	}
	after := old
	after.Amount = fresh.Amount
	if notes {
		after.Notes = fresh.Notes
	}
	row, err = ChangeValuation(ctx, tx, old, after)
	return row, false, err
}

func InsertValuation(ctx context.Context, tx *ledger.Tx, v queries.Valuation) (queries.Valuation, error) {
	var err error
	v.PublicID, err = ledger.NewID()
	if err != nil {
		return v, err
	}
	v.CreatedAt = tx.Stamp()
	v.UpdatedAt = v.CreatedAt
	v.ID, err = tx.InsertValuation(ctx, queries.InsertValuationParams{
		PublicID: v.PublicID, HouseholdID: v.HouseholdID, AccountID: v.AccountID, Date: v.Date, Amount: v.Amount,
		Kind: v.Kind, Notes: v.Notes,
		CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt, Stated: 1})
	if err != nil {
		return v, err
	}
	return v, tx.Record(ctx, ledger.EntityValuation, v.PublicID, nil, v)
}

// ChangeValuation writes a changed valuation; a change of nothing writes nothing.
func ChangeValuation(ctx context.Context, tx *ledger.Tx, before, after queries.Valuation) (queries.Valuation, error) {
	if ledger.Same(before.Date, after.Date) && before.Amount == after.Amount && ledger.Same(before.Notes, after.Notes) {
		return before, nil
	}
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	err := tx.UpdateValuation(ctx, queries.UpdateValuationParams{
		Date: after.Date, Amount: after.Amount, Notes: after.Notes, UpdatedAt: after.UpdatedAt, ID: after.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil && after.Date != nil {
		err = ledger.Taken(err, "date", "must be a day without another valuation of the account, %s has one",
			ledger.Date(*after.Date))
	}
	if err != nil {
		return after, err
	}
	return after, tx.Record(ctx, ledger.EntityValuation, after.PublicID, before, after)
}

// UpdateValuation changes what is given and leaves the rest.
func (s *Accounts) UpdateValuation(ctx context.Context, who ledger.Actor, id uuid.UUID, in ValuationInput) (v Valuation,
	err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := getValuation(ctx, tx, id)
		if err != nil {
			return err
		}
		old, err := readValuation(ctx, tx, before)
		if err != nil {
			return err
		}
		// An opening balance without a date stays so when it is given the day on which it is shown.
		after := old.Valuation
		in.apply(&after, old.Account)
		if old.Date == nil && in.Date.Or(old.Day) == old.Day {
			after.Date = nil
		}
		if err := in.Problems.Err(); err != nil {
			return err
		}
		after, err = ChangeValuation(ctx, tx, before, after)
		if err != nil {
			return err
		}
		if err := balance.Check(ctx, tx, []int64{after.AccountID}); err != nil {
			return err
		}
		v, err = readValuation(ctx, tx, after)
		return err
	})
	return v, err
}

// DeleteValuation removes a valuation: from its day on the balance is the sum since the one before. An
// account without an opening balance begins with nothing.
func (s *Accounts) DeleteValuation(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := getValuation(ctx, tx, id)
		if err != nil {
			return err
		}
		return removeValuation(ctx, tx, row)
	})
}

func removeValuation(ctx context.Context, tx *ledger.Tx, v queries.Valuation) error {
	if err := tx.DeleteValuation(ctx, queries.DeleteValuationParams{ID: v.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	if err := balance.Check(ctx, tx, []int64{v.AccountID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityValuation, v.PublicID, v, nil)
}
