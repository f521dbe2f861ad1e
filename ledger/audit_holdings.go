package ledger

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"finsvc/queries"
)

// auditHoldings computes positions, trade prices and values anew, each from the first day on, and compares them with
// what is kept.
func (a *audit) auditHoldings() error {
	securities, err := a.q.ListSecurityLabels(a.ctx, a.who.HouseholdID)
	if err != nil {
		return err
	}
	slices.SortFunc(securities, func(a, b queries.ListSecurityLabelsRow) int { return cmp.Compare(a.ID, b.ID) })
	values := valueMoves{}
	for _, s := range securities {
		if err := a.auditPositions(s); err != nil {
			return err
		}
		if err := values.take(a.ctx, a.q, a.who, map[int64]Date{s.ID: MinDate}, 1); err != nil {
			return err
		}
	}
	return a.auditValues(values)
}

func (a *audit) auditPositions(s queries.ListSecurityLabelsRow) error {
	trades, errTrades := listPositionTrades(a.ctx, a.q, a.who, s.ID, MinDate, MaxDate)
	splits, errSplits := listSplits(a.ctx, a.q, a.who, s.ID, MinDate, MaxDate)
	kept, errKept := a.q.ListPositionsFrom(a.ctx, queries.ListPositionsFromParams{SecurityID: s.ID, HouseholdID: a.who.HouseholdID, Day: int64(MinDate)})
	if err := errors.Join(errTrades, errSplits, errKept); err != nil {
		return err
	}
	fresh, folds := map[positionKey]positionRow{}, map[int64]*fold{}
	for _, day := range foldDays(trades, splits) {
		short := (*shortSale)(nil)
		if err := day.fold(folds, s.ID, fresh); errors.As(err, &short) {
			a.defect(CheckHoldings, a.at(short.account, short.day), "%s of %s are sold without being held, and without leave", short.missing, s.Ticker)
			return nil
		} else if err != nil {
			return err
		}
	}
	for _, r := range kept {
		key := positionKey{r.AccountID, Date(r.Date)}
		a.comparePosition(s.Ticker, key, positionRow{r.Quantity, r.Cost, r.Currency, r.CostUnknown, r.Opens, r.Closes}, fresh[key])
		delete(fresh, key)
	}
	for _, key := range slices.SortedFunc(maps.Keys(fresh), func(a, b positionKey) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.day, b.day))
	}) {
		a.comparePosition(s.Ticker, key, positionRow{}, fresh[key])
	}
	return a.auditTradePrices(s, tradePrices(trades))
}

func (a *audit) comparePosition(ticker string, at positionKey, kept, folded positionRow) {
	if kept != folded {
		a.defect(CheckHoldings, a.at(at.account, at.day), "kept of %s is %s; trades and splits come to %s", ticker, kept, folded)
	}
}

// String says what is held and what it cost.
func (r positionRow) String() string {
	if r == (positionRow{}) {
		return "nothing"
	}
	text := r.quantity + " at a cost of " + r.cost + " " + r.currency
	if r.costUnknown == 1 {
		text = r.quantity + " at a cost in several currencies"
	}
	switch {
	case r.opens == 1:
		return text + ", held from then on"
	case r.closes == 1:
		return text + ", no longer held from then on"
	}
	return text
}

func (a *audit) auditTradePrices(s queries.ListSecurityLabelsRow, fresh map[Date]tradePrice) error {
	packed, err := a.q.PackTradePrices(a.ctx, queries.PackTradePricesParams{SecurityID: s.ID, HouseholdID: a.who.HouseholdID, Day: int64(MinDate)})
	if err != nil {
		return err
	}
	kept, err := unpackPrices(packed)
	for _, k := range kept {
		a.compareTradePrice(s.Ticker, k.day, tradePrice{k.price.String(), k.currency}, fresh[k.day])
		delete(fresh, k.day)
	}
	for _, day := range slices.Sorted(maps.Keys(fresh)) {
		a.compareTradePrice(s.Ticker, day, tradePrice{}, fresh[day])
	}
	return err
}

func (a *audit) compareTradePrice(ticker string, day Date, kept, counted tradePrice) {
	if kept != counted {
		a.defect(CheckHoldings, a.home.Name+", "+day.String(), "the kept price of trades of %s is %q, that of the trades %q",
			ticker, kept.price+" "+kept.currency, counted.price+" "+counted.currency)
	}
}

// auditValues compares what holdings are worth, where that changes.
func (a *audit) auditValues(moves valueMoves) error {
	stored, err := a.q.AuditValueKeys(a.ctx, a.who.HouseholdID)
	if err != nil {
		return err
	}
	for _, s := range stored {
		key := valueKey{s.AccountID, s.Currency}
		if moves[key] == nil {
			moves[key] = map[Date]Sum{}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(moves), func(a, b valueKey) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.currency, b.currency))
	}) {
		if err := a.auditLevels(key, moves[key]); err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) auditLevels(key valueKey, moves map[Date]Sum) error {
	kept, err := readLevels(a.ctx, a.q, a.who, key, MinDate, MaxDate)
	if err != nil {
		return err
	}
	worth, _, beyond := moveLevels(nil, moves, MinDate)
	if beyond.Has() {
		a.defect(CheckHoldings, a.at(key.account, beyond.Value), "what is held is worth more than a number holds")
		return nil
	}
	days := slices.AppendSeq(slices.Collect(maps.Keys(kept)), maps.Keys(worth))
	slices.Sort(days)
	for _, day := range slices.Compact(days) {
		was, isKept := kept[day]
		is, isWorth := worth[day]
		switch {
		case !isKept:
			a.defect(CheckHoldings, a.at(key.account, day), "no value is kept of what is held; it is worth %s", money(is, key.currency))
		case !isWorth:
			a.defect(CheckHoldings, a.at(key.account, day), "the kept value of what is held is %s; it does not change on that day", money(was, key.currency))
		case was != is:
			a.defect(CheckHoldings, a.at(key.account, day), "the kept value of what is held is %s; it is worth %s", money(was, key.currency), money(is, key.currency))
		}
	}
	return nil
}
