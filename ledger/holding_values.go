package ledger

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"finsvc/queries"
)

// valueKey names the value of an account's holdings in a currency.
type valueKey struct {
	account  int64
	currency string
}

// valueMoves are by how much values change from a day on, in minor units: what a day says counts on top of
// the days before it.
type valueMoves map[valueKey]map[Date]Sum

// take adds what securities are worth from a day on, each in all accounts, or takes it away when sign is -1.
func (m valueMoves) take(ctx context.Context, q *queries.Queries, who Actor, touched map[int64]Date, sign int64) error {
	for security, from := range touched {
		lines, err := linesOf(ctx, q, who, security)
		if err != nil {
			return err
		}
		book, err := readLines(ctx, q, who, lines, from, MaxDate)
		if err != nil {
			return err
		}
		for at, steps := range book.steps {
			m.takeSteps(at.account, steps, from, sign)
		}
	}
	return nil
}

func (m valueMoves) takeSteps(account int64, steps []step, from Date, sign int64) {
	var before step
	for _, s := range steps {
		day := max(s.from, from)
		m.add(valueKey{account, before.priceCurrency}, day, -sign*before.value)
		m.add(valueKey{account, s.priceCurrency}, day, sign*s.value)
		before = s
	}
}

func (m valueMoves) add(key valueKey, day Date, minor int64) {
	if minor == 0 {
		return
	}
	if m[key] == nil {
		m[key] = map[Date]Sum{}
	}
	m[key][day] = m[key][day].Plus(SumOf(minor))
}

// write adds the moves to the values that are stored. A value, or a balance with it, that is no amount is a validation
// error.
func (m valueMoves) write(ctx context.Context, q *queries.Queries, who Actor) error {
	for key, moves := range m {
		maps.DeleteFunc(moves, func(_ Date, s Sum) bool { return s == Sum{} })
		if len(moves) == 0 {
			continue
		}
		first, last := reach(moves)
		stored, err := readLevels(ctx, q, who, key, first, last)
		if err != nil {
			return err
		}
		put, gone, beyond := moveLevels(stored, moves, first)
		if beyond.Has() {
			return errDayRange(ctx, q, who.HouseholdID, dayKey{key.account, beyond.Value, key.currency}, "held")
		}
		if err := storeLevels(ctx, q, who, key, put, gone); err != nil {
			return err
		}
	}
	return checkBalances(ctx, q, who, m.accounts())
}

// accounts are the keys of those whose values move.
func (m valueMoves) accounts() (keys []int64) {
	for key := range m {
		keys = append(keys, key.account)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// reach is from the first day that moves change to the last; moves that do not add up to nothing change all
// days to come.
func reach(moves map[Date]Sum) (first, last Date) {
	first, last = MaxDate, MinDate
	var sum Sum
	for day, move := range moves {
		first, last = min(first, day), max(last, day)
		sum = sum.Plus(move)
	}
	if sum != (Sum{}) {
		last = MaxDate
	}
	return first, last
}

// readLevels reads the values of a range of days, and the one in force before it, by the day they begin on.
func readLevels(ctx context.Context, q *queries.Queries, who Actor, key valueKey, first, last Date) (map[Date]int64, error) {
	packed, err := q.PackHoldingValues(ctx, queries.PackHoldingValuesParams{AccountID: key.account, Currency: key.currency,
		HouseholdID: who.HouseholdID, FirstDay: int64(first), LastDay: int64(last)})
	if err != nil {
		return nil, err
	}
	days, err := unpackDays(packed)
	levels := make(map[Date]int64, len(days))
	for _, d := range days {
		levels[d.day] = d.minor
	}
	return levels, err
}

// moveLevels gives the values that are to be written and the days whose value is to go, because it is that
// of the day before. Days before the first are only read. Beyond is a day whose value would be no amount.
func moveLevels(stored map[Date]int64, moves map[Date]Sum, first Date) (put map[Date]int64, gone []Date, beyond Opt[Date]) {
	days := slices.AppendSeq(slices.Collect(maps.Keys(stored)), maps.Keys(moves))
	slices.Sort(days)
	put = map[Date]int64{}
	var move Sum
	var old, before int64 // before is the new value of the day before
	for _, day := range slices.Compact(days) {
		level, kept := stored[day]
		if kept {
			old = level
		}
		move = move.Plus(moves[day])
		fresh, fits := move.Plus(SumOf(old)).Minor()
		if !fits {
			return nil, nil, Some(day)
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

func storeLevels(ctx context.Context, q *queries.Queries, who Actor, key valueKey, put map[Date]int64, gone []Date) error {
	if len(gone) > 0 {
		if err := q.DeleteHoldingValues(ctx, queries.DeleteHoldingValuesParams{
			AccountID: key.account, Currency: key.currency, HouseholdID: who.HouseholdID, Days: jsonArray(gone)}); err != nil {
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
	return q.PutHoldingValues(ctx, queries.PutHoldingValuesParams{
		AccountID: key.account, Currency: key.currency, HouseholdID: who.HouseholdID, Levels: string(packed)})
}
