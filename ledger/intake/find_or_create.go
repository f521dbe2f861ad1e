package intake

import (
	"context"
	"errors"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/market"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// FindOrCreateAccount gives the key of the account with that name, creating a depository account in the
// currency when there is none. Two accounts of that name are a validation error.
func FindOrCreateAccount(ctx context.Context, tx *ledger.Tx, name, currency string) (int64, []ledger.Created, error) {
	return findOrCreateAccount(ctx, tx, name, "depository", currency)
}

func findOrCreateAccount(ctx context.Context, tx *ledger.Tx, name, kind, currency string) (int64, []ledger.Created,
	error) {
	found, err := catalog.FindAccountByName(ctx, tx, name)
	if err != nil {
		return 0, nil, err
	}
	switch len(found) {
	case 0:
		return catalog.CreateNamedAccount(ctx, tx, name, kind, currency)
	case 1:
		return found[0].ID, nil, nil
	}
	return 0, nil, ledger.NewInvalid("account", "named %s is ambiguous: %d accounts have that name; rename one, or give account_id", ledger.Quote(name), len(found))
}

// FindOrCreateTradingAccount is the same of an account that takes trades; one that is created is of type investment.
func FindOrCreateTradingAccount(ctx context.Context, tx *ledger.Tx, name, currency string) (int64, []ledger.Created,
	error) {
	return findOrCreateAccount(ctx, tx, name, "investment", currency)
}

// FindSecurityNamed gives the key of the only security with a name, whatever its ticker; 0 when there is none, or
// several.
func FindSecurityNamed(ctx context.Context, tx *ledger.Tx, name string) (int64, error) {
	rows, err := tx.ListSecurities(ctx, market.SecurityFilter{}.Params(tx.Actor, ledger.Everything()))
	if err != nil {
		return 0, err
	}
	found := int64(0)
	for _, security := range rows {
		if security.Name == nil || ledger.Fold(*security.Name) != ledger.Fold(name) {
			continue
		}
		if found != 0 {
			return 0, nil
		}
		found = security.ID
	}
	return found, nil
}

// FindOrCreateSecurity gives the key of the security with that ticker on that market, see [market.ParseTicker]; the
// market may be empty. One that the household does not have is created with the name, which may be empty.
func FindOrCreateSecurity(ctx context.Context, tx *ledger.Tx, ticker, mic, name string) (int64, []ledger.Created,
	error) {
	var problems ledger.Problems
	fresh := queries.Security{HouseholdID: tx.HouseholdID, Kind: "standard"}
	var errTicker, errMIC error
	fresh.Ticker, errTicker = market.ParseSymbol(ticker)
	fresh.Mic, errMIC = market.ParseMIC(mic)
	problems.Note("ticker", errTicker)
	problems.Note("exchange_operating_mic", errMIC)
	if err := problems.Err(); err != nil {
		return 0, nil, err
	}
	if name != "" {
		fresh.Name = &name
	}
	found, err := trade.TickerSecurity(ctx, tx.Queries, &problems, "ticker "+market.TickerText(fresh.Ticker, fresh.Mic),
		fresh)
	if err != nil || len(problems) > 0 {
		return 0, nil, errors.Join(err, problems.Err())
	}
	if found.ID != 0 {
		return found.ID, nil, nil
	}
	made, err := market.InsertSecurity(ctx, tx, *found)
	return made.ID, []ledger.Created{{Entity: string(ledger.EntitySecurity), ID: made.PublicID}}, err
}
