package ledger

import (
	"cmp"
	"context"
	"slices"

	"finsvc/queries"
)

// What the parts of a [Breakdown] can be told apart by.
const (
	ByNothing  = ""
	ByCategory = "category"
	ByMerchant = "merchant"
	ByTag      = "tag"
	ByAccount  = "account"
	ByMonth    = "month"
)

// BreakdownInput says what a breakdown is to be of. Absent days are no bounds.
type BreakdownInput struct {
	TransactionFilter
	GroupBy          string // one of the constants
	TransactionsOnly bool   // without what trades bring in and cost, and without fees of transfers
	WithRates        bool   // say by which rates amounts were converted
}

// Breakdown is what a household earned and spent by the transactions that a filter selects, under the rules of an
// [IncomeStatement], and in parts. A filter by category, merchant or tag counts the lines of split transactions that
// have them; a line has the tags of its transaction, too. Dividends, interest and fees count unless a text, an amount
// or a type is asked for.
//
// The parts add up to the totals; but of tags, a transaction with several is in the part of each. Where a sum of
// another currency that is converted as one belongs to several parts, each gets what the sum grows by when it is added.
type Breakdown struct {
	Currency              string
	StartDate, EndDate    Date
	Income, Expenses, Net int64
	Count                 int64 // as in a part
	Parts                 []BreakdownPart
	TransfersLeftOut      int64          // in these accounts and days; 0 when labels are asked for
	Unconverted           []IncomeGap    // by currency
	Rates                 []ExchangeRate // by currencies and day
}

// BreakdownPart is one part; of the labels there is the one that the parts are told apart by, or none where a
// transaction has none. Parts come by name, that without a label last, or by month. Count is as in [CategoryIncome].
type BreakdownPart struct {
	Category         *CategoryLabel
	Merchant         *MerchantLabel
	Tag              *TagLabel
	Account          *AccountLabel
	Month            Opt[Date] // its first day
	Income, Expenses int64
	Count            int64
}

// Breakdown adds up what was earned and spent.
func (l *Ledger) Breakdown(ctx context.Context, who Actor, in BreakdownInput) (out Breakdown, err error) {
	err = l.withLabels(ctx, l.db.ReadTxPaired, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		home, err := q.GetHousehold(ctx, who.HouseholdID)
		if err != nil {
			return Missing(err, "Household")
		}
		out, err = breakdown(ctx, q, who, names, home, in)
		return err
	})
	return out, err
}

func breakdown(ctx context.Context, q *queries.Queries, who Actor, names *labels, home queries.Household, in BreakdownInput) (out Breakdown, err error) {
	currency, _ := LookupCurrency(home.Currency) // what is stored was looked up
	out = Breakdown{Currency: currency.Code, StartDate: in.StartDate.Or(MinDate), EndDate: in.EndDate.Or(MaxDate)}
	m := &incomeMaker{q: q, who: who, only: in.TransactionsOnly, home: currency, says: in.WithRates, out: &out,
		incomeSums: newIncomeSums(in.GroupBy, codeOf(currency.Code))}
	if m.filter, err = in.resolve(ctx, q, who, names); err != nil || m.filter.nothing {
		return out, err
	}
	if err := m.chooseAccounts(ctx, names); err != nil {
		return out, err
	}
	if err := m.gather(ctx); err != nil {
		return out, err
	}
	return out, m.addUp(ctx, names)
}

// chooseAccounts leaves out those that are disabled.
func (m *incomeMaker) chooseAccounts(ctx context.Context, names *labels) error {
	rows, err := m.q.ListSheetAccounts(ctx, m.who.HouseholdID)
	wanted := m.filter.AccountIDs
	if err != nil || wanted == nil && len(rows) == len(names.accounts.byKey) {
		return err
	}
	m.filter.AccountIDs = []int64{}
	for _, row := range rows {
		if wanted == nil || slices.Contains(wanted, row.ID) {
			m.filter.AccountIDs = append(m.filter.AccountIDs, row.ID)
		}
	}
	return nil
}

// parts finds the parts that a group of bookings counts in.
type parts struct {
	by     string
	names  *labels
	sets   *tagSets
	byName map[int64]*BreakdownPart
	found  []*BreakdownPart
}

// of gives them, until it is asked again; they are one but for several tags.
func (p *parts) of(group int64) []*BreakdownPart {
	p.found = p.found[:0]
	if p.by != ByTag {
		p.found = append(p.found, p.one(group))
		return p.found
	}
	for _, tag := range p.sets.tags(group) {
		p.found = append(p.found, p.one(tag))
	}
	return p.found
}

func (p *parts) one(key int64) *BreakdownPart {
	part := p.byName[key]
	if part == nil {
		part = p.labelled(key)
		p.byName[key] = part
	}
	return part
}

func (p *parts) labelled(key int64) *BreakdownPart {
	switch p.by {
	case ByCategory:
		return &BreakdownPart{Category: p.names.categories.byKey[key]}
	case ByMerchant:
		return &BreakdownPart{Merchant: p.names.merchants.byKey[key]}
	case ByTag:
		return &BreakdownPart{Tag: p.names.tags.byKey[key]}
	case ByAccount:
		return &BreakdownPart{Account: p.names.accounts.byKey[key]}
	case ByMonth:
		return &BreakdownPart{Month: Some(firstOfMonth(key))}
	}
	return &BreakdownPart{}
}

// sorted are the parts in their order; there are none where nothing is told apart.
func (p *parts) sorted() (list []BreakdownPart) {
	for _, part := range p.byName {
		list = append(list, *part)
	}
	if p.by == ByNothing {
		return nil
	}
	slices.SortFunc(list, compareParts)
	return list
}

func compareParts(a, b BreakdownPart) int {
	return cmp.Or(cmp.Compare(a.Month.Value, b.Month.Value), compareCategories(a.Category, b.Category),
		compareLabels(a.Merchant, b.Merchant, func(m *MerchantLabel) (string, [16]byte) { return Fold(m.Name), m.ID }),
		compareLabels(a.Account, b.Account, func(m *AccountLabel) (string, [16]byte) { return Fold(m.Name), m.ID }),
		compareLabels(a.Tag, b.Tag, func(m *TagLabel) (string, [16]byte) { return m.sortKey, m.ID }))
}

// compareLabels puts a label that is missing behind all others.
func compareLabels[T any](a, b *T, key func(*T) (name string, id [16]byte)) int {
	if a == nil || b == nil {
		return compareBools(a == nil, b == nil)
	}
	name, id := key(a)
	other, otherID := key(b)
	return cmp.Or(cmp.Compare(name, other), slices.Compare(id[:], otherID[:]))
}

func compareCategories(a, b *CategoryLabel) int {
	return compareLabels(a, b, func(c *CategoryLabel) (string, [16]byte) { return Fold(c.Name), c.ID })
}
