// Package tenant is who keeps books here: households with their people, the keys of their programs and what those were
// answered, and how all of it goes: a household that is left, is emptied, or comes back. It promises that a household
// never sees another's anything, that secrets are kept as hashes, and that a request with an Idempotency-Key is done
// once. It knows no figure.
package tenant

import (
	"sync/atomic"

	"finsvc/ledger"
)

// Service is the households and their people.
type Service struct{ *ledger.Store }

// New gives the households of the books' database.
func New(store *ledger.Store) *Service { return &Service{Store: store} }

// Keys are the API keys of all households, and the sessions that they open.
type Keys struct {
	*ledger.Store
	keys sessionCache
}

// NewKeys gives the keys of the books' database.
func NewKeys(store *ledger.Store) *Keys { return &Keys{Store: store} }

// Answers are what requests with an Idempotency-Key were answered.
type Answers struct {
	*ledger.Store
	begin atomic.Int64 // see answerTime; 0: not known yet
	kept  answerCounts
}

// NewAnswers gives the answers of the books' database.
func NewAnswers(store *ledger.Store) *Answers { return &Answers{Store: store} }
