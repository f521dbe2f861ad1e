package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// What is held follows from trades, splits and prices, and is kept beside them by the same write: positions
// (position_fold.go), trade prices (trade_prices.go) and the values of holdings (holding_values.go). A change
// touches the days on which something happens to one security, never all days of all. The holding of a day is computed from
// the position and the price in force. Within a day a split comes first, then all purchases, then all sales, so that no figure
// depends on the order in which entries were made.

// line is a security in an account.
type line struct{ account, security int64 }

// shortSale says that a sale takes more than is held, without leave to sell short.
type shortSale struct {
	line
	day     Date
	missing decimal.Decimal // quantity
}

// Error says how much is missing and when.
func (e *shortSale) Error() string {
	return fmt.Sprintf("%s are missing on %s", e.missing, e.day)
}

// retrade runs a change of trades or splits and brings what follows from them up to date: positions, trade
// prices, values of holdings. The change touches these securities, each from a day on. It is a *shortSale
// when a sale would take more than is held, on its day or ever after.
func (l *Ledger) retrade(ctx context.Context, q *queries.Queries, who Actor, touched map[int64]Date, change func() error) error {
	return l.reprice(ctx, q, who, touched, func() error {
		if err := change(); err != nil {
			return err
		}
		for _, security := range slices.Sorted(maps.Keys(touched)) {
			if err := l.reposition(ctx, q, who, security, touched[security]); err != nil {
				return err
			}
		}
		return nil
	})
}

// reprice is the same for a change of market prices, which leaves positions as they are.
func (l *Ledger) reprice(ctx context.Context, q *queries.Queries, who Actor, touched map[int64]Date, change func() error) error {
	moves := valueMoves{}
	if err := moves.take(ctx, q, who, touched, -1); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if err := moves.take(ctx, q, who, touched, 1); err != nil {
		return err
	}
	return moves.write(ctx, q, who)
}

// linesOf are the lines of a security that ever held it.
func linesOf(ctx context.Context, q *queries.Queries, who Actor, security int64) ([]line, error) {
	accounts, err := q.ListPositionAccounts(ctx, queries.ListPositionAccountsParams{SecurityID: security, HouseholdID: who.HouseholdID})
	lines := make([]line, len(accounts))
	for i, account := range accounts {
		lines[i] = line{account, security}
	}
	return lines, err
}

// reposition computes the positions and trade prices of a security anew, from a day on.
func (l *Ledger) reposition(ctx context.Context, q *queries.Queries, who Actor, security int64, from Date) error {
	trades, err := listPositionTrades(ctx, q, who, security, from, MaxDate)
	if err != nil {
		return err
	}
	if err := refreshTradePrices(ctx, q, who, security, from, trades); err != nil {
		return err
	}
	splits, err := listSplits(ctx, q, who, security, from, MaxDate)
	if err != nil {
		return err
	}
	before, err := q.ListPositionsBefore(ctx, queries.ListPositionsBeforeParams{SecurityID: security, HouseholdID: who.HouseholdID, Day: int64(from)})
	if err != nil {
		return err
	}
	fresh := map[positionKey]positionRow{}
	folds := map[int64]*fold{}
	for _, row := range before {
		if folds[row.AccountID], err = foldOf(row); err != nil {
			return err
		}
	}
	for _, day := range foldDays(trades, splits) {
		if err := day.fold(folds, security, fresh); err != nil {
			return err
		}
	}
	return l.storePositions(ctx, q, who, security, from, fresh)
}
