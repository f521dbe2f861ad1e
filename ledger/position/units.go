package position

import (
	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// Units is the quantity behind a part: what is held at a price, what is traded, a split by its ratio. Held
// and Cost are what there is after it; Cost is nil where it is not known.
type Units struct {
	Quantity    decimal.Decimal
	Price       decimal.Decimal
	Currency    string // of the price
	PriceDate   ledger.Opt[ledger.Date]
	PriceSource string
	Ratio       string
	Held, Cost  *decimal.Decimal
	CostIn      string // currency of the cost
}
