package ledger

import (
	"context"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// Where the price of a holding comes from.
const (
	PriceOfMarket = "market"
	PriceOfTrade  = "trade" // for want of a market price
)

// Holding is what an account holds of a security at the end of a day.
type Holding struct {
	ID       uuid.UUID // made of account, security and day, always the same
	Date     Date
	Account  *AccountLabel
	Security *SecurityLabel
	Quantity decimal.Decimal
	// Price is that of a unit, splits since its day taken into account. Minor is what all is worth at it,
	// rounded half up to the minor unit. Both are in Currency.
	Price       decimal.Decimal
	Currency    string
	Minor       int64
	PriceDate   Date
	PriceSource string // PriceOfMarket or PriceOfTrade
	// AvgCost is what a unit was paid for on average, fees included, in CostCurrency; nil when it is not
	// known. A sale takes its part of the cost away. Trades in several currencies count in that of the
	// account, each at the rate of its day.
	AvgCost      *decimal.Decimal
	CostCurrency string
	CreatedAt    int64 // of the position that the day belongs to
	UpdatedAt    int64 // of the position or its price, whichever is newer
}

// HoldingFilter selects holdings; what is not given selects all. A list of ids that is nil is no filter, an
// empty one matches nothing. StartDate and EndDate are included.
type HoldingFilter struct {
	AccountIDs, SecurityIDs  []uuid.UUID
	Date, StartDate, EndDate Opt[Date]
}

// avgCostPlaces is how many decimals an average cost has.
const avgCostPlaces = 8

// ListHoldings gives a page of the holdings that the filter selects and how many it selects in all: one for
// each security, account and day on which the quantity is above zero, up to today, without those of disabled
// accounts. The oldest day comes first, then the accounts as they were made, then the securities by ticker.
// Nothing of it is stored.
func (l *Ledger) ListHoldings(ctx context.Context, who Actor, f HoldingFilter, page Page) (list []Holding, total int64, err error) {
	err = l.withLabels(heavy(ctx, who), l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		h, err := l.newHoldingMaker(ctx, q, who, names)
		if err != nil {
			return err
		}
		rows := h.rows(f)
		total = rows.count()
		list, err = h.holdings(ctx, rows.page(page))
		return err
	})
	return list, total, err
}

// GetHolding gives a holding by its id.
func (l *Ledger) GetHolding(ctx context.Context, who Actor, id uuid.UUID) (holding Holding, err error) {
	err = l.withLabels(ctx, l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		h, err := l.newHoldingMaker(ctx, q, who, names)
		if err != nil {
			return err
		}
		row, found := h.find(id)
		if !found {
			return NewNotFound("Holding")
		}
		list, err := h.holdings(ctx, []holdingRow{row})
		if err == nil {
			holding = list[0]
		}
		return err
	})
	return holding, err
}

// holdingMaker computes holdings of a household.
type holdingMaker struct {
	q          *queries.Queries
	who        Actor
	names      *labels
	securities labelSet[SecurityLabel]
	lines      []heldLine // in list order
	today      Date
	book       *rateBook
}

func (l *Ledger) newHoldingMaker(ctx context.Context, q *queries.Queries, who Actor, names *labels) (*holdingMaker, error) {
	home, err := q.GetHousehold(ctx, who.HouseholdID)
	if err != nil {
		return nil, Missing(err, "Household")
	}
	h := &holdingMaker{q: q, who: who, names: names, today: l.Today(asHousehold(home)), book: newRateBook(q)}
	if h.securities, err = securityLabels(ctx, q, who); err != nil {
		return nil, err
	}
	return h, h.readLines(ctx)
}

// holdings computes rows, which lie on days that rise.
func (h *holdingMaker) holdings(ctx context.Context, rows []holdingRow) ([]Holding, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	seen := map[line]bool{}
	var lines []line
	for _, r := range rows {
		if !seen[r.line] {
			seen[r.line] = true
			lines = append(lines, r.line)
		}
	}
	book, err := readLines(ctx, h.q, h.who, lines, rows[0].day, rows[len(rows)-1].day)
	if err != nil {
		return nil, err
	}
	list := make([]Holding, len(rows))
	for i, r := range rows {
		if list[i], err = h.holding(ctx, r, book.on(r.line, r.day)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// holding makes one of the step that is in force.
func (h *holdingMaker) holding(ctx context.Context, r holdingRow, s *step) (Holding, error) {
	out := Holding{
		ID: h.id(r.line, r.day), Date: r.day, Account: h.names.accounts.byKey[r.account], Security: h.securities.byKey[r.security],
		Quantity: s.quantity, Price: s.price, Currency: s.priceCurrency, Minor: s.value, PriceDate: s.priceDay, PriceSource: PriceOfMarket,
		CreatedAt: s.createdAt, UpdatedAt: s.updatedAt,
	}
	if s.traded {
		out.PriceSource = PriceOfTrade
	}
	own, _ := LookupCurrency(out.Account.Currency) // what is stored was looked up
	cost, currency, known, err := h.book.costOf(ctx, h.who, r.line, r.day, s, own)
	if err != nil {
		return out, err
	}
	out.CostCurrency = currency
	if known {
		out.AvgCost = new(cost.DivRound(s.quantity, avgCostPlaces))
	}
	return out, nil
}

// costOf is what was paid for what a line holds on a day, whose step is in force: in the currency of its
// purchases or, where those were in several, in the account's own.
func (b *rateBook) costOf(ctx context.Context, who Actor, at line, day Date, s *step, own Currency) (cost decimal.Decimal, currency string, known bool, err error) {
	if !s.costUnknown {
		return s.cost, s.costCurrency, true, nil
	}
	cost, known, err = b.costIn(ctx, who, at, day, own)
	return cost, own.Code, known, err
}
