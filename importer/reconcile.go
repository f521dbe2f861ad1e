package importer

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"finsvc/importer/apply"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// Reconciliation is what a file proves of the balances of an account, beside what the account shows at the end of the
// file's last day. Amounts are in minor units of the account's currency and in its written sign: what is owed is
// positive.
type Reconciliation struct {
	AccountID    *uuid.UUID `json:"account_id"` // nil of an account that is yet to be created
	Account      string     `json:"account_name"`
	Currency     string     `json:"currency"`
	FirstDay     string     `json:"first_date"`
	LastDay      string     `json:"last_date"`
	Opening      int64      `json:"opening_cents"` // before the first day
	Closing      int64      `json:"closing_cents"` // at the end of the last day
	Shown        int64      `json:"account_cents"` // what the account shows then
	Difference   int64      `json:"difference_cents"`
	From         *string    `json:"differs_from"` // the first day at whose end they differ; nil when they do not
	OpeningTaken bool       `json:"opening_taken"`
	// rows of the file that were held back, and pending ones that were left out
	Held    int64 `json:"possible_duplicates"`
	Pending int64 `json:"pending_rows_count"`
}

// balanced reports whether the rows of a source may prove balances.
func balanced(rows record.Reader) bool {
	switch r := rows.(type) {
	case *table.Rows:
		return r.Columns.At[record.FieldBalance] >= 0
	case record.Stated:
		return true
	}
	return false
}

// newStatements are those of a file, if it has balances.
func (r *fileReader) newStatements(ctx context.Context, who ledger.Actor, rows record.Reader) (*record.Statements,
	error) {
	if !balanced(rows) {
		return nil, nil
	}
	accounts, err := r.ledger.Entries.AccountCurrencies(ctx, who)
	return &record.Statements{List: map[record.StatementKey]*record.Statement{},
		Owed: func(account int64) bool { return accounts.Owed[account] }}, err
}

// reconciler compares what files prove with the books, in the write that changes them.
type reconciler struct {
	im       *Importer
	who      ledger.Actor
	names    *apply.Names
	importID int64 // 0 in a dry run
	analysis *analysis
	taken    map[int64]bool // accounts whose opening balance was taken from the file
}

// takeOpenings comes before the rows count: an account in which nothing is booked takes the opening balance that the
// file proves.
func (r *reconciler) takeOpenings(ctx context.Context, q *queries.Queries) error {
	r.taken = map[int64]bool{}
	return r.each(ctx, func(s *record.Statement, key int64, _ *ledger.AccountRef) (err error) {
		r.taken[key], err = intake.TakeOpening(ctx, r.im.ledger.Tx(q, r.who), r.importID,
			intake.Opening{AccountID: key, Date: s.MinDay.AddDays(-1), Minor: s.Opening, Fresh: r.names.Opened[key]})
		return err
	})
}

// each gives use the statements that the file proves, with their accounts, where these are in the file's currency.
func (r *reconciler) each(ctx context.Context, use func(s *record.Statement, key int64,
	account *ledger.AccountRef) error) error {
	for _, s := range r.analysis.proved {
		key, err := r.account(ctx, s)
		if err != nil {
			return err
		}
		label, err := r.label(ctx, key)
		if err != nil {
			return err
		}
		if label == nil || label.Currency != s.Currency.Code {
			continue
		}
		if err := use(s, key, label); err != nil {
			return err
		}
	}
	return nil
}

// account is that of a statement; 0 when no row of it is written and it does not exist.
func (r *reconciler) account(ctx context.Context, s *record.Statement) (int64, error) {
	if s.Account != 0 {
		return s.Account, nil
	}
	return r.names.Account(ctx, s.Row)
}

func (r *reconciler) label(ctx context.Context, key int64) (*ledger.AccountRef, error) {
	labels, err := r.im.ledger.Intake.AccountLabels(ctx, r.who)
	return labels[key], err
}

// compare says of each account what the file proves and what it shows, when all rows count.
func (r *reconciler) compare(ctx context.Context, q *queries.Queries) (list []Reconciliation, err error) {
	err = r.each(ctx, func(s *record.Statement, key int64, account *ledger.AccountRef) error {
		one, err := r.one(ctx, q, s, key)
		id := account.ID
		one.AccountID, one.Account = &id, account.Name
		list = append(list, one)
		return err
	})
	return list, err
}

func (r *reconciler) one(ctx context.Context, q *queries.Queries, s *record.Statement, key int64) (Reconciliation,
	error) {
	shown, err := intake.BalanceOn(ctx, r.im.ledger.Tx(q, r.who), key, s.MaxDay)
	if err != nil {
		return Reconciliation{}, err
	}
	sign := int64(1)
	if s.Owed {
		sign = -1
	}
	one := Reconciliation{Currency: s.Currency.Code, FirstDay: s.MinDay.String(), LastDay: s.MaxDay.String(),
		Opening: sign * s.Opening, Closing: sign * s.Closing, Shown: sign * shown,
		Difference: sign * (s.Closing - shown), OpeningTaken: r.taken[key], Held: int64(len(r.analysis.held)),
		Pending: r.analysis.pending}
	if one.Difference == 0 {
		return one, nil
	}
	day, err := r.firstDifference(ctx, q, s, key)
	if err == nil && day != 0 {
		one.From = new(day.String())
	}
	return one, err
}

// firstDifference is the first day on which the account and the file go apart; 0 when no day of the file shows it.
func (r *reconciler) firstDifference(ctx context.Context, q *queries.Queries, s *record.Statement,
	key int64) (ledger.Date, error) {
	before, err := intake.BalanceOn(ctx, r.im.ledger.Tx(q, r.who), key, s.MinDay.AddDays(-1))
	if err != nil {
		return 0, err
	}
	if before != s.Opening {
		return s.MinDay, nil
	}
	moves, err := intake.AccountMoves(ctx, r.im.ledger.Tx(q, r.who), key, s.MinDay, s.MaxDay)
	if err != nil {
		return 0, err
	}
	first := ledger.Date(0)
	note := func(day ledger.Date) {
		if moves[day] != s.Moved[day] && (first == 0 || day < first) {
			first = day
		}
	}
	for day := range moves {
		note(day)
	}
	for day := range s.Moved {
		note(day)
	}
	return first, nil
}

// noteReconciliation keeps what the file proves beside what the accounts show.
func noteReconciliation(ctx context.Context, q *queries.Queries, imp queries.Import, list []Reconciliation) error {
	if len(list) == 0 {
		return nil
	}
	content, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return q.NoteReconciliation(ctx, queries.NoteReconciliationParams{Reconciliation: new(string(content)), ID: imp.ID,
		HouseholdID: imp.HouseholdID})
}
