// Package provider asks models elsewhere: servers that speak the OpenAI chat completions protocol, at home or hosted.
// It guards what comes back (time, size, form), finds out what a model and its server can do, and remembers it. It
// knows no household and no figure: what a model without tools needs is planned by package engine.
package provider

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"sync"
	"time"

	"finsvc/assistant/engine"
	"finsvc/assistant/model"
)

// DefaultTimeout is how long a model may be silent, before its first word and between two of them.
const DefaultTimeout = 2 * time.Minute

// Options say where a provider is and how it is asked.
type Options struct {
	URL       string         // see [CompleteURL]
	Key       string         // may be empty
	Model     string         // answers when a prompt asks for no other
	Timeout   time.Duration  // how long it may be silent; an answer may take ten times as long. 0 means DefaultTimeout
	LocalOnly bool           // refuse every address that is not loopback or private
	Engine    *engine.Engine // knows which figures a question needs, for models that cannot call tools; may be nil
}

// Client asks a provider that speaks the OpenAI chat completions protocol. It may be used by several goroutines.
//
// A provider is mistrusted. Answers are limited in size, silence and time, redirects are not followed, and failures
// are told apart by status and type, never by words. Streams are read with leniency, as servers give calls no index,
// all the same one, or an object for a text. What a server refuses (tools, the count of tokens) is found out by
// asking and remembered for each model.
type Client struct {
	o         Options
	host      string
	transport *transport

	mu           sync.Mutex
	capabilities map[string]capabilities // of each model that was asked
}

// New makes a client; it does not connect. The error names the option that is wrong.
func New(o Options) (*Client, error) {
	address, err := CompleteURL(o.URL)
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
	return &Client{o: o, host: parsed.Host, transport: newTransport(o), capabilities: map[string]capabilities{}}, nil
}

// Close ends the connections that are kept for the next question. It is for the end of the program; a question that is
// asked later opens a new one.
func (r *Client) Close() { r.transport.http.CloseIdleConnections() }

// fieldError says which option is wrong.
type fieldError struct {
	option string
	err    error
}

func (e fieldError) Error() string { return e.option + " " + e.err.Error() }

func (e fieldError) Unwrap() error { return e.err }

// fitsHeader reports whether a key can be sent: printable ASCII without blanks.
func fitsHeader(key string) bool {
	for _, c := range key {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// Name is the configured model.
func (r *Client) Name() string { return r.o.Model }

// Host is that of the URL, with its port when it has one.
func (r *Client) Host() string { return r.host }

// capabilities are what was learned of a model by asking it.
type capabilities struct {
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
// remembered. A model without tools first replies with the calls of [engine.Engine.Plan], so that they are made, kept
// and shown like those of any model; their results are put in front of the question.
func (r *Client) Reply(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
	p.Model = cmp.Or(p.Model, r.o.Model)
	var reply model.Reply
	err := ctx.Err()
	for _, f := range r.forms(p) {
		if !f.tools && len(p.Tools) > 0 {
			calls, planErr := r.plan(ctx, p)
			if planErr != nil || len(calls) > 0 {
				return model.Reply{Calls: calls, Model: p.Model}, planErr
			}
		}
		reply, err = r.ask(ctx, p, f, said)
		if err == nil {
			r.learn(p, f)
		}
		if !formRefused(err) || reply.Text != "" {
			return reply, err
		}
	}
	r.reset(p.Model)
	return reply, err
}

// forms are the ways to ask, the best first.
func (r *Client) forms(p model.Prompt) []form {
	h := r.capabilitiesOf(p.Model)
	var forms []form
	for _, f := range []form{{true, true}, {true, false}, {false, true}, {false, false}} {
		if h.allow(f, len(p.Tools) > 0) {
			forms = append(forms, f)
		}
	}
	return forms
}

// allow reports whether a question may be put so: not in a way that is known to fail, nor in a worse one than is
// known to work.
func (h capabilities) allow(f form, toolsOffered bool) bool {
	switch {
	case f.tools && (h.noTools || !toolsOffered), f.usage && h.noUsage:
		return false
	case h.proven && !f.tools && toolsOffered && !h.noTools, h.proven && !f.usage && !h.noUsage:
		return false
	}
	return true
}

func (r *Client) capabilitiesOf(model string) capabilities {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.capabilities[model]
	h.noTools = h.noTools || refusesTools(model)
	return h
}

// learn keeps what worked. A prompt without tools says nothing about tools.
func (r *Client) learn(p model.Prompt, f form) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.capabilities[p.Model]
	if f.tools || h.noTools {
		r.capabilities[p.Model] = capabilities{noTools: !f.tools, noUsage: !f.usage, proven: true}
	}
}

// TakesTools reports whether a model takes tools, as far as is known from asking it.
func (r *Client) TakesTools(model string) bool { return !r.capabilitiesOf(model).noTools }

// reset is for a model that refuses everything: what it was taken for may be wrong.
func (r *Client) reset(model string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.capabilities, model)
}

// plan notes that the model cannot call tools, and gives the calls that answer the question; none when they were
// made already.
func (r *Client) plan(ctx context.Context, p model.Prompt) ([]model.Call, error) {
	r.mu.Lock()
	h := r.capabilities[p.Model]
	h.noTools = true
	r.capabilities[p.Model] = h
	r.mu.Unlock()
	if r.o.Engine == nil || len(figures(p.Turns)) > 0 {
		return nil, nil
	}
	return r.o.Engine.Plan(ctx, p)
}

// ask asks once.
func (r *Client) ask(ctx context.Context, p model.Prompt, f form, said func(string) error) (model.Reply, error) {
	answer, err := r.send(ctx, chatRequest(p, f))
	if err != nil {
		return model.Reply{}, r.failed(ctx, err, false)
	}
	defer func() { _ = answer.Close() }() // nothing is read any more
	return r.listen(ctx, answer, p, f, said)
}

// listen reads an answer to its end.
func (r *Client) listen(ctx context.Context, answer *events, p model.Prompt, f form,
	said func(string) error) (model.Reply, error) {
	a := &accumulator{said: said, firstCall: countCalls(p.Turns)}
	for {
		raw, err := answer.next()
		if err == nil {
			err = a.take(raw)
		}
		switch {
		case a.stopped != nil:
			return a.reply(p, f), a.stopped
		case err != nil && a.whole(err):
			if f.tools {
				a.readCalls(p.Tools)
			}
			return a.reply(p, f), nil
		case errors.Is(err, io.EOF):
			return model.Reply{}, r.failed(ctx, errNoChoice, false)
		case err != nil:
			return a.reply(p, f), r.failed(ctx, err, a.text.Len() > 0)
		}
	}
}
