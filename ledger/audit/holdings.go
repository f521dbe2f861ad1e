package audit

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// auditHoldings computes positions, trade prices and values anew, each from the first day on, and compares them with
// what is kept.
func (a *auditor) auditHoldings() error {
	securities, err := a.tx.ListSecurityLabels(a.ctx, a.tx.HouseholdID)
	if err != nil {
		return err
	}
	slices.SortFunc(securities, func(a, b queries.ListSecurityLabelsRow) int { return cmp.Compare(a.ID, b.ID) })
	values := position.ValueMoves{}
	for _, s := range securities {
		if err := a.auditPositions(s); err != nil {
			return err
		}
		if err := values.Take(a.ctx, a.tx, map[int64]ledger.Date{s.ID: ledger.MinDate}, 1); err != nil {
			return err
		}
	}
	return a.auditValues(values)
}

func (a *auditor) auditPositions(s queries.ListSecurityLabelsRow) error {
	trades, errTrades := position.ListPositionTrades(a.ctx, a.tx, s.ID, ledger.MinDate, ledger.MaxDate)
	splits, errSplits := position.ListSplits(a.ctx, a.tx, s.ID, ledger.MinDate, ledger.MaxDate)
	kept, errKept := a.tx.ListPositionsFrom(a.ctx, queries.ListPositionsFromParams{SecurityID: s.ID,
		HouseholdID: a.tx.HouseholdID, Day: int64(ledger.MinDate)})
	if err := errors.Join(errTrades, errSplits, errKept); err != nil {
		return err
	}
	fresh, folds := map[position.PositionKey]position.PositionRow{}, map[int64]*position.Position{}
	for _, day := range position.ByDay(trades, splits) {
		short := (*position.ShortSale)(nil)
		if err := day.Fold(folds, s.ID, fresh); errors.As(err, &short) {
			a.defect(CheckHoldings, a.at(short.Account, short.Day),
				"%s of %s are sold without being held, and without leave", short.Missing, s.Ticker)
			return nil
		} else if err != nil {
			return err
		}
	}
	for _, r := range kept {
		key := position.PositionKey{Account: r.AccountID, Day: ledger.Date(r.Date)}
		a.comparePosition(s.Ticker, key, position.PositionRow{Quantity: r.Quantity, Cost: r.Cost, Currency: r.Currency,
			CostUnknown: r.CostUnknown, Opens: r.Opens, Closes: r.Closes}, fresh[key])
		delete(fresh, key)
	}
	for _, key := range slices.SortedFunc(maps.Keys(fresh), func(a, b position.PositionKey) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Day, b.Day))
	}) {
		a.comparePosition(s.Ticker, key, position.PositionRow{}, fresh[key])
	}
	return a.auditTradePrices(s, position.TradePrices(trades))
}

func (a *auditor) comparePosition(ticker string, at position.PositionKey, kept, folded position.PositionRow) {
	if kept != folded {
		a.defect(CheckHoldings, a.at(at.Account, at.Day), "kept of %s is %s; trades and splits come to %s", ticker,
			kept, folded)
	}
}

func (a *auditor) auditTradePrices(s queries.ListSecurityLabelsRow, fresh map[ledger.Date]position.TradePrice) error {
	packed, err := a.tx.PackTradePrices(a.ctx, queries.PackTradePricesParams{SecurityID: s.ID,
		HouseholdID: a.tx.HouseholdID, Day: int64(ledger.MinDate)})
	if err != nil {
		return err
	}
	kept, err := position.UnpackPrices(packed)
	for _, k := range kept {
		a.compareTradePrice(s.Ticker, k.Day, position.TradePrice{Price: k.Price.String(), Currency: k.Currency},
			fresh[k.Day])
		delete(fresh, k.Day)
	}
	for _, day := range slices.Sorted(maps.Keys(fresh)) {
		a.compareTradePrice(s.Ticker, day, position.TradePrice{}, fresh[day])
	}
	return err
}

func (a *auditor) compareTradePrice(ticker string, day ledger.Date, kept, counted position.TradePrice) {
	if kept != counted {
		a.defect(CheckHoldings, a.home.Name+", "+day.String(),
			"the kept price of trades of %s is %q, that of the trades %q",
			ticker, kept.Price+" "+kept.Currency, counted.Price+" "+counted.Currency)
	}
}

// auditValues compares what holdings are worth, where that changes.
func (a *auditor) auditValues(moves position.ValueMoves) error {
	stored, err := a.tx.AuditValueKeys(a.ctx, a.tx.HouseholdID)
	if err != nil {
		return err
	}
	for _, s := range stored {
		key := position.ValueKey{Account: s.AccountID, Currency: s.Currency}
		if moves[key] == nil {
			moves[key] = map[ledger.Date]money.Sum{}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(moves), func(a, b position.ValueKey) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency))
	}) {
		if err := a.auditLevels(key, moves[key]); err != nil {
			return err
		}
	}
	return nil
}

func (a *auditor) auditLevels(key position.ValueKey, moves map[ledger.Date]money.Sum) error {
	kept, err := position.ReadLevels(a.ctx, a.tx, key, ledger.MinDate, ledger.MaxDate)
	if err != nil {
		return err
	}
	worth, _, beyond := position.MoveLevels(nil, moves, ledger.MinDate)
	if beyond.Has() {
		a.defect(CheckHoldings, a.at(key.Account, beyond.Value), "what is held is worth more than a number holds")
		return nil
	}
	days := slices.AppendSeq(slices.Collect(maps.Keys(kept)), maps.Keys(worth))
	slices.Sort(days)
	for _, day := range slices.Compact(days) {
		was, isKept := kept[day]
		is, isWorth := worth[day]
		switch {
		case !isKept:
			a.defect(CheckHoldings, a.at(key.Account, day), "no value is kept of what is held; it is worth %s",
				moneyText(is, key.Currency))
		case !isWorth:
			a.defect(CheckHoldings, a.at(key.Account, day), "the kept value of what is held is %s; it does not change on that day", moneyText(was, key.Currency))
		case was != is:
			a.defect(CheckHoldings, a.at(key.Account, day), "the kept value of what is held is %s; it is worth %s",
				moneyText(was, key.Currency), moneyText(is, key.Currency))
		}
	}
	return nil
}
