package assistant

import (
	"context"

	"finsvc/ledger"
)

// Engine answers common questions without a model: it finds out what is asked, calls the tools that a model would
// call, and puts their figures into sentences.
type Engine struct{ ledger *ledger.Ledger }

// NewEngine makes an engine over a ledger.
func NewEngine(l *ledger.Ledger) *Engine { return &Engine{l} }

// Name is [Builtin].
func (e *Engine) Name() string { return Builtin }

// Host is empty: nothing leaves the process.
func (e *Engine) Host() string { return "" }

// Reply calls tools when the last turn is a question, and answers when it has their results.
func (e *Engine) Reply(ctx context.Context, p Prompt, said func(string) error) (Reply, error) {
	return Reply{}, ctx.Err()
}

// Plan are the calls whose results answer the last question of a prompt: for models that cannot call tools, which get
// the figures with the question. Of a question that the engine does not understand it is an overview.
func (e *Engine) Plan(ctx context.Context, p Prompt) ([]Call, error) { return nil, ctx.Err() }
