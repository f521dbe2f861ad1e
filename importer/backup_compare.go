package importer

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// What is compared at most: the newest days of the file, and records of them.
const (
	maxComparedDays = 366
	maxClaims       = 200_000
)

// claim is a balance or a holding as the file has it. Minor is in the written sign.
type claim struct {
	account  int64
	name     string // of the account
	ticker   string // of a holding; blank for a balance
	day      ledger.Date
	current  bool // of an account without records of balances: at the end of today
	minor    int64
	quantity decimal.Decimal
	currency money.Currency
}

func (c *backupCheck) claim(row Row) {
	key, made := c.refs[row.AccountRef]
	if !made || len(c.claims) >= maxClaims {
		return
	}
	found := claim{account: key, name: row.Account, day: row.Date, minor: row.Minor, currency: row.Currency}
	holding, isHolding := row.Body.(*Holding)
	switch {
	case isHolding && c.made.disabled[key]:
		c.checked[entityHolding]++
		return
	case isHolding:
		found.ticker, found.quantity = market.TickerText(holding.Ticker, holding.MIC), holding.Quantity
	default:
		c.balanced[key] = true
	}
	c.claims = append(c.claims, found)
}

// compare looks at the newest days of the file.
func (c *backupCheck) compare(ctx context.Context) error {
	home, err := c.p.im.ledger.Tenants.GetHousehold(ctx, c.p.who)
	if err != nil {
		return err
	}
	c.sortClaims(c.p.im.ledger.Today(home))
	days := 0
	for rest := c.claims; len(rest) > 0; days++ {
		n := slices.IndexFunc(rest, func(of claim) bool { return of.day != rest[0].day })
		if n < 0 {
			n = len(rest)
		}
		if days == maxComparedDays {
			c.differs("balances and holdings before %s were not compared", rest[0].day.AddDays(1))
			c.agreed(rest)
			return nil
		}
		if err := c.compareDay(ctx, rest[0].day, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// sortClaims sorts them by day, the newest first. What is said of the present counts for today, and
// not at all where the file has balances of the account.
func (c *backupCheck) sortClaims(today ledger.Date) {
	c.claims = slices.DeleteFunc(c.claims, func(of claim) bool { return of.current && c.balanced[of.account] })
	for i := range c.claims {
		if c.claims[i].current {
			c.claims[i].day = today
		}
	}
	slices.SortStableFunc(c.claims, func(a, b claim) int { return cmp.Compare(b.day, a.day) })
}

// agreed counts claims as found.
func (c *backupCheck) agreed(claims []claim) {
	for _, of := range claims {
		switch {
		case of.ticker != "":
			c.checked[entityHolding]++
		case !of.current:
			c.checked[entityBalance]++
		}
	}
}

func (c *backupCheck) compareDay(ctx context.Context, day ledger.Date, claims []claim) error {
	balances, err := c.p.im.ledger.Balances.Balances(ctx, c.p.who, day)
	if err != nil {
		return err
	}
	ids, err := c.p.im.ledger.Entries.AccountIDs(ctx, c.p.who)
	if err != nil {
		return err
	}
	held, err := c.held(ctx, day, claims)
	if err != nil {
		return err
	}
	for _, of := range claims {
		if of.ticker == "" {
			c.compareBalance(of, balances[of.account], day)
			continue
		}
		key, err := c.heldKey(ctx, ids[of.account], of.ticker)
		if err != nil {
			return err
		}
		c.compareHolding(of, held[key], day)
	}
	return nil
}

func (c *backupCheck) compareBalance(of claim, have balance.Balance, day ledger.Date) {
	minor := have.Minor
	if c.made.signs[of.account] < 0 {
		minor = -minor
	}
	if minor == of.minor {
		c.agreed([]claim{of})
		return
	}
	c.differs("the balance of %s on %s is %s %s here, the file has %s", ledger.Quote(of.name), day, of.currency.Plain(minor), of.currency.Code,
		of.currency.Plain(of.minor))
}

// heldLine names what an account holds of a security.
type heldLine struct{ account, security uuid.UUID }

// held is what is held on a day; nothing when no claim is about that.
func (c *backupCheck) held(ctx context.Context, day ledger.Date, claims []claim) (map[heldLine]position.Holding, error) {
	if !slices.ContainsFunc(claims, func(of claim) bool { return of.ticker != "" }) {
		return nil, nil
	}
	const most = 1 << 20
	list, _, err := c.p.im.ledger.Positions.ListHoldings(ctx, c.p.who, position.HoldingFilter{Date: ledger.Some(day)}, ledger.Page{Number: 1, Size: most})
	all := map[heldLine]position.Holding{}
	for _, h := range list {
		all[heldLine{h.Account.ID, h.Security.ID}] = h
	}
	return all, err
}

// heldKey is where a holding of the file is looked for; one of a security that is not known is nowhere.
func (c *backupCheck) heldKey(ctx context.Context, account uuid.UUID, ticker string) (heldLine, error) {
	found, err := c.p.im.ledger.Market.FindSecurity(ctx, c.p.who, market.SecurityName{Ticker: ledger.Some(ticker)})
	if ledger.IsKind(err, ledger.Invalid) {
		return heldLine{}, nil
	}
	return heldLine{account, uuid.UUID(found.PublicID)}, err
}

func (c *backupCheck) compareHolding(of claim, have position.Holding, day ledger.Date) {
	switch {
	case !have.Quantity.Equal(of.quantity):
		c.differs("%s holds %s of %s on %s here, the file has %s", ledger.Quote(of.name), have.Quantity, of.ticker, day, of.quantity)
	case !of.quantity.IsZero() && (have.Minor != of.minor || have.Currency != of.currency.Code):
		currency, _ := money.LookupCurrency(have.Currency) // what is stored was looked up
		c.differs("what %s holds of %s on %s is worth %s %s here, the file has %s %s", ledger.Quote(of.name), of.ticker, day,
			currency.Plain(have.Minor), have.Currency, of.currency.Plain(of.minor), of.currency.Code)
	default:
		c.agreed([]claim{of})
	}
}
