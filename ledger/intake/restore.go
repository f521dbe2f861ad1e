package intake

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// BackupAccount is an account of a backup. Input says all of it but for what follows: its subtype exactly, nil for
// none; its status, which may be any; the notes of its opening balance; and whether it has none at all.
type BackupAccount struct {
	Input        catalog.AccountInput
	Subtype      *string
	Status       string
	OpeningNotes *string
	NoOpening    bool
}

// RestoreAccount opens an account as a backup has it and gives its key.
func RestoreAccount(ctx context.Context, tx *ledger.Tx, in BackupAccount) (int64, []ledger.Created, error) {
	fresh, err := catalog.CreateAccountTx(ctx, tx, in.Input)
	if err != nil {
		return 0, nil, err
	}
	before := fresh
	fresh.Status, fresh.Subtype = in.Status, in.Subtype
	if !fresh.Equal(before) {
		if err := tx.UpdateAccount(ctx, catalog.UpdateAccountParams(fresh.Account)); err != nil {
			return 0, nil, err
		}
		if err := tx.Record(ctx, ledger.EntityAccount, fresh.PublicID, before, fresh); err != nil {
			return 0, nil, err
		}
	}
	return fresh.ID, []ledger.Created{{Entity: string(ledger.EntityAccount), ID: fresh.PublicID}},
		restoreOpening(ctx, tx, fresh, in)
}

// restoreOpening keeps the stamp of the opening balance: one that was not touched goes with its account when an
// import is taken back.
func restoreOpening(ctx context.Context, tx *ledger.Tx, a catalog.AccountState, in BackupAccount) error {
	if !in.NoOpening && in.OpeningNotes == nil {
		return nil
	}
	v, err := tx.GetOpening(ctx, queries.GetOpeningParams{AccountID: a.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	if in.NoOpening {
		return tx.DeleteValuation(ctx, queries.DeleteValuationParams{ID: v.ID, HouseholdID: tx.HouseholdID})
	}
	v.Notes = in.OpeningNotes
	return updateOpening(ctx, tx, v)
}

func updateOpening(ctx context.Context, tx *ledger.Tx, v queries.Valuation) error {
	return tx.UpdateValuation(ctx, queries.UpdateValuationParams{Date: v.Date, Amount: v.Amount, Notes: v.Notes,
		UpdatedAt: v.UpdatedAt,
		ID:        v.ID, HouseholdID: tx.HouseholdID})
}

// SettleOpening gives an account the opening balance with which its balance at the end of a day, or the cash in that,
// is the target: minor units in the ledger's sign. There must be no other valuation up to that day.
func SettleOpening(ctx context.Context, tx *ledger.Tx, account, target int64, cash bool, day ledger.Date) error {
	b, err := balance.BalanceTx(ctx, tx, account, day)
	if err != nil {
		return err
	}
	have := b.Minor
	if cash {
		have = b.Cash()
	}
	v, err := tx.GetOpening(ctx, queries.GetOpeningParams{AccountID: account, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	before, fits := v, false
	v.Amount, fits = money.SumOf(v.Amount, target).Minus(money.SumOf(have)).Minor()
	if !fits {
		return ledger.NewInvalid("balance", "must be one that an opening balance can lead to; what is booked is too far from it")
	}
	if v.Amount == before.Amount {
		return nil
	}
	if err := updateOpening(ctx, tx, v); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityValuation, v.PublicID, before, v)
}

// RestoreCategory finds the category of that name below the parent, or without one when that is nil, or creates it.
func RestoreCategory(ctx context.Context, tx *ledger.Tx, in catalog.CategoryInput,
	parent *queries.Category) (queries.Category, []ledger.Created, error) {
	rows, err := tx.ListCategoriesNamed(ctx, queries.ListCategoriesNamedParams{HouseholdID: tx.HouseholdID,
		NameKey: ledger.Fold(in.Name.Value)})
	if err != nil {
		return queries.Category{}, nil, err
	}
	above := (*int64)(nil)
	if parent != nil {
		above, in.ParentID, in.Classification = &parent.ID, ledger.Some(uuid.UUID(parent.PublicID)),
			ledger.Opt[string]{}
	}
	if at := slices.IndexFunc(rows, func(c queries.Category) bool { return ledger.Same(c.ParentID, above) }); at >= 0 {
		return rows[at], nil, nil
	}
	c, err := catalog.CreateCategoryTx(ctx, tx, in)
	return c, []ledger.Created{{Entity: string(ledger.EntityCategory), ID: c.PublicID}}, err
}

// RestoreTag finds the tag of that name or creates it.
func RestoreTag(ctx context.Context, tx *ledger.Tx, in catalog.TagInput) (int64, []ledger.Created, error) {
	t, err := tx.GetTagNamed(ctx, queries.GetTagNamedParams{HouseholdID: tx.HouseholdID,
		NameKey: ledger.Fold(in.Name.Value)})
	if !errors.Is(err, db.ErrNotFound) {
		return t.ID, nil, err
	}
	t, err = catalog.CreateTagTx(ctx, tx, in)
	return t.ID, []ledger.Created{{Entity: string(ledger.EntityTag), ID: t.PublicID}}, err
}

// RestoreSecurity finds the security of that ticker and market or creates it.
func RestoreSecurity(ctx context.Context, tx *ledger.Tx, in market.SecurityInput, kind string) (int64, []ledger.Created,
	error) {
	fresh, err := in.Fill(queries.Security{HouseholdID: tx.HouseholdID, Kind: kind})
	if err != nil {
		return 0, nil, err
	}
	rows, err := tx.ListSecurities(ctx, market.SecurityFilter{Ticker: fresh.Ticker}.Params(tx.Actor,
		ledger.Everything()))
	if err != nil {
		return 0, nil, err
	}
	at := slices.IndexFunc(rows, func(security queries.Security) bool { return security.Mic == fresh.Mic })
	if at >= 0 {
		return rows[at].ID, nil, nil
	}
	fresh, err = market.InsertSecurity(ctx, tx, fresh)
	if err != nil {
		return 0, nil, err
	}
	return fresh.ID, []ledger.Created{{Entity: string(ledger.EntitySecurity), ID: fresh.PublicID}}, nil
}

// CheckSplit says what is wrong with the ratio of a split.
func CheckSplit(numerator, denominator int64) error {
	in := market.SplitInput{Numerator: ledger.Some(numerator), Denominator: ledger.Some(denominator)}
	in.Fraction()
	return in.Problems.Err()
}

// CheckTerms says what is wrong with the quantity or the price of a purchase or sale, by the names of the API.
func CheckTerms(quantity, price decimal.Decimal) ledger.Problems {
	var p ledger.Problems
	p.Note("qty", trade.CheckUnits(quantity))
	p.Note("price", trade.CheckUnitPrice(price))
	return p
}

// CheckPrice says what is wrong with a market price. The error continues a sentence that begins with the field's name.
func CheckPrice(price decimal.Decimal) error { return market.CheckPrice(price) }
