package ledgertest

import (
	"github.com/google/uuid"

	"finsvc/ledger"
)

// ModelPart is what a transaction or a line of it is labelled with, kept beside the ledger in plain Go.
type ModelPart struct {
	Minor              int64
	Name               string
	Category, Merchant uuid.UUID
	Tags               []uuid.UUID
}

// ModelSplit is a transaction that may be split; its lines are none when it is not.
type ModelSplit struct {
	ModelPart
	ID    uuid.UUID
	Order int
	Day   ledger.Date
	Lines []ModelPart
}

func Optional(id uuid.UUID) ledger.Opt[uuid.UUID] {
	return ledger.Opt[uuid.UUID]{Set: true, Null: id == uuid.Nil, Value: id}
}

// Counted are the parts that count: the lines, or the transaction that has none.
func (e *ModelSplit) Counted() []ModelPart {
	if len(e.Lines) > 0 {
		return e.Lines
	}
	return []ModelPart{e.ModelPart}
}
