package audit

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// How old things may be before they are a gap, in days.
const (
	stalePrice  = 30 // a market price
	quietDays   = 90 // the newest entry of an account in which something used to happen
	usuallyBusy = 6  // days with entries in a year that make an account one of those
)

// Findings are what a household's books lack without being wrong: figures leave something out, or go by what is old.
type Findings struct {
	Household ledger.Household
	Rates     []RateGap         // by currency
	Stale     []fx.StaleRate    // by currencies: those by which today's net worth is counted
	Prices    []PriceGap        // by ticker
	Quiet     []InactiveAccount // by the name of the account
	Overdrawn []Overdrawn       // by the name of the account
	Newest    time.Time         // of the instants in the newest entries of the history; zero where it has none
}

// RateGap is a currency for which there is no exchange rate, however old, and what today's net worth leaves out for
// it; or, where it is in excess, what it leaves out because no amount holds it at its rate, or the figure with it.
type RateGap struct {
	From, To string // the currency, and that of the account or of the household
	Minor    int64  // of From, in the ledger's sign
	Accounts []string
	Excess   bool
	Since    *ledger.Date // the first day of the rates that From has, with other currencies or too late; nil for none
}

// PriceGap is a security that is held and valued at an old price, or for want of a market price at one that was paid.
type PriceGap struct {
	Ticker string
	Day    ledger.Date // of the price
	Traded bool
}

// InactiveAccount is an account in which nothing has happened for long, and used to.
type InactiveAccount struct {
	Account string
	Last    ledger.Date
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
func (s *Service) CountBooks(ctx context.Context) (households int64, all Size, err error) {
	err = s.DB.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
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

// FindFindings looks for what the books of a household lack today.
func (s *Service) FindFindings(ctx context.Context, who ledger.Actor) (Findings, error) {
	home, err := s.Tenants.GetHousehold(ctx, who)
	g := Findings{Household: home}
	if err != nil {
		return g, err
	}
	for _, find := range []func(context.Context, ledger.Actor, *Findings) error{s.findRateGaps, s.findPriceGaps,
		s.findOverdrawn, s.findQuiet} {
		if err := find(ctx, who, &g); err != nil {
			return g, err
		}
	}
	return g, nil
}

func (s *Service) findRateGaps(ctx context.Context, who ledger.Actor, g *Findings) error {
	sheet, err := s.Reports.BalanceSheet(ctx, who, ledger.Opt[ledger.Date]{})
	g.Stale = sheet.Stale
	if err != nil || len(sheet.Unconverted) == 0 {
		return err
	}
	accounts, err := s.Intake.AccountLabels(ctx, who)
	if err != nil {
		return err
	}
	spans, err := s.Rates.ListRates(ctx)
	if err != nil {
		return err
	}
	byID := map[uuid.UUID]*ledger.AccountRef{}
	for _, a := range accounts {
		byID[a.ID] = a
	}
	for _, left := range sheet.Unconverted {
		gap := RateGap{From: left.Currency, To: sheet.Currency, Minor: left.Minor, Excess: left.Excess,
			Since: firstRate(spans, left.Currency)}
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
func firstRate(spans []fx.RateSpan, currency string) (first *ledger.Date) {
	for _, s := range spans {
		if (s.From == currency || s.To == currency) && (first == nil || s.First < *first) {
			first = &s.First
		}
	}
	return first
}

func (s *Service) findPriceGaps(ctx context.Context, who ledger.Actor, g *Findings) error {
	today := s.Today(g.Household)
	held, _, err := s.Positions.ListHoldings(ctx, who, position.HoldingFilter{Date: ledger.Some(today)},
		ledger.Everything())
	for _, h := range held {
		gap := PriceGap{h.Security.Ticker, h.PriceDate, h.PriceSource == position.PriceOfTrade}
		if today-h.PriceDate > stalePrice && !slices.Contains(g.Prices, gap) {
			g.Prices = append(g.Prices, gap)
		}
	}
	slices.SortFunc(g.Prices, func(a, b PriceGap) int { return strings.Compare(a.Ticker, b.Ticker) })
	return err
}

func (s *Service) findOverdrawn(ctx context.Context, who ledger.Actor, g *Findings) error {
	accounts, _, err := s.Accounts.ListAccounts(ctx, who, false, ledger.Everything())
	for _, a := range accounts {
		if a.Classification == ledger.Asset && a.BalanceMinor < 0 {
			g.Overdrawn = append(g.Overdrawn, Overdrawn{a.Name, a.Currency, a.BalanceMinor})
		}
	}
	return err
}

// findQuiet reads when something happened last.
func (s *Service) findQuiet(ctx context.Context, who ledger.Actor, g *Findings) error {
	return s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListAccountActivity(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if last := ledger.Date(row.LastDay); row.Days >= usuallyBusy && s.Today(g.Household)-last > quietDays {
				g.Quiet = append(g.Quiet, InactiveAccount{row.Name, last})
			}
		}
		at, err := tx.GetNewestStamp(ctx, tx.HouseholdID)
		if at > 0 {
			g.Newest = ledger.Instant(at)
		}
		return err
	})
}
