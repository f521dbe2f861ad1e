// Package model says what a model is to the assistant: it is given a [Prompt], which is a conversation and the tools
// that may be called, and gives a [Reply], which is text, calls of tools, or both. It knows no model, no tool and no
// chat: the built-in one is in package engine, those of providers in package provider, the tools in package tools.
package model

import (
	"context"
	"encoding/json"

	"finsvc/ledger"
)

// Builtin is the name of the model that needs no provider: the [engine.Engine].
const Builtin = "builtin"

// Model gives the next part of a conversation. [provider.Client] asks a provider; [engine.Engine] needs none.
type Model interface {
	// Name is the model that answers when a prompt asks for no other.
	Name() string
	// Host is where conversations go, such as "api.openai.com" or "127.0.0.1:11434"; empty when they stay in this
	// process.
	Host() string
	// Reply gives text or calls of tools, or both. Text is also passed to said, piece by piece as it comes; an error of
	// said ends the reply with that error. Other errors are the context's or a [*Failure].
	Reply(ctx context.Context, p Prompt, said func(text string) error) (Reply, error)
}

// Prompt is what a model is asked.
type Prompt struct {
	Model string // the model asked for; empty means the default one
	Who   ledger.Actor
	Today ledger.Date // in the household's time zone
	Turns []Turn      // the conversation, oldest first; the first may be the system's
	Tools []Tool      // none when the model is to answer without
}

// Who speaks in a turn.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Turn is a part of a conversation.
type Turn struct {
	Role  string
	Text  string
	Calls []Call // of the assistant, each with its result
}

// Call is a call of a tool.
type Call struct {
	ID        string          // the provider's name for it
	Name      string          // of the tool
	Arguments json.RawMessage // an object; {"unreadable": TEXT} when what the model sent is none
	Result    json.RawMessage // an object; nil before the call was made
}

// Reply is what a model says.
type Reply struct {
	Text  string
	Calls []Call // to be made, before the model is asked again
	Model string // the name that the provider gives the model that answered
	Usage Usage
}

// Usage counts tokens as the provider does; it is nothing where the provider does not say.
type Usage struct{ Input, Output int64 }

// Tool is a tool as a model sees it.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a strict JSON schema of an object
}
