package assistant

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// RemoteOptions say where a provider is and how it is asked.
type RemoteOptions struct {
	URL       string        // see [ProviderURL]
	Key       string        // may be empty
	Model     string        // the one asked when nobody asks for another
	Timeout   time.Duration // how long it may be silent; an answer may take ten times as long. 0 means DefaultTimeout
	LocalOnly bool          // refuse every address that is not loopback or private
	Engine    *Engine       // knows which figures a question needs, for models that cannot call tools; may be nil
}

// Remote asks a provider that speaks the OpenAI chat completions protocol. It may be used by several goroutines.
type Remote struct {
	o      RemoteOptions
	host   string
	wire   *wire
	client *openai.Client

	mu     sync.Mutex
	habits map[string]habits // of each model that was asked
}

// NewRemote makes a client; it does not connect. The error names the option that is wrong.
func NewRemote(o RemoteOptions) (*Remote, error) {
	address, err := ProviderURL(o.URL)
	switch {
	case err != nil:
		return nil, fieldError{"URL", err}
	case o.Model == "":
		return nil, fieldError{"Model", errors.New("must be the name of a model that the provider has")}
	case !fitsHeader(o.Key):
		return nil, fieldError{"Key", errors.New("must be one line of ASCII letters, digits and signs, without blanks")}
	}
	o.URL, o.Timeout = address, cmp.Or(o.Timeout, DefaultTimeout)
	parsed, err := url.Parse(o.URL)
	if err != nil {
		return nil, fieldError{"URL", err}
	}
	config := openai.DefaultConfig(o.Key)
	config.BaseURL = o.URL
	w := newWire(o)
	config.HTTPClient = w
	return &Remote{o: o, host: parsed.Host, wire: w, client: openai.NewClientWithConfig(config), habits: map[string]habits{}}, nil
}

// Close ends the connections that are kept for the next question. It is for the end of the program; a question that is
// asked later opens a new one.
func (r *Remote) Close() { r.wire.http.CloseIdleConnections() }

// fieldError says which option is wrong.
type fieldError struct {
	option string
	err    error
}

func (e fieldError) Error() string { return e.option + " " + e.err.Error() }

func (e fieldError) Unwrap() error { return e.err }

// fitsHeader says whether a key can be sent: printable ASCII without blanks.
func fitsHeader(key string) bool {
	for _, c := range key {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// Name is the configured model.
func (r *Remote) Name() string { return r.o.Model }

// Host is that of the URL, with its port when it has one.
func (r *Remote) Host() string { return r.host }

// habits are what was learned of a model by asking it.
type habits struct {
	noTools bool // it cannot call tools
	noUsage bool // its server does not know the option to count tokens
	proven  bool // it has answered so
}

// form is a way to put a question.
type form struct {
	tools bool // tools may be called; else results of calls are part of the question
	usage bool // ask how many tokens it was
}

// Reply asks the provider. Which requests a server refuses is found out by asking, as their errors have no common
// form: one that is refused is asked again without the count of tokens, then without tools, and what worked is
// remembered. A model without tools first replies with the calls of [Engine.Plan], so that they are made, kept and
// shown like those of any model; their results are put in front of the question.
func (r *Remote) Reply(ctx context.Context, p Prompt, said func(string) error) (Reply, error) {
	p.Model = cmp.Or(p.Model, r.o.Model)
	var reply Reply
	err := ctx.Err()
	for _, f := range r.forms(p) {
		if !f.tools && len(p.Tools) > 0 {
			calls, planErr := r.plan(ctx, p)
			if planErr != nil || len(calls) > 0 {
				return Reply{Calls: calls, Model: p.Model}, planErr
			}
		}
		if reply, err = r.ask(ctx, p, f, said); err == nil {
			r.learn(p, f)
		}
		if !formRefused(err) || reply.Text != "" {
			return reply, err
		}
	}
	r.forget(p.Model)
	return reply, err
}

// forms are the ways to ask, the best first.
func (r *Remote) forms(p Prompt) []form {
	h := r.habitsOf(p.Model)
	var forms []form
	for _, f := range []form{{true, true}, {true, false}, {false, true}, {false, false}} {
		if h.allow(f, len(p.Tools) > 0) {
			forms = append(forms, f)
		}
	}
	return forms
}

// allow says whether a question may be put so: not in a way that is known to fail, nor in a worse one than is known to work.
func (h habits) allow(f form, toolsOffered bool) bool {
	switch {
	case f.tools && (h.noTools || !toolsOffered), f.usage && h.noUsage:
		return false
	case h.proven && !f.tools && toolsOffered && !h.noTools, h.proven && !f.usage && !h.noUsage:
		return false
	}
	return true
}

func (r *Remote) habitsOf(model string) habits {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.habits[model]
}

// learn keeps what worked. A prompt without tools says nothing about tools.
func (r *Remote) learn(p Prompt, f form) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.habits[p.Model]
	if f.tools || h.noTools {
		r.habits[p.Model] = habits{noTools: !f.tools, noUsage: !f.usage, proven: true}
	}
}

// TakesTools says whether a model takes tools, as far as is known from asking it.
func (r *Remote) TakesTools(model string) bool { return !r.habitsOf(model).noTools }

// forget is for a model that refuses everything: what it was taken for may be wrong.
func (r *Remote) forget(model string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.habits, model)
}

// plan notes that the model cannot call tools, and gives the calls that answer the question; none when they were
// made already.
func (r *Remote) plan(ctx context.Context, p Prompt) ([]Call, error) {
	r.mu.Lock()
	h := r.habits[p.Model]
	h.noTools = true
	r.habits[p.Model] = h
	r.mu.Unlock()
	if r.o.Engine == nil || len(figures(p.Turns)) > 0 {
		return nil, nil
	}
	return r.o.Engine.Plan(ctx, p)
}

// ask asks once.
func (r *Remote) ask(ctx context.Context, p Prompt, f form, said func(string) error) (Reply, error) {
	stream, err := r.client.CreateChatCompletionStream(ctx, chatRequest(p, f))
	if err != nil {
		return Reply{}, r.failed(ctx, err, false)
	}
	defer func() { _ = stream.Close() }() // nothing is read any more
	h := &hearing{said: said, firstCall: countCalls(p.Turns)}
	for {
		raw, err := stream.RecvRaw()
		if err == nil {
			err = h.take(raw)
		}
		switch {
		case h.stopped != nil:
			return h.reply(p, f), h.stopped
		case err != nil && h.whole(err):
			if f.tools {
				h.readCalls(p.Tools)
			}
			return h.reply(p, f), nil
		case errors.Is(err, io.EOF):
			return Reply{}, r.failed(ctx, errNoChoice, false)
		case err != nil:
			return h.reply(p, f), r.failed(ctx, err, h.text.Len() > 0)
		}
	}
}
