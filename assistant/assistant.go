package assistant

import (
	"cmp"
	"log/slog"
	"time"

	"finsvc/db"
	"finsvc/ledger"
)

// What a deployment may leave out.
const (
	// DefaultTimeout is how long a model may be silent, before its first word and between two of them.
	DefaultTimeout = 2 * time.Minute
	// DefaultContext is how many tokens a prompt may have where the model runs at home: what common local servers
	// take when nobody has told them otherwise.
	DefaultContext = 4096
	// DefaultHostedContext is the same for a provider elsewhere.
	DefaultHostedContext = 32_768
	// DefaultRounds is how often a model may call tools for one answer.
	DefaultRounds = 8
)

// Options are what an [Assistant] works with.
type Options struct {
	DB      *db.DB
	Ledger  *ledger.Ledger
	Logger  *slog.Logger
	Now     func() time.Time
	Model   Model
	Context int  // tokens of a prompt
	Rounds  int  // of tool calls for one answer
	Off     bool // nobody may chat
	Server  bool // this is the server of the file, and there is no other: what an earlier one held is nobody's
}

// Assistant keeps chats and answers in them. All methods may be called at the same time.
type Assistant struct {
	Options
	tools *Toolbox
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
	return &Assistant{Options: o, tools: NewToolbox(o.Ledger), wake: make(chan struct{}, 1), live: newHub()}
}
