package tenant

import (
	"sync/atomic"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Catalog      *catalog.Service
	Entries      *entry.Service
	answersBegin atomic.Int64 // see answerTime; 0: not known yet
	keptAnswers  answerCounts
	keys         sessionCache
}

// New gives the service on the books' database.
func New(store *ledger.Store, catalog *catalog.Service, entries *entry.Service) *Service {
	return &Service{Store: store, Catalog: catalog, Entries: entries}
}
