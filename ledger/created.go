package ledger

import (
	"context"

	"finsvc/queries"
)

// Created names something that had to be created on the way to something else.
type Created struct {
	Entity string // account, category, tag or merchant
	ID     queries.PublicID
}

// FindOrCreateAccount gives the key of the account with that name, creating a depository account in the
// currency when there is none. Two accounts of that name are a validation error.
func (l *Ledger) FindOrCreateAccount(ctx context.Context, q *queries.Queries, who Actor, name, currency string) (int64, []Created, error) {
	found, err := l.FindAccountByName(ctx, q, who, name)
	if err != nil {
		return 0, nil, err
	}
	switch len(found) {
	case 0:
		return l.createNamedAccount(ctx, q, who, name, currency)
	case 1:
		return found[0].ID, nil, nil
	}
	return 0, nil, NewInvalid("account", "named %s is ambiguous: %d accounts have that name; rename one, or give account_id", Quote(name), len(found))
}
