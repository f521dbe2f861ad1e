package catalog

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/queries"
)

// Account is an account with its balances. Amounts are in minor units of its currency and in the written
// sign: of an asset what it has, of a liability what is owed, both positive.
type Account struct {
	queries.Account
	Classification string
	OpeningMinor   int64
	OpeningDate    *ledger.Date // nil: the opening balance lies before the first entry, whenever that is
	BalanceMinor   int64        // at the end of today
	CashMinor      int64        // the part of it that is not held in securities
	Unconverted    []balance.Unconverted
	Stale          []fx.StaleRate // by which what is in the balance was converted
}

// ListAccounts gives a page of the household's accounts by name, and how many there are in all.
func (s *Accounts) ListAccounts(ctx context.Context, who ledger.Actor, includeDisabled bool,
	page ledger.Page) (list []Account, total int64, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		wanted := ledger.AsInteger(includeDisabled)
		rows, err := tx.ListAccounts(ctx, queries.ListAccountsParams{
			HouseholdID: tx.HouseholdID, IncludeDisabled: wanted, RowLimit: int64(page.Size), RowOffset: page.Offset()})
		if err != nil {
			return err
		}
		total, err = tx.CountAccounts(ctx, queries.CountAccountsParams{HouseholdID: tx.HouseholdID,
			IncludeDisabled: wanted})
		if err != nil {
			return err
		}
		today, err := tx.Today(ctx)
		if err != nil {
			return err
		}
		balances, err := balance.BalancesTx(ctx, tx, today)
		for _, row := range rows {
			list = append(list, AsAccount(queries.GetAccountRow(row), balances[row.Account.ID]))
		}
		return err
	})
	return list, total, err
}

// GetAccount gives one account, disabled or not.
func (s *Accounts) GetAccount(ctx context.Context, who ledger.Actor, id uuid.UUID) (a Account, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		a, err = readAccount(ctx, tx, queries.PublicID(id))
		return err
	})
	return a, err
}

func readAccount(ctx context.Context, tx *ledger.Tx, id queries.PublicID) (Account, error) {
	row, err := tx.GetAccount(ctx, queries.GetAccountParams{PublicID: id, HouseholdID: tx.HouseholdID})
	if err != nil {
		return Account{}, ledger.Missing(err, "Account")
	}
	today, err := tx.Today(ctx)
	if err != nil {
		return Account{}, err
	}
	balance, err := balance.BalanceTx(ctx, tx, row.Account.ID, today)
	return AsAccount(row, balance), err
}

func AsAccount(row queries.GetAccountRow, b balance.Balance) Account {
	kind, _ := ledger.LookupAccountType(row.Account.AccountType) // the table allows no others
	sign := kind.Sign()
	a := Account{Account: row.Account, Classification: kind.Classification, OpeningMinor: sign * row.OpeningAmount,
		BalanceMinor: sign * b.Minor, CashMinor: sign * b.Cash(), Stale: b.Stale}
	if row.OpeningDate != nil {
		a.OpeningDate = new(ledger.Date(*row.OpeningDate))
	}
	for _, u := range b.Unconverted {
		a.Unconverted = append(a.Unconverted, balance.Unconverted{Currency: u.Currency, Minor: sign * u.Minor,
			Excess: u.Excess})
	}
	return a
}

// FindAccountByName gives the accounts of that name, without regard to case; the oldest first. Names may
// repeat in a household.
func FindAccountByName(ctx context.Context, tx *ledger.Tx, name string) ([]queries.Account, error) {
	return tx.ListAccountsNamed(ctx, queries.ListAccountsNamedParams{HouseholdID: tx.HouseholdID,
		NameKey: ledger.Fold(name)})
}

// CreateAccount opens an account with its opening balance.
func (s *Accounts) CreateAccount(ctx context.Context, who ledger.Actor, in AccountInput) (a Account, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		fresh, err := CreateAccountTx(ctx, tx, in)
		if err != nil {
			return err
		}
		a, err = readAccount(ctx, tx, fresh.PublicID)
		return err
	})
	return a, err
}

// CreateNamedAccount opens the account that a file names: what is known of it are name and currency.
func CreateNamedAccount(ctx context.Context, tx *ledger.Tx, name, kind, currency string) (int64, []ledger.Created,
	error) {
	in := AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind)}
	if currency != "" {
		in.Currency = ledger.Some(currency)
	}
	fresh, err := CreateAccountTx(ctx, tx, in)
	if err != nil {
		return 0, nil, err
	}
	return fresh.ID, []ledger.Created{{Entity: string(ledger.EntityAccount), ID: fresh.PublicID}}, nil
}

func CreateAccountTx(ctx context.Context, tx *ledger.Tx, in AccountInput) (AccountState, error) {
	home, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return AccountState{}, ledger.Missing(err, "Household")
	}
	// Check a new account as a whole.
	fresh := AccountState{Account: queries.Account{HouseholdID: home.ID, Status: "active"}}
	in.setName(&fresh)
	kind := in.accountType("")
	if !in.Subtype.Has() {
		in.Subtype = ledger.Opt[string]{} // null leaves the choice to us, as absence does
	}
	fresh.AccountType, fresh.Subtype = kind.Name, in.subtype(kind, nil)
	currency := in.currency(home.Currency)
	fresh.Currency = currency.Code
	in.setTexts(&fresh)
	in.setOpening(&fresh, kind, currency)
	if err := in.Problems.Err(); err != nil {
		return fresh, err
	}
	fresh.PublicID, err = ledger.NewID()
	if err != nil {
		return fresh, err
	}
	fresh.CreatedAt = tx.Stamp()
	fresh.UpdatedAt = fresh.CreatedAt
	fresh.ID, err = tx.InsertAccount(ctx, insertAccountParams(fresh.Account))
	if err != nil {
		return fresh, err
	}
	if err := insertOpening(ctx, tx, fresh); err != nil {
		return fresh, err
	}
	return fresh, tx.Record(ctx, ledger.EntityAccount, fresh.PublicID, nil, fresh)
}

func insertAccountParams(a queries.Account) queries.InsertAccountParams {
	return queries.InsertAccountParams{
		PublicID: a.PublicID, HouseholdID: a.HouseholdID, Name: a.Name, NameKey: a.NameKey, AccountType: a.AccountType,
		Subtype:  a.Subtype,
		Currency: a.Currency, Status: a.Status, InstitutionName: a.InstitutionName,
		InstitutionDomain: a.InstitutionDomain, Notes: a.Notes,
		CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
}

func insertOpening(ctx context.Context, tx *ledger.Tx, a AccountState) error {
	id, err := ledger.NewID()
	if err != nil {
		return err
	}
	_, err = tx.InsertValuation(ctx, queries.InsertValuationParams{
		PublicID: id, HouseholdID: tx.HouseholdID, AccountID: a.ID, Date: a.OpeningDate, Amount: a.OpeningAmount,
		Kind:      "opening_anchor",
		CreatedAt: a.UpdatedAt, UpdatedAt: a.UpdatedAt, Stated: ledger.AsInteger(a.OpeningStated)})
	return openingTaken(err, a)
}

// openingTaken explains why an opening balance cannot lie on its day.
func openingTaken(err error, a AccountState) error {
	if a.OpeningDate == nil {
		return err
	}
	return ledger.Taken(err, "date", "must be a day without a valuation of the account, %s has one",
		ledger.Date(*a.OpeningDate))
}

// UpdateAccount changes what is given and leaves the rest; a change of nothing writes nothing.
func (s *Accounts) UpdateAccount(ctx context.Context, who ledger.Actor, id uuid.UUID, in AccountInput) (a Account,
	err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		if err := updateAccount(ctx, tx, queries.PublicID(id), in); err != nil {
			return err
		}
		a, err = readAccount(ctx, tx, queries.PublicID(id))
		return err
	})
	return a, err
}

func updateAccount(ctx context.Context, tx *ledger.Tx, id queries.PublicID, in AccountInput) error {
	row, err := tx.GetAccount(ctx, queries.GetAccountParams{PublicID: id, HouseholdID: tx.HouseholdID})
	if err != nil {
		return ledger.Missing(err, "Account")
	}
	before := AccountState{Account: row.Account, OpeningAmount: row.OpeningAmount, OpeningDate: row.OpeningDate}
	used, err := tx.HasAccountEntries(ctx, queries.HasAccountEntriesParams{ID: before.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	// Apply what is given. Used says what was booked in the account.
	a := before
	if in.Name.Set {
		in.setName(&a)
	}
	kind, _ := ledger.LookupAccountType(a.AccountType)
	if in.AccountType.Set {
		trades := used.HasTrades != 0
		after := in.accountType(kind.Classification)
		if trades && !after.TakesTrades() && !in.Problems.Has("account_type") {
			in.Problems.Add("account_type", "must be %s, because the account has trades, got %s", ledger.TradingTypes,
				after.Name)
		}
		kind = after
	}
	a.AccountType, a.Subtype = kind.Name, in.subtype(kind, a.Subtype)
	in.setTexts(&a)
	in.setStatus(&a)
	currency := in.changedCurrency(&a, used.HasEntries != 0)
	in.setOpening(&a, kind, currency)
	after := a
	if err := in.Problems.Err(); err != nil || after.Equal(before) {
		return err
	}
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	if err := tx.UpdateAccount(ctx, UpdateAccountParams(after.Account)); err != nil {
		return err
	}
	before.OpeningRow, err = readOpening(ctx, tx, before.ID)
	if err != nil {
		return err
	}
	if err := moveOpening(ctx, tx, before, after); err != nil {
		return err
	}
	after.OpeningRow, err = readOpening(ctx, tx, before.ID)
	if err != nil {
		return err
	}
	if err := balance.Check(ctx, tx, []int64{after.ID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityAccount, id, before, after)
}

func UpdateAccountParams(a queries.Account) queries.UpdateAccountParams {
	return queries.UpdateAccountParams{
		Name: a.Name, NameKey: a.NameKey, AccountType: a.AccountType, Subtype: a.Subtype, Currency: a.Currency,
		Status:          a.Status,
		InstitutionName: a.InstitutionName, InstitutionDomain: a.InstitutionDomain, Notes: a.Notes,
		UpdatedAt: a.UpdatedAt,
		ID:        a.ID, HouseholdID: a.HouseholdID,
	}
}

// openingRow is what an opening balance has of its own beside day and amount.
type openingRow struct {
	ID, CreatedAt, Stated int64
	PublicID              queries.PublicID
	Notes                 *string `json:",omitempty"`
	UpdatedAt             int64   `json:"-"`
}

// readOpening is the row of an account's opening balance.
func readOpening(ctx context.Context, tx *ledger.Tx, account int64) (*openingRow, error) {
	v, err := tx.GetOpening(ctx, queries.GetOpeningParams{AccountID: account, HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return &openingRow{v.ID, v.CreatedAt, v.Stated, v.PublicID, v.Notes, v.UpdatedAt}, err
}

// moveOpening writes a changed opening balance; an account that never had one gets it.
func moveOpening(ctx context.Context, tx *ledger.Tx, before, after AccountState) error {
	if before.OpeningAmount == after.OpeningAmount && ledger.Same(before.OpeningDate, after.OpeningDate) {
		return nil
	}
	row := before.OpeningRow
	if row == nil {
		return insertOpening(ctx, tx, after)
	}
	err := tx.UpdateValuation(ctx, queries.UpdateValuationParams{Date: after.OpeningDate, Amount: after.OpeningAmount,
		Notes: row.Notes, UpdatedAt: max(tx.Stamp(), row.UpdatedAt+1), ID: row.ID, HouseholdID: tx.HouseholdID})
	return openingTaken(err, after)
}
