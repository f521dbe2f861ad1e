package entry

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// isHeavy reports whether a list of what the filter selects may take long. By days and one account it does not.
func (f TransactionFilter) isHeavy() bool {
	return len(f.AccountIDs) > 1 || f.Type != "" || f.Search != "" || f.CategoryIDs != nil || f.MerchantIDs != nil ||
		f.TagIDs != nil || f.MinAmount.Has() || f.MaxAmount.Has() || f.Transfers != nil || f.Narrowing.isSet()
}

// TransactionFilter selects transactions; the zero value selects all. A list of ids that is nil is no
// filter, an empty one matches nothing. MinAmount and MaxAmount are in major units and compare the
// written sign, expense positive; with a Type, or with Absolute, they compare absolute amounts (decisions, section 5).
// Incomes below a MaxAmount that is negative are looked for by the written sign all the same: no absolute amount is,
// and programs that look for the duplicate of an income write it so, with its type. AboveMin and BelowMax leave out the
// bounds themselves.
type TransactionFilter struct {
	AccountIDs, CategoryIDs, MerchantIDs, TagIDs []uuid.UUID
	StartDate, EndDate                           ledger.Opt[ledger.Date]
	MinAmount, MaxAmount                         ledger.Opt[decimal.Decimal]
	AboveMin, BelowMax                           bool
	Absolute                                     bool
	Type                                         string // income, expense or empty
	Search                                       string
	Transfers                                    *bool // true: sides of transfers alone, false: all others
	Narrowing
}

// Narrowing is what else a filter may ask for: what is not to have some labels, what has any or none of a kind, and
// texts that all or none of which are there. The zero value asks for nothing.
type Narrowing struct {
	NotAccountIDs, NotCategoryIDs, NotMerchantIDs, NotTagIDs []uuid.UUID
	HasCategory, HasMerchant, HasTag                         *bool // true: any, false: none
	Texts, NotTexts                                          []string
}

func (n *Narrowing) isSet() bool {
	return n.NotAccountIDs != nil || n.NotCategoryIDs != nil || n.NotMerchantIDs != nil || n.NotTagIDs != nil ||
		n.HasCategory != nil || n.HasMerchant != nil || n.HasTag != nil || n.Texts != nil || n.NotTexts != nil
}

func (n *Narrowing) resolve(refs *ledger.Refs) queries.Narrowing {
	r := queries.Narrowing{
		NotAccountIDs:  KeysOf(n.NotAccountIDs, refs.Accounts.Keys),
		NotCategoryIDs: KeysOf(n.NotCategoryIDs, refs.Categories.Keys),
		NotMerchantIDs: KeysOf(n.NotMerchantIDs, refs.Merchants.Keys),
		NotTagIDs:      KeysOf(n.NotTagIDs, refs.Tags.Keys),
		HasCategory:    n.HasCategory, HasMerchant: n.HasMerchant, HasTag: n.HasTag}
	for _, text := range n.Texts {
		r.Texts = append(r.Texts, ledger.NormalText(text))
	}
	for _, text := range n.NotTexts {
		r.NotTexts = append(r.NotTexts, ledger.NormalText(text))
	}
	return r
}

// IsSet reports whether the filter selects anything but all.
func (f TransactionFilter) IsSet() bool {
	return f.isHeavy() || f.AccountIDs != nil || f.StartDate.Has() || f.EndDate.Has()
}

// Selection is a filter in the terms of the database.
type Selection struct {
	queries.TransactionFilter
	first, last ledger.Date
	all         int64 // how many transactions the household has
	Nothing     bool  // Nothing can match
}

func (f TransactionFilter) Resolve(ctx context.Context, tx *ledger.Tx) (*Selection, error) {
	s := &Selection{first: f.StartDate.Or(ledger.MinDate), last: f.EndDate.Or(ledger.MaxDate)}
	s.HouseholdID, s.Search, s.Transfers = tx.HouseholdID, ledger.NormalText(f.Search), f.Transfers
	s.FirstKey, s.LastKey = int64(ledger.FirstKey(tx.HouseholdID, s.first)),
		int64(ledger.LastKey(tx.HouseholdID, s.last))
	s.AccountIDs = s.keys(f.AccountIDs, tx.Refs.Accounts.Keys)
	s.CategoryIDs = s.keys(f.CategoryIDs, tx.Refs.Categories.Keys)
	s.MerchantIDs = s.keys(f.MerchantIDs, tx.Refs.Merchants.Keys)
	s.TagIDs = s.keys(f.TagIDs, tx.Refs.Tags.Keys)
	s.Narrowing = f.Narrowing.resolve(tx.Refs)
	if s.first > s.last {
		s.Nothing = true
	}
	if f.MinAmount.Has() || f.MaxAmount.Has() {
		return s, s.amounts(ctx, tx.Queries, f)
	}
	if f.Type != "" {
		income := f.Type == "income"
		s.Incomes = &income
	}
	return s, nil
}

// see takes in what the household has: where nothing of the days is split, parts need not be looked for row by row.
func (s *Selection) see(ctx context.Context, q *queries.Queries, state queries.GetListStateRow) error {
	s.all, s.Splits = state.Transactions, state.HasSplits != 0
	if !s.Splits || s.onlyDays() || s.first == ledger.MinDate && s.last == ledger.MaxDate {
		return nil
	}
	var err error
	s.Splits, err = q.HasSplitsBetween(ctx, queries.HasSplitsBetweenParams{FirstKey: s.FirstKey, LastKey: s.LastKey, HouseholdID: s.HouseholdID})
	return err
}

// keys looks the ids up; ids of nothing match nothing.
func (s *Selection) keys(ids []uuid.UUID, known map[uuid.UUID]int64) []int64 {
	keys := KeysOf(ids, known)
	s.Nothing = s.Nothing || keys != nil && len(keys) == 0
	return keys
}

// KeysOf looks ids up. Of no list it is nil, of a list with nothing known an empty one.
func KeysOf(ids []uuid.UUID, known map[uuid.UUID]int64) []int64 {
	if ids == nil {
		return nil
	}
	keys := make([]int64, 0, len(ids))
	for _, id := range ids {
		if key, ok := known[id]; ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// amounts turns bounds in major units into ranges of minor units, one per exponent in use. A type is
// part of the range: incomes lie above zero.
func (s *Selection) amounts(ctx context.Context, q *queries.Queries, f TransactionFilter) error {
	codes, err := q.ListAmountBandCurrencies(ctx, s.HouseholdID)
	if err != nil {
		return err
	}
	byExponent := map[int][]string{}
	for _, code := range codes {
		currency, _ := money.LookupCurrency(code)
		byExponent[currency.Exponent] = append(byExponent[currency.Exponent], code)
	}
	for _, exponent := range slices.Sorted(maps.Keys(byExponent)) {
		for _, r := range f.amountRanges(money.Currency{Exponent: exponent}) {
			r.Currencies = byExponent[exponent]
			s.Amounts = append(s.Amounts, r)
		}
	}
	s.Nothing = s.Nothing || len(s.Amounts) == 0
	return nil
}

// amountRanges are the ranges of stored amounts of an exponent: absolute amounts of both types lie in two.
func (f TransactionFilter) amountRanges(c money.Currency) []queries.AmountRange {
	if !f.Absolute || f.Type != "" {
		return []queries.AmountRange{f.amountRange(c)}
	}
	incomes, expenses := f, f
	incomes.Type, expenses.Type = "income", "expense"
	return []queries.AmountRange{incomes.amountRange(c), expenses.amountRange(c)}
}

// widest bounds every stored amount with room to spare; arithmetic on it does not overflow.
const widest = 1 << 60

// amountRange is the range of stored amounts, into the account positive.
func (f TransactionFilter) amountRange(c money.Currency) queries.AmountRange {
	least, most := decimal.Decimal.Ceil, decimal.Decimal.Floor
	if f.AboveMin {
		least = func(d decimal.Decimal) decimal.Decimal { return d.Floor().Add(decimal.New(1, 0)) }
	}
	if f.BelowMax {
		most = func(d decimal.Decimal) decimal.Decimal { return d.Ceil().Sub(decimal.New(1, 0)) }
	}
	low, high := scaled(f.MinAmount, c, -widest, least), scaled(f.MaxAmount, c, widest, most)
	switch {
	case f.Type == "income" && (f.Absolute || high >= 0):
		return queries.AmountRange{Least: max(low, 1), Most: high}
	case f.Type == "expense":
		low = max(low, 0)
	}
	return queries.AmountRange{Least: -high, Most: -low}
}

// scaled is a bound in minor units, rounded so that the range does not grow, and not beyond widest.
func scaled(bound ledger.Opt[decimal.Decimal], c money.Currency, absent int64,
	round func(decimal.Decimal) decimal.Decimal) int64 {
	if !bound.Has() {
		return absent
	}
	minor := round(bound.Value.Shift(int32(c.Exponent)))
	switch {
	case minor.GreaterThan(decimal.NewFromInt(widest)):
		return widest
	case minor.LessThan(decimal.NewFromInt(-widest)):
		return -widest
	}
	return minor.IntPart()
}

// noRollup reports whether something is asked for that no rollup knows.
func (s *Selection) noRollup() bool {
	return s.CategoryIDs != nil || s.MerchantIDs != nil || s.TagIDs != nil || s.Search != "" || s.Transfers != nil ||
		s.Narrowing.Any()
}

// onlyDays reports whether the rollup of days alone knows the answer.
func (s *Selection) onlyDays() bool { return !s.noRollup() && s.Amounts == nil }

func (s *Selection) onlyAmounts() bool {
	return !s.noRollup() && s.AccountIDs == nil && s.first == ledger.MinDate && s.last == ledger.MaxDate && s.Amounts != nil
}

// count is how many transactions are selected, from rollups where they know it.
func (s *Selection) count(ctx context.Context, q *queries.Queries) (int64, error) {
	if s.Transfers != nil && !*s.Transfers {
		return s.countWithoutTransfers(ctx, q)
	}
	switch {
	case s.onlyDays() && s.AccountIDs == nil && s.Incomes == nil && s.first == ledger.MinDate &&
		s.last == ledger.MaxDate:
		return s.all, nil
	case s.onlyDays():
		return s.countDays(ctx, q)
	case s.onlyAmounts():
		return s.countAmounts(ctx, q)
	}
	return q.CountTransactionKeys(ctx, s.TransactionFilter)
}

func (s *Selection) countDays(ctx context.Context, q *queries.Queries) (int64, error) {
	var transactions, incomes int64
	if s.AccountIDs == nil {
		sum, err := q.SumDays(ctx, queries.SumDaysParams{HouseholdID: s.HouseholdID, FirstDay: int64(s.first),
			LastDay: int64(s.last)})
		if err != nil {
			return 0, err
		}
		transactions, incomes = sum.Transactions, sum.Incomes
	} else {
		sum, err := q.SumAccountDays(ctx, queries.SumAccountDaysParams{
			AccountIds: ledger.JSONArray(s.AccountIDs), FirstDay: int64(s.first), LastDay: int64(s.last),
			HouseholdID: s.HouseholdID})
		if err != nil {
			return 0, err
		}
		transactions, incomes = sum.Transactions, sum.Incomes
	}
	return s.ofType(transactions, incomes), nil
}

func (s *Selection) ofType(transactions, incomes int64) int64 {
	switch {
	case s.Incomes == nil:
		return transactions
	case *s.Incomes:
		return incomes
	}
	return transactions - incomes
}

// countAmounts takes whole bands from their counts, and looks at the rows of the two edges only.
func (s *Selection) countAmounts(ctx context.Context, q *queries.Queries) (int64, error) {
	var total int64
	for _, r := range s.Amounts {
		for _, currency := range r.Currencies {
			n, err := s.countRange(ctx, q, currency, r.Least, r.Most)
			if err != nil {
				return 0, err
			}
			total += n
		}
	}
	return total, nil
}

func (s *Selection) countRange(ctx context.Context, q *queries.Queries, currency string, least, most int64) (int64,
	error) {
	if least > most {
		return 0, nil
	}
	low, high := rollup.BandOf(least), rollup.BandOf(most)
	edges := [][2]int64{{least, most}}
	var total int64
	if low < high {
		edges = [][2]int64{{least, low*rollup.BandWidth + rollup.BandWidth - 1}, {high * rollup.BandWidth, most}}
		n, err := q.CountAmountBands(ctx, queries.CountAmountBandsParams{HouseholdID: s.HouseholdID, Currency: currency,
			FirstBand: low + 1, LastBand: high - 1})
		if err != nil {
			return 0, err
		}
		total = n
	}
	for _, edge := range edges {
		n, err := q.CountTransactionKeys(ctx, queries.TransactionFilter{HouseholdID: s.HouseholdID,
			FirstKey: s.FirstKey, LastKey: s.LastKey, Splits: s.Splits,
			Amounts: []queries.AmountRange{{Currencies: []string{currency}, Least: edge[0], Most: edge[1]}}})
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// few is up to how many matches it is cheaper to sort them than to walk the list until a page is full.
const few = 20_000

// deep is from which offset on the day counts are worth asking.
const deep = 1_000

// page reads the rows of a page.
func (s *Selection) page(ctx context.Context, q *queries.Queries, page ledger.Page,
	total int64) ([]queries.TransactionRow, error) {
	filter, at := s.ofPage(), queries.PageOf{Limit: int64(page.Size), Offset: page.Offset(), Few: total <= few}
	if at.Offset >= deep && s.onlyDays() {
		last, skipped, err := s.seek(ctx, q, at.Offset)
		if err != nil {
			return nil, err
		}
		filter.LastKey = int64(ledger.LastKey(s.HouseholdID, last))
		at.Offset -= skipped
	}
	return q.ListTransactions(ctx, filter, at)
}

// ofPage is the filter; a range of amounts of all currencies needs to name none.
func (s *Selection) ofPage() queries.TransactionFilter {
	filter := s.TransactionFilter
	if len(filter.Amounts) == 1 {
		filter.Amounts = []queries.AmountRange{{Least: filter.Amounts[0].Least, Most: filter.Amounts[0].Most}}
	}
	return filter
}

// seek finds the day on which the row at the offset lies, and how many rows lie on later days.
func (s *Selection) seek(ctx context.Context, q *queries.Queries, offset int64) (day ledger.Date, skipped int64,
	err error) {
	counts, err := s.dayCounts(ctx, q)
	day = s.last
	for _, c := range counts {
		day = ledger.Date(c.Date)
		n := s.ofType(c.Transactions, c.Incomes)
		if skipped+n > offset {
			break
		}
		skipped += n
	}
	return day, skipped, err
}

func (s *Selection) dayCounts(ctx context.Context, q *queries.Queries) ([]queries.ListDayCountsRow, error) {
	if s.AccountIDs == nil {
		return q.ListDayCounts(ctx, queries.ListDayCountsParams{HouseholdID: s.HouseholdID, FirstDay: int64(s.first),
			LastDay: int64(s.last)})
	}
	rows, err := q.ListAccountDayCounts(ctx, queries.ListAccountDayCountsParams{
		AccountIds: ledger.JSONArray(s.AccountIDs), FirstDay: int64(s.first), LastDay: int64(s.last),
		HouseholdID: s.HouseholdID})
	counts := make([]queries.ListDayCountsRow, len(rows))
	for i, r := range rows {
		counts[i] = queries.ListDayCountsRow(r)
	}
	return counts, err
}
