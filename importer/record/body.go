package record

import (
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
	"finsvc/ledger/rule"
)

func TagInput(name string, tag Tag) catalog.TagInput {
	return catalog.TagInput{Name: ledger.Some(name), Color: Said(tag.Color)}
}

// Body is what a record makes, besides its account, day, amount and name: one of the types below that have an Entity.
type Body interface {
	// Entity names it in counts, limits and messages; it is blank for a transaction.
	Entity() string
}

// Transaction is a movement on an account.
type Transaction struct{}

// Instrument names a security.
type Instrument struct {
	Ticker, MIC  string
	ISIN         string
	SecurityName string
	Named        bool // Ticker is the name of the security, for want of anything better
}

// Trade is a purchase, a sale, income or a cost. The record's Minor is the cash that it moves, fee included.
type Trade struct {
	Instrument
	Kind       string          // buy, sell, dividend, interest or fee
	Label      string          // an activity label, such as Reinvestment; blank: that of the kind
	Quantity   decimal.Decimal // how much is bought or sold; never negative
	Price      decimal.Decimal // of one, in the record's currency
	Fee        int64           // minor units, never negative
	AllowShort bool            // a sale may take more than is held
	KeepsLeave bool            // that stays so where it turns out not to be needed
}

// Split is a split of a security: so many units for so many old ones.
type Split struct {
	Instrument
	Numerator, Denominator int64
}

// Price is the market price of a security on a day.
type Price struct {
	Instrument
	Price  decimal.Decimal
	Source string
}

// Account is an account to be opened; the record's Minor is its opening balance in the written sign.
type Account struct{ Type, Subtype string }

// Category is a category below a parent, or with none.
type Category struct{ Parent, Color, Icon, Classification string }

// Rule is a rule with names for what it refers to.
type Rule struct{ Input rule.Input }

// Opening is the balance with which the books of an account begin: what it is worth at the end of the day before the
// record's, whose own day has transactions that come to it.
type Opening struct{}

// Tag is a tag of a backup.
type Tag struct{ ID, Color string }

// Merchant is a merchant of a backup.
type Merchant struct {
	ID    string
	Input catalog.MerchantInput
}

// Security is a security of a backup.
type Security struct {
	Instrument
	Input market.SecurityInput
	Kind  string
}

// RestoredAccount is an account of a backup. Target is the balance that its opening balance is made to lead to; nil
// where the file says what the opening balance is.
type RestoredAccount struct {
	intake.BackupAccount
	ID     string
	Sign   int64 // that turns an amount in the written sign into the ledger's
	Target *OpeningTarget
}

// OpeningTarget is in the ledger's sign.
type OpeningTarget struct {
	Minor   int64
	Cash    bool // of the cash alone
	Day     ledger.Date
	Current bool // at the end of today, if that is later
}

// RestoredCategory is a category of a backup, with its id and that of its parent there.
type RestoredCategory struct {
	Category
	ID, ParentID string
}

// RestoredRule is a rule of a backup. Conditions and actions are JSON as it was decoded, with ids of the file.
type RestoredRule struct {
	Active              bool
	Effective           *ledger.Date
	Conditions, Actions []any
}

// Valuation states the balance of an account, with which its books begin or which it has on a day.
type Valuation struct {
	Opening, Undated bool
	Notes            *string
	Sign             int64 // of the account
}

// Transfer says of two other records that they are one movement, or that they are not.
type Transfer struct {
	intake.BackupTransfer
	Inflow, Outflow int32 // numbers of records
	Rejected        bool
}

// Balance is what a backup says that an account holds on a day: it is compared with what is in the books.
type Balance struct{}

// Holding is what a backup says that an account holds of a security, likewise.
type Holding struct {
	Instrument
	Quantity decimal.Decimal
}

// NotKept is what has no place in the books.
type NotKept struct{ Of string }

// The names of what records make.
const (
	EntityAccount   = "account"
	EntityBalance   = "balance"
	EntityCategory  = "category"
	EntityTag       = "tag"
	EntityMerchant  = "merchant"
	EntityRecurring = "recurring_transaction"
	EntityTransfer  = "transfer"
	EntityRejected  = "rejected_transfer"
	EntityTrade     = "trade"
	EntityHolding   = "holding"
	EntityValuation = "valuation"
	EntityBudget    = "budget"
	EntityBudgeted  = "budget_category"
	EntityRule      = "rule"
	EntitySecurity  = "security"
	EntitySplit     = "security_split"
	EntityPrice     = "security_price"
	EntityUnknown   = "unknown"
)

// Entity is blank.
func (Transaction) Entity() string { return "" }

// Entity is trade.
func (*Trade) Entity() string { return EntityTrade }

// Entity is security_split.
func (*Split) Entity() string { return EntitySplit }

// Entity is security_price.
func (*Price) Entity() string { return EntityPrice }

// Entity is account.
func (*Account) Entity() string { return EntityAccount }

// Entity is category.
func (*Category) Entity() string { return EntityCategory }

// Entity is rule.
func (*Rule) Entity() string { return EntityRule }

// Entity is valuation.
func (Opening) Entity() string { return EntityValuation }

// Entity is tag.
func (*Tag) Entity() string { return EntityTag }

// Entity is merchant.
func (*Merchant) Entity() string { return EntityMerchant }

// Entity is security.
func (*Security) Entity() string { return EntitySecurity }

// Entity is account.
func (*RestoredAccount) Entity() string { return EntityAccount }

// Entity is category.
func (*RestoredCategory) Entity() string { return EntityCategory }

// Entity is rule.
func (*RestoredRule) Entity() string { return EntityRule }

// Entity is valuation.
func (*Valuation) Entity() string { return EntityValuation }

// Entity is transfer, or rejected_transfer.
func (t *Transfer) Entity() string {
	if t.Rejected {
		return EntityRejected
	}
	return EntityTransfer
}

// Entity is balance.
func (Balance) Entity() string { return EntityBalance }

// Entity is holding.
func (*Holding) Entity() string { return EntityHolding }

// Entity is what it is called there.
func (n NotKept) Entity() string { return n.Of }

// CategoryInput has what a row says; a blank cell says nothing.
func CategoryInput(name string, c Category) catalog.CategoryInput {
	return catalog.CategoryInput{Name: ledger.Some(name), Color: Said(c.Color), Icon: Said(c.Icon),
		Classification: Said(c.Classification)}
}

func Said(cell string) ledger.Opt[string] {
	if cell == "" {
		return ledger.Opt[string]{}
	}
	return ledger.Some(cell)
}
