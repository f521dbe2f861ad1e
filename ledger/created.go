package ledger

import (
	"context"
	"errors"

	"finsvc/queries"
)

// Created names something that had to be created on the way to something else.
type Created struct {
	Entity string // account, category, tag, merchant or security
	ID     queries.PublicID
}

// FindOrCreateAccount gives the key of the account with that name, creating a depository account in the
// currency when there is none. Two accounts of that name are a validation error.
func (l *Ledger) FindOrCreateAccount(ctx context.Context, q *queries.Queries, who Actor, name, currency string) (int64, []Created, error) {
	return l.findOrCreateAccount(ctx, q, who, name, "depository", currency)
}

func (l *Ledger) findOrCreateAccount(ctx context.Context, q *queries.Queries, who Actor, name, kind, currency string) (int64, []Created, error) {
	found, err := l.FindAccountByName(ctx, q, who, name)
	if err != nil {
		return 0, nil, err
	}
	switch len(found) {
	case 0:
		return l.createNamedAccount(ctx, q, who, name, kind, currency)
	case 1:
		return found[0].ID, nil, nil
	}
	return 0, nil, NewInvalid("account", "named %s is ambiguous: %d accounts have that name; rename one, or give account_id", Quote(name), len(found))
}

// FindOrCreateTradingAccount is the same of an account that takes trades; one that is created is of type investment.
func (l *Ledger) FindOrCreateTradingAccount(ctx context.Context, q *queries.Queries, who Actor, name, currency string) (int64, []Created, error) {
	return l.findOrCreateAccount(ctx, q, who, name, "investment", currency)
}

// FindSecurityNamed gives the key of the only security with a name, whatever its ticker; 0 when there is none, or several.
func (l *Ledger) FindSecurityNamed(ctx context.Context, q *queries.Queries, who Actor, name string) (int64, error) {
	rows, err := q.ListSecurities(ctx, SecurityFilter{}.params(who, everything()))
	if err != nil {
		return 0, err
	}
	found := int64(0)
	for _, s := range rows {
		if s.Name == nil || Fold(*s.Name) != Fold(name) {
			continue
		}
		if found != 0 {
			return 0, nil
		}
		found = s.ID
	}
	return found, nil
}

// FindOrCreateSecurity gives the key of the security with that ticker on that market, see [ParseTicker]; the market
// may be empty. One that the household does not have is created with the name, which may be empty.
func (l *Ledger) FindOrCreateSecurity(ctx context.Context, q *queries.Queries, who Actor, ticker, mic, name string) (int64, []Created, error) {
	var problems Problems
	fresh := queries.Security{HouseholdID: who.HouseholdID, Kind: "standard"}
	var errTicker, errMIC error
	fresh.Ticker, errTicker = parseSymbol(ticker)
	fresh.Mic, errMIC = ParseMIC(mic)
	problems.note("ticker", errTicker)
	problems.note("exchange_operating_mic", errMIC)
	if err := problems.Err(); err != nil {
		return 0, nil, err
	}
	if name != "" {
		fresh.Name = &name
	}
	found, err := tickerSecurity(ctx, q, &problems, "ticker "+TickerText(fresh.Ticker, fresh.Mic), fresh)
	if err != nil || len(problems) > 0 {
		return 0, nil, errors.Join(err, problems.Err())
	}
	if found.ID != 0 {
		return found.ID, nil, nil
	}
	made, err := l.insertSecurity(ctx, q, who, *found)
	return made.ID, []Created{{string(entitySecurity), made.PublicID}}, err
}
