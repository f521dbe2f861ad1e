// Package engine is the model that is built in: it understands what is commonly asked, in English, calls the tools that any model would call,
// and puts their figures into sentences. A question is read word by word, completely or not at all: what it does not understand, or what
// may mean more than one thing, it says and asks. It never adds up a figure that a tool can give, and nothing leaves the process.
package engine

import (
	"context"
	"slices"
	"strings"

	"finsvc/assistant/model"
	"finsvc/ledger/books"
)

// Engine answers common questions without a model: it finds out what is asked, calls the tools that a model would
// call, and puts their figures into sentences.
type Engine struct {
	ledger     *books.Books
	vocabulary vocabulary
	names      *nameCache
	open       openQuestions
}

// New makes an engine over a ledger.
func New(l *books.Books) *Engine {
	return &Engine{ledger: l, vocabulary: newVocabulary(), names: newNameCache(l)}
}

// Name is [model.Builtin].
func (e *Engine) Name() string { return model.Builtin }

// Host is empty: nothing leaves the process.
func (e *Engine) Host() string { return "" }

// Reply calls tools when the last turn is a question, and answers when it has their results. A question that it does
// not understand in full it does not answer: it says which part that is, and what it can do.
func (e *Engine) Reply(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
	results, called := resultsOf(p.Turns)
	q, isOpen := e.open.get(p.Who, results)
	var n *names
	if !isOpen {
		var err error
		if q, n, err = e.question(ctx, p); err != nil {
			return model.Reply{}, err
		}
	}
	var text string
	switch {
	case !q.understood():
		text = q.refusal(n)
	case called:
		text = q.answer(results)
	default:
		return model.Reply{Calls: e.open.put(p.Who, q), Model: model.Builtin}, nil
	}
	for piece := range strings.SplitAfterSeq(text, "\n") {
		if err := said(piece); err != nil {
			return model.Reply{}, err
		}
	}
	return model.Reply{Text: text, Model: model.Builtin}, nil
}

// Plan are the calls whose results answer the last question of a prompt: for models that cannot call tools, which get
// the figures with the question. Of a question that the engine does not understand it is an overview.
func (e *Engine) Plan(ctx context.Context, p model.Prompt) ([]model.Call, error) {
	q, _, err := e.question(ctx, p)
	if err != nil {
		return nil, err
	}
	if !q.understood() {
		return overview(p.Today), nil
	}
	return q.calls(), nil
}

// maxHistory is how many questions are looked at for what the last one goes on from.
const maxHistory = 6

// question reads the last question of a prompt, with what it takes over from those before.
func (e *Engine) question(ctx context.Context, p model.Prompt) (question, *names, error) {
	home, err := e.ledger.Tenants.GetHousehold(ctx, p.Who)
	if err != nil {
		return question{}, nil, err
	}
	known, err := e.names.of(ctx, p.Who)
	if err != nil {
		return question{}, nil, err
	}
	var q question
	var past []question
	for i, text := range questions(p.Turns) {
		if q.understood() {
			past = append(past, q)
		}
		wasRefused := i > 0 && !q.understood()
		q = understand(readQuestion(text, known, e.vocabulary, p.Today, home.Currency), past, wasRefused, known, p.Today)
	}
	if q.understood() {
		more, err := e.interestOfTrades(ctx, p.Who, q)
		if err != nil {
			return question{}, nil, err
		}
		q.notes = append(q.notes, more...)
	}
	return q, known, nil
}

// questions are the last ones that the user asked, oldest first.
func questions(turns []model.Turn) (texts []string) {
	for _, t := range turns {
		if t.Role == model.RoleUser {
			texts = append(texts, t.Text)
		}
	}
	return texts[max(0, len(texts)-maxHistory):]
}

// resultsOf are the calls since the last question.
func resultsOf(turns []model.Turn) (calls []model.Call, called bool) {
	for _, t := range slices.Backward(turns) {
		if t.Role == model.RoleUser {
			break
		}
		calls = append(slices.Clone(t.Calls), calls...)
	}
	return calls, len(calls) > 0
}
