package position

import (
	"context"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// Where the price of a holding comes from.
const (
	PriceOfMarket = "market"
	PriceOfTrade  = "trade" // for want of a market price
)

// Holding is what an account holds of a security at the end of a day.
type Holding struct {
	ID       uuid.UUID // made of account, security and day, always the same
	Date     ledger.Date
	Account  *ledger.AccountRef
	Security *ledger.SecurityRef
	Quantity decimal.Decimal
	// Price is that of a unit, splits since its day taken into account. Minor is what all is worth at it,
	// rounded half up to the minor unit. Both are in Currency.
	Price       decimal.Decimal
	Currency    string
	Minor       int64
	PriceDate   ledger.Date
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
	Date, StartDate, EndDate ledger.Opt[ledger.Date]
}

// avgCostPlaces is how many decimals an average cost has.
const avgCostPlaces = 8

// ListHoldings gives a page of the holdings that the filter selects and how many it selects in all: one for
// each security, account and day on which the quantity is above zero, up to today, without those of disabled
// accounts. The oldest day comes first, then the accounts as they were made, then the securities by ticker.
// Nothing of it is stored.
func (s *Service) ListHoldings(ctx context.Context, who ledger.Actor, f HoldingFilter,
	page ledger.Page) (list []Holding, total int64, err error) {
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		h, err := NewHoldingMaker(ctx, tx)
		if err != nil {
			return err
		}
		rows := h.Rows(f)
		total = rows.count()
		list, err = h.Holdings(ctx, rows.Page(page))
		return err
	})
	return list, total, err
}

// GetHolding gives a holding by its id.
func (s *Service) GetHolding(ctx context.Context, who ledger.Actor, id uuid.UUID) (holding Holding, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		h, err := NewHoldingMaker(ctx, tx)
		if err != nil {
			return err
		}
		row, found := h.find(id)
		if !found {
			return ledger.NewNotFound("Holding")
		}
		list, err := h.Holdings(ctx, []holdingRow{row})
		if err == nil {
			holding = list[0]
		}
		return err
	})
	return holding, err
}

// holdingMaker computes holdings of a household.
type holdingMaker struct {
	tx         *ledger.Tx
	Securities ledger.RefSet[ledger.SecurityRef]
	lines      []heldLine // in list order
	today      ledger.Date
	book       *fx.RateBook
}

func NewHoldingMaker(ctx context.Context, tx *ledger.Tx) (*holdingMaker, error) {
	home, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return nil, ledger.Missing(err, "Household")
	}
	h := &holdingMaker{tx: tx, today: tx.TodayOf(ledger.AsHousehold(home)), book: fx.NewRateBook(tx.Queries)}
	h.Securities, err = ledger.SecurityRefs(ctx, tx)
	if err != nil {
		return nil, err
	}
	return h, h.readLines(ctx)
}

// Holdings computes rows, which lie on days that rise.
func (h *holdingMaker) Holdings(ctx context.Context, rows []holdingRow) ([]Holding, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	seen := map[Key]bool{}
	var lines []Key
	for _, r := range rows {
		if !seen[r.Key] {
			seen[r.Key] = true
			lines = append(lines, r.Key)
		}
	}
	book, err := ReadLines(ctx, h.tx, lines, rows[0].day, rows[len(rows)-1].day)
	if err != nil {
		return nil, err
	}
	list := make([]Holding, len(rows))
	for i, r := range rows {
		list[i], err = h.holding(ctx, r, book.On(r.Key, r.day))
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// holding makes one of the step that is in force.
func (h *holdingMaker) holding(ctx context.Context, r holdingRow, s *Step) (Holding, error) {
	out := Holding{
		ID: ledger.DatedID(h.lineID(r.Key), r.day), Date: r.day, Account: h.tx.Refs.Accounts.ByKey[r.Account],
		Security: h.Securities.ByKey[r.Security],
		Quantity: s.Quantity, Price: s.Price, Currency: s.PriceCurrency, Minor: s.Value, PriceDate: s.PriceDay,
		PriceSource: PriceOfMarket,
		CreatedAt:   s.createdAt, UpdatedAt: s.updatedAt,
	}
	if s.Traded {
		out.PriceSource = PriceOfTrade
	}
	own, _ := money.LookupCurrency(out.Account.Currency) // what is stored was looked up
	cost, currency, known, err := CostOf(ctx, h.tx, h.book, r.Key, r.day, s, own)
	if err != nil {
		return out, err
	}
	out.CostCurrency = currency
	if known {
		out.AvgCost = new(cost.DivRound(s.Quantity, avgCostPlaces))
	}
	return out, nil
}

// CostOf is what was paid for what a line holds on a day, whose step is in force: in the currency of its
// purchases or, where those were in several, in the account's own.
func CostOf(ctx context.Context, tx *ledger.Tx, b *fx.RateBook, at Key, day ledger.Date, s *Step,
	own money.Currency) (cost decimal.Decimal, currency string, known bool, err error) {
	if !s.costUnknown {
		return s.cost, s.costCurrency, true, nil
	}
	cost, known, err = costIn(ctx, tx, b, at, day, own)
	return cost, own.Code, known, err
}
