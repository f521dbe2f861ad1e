package assistant

import (
	"context"
	"time"
)

// RemoteOptions say where a provider is and how it is asked.
type RemoteOptions struct {
	URL       string // ends in /v1
	Key       string // may be empty
	Model     string
	Timeout   time.Duration // how long it may be silent
	LocalOnly bool          // refuse every address that is not loopback or private
	Engine    *Engine       // looks up the figures for models that cannot call tools
	Tools     *Toolbox
}

// Remote asks a provider that speaks the OpenAI chat completions protocol.
type Remote struct{ o RemoteOptions }

// NewRemote makes a client; it does not connect. The error names the option that is wrong.
func NewRemote(o RemoteOptions) (*Remote, error) { return &Remote{o}, nil }

// Name is the configured model.
func (r *Remote) Name() string { return r.o.Model }

// Host is that of the URL, with its port when it has one.
func (r *Remote) Host() string { return "" }

// Reply asks the provider.
func (r *Remote) Reply(ctx context.Context, p Prompt, said func(string) error) (Reply, error) {
	return Reply{}, ctx.Err()
}
