package ledger

import "finsvc/queries"

// Created names something that had to be created on the way to something else.
type Created struct {
	Entity string // account, category, tag, merchant or security
	ID     queries.PublicID
}
