package scenario_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// The books are checked by a stranger: hledger reads what is exported, and its figures must be ours.

// needHledger skips the test where hledger is not installed, unless the environment says that it must be.
func needHledger(t *testing.T) {
	t.Helper()
	_, err := exec.LookPath("hledger")
	switch {
	case err == nil:
	case os.Getenv("FINSVC_HLEDGER") == "required":
		t.Fatal("hledger is not installed, and FINSVC_HLEDGER=required says that it must be")
	default:
		t.Skip("hledger is not installed, so nobody checks the exported journal; on Debian: apt-get install hledger")
	}
}

// sums are amounts by commodity.
type sums map[string]decimal.Decimal

// proof compares a household with what hledger makes of its journal.
type proof struct {
	*testing.T
	books   *books.Books
	who     ledger.Actor
	journal string
	months  []ledger.Date              // their last days
	names   map[string]string          // of accounts in the journal, by id
	amounts map[string]map[string]sums // by account and month
	values  map[string]map[string]sums // the same at prices of the month's end
	rates   map[string][]datedRate     // by "FROM TO", rising
	stated  map[int64]ledger.Date      // by account: the day of the first valuation
	held    map[string]bool            // by account's id and currency of securities
	figures int                        // that were compared
}

type datedRate struct {
	day  ledger.Date
	rate decimal.Decimal
}

// prove compares all that there is at the ends of all months.
func prove(t *testing.T, file string, household string) {
	t.Helper()
	needHledger(t)
	s := cmdtest.NewCommandLine(t)
	s.File = file
	p := &proof{T: t, journal: filepath.Join(t.TempDir(), "books.journal")}
	s.OK("export", "hledger", "--household", household, "--output", p.journal)
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	p.books = books.New(dbtest.Open(t, file), func() time.Time { return now })
	homes, err := p.books.Tenants.ListHouseholds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(homes, func(h ledger.Household) bool { return h.Name == household })
	p.who = ledger.Actor{HouseholdID: homes[at].ID, Origin: ledger.OriginCLI}
	p.readJournal()
	p.hledger("check", "accounts", "commodities")
	p.amounts = p.readTable(p.hledger("balance", "--monthly", "--historical", "--flat", "--empty", "--no-total", "--output-format", "csv"))
	p.values = p.readValues(p.hledger("balance", "--monthly", "--historical", "--flat", "--empty", "--no-total", "--value", "end", "--output-format", "json"))
	p.compare()
}

// compare compares every account at every month's end from the first day of the account on.
func (p *proof) compare() {
	p.Helper()
	accounts, _, err := p.books.Accounts.ListAccounts(p.Context(), p.who, true, ledger.Page{Number: 1, Size: 1000})
	if err != nil {
		p.Fatal(err)
	}
	if len(accounts) == 0 || len(p.names) != len(accounts) || len(slices.Compact(slices.Sorted(maps.Values(p.names)))) != len(accounts) {
		p.Fatalf("%d accounts have the names %v", len(accounts), p.names)
	}
	first := p.valuations("opening_anchor")
	p.findHeld()
	p.stated = p.valuations("opening_anchor", "reconciliation")
	for _, day := range p.months {
		balances, err := p.books.Balances.Balances(p.Context(), p.who, day)
		if err != nil {
			p.Fatal(err)
		}
		for _, a := range accounts {
			if day >= first[a.ID] {
				p.compareAccount(a, day, balances[a.ID])
			}
		}
		p.compareHoldings(day)
	}
	p.Logf("%d figures of %d accounts at the ends of %d months are the same", p.figures, len(accounts), len(p.months))
}

// valuations are the days on which each account has its first one of some kinds.
func (p *proof) valuations(kinds ...string) map[int64]ledger.Date {
	p.Helper()
	list, _, err := p.books.Accounts.ListValuations(p.Context(), p.who, catalog.ValuationFilter{}, ledger.Page{Number: 1, Size: 100_000})
	if err != nil {
		p.Fatal(err)
	}
	first := map[int64]ledger.Date{}
	for _, v := range list { // the newest first
		if slices.Contains(kinds, v.Kind) {
			first[v.AccountID] = v.Day
		}
	}
	return first
}

// compareAccount compares a balance, and what it leaves out for want of a rate, with the account's cash and
// the values of what lies below it.
func (p *proof) compareAccount(a catalog.Account, day ledger.Date, ours balance.Balance) {
	p.Helper()
	name := p.names[uuid.UUID(a.Account.PublicID).String()]
	own, _ := money.LookupCurrency(a.Currency)
	total, leftOut := p.minor(p.amounts[name][month(day)], own), map[string]int64{}
	for code, amount := range p.amounts[name+":unconverted"][month(day)] {
		currency, _ := money.LookupCurrency(code)
		leftOut[code] = p.minor(sums{code: amount}, currency)
	}
	for code, minor := range p.heldValues(name, day) {
		currency, _ := money.LookupCurrency(code)
		if converted, known := p.convert(minor, currency, own, day); known {
			total += converted
		} else {
			leftOut[code] += minor
		}
	}
	unconverted := map[string]int64{}
	for _, u := range ours.Unconverted {
		unconverted[u.Currency] = u.Minor
	}
	stated, there := p.stated[a.ID]
	skip := func(code string, minor int64) bool {
		// A valuation contains what is held, with or without a rate; hledger does not know what it stated.
		return minor == 0 || there && stated <= day && p.held[uuid.UUID(a.Account.PublicID).String()+code]
	}
	maps.DeleteFunc(leftOut, skip)
	maps.DeleteFunc(unconverted, skip)
	if total != ours.Minor || !maps.Equal(leftOut, unconverted) {
		p.Errorf("%s on %s: hledger has %d and leaves out %v, we have %d and leave out %v", name, day, total, leftOut, ours.Minor, unconverted)
	}
	p.figures += 1 + len(unconverted)
}

// minor is an amount that must be in one currency and in whole minor units.
func (p *proof) minor(amounts sums, currency money.Currency) int64 {
	p.Helper()
	for code, amount := range amounts {
		minor, err := currency.Minor(amount)
		if code != currency.Code || err != nil {
			p.Fatalf("%v are not whole minor units of %s: %v", amounts, currency.Code, err)
		}
		return minor
	}
	return 0
}

// heldValues are what hledger's values of the holdings of an account are per currency, each rounded by itself.
func (p *proof) heldValues(name string, day ledger.Date) map[string]int64 {
	p.Helper()
	out := map[string]int64{}
	for below, byMonth := range p.values {
		if !strings.HasPrefix(below, name+":") || below == name+":unconverted" {
			continue
		}
		for code, value := range byMonth[month(day)] {
			currency, known := money.LookupCurrency(code)
			if !known {
				p.Fatalf("%s on %s is worth %s %s", below, day, value, code)
			}
			out[code] += value.Shift(int32(currency.Exponent)).Round(0).IntPart()
		}
	}
	return out
}

// findHeld notes in which currencies each account ever held securities.
func (p *proof) findHeld() {
	p.Helper()
	last := p.months[len(p.months)-1]
	list, _, err := p.books.Positions.ListHoldings(p.Context(), p.who, position.HoldingFilter{EndDate: ledger.Some(last)}, ledger.Page{Number: 1, Size: 100_000})
	if err != nil {
		p.Fatal(err)
	}
	p.held = map[string]bool{}
	for _, h := range list {
		p.held[h.Account.ID.String()+h.Currency] = true
	}
}

// convert converts at the newest rates in the journal: direct, else inverse, else through the euro.
func (p *proof) convert(minor int64, from, to money.Currency, day ledger.Date) (int64, bool) {
	if from == to {
		return minor, true
	}
	num, den, known := p.rate(from.Code, to.Code, day)
	if !known {
		first, below, known1 := p.rate(from.Code, "EUR", day)
		second, under, known2 := p.rate("EUR", to.Code, day)
		num, den, known = first.Mul(second), below.Mul(under), known1 && known2
	}
	if !known {
		return 0, minor == 0
	}
	return decimal.New(minor, int32(to.Exponent-from.Exponent)).Mul(num).DivRound(den, 0).IntPart(), true
}

// rate is a quotient: the newest rate, which the books have in one direction alone.
func (p *proof) rate(from, to string, day ledger.Date) (num, den decimal.Decimal, known bool) {
	num, den = decimal.New(1, 0), decimal.New(1, 0)
	for _, r := range p.rates[from+" "+to] {
		if r.day <= day {
			num, known = r.rate, true
		}
	}
	if known {
		return num, den, true
	}
	for _, r := range p.rates[to+" "+from] {
		if r.day <= day {
			den, known = r.rate, true
		}
	}
	return num, den, known
}

// compareHoldings compares quantities and values one by one.
func (p *proof) compareHoldings(day ledger.Date) {
	p.Helper()
	list, _, err := p.books.Positions.ListHoldings(p.Context(), p.who, position.HoldingFilter{Date: ledger.Some(day)}, ledger.Page{Number: 1, Size: 100_000})
	if err != nil {
		p.Fatal(err)
	}
	found := 0
	for below, byMonth := range p.amounts {
		for commodity, quantity := range byMonth[month(day)] {
			if _, money := money.LookupCurrency(commodity); !money && quantity.IsPositive() && strings.HasPrefix(below, "assets:") {
				found++
			}
		}
	}
	if found != len(list) {
		p.Errorf("on %s hledger has %d holdings, we have %d", day, found, len(list))
	}
	for _, h := range list {
		p.compareHolding(h)
	}
}

// compareHolding finds what is held of the security below the account, whatever it is called there.
func (p *proof) compareHolding(h position.Holding) {
	p.Helper()
	name := p.names[h.Account.ID.String()] + ":" + strings.ReplaceAll(h.Security.Ticker, ":", "∶")
	currency, _ := money.LookupCurrency(h.Currency)
	for below, byMonth := range p.amounts {
		for _, quantity := range byMonth[month(h.Date)] {
			value := p.values[below][month(h.Date)][h.Currency].Shift(int32(currency.Exponent)).Round(0)
			if strings.HasPrefix(below, name) && quantity.Equal(h.Quantity) && value.Equal(decimal.New(h.Minor, 0)) {
				p.figures += 2
				return
			}
		}
	}
	p.Errorf("%s on %s: we have %s worth %d %s, hledger %v worth %v", name, h.Date, h.Quantity, h.Minor, h.Currency,
		p.amounts[name][month(h.Date)], p.values[name][month(h.Date)])
}

func TestHledgerAgreesOnTheDemoHousehold(t *testing.T) {
	t.Parallel()
	needHledger(t)
	d := cmdtest.NewCommandLine(t).Demo()
	prove(t, d.File, "Demo")
	d.End()
	if _, err := os.Stat(filepath.Dir(d.File)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the demonstration is still there: %v", err)
	}
}

func TestHledgerAgreesOnGeneratedHouseholds(t *testing.T) {
	t.Parallel()
	needHledger(t)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			file := dbtest.Path(t)
			cmdtest.NewHousehold(t, file, seed)
			prove(t, file, "Generated")
		})
	}
}
