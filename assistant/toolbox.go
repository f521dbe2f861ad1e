package assistant

import (
	"context"
	"encoding/json"

	"finsvc/ledger"
)

// Toolbox has the tools that a model may use: they read the books of one household, and change nothing.
type Toolbox struct{ ledger *ledger.Ledger }

// NewToolbox makes the tools over a ledger.
func NewToolbox(l *ledger.Ledger) *Toolbox { return &Toolbox{l} }

// Specs are the tools as a model sees them.
func (t *Toolbox) Specs() []ToolSpec { return nil }

// Run makes a call: the result is an object of at most room bytes, in which lists are cut before totals. What is
// wrong with a call is its result, {"error": …, "hint": …}, so that the model can do better; an error is the
// context's or the database's.
func (t *Toolbox) Run(ctx context.Context, who ledger.Actor, call Call, room int) (json.RawMessage, error) {
	return json.RawMessage(`{}`), ctx.Err()
}
