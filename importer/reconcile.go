package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// Reconciliation is what a file proves of the balances of an account, beside what the account shows at the end of the file's last day. Amounts are
// in minor units of the account's currency and in its written sign: what is owed is positive.
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
	Held         int64      `json:"possible_duplicates"` // rows of the file that were held back, and pending ones that were left out
	Pending      int64      `json:"pending_rows_count"`
}

// stated is a source that proves the balances of its only account itself. It is final after the last row.
type stated interface {
	balances() (opening, closing int64, ok bool)
}

// balanced says whether the rows of a source may prove balances.
func balanced(rows source) bool {
	switch r := rows.(type) {
	case *Rows:
		return r.columns.at[fieldBalance] >= 0
	case stated:
		return true
	}
	return false
}

// newStatements are those of a file, if it has balances.
func (im *Importer) newStatements(ctx context.Context, who ledger.Actor, rows source) (*statements, error) {
	if !balanced(rows) {
		return nil, nil
	}
	accounts, err := im.ledger.Entries.AccountCurrencies(ctx, who)
	return &statements{list: map[statementKey]*statement{}, owed: func(account int64) bool { return accounts.Owed[account] }}, err
}

// proved are the statements that are proved, by account.
func (s *statements) proved(rows source) []*statement {
	if s == nil || s.wrong {
		return nil
	}
	if told, ok := rows.(stated); ok && len(s.list) == 1 {
		for _, one := range s.list {
			if one.opening, one.closing, one.sure = told.balances(); !one.sure {
				return nil
			}
			return []*statement{one}
		}
	}
	var list []*statement
	for _, one := range s.list {
		if one.opening, one.closing, one.sure = one.proof(); one.sure {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b *statement) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.currency.Code, b.currency.Code))
	})
	return list
}

// reconciler compares what files prove with the books, in the write that changes them.
type reconciler struct {
	im       *Importer
	who      ledger.Actor
	names    *names
	importID int64 // 0 in a rehearsal
	outlook  *outlook
	taken    map[int64]bool // accounts whose opening balance was taken from the file
}

// takeOpenings comes before the rows count: an account in which nothing is booked takes the opening balance that the file proves.
func (r *reconciler) takeOpenings(ctx context.Context, q *queries.Queries) error {
	r.taken = map[int64]bool{}
	return r.each(ctx, func(s *statement, key int64, _ *ledger.AccountRef) (err error) {
		r.taken[key], err = r.im.ledger.Intake.TakeOpening(ctx, q, r.who, r.importID,
			intake.Opening{AccountID: key, Date: s.minDay.AddDays(-1), Minor: s.opening, Fresh: r.names.opened[key]})
		return err
	})
}

// each gives use the statements that the file proves, with their accounts, where these are in the file's currency.
func (r *reconciler) each(ctx context.Context, use func(s *statement, key int64, account *ledger.AccountRef) error) error {
	for _, s := range r.outlook.proved {
		key, err := r.account(ctx, s)
		if err != nil {
			return err
		}
		label, err := r.label(ctx, key)
		if err != nil {
			return err
		}
		if label == nil || label.Currency != s.currency.Code {
			continue
		}
		if err := use(s, key, label); err != nil {
			return err
		}
	}
	return nil
}

// account is that of a statement; 0 when no row of it is written and it does not exist.
func (r *reconciler) account(ctx context.Context, s *statement) (int64, error) {
	if s.account != 0 {
		return s.account, nil
	}
	return r.names.account(ctx, s.row)
}

func (r *reconciler) label(ctx context.Context, key int64) (*ledger.AccountRef, error) {
	labels, err := r.im.ledger.Intake.AccountLabels(ctx, r.who)
	return labels[key], err
}

// compare says of each account what the file proves and what it shows, when all rows count.
func (r *reconciler) compare(ctx context.Context, q *queries.Queries) (list []Reconciliation, err error) {
	err = r.each(ctx, func(s *statement, key int64, account *ledger.AccountRef) error {
		one, err := r.one(ctx, q, s, key)
		id := account.ID
		one.AccountID, one.Account = &id, account.Name
		list = append(list, one)
		return err
	})
	return list, err
}

func (r *reconciler) one(ctx context.Context, q *queries.Queries, s *statement, key int64) (Reconciliation, error) {
	shown, err := r.im.ledger.Intake.BalanceOn(ctx, q, r.who, key, s.maxDay)
	if err != nil {
		return Reconciliation{}, err
	}
	sign := int64(1)
	if s.owed {
		sign = -1
	}
	one := Reconciliation{Currency: s.currency.Code, FirstDay: s.minDay.String(), LastDay: s.maxDay.String(), Opening: sign * s.opening, Closing: sign * s.closing, Shown: sign * shown,
		Difference: sign * (s.closing - shown), OpeningTaken: r.taken[key], Held: int64(len(r.outlook.held)), Pending: r.outlook.pending}
	if one.Difference == 0 {
		return one, nil
	}
	day, err := r.firstDifference(ctx, q, s, key)
	if err == nil && day != 0 {
		one.From = pointer(day.String())
	}
	return one, err
}

// firstDifference is the first day on which the account and the file go apart; 0 when no day of the file shows it.
func (r *reconciler) firstDifference(ctx context.Context, q *queries.Queries, s *statement, key int64) (ledger.Date, error) {
	before, err := r.im.ledger.Intake.BalanceOn(ctx, q, r.who, key, s.minDay.AddDays(-1))
	if err != nil {
		return 0, err
	}
	if before != s.opening {
		return s.minDay, nil
	}
	moves, err := r.im.ledger.Intake.AccountMoves(ctx, q, r.who, key, s.minDay, s.maxDay)
	if err != nil {
		return 0, err
	}
	first := ledger.Date(0)
	note := func(day ledger.Date) {
		if moves[day] != s.moved[day] && (first == 0 || day < first) {
			first = day
		}
	}
	for day := range moves {
		note(day)
	}
	for day := range s.moved {
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
	return q.NoteReconciliation(ctx, queries.NoteReconciliationParams{Reconciliation: pointer(string(content)), ID: imp.ID, HouseholdID: imp.HouseholdID})
}
