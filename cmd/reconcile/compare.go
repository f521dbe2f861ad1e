package reconcile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/export"
	"finsvc/ledger/money"
)

// maxToldDifferences is how many differences of an exported text are listed.
const maxToldDifferences = 20

// Outcome is what came of comparing a text with the books.
type Outcome struct {
	accounts, days int
	differences    []string
}

// Compare compares the balances of all accounts with those of the books, at the end of each month of the text, and at
// the end of time, when everything counts.
func (r *Books) Compare(ctx context.Context, s *export.Snapshot) (Outcome, error) {
	r.finish()
	accounts, err := s.Accounts(ctx)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{accounts: len(accounts)}
	first, last := r.firsts(), slices.Concat(r.monthEnds(), []ledger.Date{ledger.MaxDate})
	if len(r.accounts) != len(accounts) {
		out.differ("the text has %s, the books have %d", term.Count(int64(len(r.accounts)), "account"), len(accounts))
	}
	for _, day := range last {
		balances, err := s.Balances(ctx, day)
		if err != nil {
			return out, err
		}
		out.days++
		for _, a := range accounts {
			id := uuid.UUID(a.PublicID).String()
			if mine := r.accounts[id]; mine == nil {
				out.differ("the text has no account %s", ledger.Quote(a.Name))
			} else if have := r.until(mine, day); day >= first[id] {
				out.check(a, day, have, balances[a.ID])
			}
		}
	}
	return out, nil
}

// firsts are the days on which accounts begin in the text: an opening balance without a date has none before.
func (r *Books) firsts() map[string]ledger.Date {
	first := map[string]ledger.Date{}
	for id, a := range r.accounts {
		first[id] = ledger.MaxDate
		if len(a.order) > 0 {
			first[id] = a.order[0]
		}
	}
	return first
}

// monthEnds are those from the first day of the text to its last.
func (r *Books) monthEnds() (days []ledger.Date) {
	first, last := ledger.MaxDate, ledger.MinDate
	for _, a := range r.accounts {
		for _, day := range a.order {
			if day >= ledger.MinDate { // what has no day lies before
				first, last = min(first, day), max(last, day)
			}
		}
	}
	for day := first.MonthEnd(); first <= last && day < ledger.MaxDate; day = (day + 1).MonthEnd() {
		days = append(days, day)
		if day >= last {
			break
		}
	}
	return days
}

func (o *Outcome) check(a catalog.Account, day ledger.Date, have textBalance, want balance.Balance) {
	currency, _ := money.LookupCurrency(a.Currency) // what is stored was looked up
	books := textBalance{decimal.New(want.Cash(), 0), decimal.New(want.Holdings, 0), sums{}}
	for _, u := range want.Unconverted {
		books.left.add(u.Currency, decimal.New(u.Minor, 0))
	}
	text, said := have.withinRange(currency).told(currency), books.told(currency)
	if text != said {
		o.differ("%s at the end of %s: the text comes to %s, the books to %s", ledger.Quote(a.Name), day, text, said)
	}
}

// withinRange is the balance as the books have it: one of which a part is no amount is left out as a whole.
func (b textBalance) withinRange(currency money.Currency) textBalance {
	all := b.cash.Add(b.held)
	if !isAmount(b.cash) || !isAmount(b.held) || !isAmount(all) {
		left := maps.Clone(b.left)
		left.add(currency.Code, all)
		return textBalance{left: left}
	}
	return b
}

// told shows a balance with all that is in it.
func (b textBalance) told(currency money.Currency) string {
	text := wholeAmount(b.cash, currency)
	if !b.held.IsZero() {
		text += " and " + wholeAmount(b.held, currency) + " in securities"
	}
	for _, code := range slices.Sorted(maps.Keys(b.left)) {
		other, _ := money.LookupCurrency(code) // it was looked up when it was read
		if !b.left[code].IsZero() {
			text += " without " + wholeAmount(b.left[code], other)
		}
	}
	return text
}

// wholeAmount writes an amount of any size: what a text adds up to may be beyond what the books can hold.
func wholeAmount(minor decimal.Decimal, currency money.Currency) string {
	return minor.Shift(-int32(currency.Exponent)).StringFixed(int32(currency.Exponent)) + " " + currency.Code
}

func (o *Outcome) differ(format string, args ...any) {
	o.differences = append(o.differences, fmt.Sprintf(format, args...))
}

// Err is what is wrong, if anything is.
func (o Outcome) Err() error {
	if len(o.differences) == 0 {
		return nil
	}
	shown := o.differences[:min(len(o.differences), maxToldDifferences)]
	more := ""
	if n := len(o.differences) - len(shown); n > 0 {
		more = fmt.Sprintf("\nand %d more", n)
	}
	return fmt.Errorf("the text does not come to what is in the books, so it was not kept:\n%s%s",
		strings.Join(shown, "\n"), more)
}

// String is how the outcome is said.
func (o Outcome) String() string {
	return fmt.Sprintf("balances equal: %s, %s", term.Count(int64(o.accounts), "account"),
		term.Count(int64(o.days), "day"))
}
