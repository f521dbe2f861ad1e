package ledger

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// Account is an account with its balances. Amounts are in minor units of its currency and in the written
// sign: of an asset what it has, of a liability what is owed, both positive.
type Account struct {
	queries.Account
	Classification string
	OpeningMinor   int64
	OpeningDate    *Date // nil: the opening balance lies before the first entry, whenever that is
	BalanceMinor   int64 // at the end of today
	CashMinor      int64 // the part of it that is not held in securities
	Unconverted    []Unconverted
	Stale          []StaleRate // by which what is in the balance was converted
}

// ListAccounts gives a page of the household's accounts by name, and how many there are in all.
func (l *Ledger) ListAccounts(ctx context.Context, who Actor, includeDisabled bool, page Page) (list []Account, total int64, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		wanted := asInteger(includeDisabled)
		rows, err := q.ListAccounts(ctx, queries.ListAccountsParams{
			HouseholdID: who.HouseholdID, IncludeDisabled: wanted, RowLimit: int64(page.Size), RowOffset: page.Offset()})
		if err != nil {
			return err
		}
		if total, err = q.CountAccounts(ctx, queries.CountAccountsParams{HouseholdID: who.HouseholdID, IncludeDisabled: wanted}); err != nil {
			return err
		}
		today, err := l.today(ctx, q, who)
		if err != nil {
			return err
		}
		balances, err := l.balances(ctx, q, who, today)
		for _, row := range rows {
			list = append(list, asAccount(queries.GetAccountRow(row), balances[row.Account.ID]))
		}
		return err
	})
	return list, total, err
}

// GetAccount gives one account, disabled or not.
func (l *Ledger) GetAccount(ctx context.Context, who Actor, id uuid.UUID) (a Account, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		a, err = l.readAccount(ctx, q, who, queries.PublicID(id))
		return err
	})
	return a, err
}

func (l *Ledger) readAccount(ctx context.Context, q *queries.Queries, who Actor, id queries.PublicID) (Account, error) {
	row, err := q.GetAccount(ctx, queries.GetAccountParams{PublicID: id, HouseholdID: who.HouseholdID})
	if err != nil {
		return Account{}, Missing(err, "Account")
	}
	today, err := l.today(ctx, q, who)
	if err != nil {
		return Account{}, err
	}
	balance, err := l.balance(ctx, q, who, row.Account.ID, today)
	return asAccount(row, balance), err
}

// today is the present day where the household lives.
func (l *Ledger) today(ctx context.Context, q *queries.Queries, who Actor) (Date, error) {
	home, err := q.GetHousehold(ctx, who.HouseholdID)
	return l.Today(asHousehold(home)), Missing(err, "Household")
}

func asAccount(row queries.GetAccountRow, b Balance) Account {
	kind, _ := LookupAccountType(row.Account.AccountType) // the table allows no others
	sign := kind.sign()
	a := Account{Account: row.Account, Classification: kind.Classification, OpeningMinor: sign * row.OpeningAmount,
		BalanceMinor: sign * b.Minor, CashMinor: sign * b.Cash(), Stale: b.Stale}
	if row.OpeningDate != nil {
		a.OpeningDate = new(Date(*row.OpeningDate))
	}
	for _, u := range b.Unconverted {
		a.Unconverted = append(a.Unconverted, Unconverted{u.Currency, sign * u.Minor, u.Excess})
	}
	return a
}

// FindAccountByName gives the accounts of that name, without regard to case; the oldest first. Names may
// repeat in a household.
func (l *Ledger) FindAccountByName(ctx context.Context, q *queries.Queries, who Actor, name string) ([]queries.Account, error) {
	return q.ListAccountsNamed(ctx, queries.ListAccountsNamedParams{HouseholdID: who.HouseholdID, NameKey: Fold(name)})
}

// ResolveAccount gives the id of the account that a person means by its name or its id. A name that
// several accounts have is a validation error.
func (l *Ledger) ResolveAccount(ctx context.Context, who Actor, text string) (id uuid.UUID, err error) {
	id, isID := ParseID(text)
	err = l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		named, err := l.FindAccountByName(ctx, q, who, text)
		switch {
		case err != nil || len(named) == 0 && isID:
			return err
		case len(named) == 0:
			return NewNotFound("Account " + Quote(text))
		case len(named) > 1:
			return NewInvalid("account", "named %s is ambiguous: %d accounts have that name; give the id instead", Quote(text), len(named))
		}
		id = uuid.UUID(named[0].PublicID)
		return nil
	})
	return id, err
}

// CreateAccount opens an account with its opening balance.
func (l *Ledger) CreateAccount(ctx context.Context, who Actor, in AccountInput) (a Account, err error) {
	err = l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		fresh, err := l.createAccount(ctx, q, who, in)
		if err != nil {
			return err
		}
		a, err = l.readAccount(ctx, q, who, fresh.PublicID)
		return err
	})
	return a, err
}

// createNamedAccount opens the account that a file names: what is known of it are name and currency.
func (l *Ledger) createNamedAccount(ctx context.Context, q *queries.Queries, who Actor, name, kind, currency string) (int64, []Created, error) {
	in := AccountInput{Name: Some(name), AccountType: Some(kind)}
	if currency != "" {
		in.Currency = Some(currency)
	}
	fresh, err := l.createAccount(ctx, q, who, in)
	if err != nil {
		return 0, nil, err
	}
	return fresh.ID, []Created{{string(entityAccount), fresh.PublicID}}, nil
}

func (l *Ledger) createAccount(ctx context.Context, q *queries.Queries, who Actor, in AccountInput) (accountState, error) {
	home, err := q.GetHousehold(ctx, who.HouseholdID)
	if err != nil {
		return accountState{}, Missing(err, "Household")
	}
	fresh := in.newAccount(home)
	if err := in.Problems.Err(); err != nil {
		return fresh, err
	}
	if fresh.PublicID, err = newID(); err != nil {
		return fresh, err
	}
	fresh.CreatedAt = l.stamp()
	fresh.UpdatedAt = fresh.CreatedAt
	if fresh.ID, err = q.InsertAccount(ctx, insertAccountParams(fresh.Account)); err != nil {
		return fresh, err
	}
	if err := l.insertOpening(ctx, q, who, fresh); err != nil {
		return fresh, err
	}
	return fresh, l.record(ctx, q, who, entityAccount, fresh.PublicID, nil, fresh)
}

func insertAccountParams(a queries.Account) queries.InsertAccountParams {
	return queries.InsertAccountParams{
		PublicID: a.PublicID, HouseholdID: a.HouseholdID, Name: a.Name, NameKey: a.NameKey, AccountType: a.AccountType, Subtype: a.Subtype,
		Currency: a.Currency, Status: a.Status, InstitutionName: a.InstitutionName, InstitutionDomain: a.InstitutionDomain, Notes: a.Notes,
		CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
}

func (l *Ledger) insertOpening(ctx context.Context, q *queries.Queries, who Actor, a accountState) error {
	id, err := newID()
	if err != nil {
		return err
	}
	_, err = q.InsertValuation(ctx, queries.InsertValuationParams{
		PublicID: id, HouseholdID: who.HouseholdID, AccountID: a.ID, Date: a.OpeningDate, Amount: a.OpeningAmount, Kind: "opening_anchor",
		CreatedAt: a.UpdatedAt, UpdatedAt: a.UpdatedAt, Stated: asInteger(a.OpeningStated)})
	return openingTaken(err, a)
}

// openingTaken explains why an opening balance cannot lie on its day.
func openingTaken(err error, a accountState) error {
	if a.OpeningDate == nil {
		return err
	}
	return taken(err, "date", "must be a day without a valuation of the account, %s has one", Date(*a.OpeningDate))
}

// UpdateAccount changes what is given and leaves the rest; a change of nothing writes nothing.
func (l *Ledger) UpdateAccount(ctx context.Context, who Actor, id uuid.UUID, in AccountInput) (a Account, err error) {
	err = l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := l.updateAccount(ctx, q, who, queries.PublicID(id), in); err != nil {
			return err
		}
		a, err = l.readAccount(ctx, q, who, queries.PublicID(id))
		return err
	})
	return a, err
}

func (l *Ledger) updateAccount(ctx context.Context, q *queries.Queries, who Actor, id queries.PublicID, in AccountInput) error {
	row, err := q.GetAccount(ctx, queries.GetAccountParams{PublicID: id, HouseholdID: who.HouseholdID})
	if err != nil {
		return Missing(err, "Account")
	}
	before := accountState{Account: row.Account, OpeningAmount: row.OpeningAmount, OpeningDate: row.OpeningDate}
	used, err := q.HasAccountEntries(ctx, queries.HasAccountEntriesParams{ID: before.ID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	after := in.changeAccount(before, used)
	if err := in.Problems.Err(); err != nil || after.equal(before) {
		return err
	}
	after.UpdatedAt = max(l.stamp(), before.UpdatedAt+1)
	if err := q.UpdateAccount(ctx, updateAccountParams(after.Account)); err != nil {
		return err
	}
	if err := l.moveOpening(ctx, q, who, before, after); err != nil {
		return err
	}
	if err := checkBalances(ctx, q, who, []int64{after.ID}); err != nil {
		return err
	}
	return l.record(ctx, q, who, entityAccount, id, before, after)
}

func updateAccountParams(a queries.Account) queries.UpdateAccountParams {
	return queries.UpdateAccountParams{
		Name: a.Name, NameKey: a.NameKey, AccountType: a.AccountType, Subtype: a.Subtype, Currency: a.Currency, Status: a.Status,
		InstitutionName: a.InstitutionName, InstitutionDomain: a.InstitutionDomain, Notes: a.Notes, UpdatedAt: a.UpdatedAt,
		ID: a.ID, HouseholdID: a.HouseholdID,
	}
}

// moveOpening writes a changed opening balance; an account that never had one gets it.
func (l *Ledger) moveOpening(ctx context.Context, q *queries.Queries, who Actor, before, after accountState) error {
	if before.OpeningAmount == after.OpeningAmount && same(before.OpeningDate, after.OpeningDate) {
		return nil
	}
	v, err := q.GetOpening(ctx, queries.GetOpeningParams{AccountID: after.ID, HouseholdID: who.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return l.insertOpening(ctx, q, who, after)
	}
	if err != nil {
		return err
	}
	err = q.UpdateValuation(ctx, queries.UpdateValuationParams{Date: after.OpeningDate, Amount: after.OpeningAmount, Notes: v.Notes,
		UpdatedAt: max(l.stamp(), v.UpdatedAt+1), ID: v.ID, HouseholdID: who.HouseholdID})
	return openingTaken(err, after)
}
