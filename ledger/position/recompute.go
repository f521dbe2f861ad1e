package position

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/queries"
)

// What is held follows from trades, splits and prices, and is kept beside them by the same write: positions
// (position_fold.go), trade prices (trade_prices.go) and the values of holdings (holding_values.go). A change
// touches the days on which something happens to one security, never all days of all. The holding of a day is computed
// from the position and the price in force. Within a day a split comes first, then all purchases, then all sales, so
// that no figure depends on the order in which entries were made.

// Key is a security in an account.
type Key struct{ Account, Security int64 }

// ShortSale says that a sale takes more than is held, without leave to sell short.
type ShortSale struct {
	Key
	Day     ledger.Date
	Missing decimal.Decimal // quantity
}

// Error says how much is missing and when.
func (e *ShortSale) Error() string {
	return fmt.Sprintf("%s are missing on %s", e.Missing, e.Day)
}

// RecomputeTrades runs a change of trades or splits and brings what follows from them up to date: positions, trade
// prices, values of holdings. The change touches these securities, each from a day on. It is a *ShortSale
// when a sale would take more than is held, on its day or ever after.
func RecomputeTrades(ctx context.Context, tx *ledger.Tx, touched map[int64]ledger.Date, change func() error) error {
	return recomputeTrades(ctx, tx, touched, change, true)
}

// RecomputeMoved is [RecomputeTrades] for a change that is a part of a larger one, as when all trades of an account go to
// another one: sales may lack what they sell until [CheckCovered] at the end.
func RecomputeMoved(ctx context.Context, tx *ledger.Tx, touched map[int64]ledger.Date, change func() error) error {
	return recomputeTrades(ctx, tx, touched, change, false)
}

func recomputeTrades(ctx context.Context, tx *ledger.Tx, touched map[int64]ledger.Date, change func() error,
	covered bool) error {
	return RecomputePrices(ctx, tx, touched, func() error {
		if err := change(); err != nil {
			return err
		}
		for _, security := range slices.Sorted(maps.Keys(touched)) {
			if err := recompute(ctx, tx, security, touched[security], covered); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecomputePrices is the same for a change of market prices, which leaves positions as they are.
func RecomputePrices(ctx context.Context, tx *ledger.Tx, touched map[int64]ledger.Date, change func() error) error {
	moves := ValueMoves{}
	if err := moves.Take(ctx, tx, touched, -1); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if err := moves.Take(ctx, tx, touched, 1); err != nil {
		return err
	}
	return moves.write(ctx, tx)
}

// LinesOf are the lines of a security that ever held it.
func LinesOf(ctx context.Context, tx *ledger.Tx, security int64) ([]Key, error) {
	accounts, err := tx.ListPositionAccounts(ctx, queries.ListPositionAccountsParams{SecurityID: security,
		HouseholdID: tx.HouseholdID})
	lines := make([]Key, len(accounts))
	for i, account := range accounts {
		lines[i] = Key{account, security}
	}
	return lines, err
}

// recompute computes the positions and trade prices of a security anew, from a day on.
func recompute(ctx context.Context, tx *ledger.Tx, security int64, from ledger.Date, covered bool) error {
	trades, err := ListPositionTrades(ctx, tx, security, from, ledger.MaxDate)
	if err != nil {
		return err
	}
	if err := refreshTradePrices(ctx, tx, security, from, trades); err != nil {
		return err
	}
	splits, err := ListSplits(ctx, tx, security, from, ledger.MaxDate)
	if err != nil {
		return err
	}
	before, err := tx.ListPositionsBefore(ctx, queries.ListPositionsBeforeParams{SecurityID: security,
		HouseholdID: tx.HouseholdID, Day: int64(from)})
	if err != nil {
		return err
	}
	fresh := map[PositionKey]PositionRow{}
	folds := map[int64]*Position{}
	for _, row := range before {
		folds[row.AccountID], err = foldOf(row)
		if err != nil {
			return err
		}
	}
	for _, day := range ByDay(trades, splits) {
		if err := day.Fold(folds, security, fresh); err != nil && covered {
			return err
		}
	}
	return storePositions(ctx, tx, security, from, fresh)
}

// CheckCovered is a *ShortSale where an account sells more than it holds, without leave to.
func CheckCovered(ctx context.Context, tx *ledger.Tx, account int64) error {
	securities, err := tx.ListAccountSecurities(ctx, queries.ListAccountSecuritiesParams{AccountID: account, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, security := range securities {
		trades, err := ListPositionTrades(ctx, tx, security, ledger.MinDate, ledger.MaxDate)
		if err != nil {
			return err
		}
		splits, err := ListSplits(ctx, tx, security, ledger.MinDate, ledger.MaxDate)
		if err != nil {
			return err
		}
		folds, fresh := map[int64]*Position{}, map[PositionKey]PositionRow{}
		for _, day := range ByDay(trades, splits) {
			if err := day.Fold(folds, security, fresh); err != nil {
				return err
			}
		}
	}
	return nil
}
