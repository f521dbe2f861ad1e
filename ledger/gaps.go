package ledger

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/queries"
)

// How old things may be before they are a gap, in days.
const (
	stalePrice  = 30 // a market price
	quietDays   = 90 // the newest entry of an account in which something used to happen
	usuallyBusy = 6  // days with entries in a year that make an account one of those
)

// Gaps are what a household's books lack without being wrong: figures leave something out, or go by what is old.
type Gaps struct {
	Household Household
	Rates     []RateGap   // by currency
	Stale     []StaleRate // by currencies: those by which today's net worth is counted
	Prices    []PriceGap  // by ticker
	Quiet     []QuietGap  // by the name of the account
	Overdrawn []Overdrawn // by the name of the account
	Newest    time.Time   // of the instants in the newest entries of the history; zero where it has none
}

// RateGap is a currency for which there is no exchange rate, however old, and what today's net worth leaves out for it; or,
// where it is in excess, what it leaves out because no amount holds it at its rate, or the figure with it.
type RateGap struct {
	From, To string // the currency, and that of the account or of the household
	Minor    int64  // of From, in the ledger's sign
	Accounts []string
	Excess   bool
	Since    *Date // the first day of the rates that From has, with other currencies or too late; nil for none
}

// PriceGap is a security that is held and valued at an old price, or for want of a market price at one that was paid.
type PriceGap struct {
	Ticker string
	Day    Date // of the price
	Traded bool
}

// QuietGap is an account in which nothing has happened for long, and used to.
type QuietGap struct {
	Account string
	Last    Date
}

// Overdrawn is an account of what one has that stands below zero today.
type Overdrawn struct {
	Account  string
	Currency string
	Minor    int64 // of the currency
}

// Size is how much a household has.
type Size struct{ People, Accounts, Transactions int64 }

// CountBooks gives the sizes of all households together, and how many they are.
func (l *Ledger) CountBooks(ctx context.Context) (households int64, all Size, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		homes, err := q.ListHouseholds(ctx)
		for _, home := range homes {
			row, err := q.CountBooks(ctx, home.ID)
			if err != nil {
				return err
			}
			all = Size{all.People + row.People, all.Accounts + row.Accounts, all.Transactions + row.Transactions}
		}
		households = int64(len(homes))
		return err
	})
	return households, all, err
}

// FindGaps looks for what the books of a household lack today.
func (l *Ledger) FindGaps(ctx context.Context, who Actor) (Gaps, error) {
	home, err := l.GetHousehold(ctx, who)
	g := Gaps{Household: home}
	if err != nil {
		return g, err
	}
	for _, find := range []func(context.Context, Actor, *Gaps) error{l.findRateGaps, l.findPriceGaps, l.findOverdrawn, l.findQuiet} {
		if err := find(ctx, who, &g); err != nil {
			return g, err
		}
	}
	return g, nil
}

func (l *Ledger) findRateGaps(ctx context.Context, who Actor, g *Gaps) error {
	sheet, err := l.BalanceSheet(ctx, who, Opt[Date]{})
	g.Stale = sheet.Stale
	if err != nil || len(sheet.Unconverted) == 0 {
		return err
	}
	accounts, err := l.AccountLabels(ctx, who)
	if err != nil {
		return err
	}
	spans, err := l.ListRates(ctx)
	if err != nil {
		return err
	}
	byID := map[uuid.UUID]*AccountLabel{}
	for _, a := range accounts {
		byID[a.ID] = a
	}
	for _, left := range sheet.Unconverted {
		gap := RateGap{From: left.Currency, To: sheet.Currency, Minor: left.Minor, Excess: left.Excess, Since: firstRate(spans, left.Currency)}
		for _, id := range left.Accounts {
			gap.Accounts = append(gap.Accounts, byID[id].Name)
			if gap.To == gap.From { // it was booked in an account of another currency
				gap.To = byID[id].Currency
			}
		}
		g.Rates = append(g.Rates, gap)
	}
	return nil
}

// firstRate is the day of the first rate from or to a currency.
func firstRate(spans []RateSpan, currency string) (first *Date) {
	for _, s := range spans {
		if (s.From == currency || s.To == currency) && (first == nil || s.First < *first) {
			first = &s.First
		}
	}
	return first
}

func (l *Ledger) findPriceGaps(ctx context.Context, who Actor, g *Gaps) error {
	today := l.Today(g.Household)
	held, _, err := l.ListHoldings(ctx, who, HoldingFilter{Date: Some(today)}, everything())
	for _, h := range held {
		gap := PriceGap{h.Security.Ticker, h.PriceDate, h.PriceSource == PriceOfTrade}
		if today-h.PriceDate > stalePrice && !slices.Contains(g.Prices, gap) {
			g.Prices = append(g.Prices, gap)
		}
	}
	slices.SortFunc(g.Prices, func(a, b PriceGap) int { return strings.Compare(a.Ticker, b.Ticker) })
	return err
}

func (l *Ledger) findOverdrawn(ctx context.Context, who Actor, g *Gaps) error {
	accounts, _, err := l.ListAccounts(ctx, who, false, everything())
	for _, a := range accounts {
		if a.Classification == Asset && a.BalanceMinor < 0 {
			g.Overdrawn = append(g.Overdrawn, Overdrawn{a.Name, a.Currency, a.BalanceMinor})
		}
	}
	return err
}

// findQuiet reads when something happened last.
func (l *Ledger) findQuiet(ctx context.Context, who Actor, g *Gaps) error {
	return l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListAccountActivity(ctx, who.HouseholdID)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if last := Date(row.LastDay); row.Days >= usuallyBusy && l.Today(g.Household)-last > quietDays {
				g.Quiet = append(g.Quiet, QuietGap{row.Name, last})
			}
		}
		at, err := q.GetNewestStamp(ctx, who.HouseholdID)
		if at > 0 {
			g.Newest = Instant(at)
		}
		return err
	})
}
