package ledger

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/queries"
)

// BackupAccount is an account of a backup. Input says all of it but for what follows: its subtype exactly, nil for
// none; its status, which may be any; the notes of its opening balance; and whether it has none at all.
type BackupAccount struct {
	Input        AccountInput
	Subtype      *string
	Status       string
	OpeningNotes *string
	NoOpening    bool
}

// RestoreAccount opens an account as a backup has it and gives its key.
func (l *Ledger) RestoreAccount(ctx context.Context, q *queries.Queries, who Actor, in BackupAccount) (int64, []Created, error) {
	fresh, err := l.createAccount(ctx, q, who, in.Input)
	if err != nil {
		return 0, nil, err
	}
	before := fresh
	fresh.Status, fresh.Subtype = in.Status, in.Subtype
	if !fresh.equal(before) {
		if err := q.UpdateAccount(ctx, updateAccountParams(fresh.Account)); err != nil {
			return 0, nil, err
		}
		if err := l.record(ctx, q, who, entityAccount, fresh.PublicID, before, fresh); err != nil {
			return 0, nil, err
		}
	}
	return fresh.ID, []Created{{string(entityAccount), fresh.PublicID}}, l.restoreOpening(ctx, q, who, fresh, in)
}

// restoreOpening keeps the stamp of the opening balance: one that was not touched goes with its account when an
// import is taken back.
func (l *Ledger) restoreOpening(ctx context.Context, q *queries.Queries, who Actor, a accountState, in BackupAccount) error {
	if !in.NoOpening && in.OpeningNotes == nil {
		return nil
	}
	v, err := q.GetOpening(ctx, queries.GetOpeningParams{AccountID: a.ID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	if in.NoOpening {
		return q.DeleteValuation(ctx, queries.DeleteValuationParams{ID: v.ID, HouseholdID: who.HouseholdID})
	}
	v.Notes = in.OpeningNotes
	return updateOpening(ctx, q, who, v)
}

func updateOpening(ctx context.Context, q *queries.Queries, who Actor, v queries.Valuation) error {
	return q.UpdateValuation(ctx, queries.UpdateValuationParams{Date: v.Date, Amount: v.Amount, Notes: v.Notes, UpdatedAt: v.UpdatedAt,
		ID: v.ID, HouseholdID: who.HouseholdID})
}

// SettleOpening gives an account the opening balance with which its balance at the end of a day, or the cash in that,
// is the target: minor units in the ledger's sign. There must be no other valuation up to that day.
func (l *Ledger) SettleOpening(ctx context.Context, q *queries.Queries, who Actor, account int64, target int64, cash bool, day Date) error {
	b, err := l.balance(ctx, q, who, account, day)
	if err != nil {
		return err
	}
	have := b.Minor
	if cash {
		have = b.Cash()
	}
	v, err := q.GetOpening(ctx, queries.GetOpeningParams{AccountID: account, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	before, fits := v, false
	if v.Amount, fits = SumOf(v.Amount, target).Minus(SumOf(have)).Minor(); !fits {
		return NewInvalid("balance", "must be one that an opening balance can lead to; what is booked is too far from it")
	}
	if v.Amount == before.Amount {
		return nil
	}
	if err := updateOpening(ctx, q, who, v); err != nil {
		return err
	}
	return l.record(ctx, q, who, entityValuation, v.PublicID, before, v)
}

// RestoreCategory finds the category of that name below the parent, or without one when that is nil, or creates it.
func (l *Ledger) RestoreCategory(ctx context.Context, q *queries.Queries, who Actor, in CategoryInput, parent *queries.Category) (queries.Category, []Created, error) {
	rows, err := q.ListCategoriesNamed(ctx, queries.ListCategoriesNamedParams{HouseholdID: who.HouseholdID, NameKey: Fold(in.Name.Value)})
	if err != nil {
		return queries.Category{}, nil, err
	}
	above := (*int64)(nil)
	if parent != nil {
		above, in.ParentID, in.Classification = &parent.ID, Some(uuid.UUID(parent.PublicID)), Opt[string]{}
	}
	if at := slices.IndexFunc(rows, func(c queries.Category) bool { return same(c.ParentID, above) }); at >= 0 {
		return rows[at], nil, nil
	}
	c, err := l.createCategory(ctx, q, who, in)
	return c, []Created{{string(entityCategory), c.PublicID}}, err
}

// RestoreTag finds the tag of that name or creates it.
func (l *Ledger) RestoreTag(ctx context.Context, q *queries.Queries, who Actor, in TagInput) (int64, []Created, error) {
	t, err := q.GetTagNamed(ctx, queries.GetTagNamedParams{HouseholdID: who.HouseholdID, NameKey: Fold(in.Name.Value)})
	if !errors.Is(err, db.ErrNotFound) {
		return t.ID, nil, err
	}
	t, err = l.createTag(ctx, q, who, in)
	return t.ID, []Created{{string(entityTag), t.PublicID}}, err
}

// RestoreSecurity finds the security of that ticker and market or creates it.
func (l *Ledger) RestoreSecurity(ctx context.Context, q *queries.Queries, who Actor, in SecurityInput, kind string) (int64, []Created, error) {
	fresh, err := in.fill(queries.Security{HouseholdID: who.HouseholdID, Kind: kind})
	if err != nil {
		return 0, nil, err
	}
	rows, err := q.ListSecurities(ctx, SecurityFilter{Ticker: fresh.Ticker}.params(who, everything()))
	if err != nil {
		return 0, nil, err
	}
	at := slices.IndexFunc(rows, func(s queries.Security) bool { return s.Mic == fresh.Mic })
	if at >= 0 {
		return rows[at].ID, nil, nil
	}
	if fresh, err = l.insertSecurity(ctx, q, who, fresh); err != nil {
		return 0, nil, err
	}
	return fresh.ID, []Created{{string(entitySecurity), fresh.PublicID}}, nil
}

// CheckSplit says what is wrong with the ratio of a split.
func CheckSplit(numerator, denominator int64) error {
	in := SplitInput{Numerator: Some(numerator), Denominator: Some(denominator)}
	in.ratio()
	return in.Problems.Err()
}

// CheckDeal says what is wrong with the quantity or the price of a purchase or sale, by the names of the API.
func CheckDeal(quantity, price decimal.Decimal) Problems {
	var p Problems
	p.note("qty", checkUnits(quantity))
	p.note("price", checkUnitPrice(price))
	return p
}

// CheckPrice says what is wrong with a market price. The error continues a sentence that begins with the field's name.
func CheckPrice(price decimal.Decimal) error { return checkPrice(price) }
