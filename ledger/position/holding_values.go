package position

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// ValueKey names the value of an account's holdings in a currency.
type ValueKey struct {
	Account  int64
	Currency string
}

// ValueMoves are by how much values change from a day on, in minor units: what a day says counts on top of
// the days before it.
type ValueMoves map[ValueKey]map[ledger.Date]money.Sum

// Take adds what securities are worth from a day on, each in all accounts, or takes it away when sign is -1.
func (m ValueMoves) Take(ctx context.Context, tx *ledger.Tx, touched map[int64]ledger.Date, sign int64) error {
	for security, from := range touched {
		lines, err := LinesOf(ctx, tx, security)
		if err != nil {
			return err
		}
		book, err := ReadLines(ctx, tx, lines, from, ledger.MaxDate)
		if err != nil {
			return err
		}
		for at, steps := range book.steps {
			m.takeSteps(at.Account, steps, from, sign)
		}
	}
	return nil
}

func (m ValueMoves) takeSteps(account int64, steps []Step, from ledger.Date, sign int64) {
	var before Step
	for _, s := range steps {
		day := max(s.from, from)
		m.add(ValueKey{account, before.PriceCurrency}, day, -sign*before.Value)
		m.add(ValueKey{account, s.PriceCurrency}, day, sign*s.Value)
		before = s
	}
}

func (m ValueMoves) add(key ValueKey, day ledger.Date, minor int64) {
	if minor == 0 {
		return
	}
	if m[key] == nil {
		m[key] = map[ledger.Date]money.Sum{}
	}
	m[key][day] = m[key][day].Plus(money.SumOf(minor))
}

// write adds the moves to the values that are stored. A value, or a balance with it, that is no amount is a validation
// error.
func (m ValueMoves) write(ctx context.Context, tx *ledger.Tx) error {
	for key, moves := range m {
		maps.DeleteFunc(moves, func(_ ledger.Date, s money.Sum) bool { return s == money.Sum{} })
		if len(moves) == 0 {
			continue
		}
		first, last := reach(moves)
		stored, err := ReadLevels(ctx, tx, key, first, last)
		if err != nil {
			return err
		}
		put, gone, beyond := MoveLevels(stored, moves, first)
		if beyond.Has() {
			return rollup.ErrDayRange(ctx, tx.Queries, tx.HouseholdID,
				rollup.DayKey{Account: key.Account, Date: beyond.Value, Currency: key.Currency}, "held")
		}
		if err := storeLevels(ctx, tx, key, put, gone); err != nil {
			return err
		}
	}
	return balance.Check(ctx, tx, m.accounts())
}

// accounts are the keys of those whose values move.
func (m ValueMoves) accounts() (keys []int64) {
	for key := range m {
		keys = append(keys, key.Account)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// reach is from the first day that moves change to the last; moves that do not add up to nothing change all
// days to come.
func reach(moves map[ledger.Date]money.Sum) (first, last ledger.Date) {
	first, last = ledger.MaxDate, ledger.MinDate
	var sum money.Sum
	for day, move := range moves {
		first, last = min(first, day), max(last, day)
		sum = sum.Plus(move)
	}
	if sum != (money.Sum{}) {
		last = ledger.MaxDate
	}
	return first, last
}

// ReadLevels reads the values of a range of days, and the one in force before it, by the day they begin on.
func ReadLevels(ctx context.Context, tx *ledger.Tx, key ValueKey, first, last ledger.Date) (map[ledger.Date]int64,
	error) {
	packed, err := tx.PackHoldingValues(ctx, queries.PackHoldingValuesParams{AccountID: key.Account,
		Currency:    key.Currency,
		HouseholdID: tx.HouseholdID, FirstDay: int64(first), LastDay: int64(last)})
	if err != nil {
		return nil, err
	}
	days, err := balance.UnpackDays(packed)
	levels := make(map[ledger.Date]int64, len(days))
	for _, d := range days {
		levels[d.Day] = d.Minor
	}
	return levels, err
}

// MoveLevels gives the values that are to be written and the days whose value is to go, because it is that
// of the day before. Days before the first are only read. Beyond is a day whose value would be no amount.
func MoveLevels(stored map[ledger.Date]int64, moves map[ledger.Date]money.Sum,
	first ledger.Date) (put map[ledger.Date]int64, gone []ledger.Date, beyond ledger.Opt[ledger.Date]) {
	days := slices.AppendSeq(slices.Collect(maps.Keys(stored)), maps.Keys(moves))
	slices.Sort(days)
	put = map[ledger.Date]int64{}
	var move money.Sum
	var old, before int64 // before is the new value of the day before
	for _, day := range slices.Compact(days) {
		level, kept := stored[day]
		if kept {
			old = level
		}
		move = move.Plus(moves[day])
		fresh, fits := move.Plus(money.SumOf(old)).Minor()
		if !fits {
			return nil, nil, ledger.Some(day)
		}
		switch {
		case day < first:
		case fresh == before && kept:
			gone = append(gone, day)
		case fresh != before && (!kept || fresh != level):
			put[day] = fresh
		}
		before = fresh
	}
	return put, gone, beyond
}

func storeLevels(ctx context.Context, tx *ledger.Tx, key ValueKey, put map[ledger.Date]int64,
	gone []ledger.Date) error {
	if len(gone) > 0 {
		if err := tx.DeleteHoldingValues(ctx, queries.DeleteHoldingValuesParams{
			AccountID: key.Account, Currency: key.Currency, HouseholdID: tx.HouseholdID,
			Days: ledger.JSONArray(gone)}); err != nil {
			return err
		}
	}
	if len(put) == 0 {
		return nil
	}
	packed, err := json.Marshal(put)
	if err != nil {
		return err
	}
	return tx.PutHoldingValues(ctx, queries.PutHoldingValuesParams{
		AccountID: key.Account, Currency: key.Currency, HouseholdID: tx.HouseholdID, Levels: string(packed)})
}
