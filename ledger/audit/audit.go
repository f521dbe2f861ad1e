package audit

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync/atomic"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Audit is what came of proving the books.
//
// Figures are counted twice by code that shares nothing: here, and in package recount from entries, prices and rates
// alone, with SQL that fits files of every schema. Every rollup, reference and index is compared with the rows in one
// pass; an upgrade compares the figures before and after it inside the transaction that it is made of.
type Audit struct {
	Households, Accounts, Transactions, Trades, Valuations int64 // that are there
	Balances                                               int64 // recomputed from rows and compared
	Defects                                                []Defect
}

// Defect is something in the books that cannot be.
type Defect struct {
	Check  string // the rule that does not hold: one of the constants that begin with Check
	Where  string // household, account and day as far as they are known
	Detail string // a sentence with the figures
}

// What is checked.
const (
	// the key of an entry is made of its household, day and a creation number that was given
	CheckKeys       = "keys"
	CheckDays       = "days"       // rollups of days equal their transactions and trades
	CheckMonths     = "months"     // rollups of months equal their days
	CheckBands      = "bands"      // rollups of bands of amounts equal their transactions
	CheckSums       = "sums"       // sums that are kept of months equal their transactions
	CheckCounts     = "counts"     // accounts have as many transactions as they say
	CheckSearch     = "search"     // the index for search has exactly the transactions
	CheckTransfers  = "transfers"  // money goes out of one account and into another
	CheckLines      = "lines"      // lines come to their transaction
	CheckCategories = "categories" // two levels, of one classification
	CheckReferences = "references" // what is referred to is there, in the same household
	CheckHidden     = "hidden"     // rows are hidden only while an import works on them
	CheckDates      = "dates"      // days can be
	CheckCurrencies = "currencies" // currencies are known
	CheckHoldings   = "holdings"   // positions and what follows from them equal trades, splits and prices
	CheckBalances   = "balances"   // what the ledger answers equals what the rows come to
	CheckProvable   = "provable"   // the books of a household can be checked at all
)

// maxDefects is how many defects of one check of a household are told.
const maxDefects = 1000

// Audit holds the books of all households against their rows, in one view of the data, and changes nothing. It reads
// all rows: seconds for a million transactions. Households that are being deleted are left out.
func (s *Service) Audit(ctx context.Context) (found Audit, err error) {
	err = s.DB.ReadTxParallel(ctx, func(ctx context.Context, q *queries.Queries) error {
		homes, err := q.ListHouseholds(ctx)
		if err != nil {
			return err
		}
		names := map[int64]string{}
		for _, home := range homes {
			names[home.ID] = home.Name
		}
		if err := found.auditReferences(ctx, q, names); err != nil {
			return err
		}
		for _, home := range homes {
			if home.AbandonedAt != nil && *home.AbandonedAt <= s.Tenants.AbandonedLimit() {
				continue
			}
			err := db.Recovered("panic in an audit", func() error {
				// Do all checks. Where there is a second reader, it takes a check from the list as soon as it has done
				// one; what they find is told in the order of the list.
				into := &found
				a := auditor{Audit: &Audit{}, ctx: ctx, tx: s.Tx(q, ledger.Actor{HouseholdID: home.ID}), s: s,
					home:     home,
					accounts: map[int64]queries.AuditAccountsRow{}}
				if err := a.readAccounts(); err != nil {
					return err
				}
				// Begin with the longest, which reads all entries.
				checks := []func(*auditor) error{(*auditor).auditEntries, (*auditor).auditKeys, (*auditor).auditMonths,
					(*auditor).auditSums, (*auditor).auditSearch,
					(*auditor).auditTransfers, (*auditor).auditLines, (*auditor).auditCategories,
					(*auditor).auditHidden,
					(*auditor).auditValuations,
					(*auditor).auditCurrencies, (*auditor).auditHoldings}
				list := &auditList{checks: checks, found: make([]Audit, len(checks))}
				done := make(chan error, 1)
				if second := db.SecondReader(ctx); second == nil {
					done <- nil
				} else {
					beside := a
					beside.tx = s.Tx(second, a.tx.Actor)
					go func() { done <- db.Recovered("panic beside", func() error { return list.work(beside) }) }()
				}
				err := list.work(a)
				err = errors.Join(err, <-done)
				parts := append([]Audit{*a.Audit}, list.found...)
				into.Households++
				for _, p := range parts {
					into.Accounts, into.Transactions, into.Trades = into.Accounts+p.Accounts,
						into.Transactions+p.Transactions, into.Trades+p.Trades
					into.Valuations, into.Balances = into.Valuations+p.Valuations, into.Balances+p.Balances
					into.Defects = append(into.Defects, p.Defects...)
				}
				return err
			})
			switch {
			case err == nil:
			case notOfBooks(ctx, err):
				return fmt.Errorf("audit household %s: %w", ledger.Quote(home.Name), err)
			default: // the others are proved all the same
				found.defect(CheckProvable, home.Name, "the rest could not be checked: %s", firstLine(err))
			}
		}
		return nil
	})
	return found, err
}

// notOfBooks reports whether an error is one of the machine, and says nothing of the books that were read.
func notOfBooks(ctx context.Context, err error) bool {
	return ctx.Err() != nil || ledger.IsUnavailable(err) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) || db.IsDamage(err)
}

// firstLine is an error without the stack of a panic.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// auditor is that of one household.
type auditor struct {
	*Audit
	ctx      context.Context
	tx       *ledger.Tx
	s        *Service
	home     queries.Household
	accounts map[int64]queries.AuditAccountsRow
	order    []int64
}

// auditList is the checks of a household, and what each of them found.
type auditList struct {
	checks []func(*auditor) error
	found  []Audit
	next   atomic.Int32
}

// work does checks until none is left.
func (l *auditList) work(a auditor) error {
	for {
		i := int(l.next.Add(1)) - 1
		if i >= len(l.checks) {
			return nil
		}
		a.Audit = &l.found[i]
		if err := l.checks[i](&a); err != nil {
			return err
		}
	}
}

func (a *auditor) readAccounts() error {
	rows, err := a.tx.AuditAccounts(a.ctx, a.tx.HouseholdID)
	for _, r := range rows {
		a.accounts[r.ID], a.order = r, append(a.order, r.ID)
	}
	a.Accounts = int64(len(rows))
	return err
}

// defect notes one.
func (a *Audit) defect(check, where, format string, args ...any) {
	if len(a.Defects) < maxDefects {
		a.Defects = append(a.Defects, Defect{check, where, fmt.Sprintf(format, args...)})
	}
}

// at names the household, and an account and a day of it.
func (a *auditor) at(account int64, day ledger.Date) string {
	return a.of(account) + ", " + day.String()
}

// of names the household, and an account of it.
func (a *auditor) of(account int64) string {
	if r, known := a.accounts[account]; known {
		return a.home.Name + ", " + r.Name
	}
	return fmt.Sprintf("%s, account %d", a.home.Name, account)
}

// moneyText writes an amount with its currency.
func moneyText(minor int64, code string) string { return sumText(money.SumOf(minor), code) }

// sumText is the same of a sum, however large.
func sumText(sum money.Sum, code string) string { return wholeText(sum.Big(), code) }

// wholeText is the same of minor units without bounds.
func wholeText(minor *big.Int, code string) string {
	currency, known := money.LookupCurrency(code)
	if !known {
		return fmt.Sprint(minor, " minor units of ", ledger.Quote(code))
	}
	return currency.PlainBig(minor) + " " + code
}

// auditReferences is of the whole file.
func (a *Audit) auditReferences(ctx context.Context, q *queries.Queries, names map[int64]string) error {
	broken, err := q.BrokenReferences(ctx)
	for _, b := range broken {
		where, known := names[b.HouseholdID]
		if !known {
			where = fmt.Sprint("household ", b.HouseholdID)
		}
		problem := "which is not there"
		if b.There {
			problem = "which belongs to another household"
		}
		a.defect(CheckReferences, where, "%d rows of %s have in %s the key %d of %s, %s", b.Rows, b.Table, b.Column,
			b.To, strings.ReplaceAll(b.Parent, "_", " "), problem)
	}
	return err
}
