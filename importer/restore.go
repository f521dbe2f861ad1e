package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// restored is what has been made of a backup so far. Keys are by the ids of the file.
type restored struct {
	categories      map[string]*queries.Category
	tags, merchants map[string]int64
	claimed         map[int64]bool  // accounts that one of the file's is
	signs           map[int64]int64 // of accounts: what turns an amount in the written sign into the ledger's
	disabled        map[int64]bool  // accounts whose holdings nobody is shown
	openings        []*RestoredAccount
	valuations      []Row
	told            []string
}

func newRestored() restored {
	return restored{categories: map[string]*queries.Category{}, tags: map[string]int64{}, merchants: map[string]int64{},
		claimed: map[int64]bool{}, signs: map[int64]int64{}, disabled: map[int64]bool{}}
}

func (a *applier) tell(row Row, format string, args ...any) {
	a.restored.told = append(a.restored.told, fmt.Sprintf("line %d: ", row.Line)+fmt.Sprintf(format, args...))
}

// restoreAccount takes an account of the household that has the name, the type and the currency, or opens one. Where
// others have the name, it gets one of its own: files that name accounts could not tell them apart.
func (a *applier) restoreAccount(ctx context.Context, q *queries.Queries, row Row, body *RestoredAccount) ([]ledger.Created, error) {
	named, err := a.ledger.Catalog.FindAccountByName(ctx, q, a.who, row.Name)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(named, func(other queries.Account) bool { return a.restored.claimed[other.ID] })
	for _, other := range others {
		if other.AccountType == row.AccountType && other.Currency == row.Currency.Code {
			a.claim(body, other.ID)
			return nil, nil
		}
	}
	account := body.BackupAccount
	if len(others) > 0 {
		account.Input.Name, err = a.freeName(ctx, q, row)
		if err != nil {
			return nil, err
		}
	}
	key, created, err := a.ledger.Intake.RestoreAccount(ctx, q, a.who, account)
	a.claim(body, key)
	if body.Target != nil {
		a.restored.openings = append(a.restored.openings, body)
	}
	return created, err
}

// claim notes which account the file's is.
func (a *applier) claim(body *RestoredAccount, key int64) {
	a.names.refs[body.ID], a.restored.claimed[key], a.restored.signs[key], a.restored.disabled[key] = key, true, body.Sign, body.Status == "disabled"
}

// freeName is the name with the first number behind it that no account has.
func (a *applier) freeName(ctx context.Context, q *queries.Queries, row Row) (ledger.Opt[string], error) {
	for n := 2; ; n++ {
		end := fmt.Sprintf(" (%d)", n)
		name := string([]rune(row.Name)[:min(len([]rune(row.Name)), ledger.MaxName-len(end))]) + end
		named, err := a.ledger.Catalog.FindAccountByName(ctx, q, a.who, name)
		if err != nil {
			return ledger.Opt[string]{}, err
		}
		if len(named) == 0 {
			a.tell(row, "account %s is named %s now: an account of another type or currency has its name", ledger.Quote(row.Name), ledger.Quote(name))
			return ledger.Some(name), nil
		}
	}
}

// restoreTransfer joins, or says of two transactions that they are no transfer. A dry run has no transactions.
func (a *applier) restoreTransfer(ctx context.Context, q *queries.Queries, row Row, body *Transfer) error {
	if a.target.ImportID == 0 {
		return nil
	}
	inflow, err := importSide(ctx, q, a.who, a.target.ImportID, body.Inflow)
	if err != nil {
		return err
	}
	outflow, err := importSide(ctx, q, a.who, a.target.ImportID, body.Outflow)
	if err != nil {
		return err
	}
	done := true
	if body.Rejected {
		done, err = a.ledger.Intake.RestoreRejection(ctx, q, a.who, inflow, outflow)
	} else if inflow.TransferID == nil || outflow.TransferID == nil || *inflow.TransferID != *outflow.TransferID {
		done, err = a.ledger.Intake.RestoreTransfer(ctx, q, a.who, inflow, outflow, body.BackupTransfer)
	}
	if err == nil && !done {
		a.tell(row, "the two transactions of the transfer are no movement between two accounts, or one of them is in another transfer: they were not linked")
	}
	return err
}

// importSide is the transaction that a row became, or was already; the zero value when there is none.
func importSide(ctx context.Context, q *queries.Queries, who ledger.Actor, importID int64, number int32) (queries.Transaction, error) {
	row := int64(number)
	t, err := q.GetImportSide(ctx, queries.GetImportSideParams{HouseholdID: who.HouseholdID, ImportID: &importID, ImportRow: &row})
	if errors.Is(err, db.ErrNotFound) {
		return queries.Transaction{}, nil
	}
	return t, err
}

// settleOpenings makes opening balances that lead to a balance.
func (a *applier) settleOpenings(ctx context.Context, q *queries.Queries) error {
	today, err := a.ledger.TodayOf(ctx, q, a.who)
	if err != nil {
		return err
	}
	for _, account := range a.restored.openings {
		day := account.Target.Day
		if account.Target.Current {
			day = max(day, today)
		}
		if err := a.ledger.Intake.SettleOpening(ctx, q, a.who, a.names.refs[account.ID], account.Target.Minor, account.Target.Cash, day); err != nil {
			return err
		}
	}
	return nil
}

// restoreValuation states a balance. The opening balance of an account that was opened is there already; one that was
// there before keeps its own.
func (a *applier) restoreValuation(ctx context.Context, q *queries.Queries, row Row, body *Valuation) ([]ledger.Created, error) {
	if body.Opening {
		return nil, nil
	}
	created, kept, err := a.ledger.Intake.RestoreValuation(ctx, q, a.who, a.names.refs[row.AccountRef], row.Date, body.Sign*row.Minor, body.Notes)
	if kept {
		a.tell(row, "the account has another valuation on %s, which was kept", row.Date)
	}
	return created, err
}
