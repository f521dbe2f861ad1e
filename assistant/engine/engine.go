// Package engine is the model that is built in: it understands what is commonly asked, in English, calls the tools
// that any model would call, and puts their figures into sentences. It reads a question ([parse]), makes an [intent]
// of it with the questions before, calls tools and words the [answer]; each of these is a package below. What it does
// not understand, or what may mean more than one thing, it says and asks. It never adds up a figure that a tool can
// give, and nothing leaves the process.
package engine

import (
	"context"
	"slices"
	"strings"

	"finsvc/assistant/engine/answer"
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/model"
	"finsvc/ledger/books"
)

// Engine answers common questions without a model: it finds out what is asked, calls the tools that a model would
// call, and puts their figures into sentences.
type Engine struct {
	ledger     *books.Books
	vocabulary parse.Vocabulary
	names      *household.Cache
	open       openQuestions
}

// New makes an engine over a ledger.
func New(l *books.Books) *Engine {
	return &Engine{ledger: l, vocabulary: parse.NewVocabulary(), names: household.NewCache(l)}
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
	var n *household.Names
	if !isOpen {
		var err error
		q, n, err = e.question(ctx, p)
		if err != nil {
			return model.Reply{}, err
		}
	}
	var text string
	switch {
	case !q.Understood():
		text = answer.Refusal(q, n)
	case called:
		text = answer.Text(q, results)
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
	if !q.Understood() {
		return answer.Overview(p.Today), nil
	}
	return answer.Calls(q), nil
}

// maxHistory is how many questions are looked at for what the last one goes on from.
const maxHistory = 6

// question reads the last question of a prompt, with what it takes over from those before.
func (e *Engine) question(ctx context.Context, p model.Prompt) (intent.Question, *household.Names, error) {
	home, err := e.ledger.Tenants.GetHousehold(ctx, p.Who)
	if err != nil {
		return intent.Question{}, nil, err
	}
	known, err := e.names.Of(ctx, p.Who)
	if err != nil {
		return intent.Question{}, nil, err
	}
	var q intent.Question
	var past []intent.Question
	for i, text := range questions(p.Turns) {
		if q.Understood() {
			past = append(past, q)
		}
		wasRefused := i > 0 && !q.Understood()
		q = intent.Understand(parse.Question(text, known, e.vocabulary, p.Today, home.Currency), past, wasRefused,
			known, p.Today)
	}
	if q.Understood() {
		more, err := e.interestOfTrades(ctx, p.Who, q)
		if err != nil {
			return intent.Question{}, nil, err
		}
		q.Notes = append(q.Notes, more...)
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
