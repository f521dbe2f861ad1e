// Package assistant answers people's questions about their household in chats: it keeps the chats, asks a model, runs
// the tools that the model calls, and stores the answer. A chat only reads. An answer's place in the queue is its
// message's row, which whoever writes the answer holds by a lease. Every figure comes from package ledger, through
// package tools; which model answers is not this package's matter.
package assistant

import (
	"cmp"
	"log/slog"
	"time"

	"finsvc/assistant/model"
	"finsvc/assistant/tools"
	"finsvc/db"
	"finsvc/ledger/books"
)

// What a deployment may leave out.
const (
	// DefaultContext is how many tokens a prompt may have where the model runs at home: what common local servers
	// take when their settings do not say otherwise.
	DefaultContext = 4096
	// DefaultHostedContext is the same for a provider elsewhere.
	DefaultHostedContext = 32_768
	// DefaultRounds is how often a model may call tools for one answer.
	DefaultRounds = 8
)

// Options are what an [Assistant] works with.
type Options struct {
	DB      *db.DB
	Ledger  *books.Books
	Logger  *slog.Logger
	Now     func() time.Time
	Model   model.Model
	Context int  // tokens of a prompt
	Rounds  int  // of tool calls for one answer
	Off     bool // no household may chat
	Server  bool // this is the server of the file, and there is no other: what an earlier one held is free
}

// Assistant keeps chats and answers in them. All methods may be called at the same time.
type Assistant struct {
	Options
	tools *tools.Set
	wake  chan struct{}
	live  *hub
}

// New makes an assistant. Nothing is answered before [Assistant.Run]. Without a clock it has time.Now; a Context or
// Rounds of 0 is [DefaultContext] or [DefaultRounds].
func New(o Options) *Assistant {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Context = cmp.Or(o.Context, DefaultContext)
	o.Rounds = cmp.Or(o.Rounds, DefaultRounds)
	return &Assistant{Options: o, tools: tools.New(o.Ledger), wake: make(chan struct{}, 1), live: newHub()}
}
