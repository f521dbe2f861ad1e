// Package mcp serves the books of a household to desktop assistants by the Model Context Protocol, on standard input and
// output or over HTTP: the tools that the assistant has, accounts and categories as resources, and prompts for the usual
// questions. It reads; where it may write, tools that add, edit, import and take back are there as well, and what they do is
// in the history like what anybody does. Whom it serves is given: keys and households are checked by the caller.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"finsvc/assistant/model"
	"finsvc/assistant/tools"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// Limits of a call, in bytes.
const (
	resultMax  = 48 << 10
	RequestMax = 256 << 10
)

// Options are what a server is made of.
type Options struct {
	Ledger   *books.Books
	Importer *importer.Importer // whoever serves sees to it that its work is done; not needed without Write
	Version  string
	Write    bool // tools that change the books are offered to those who may
}

// Service makes servers, one for whoever is served.
type Service struct {
	Options
	tools *tools.Set
}

// New makes the service.
func New(o Options) *Service { return &Service{o, tools.New(o.Ledger)} }

// instructions tell a model what it is connected to.
const instructions = "The books of a household: accounts, transactions, holdings, what was earned and spent. Amounts are texts in major units. " +
	"Totals leave out transfers between the household's own accounts. Names of accounts, categories, merchants " +
	"and tags are found whatever their case; what is not understood is an error with a hint."

// Server is a server for one who is served; write is whether they may write.
func (s *Service) Server(who ledger.Actor, write bool) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "finsvc", Title: "finsvc", Version: s.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{},
			SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }})
	for _, spec := range s.tools.Specs() {
		server.AddTool(&sdk.Tool{Name: spec.Name, Description: spec.Description, InputSchema: spec.Parameters,
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}},
			func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return s.read(ctx, who, r.Params.Name, r.Params.Arguments)
			})
	}
	s.addResources(server, who)
	addPrompts(server)
	if s.Write && write {
		s.addWriting(server, who)
	}
	return server
}

// read calls a tool of the assistant.
func (s *Service) read(ctx context.Context, who ledger.Actor, name string, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	found, err := s.tools.Run(ctx, who, model.Call{Name: name, Arguments: arguments}, resultMax)
	if err != nil {
		return nil, err
	}
	return result(found, bytes.HasPrefix(found, []byte(`{"error"`))), nil
}

// result is what a call gives: the text and, for programs, the same as an object.
func result(text json.RawMessage, failed bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}, StructuredContent: text, IsError: failed}
}

// addResources offers what a program may put before a model without being asked.
func (s *Service) addResources(server *sdk.Server, who ledger.Actor) {
	for _, r := range []struct{ uri, name, about, tool string }{
		{"finsvc://accounts", "Accounts", "All accounts with their balances.", "get_accounts"},
		{"finsvc://categories", "Categories", "All categories.", "get_categories"},
	} {
		server.AddResource(&sdk.Resource{URI: r.uri, Name: r.name, Description: r.about, MIMEType: "application/json"},
			func(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				found, err := s.tools.Run(ctx, who, model.Call{Name: r.tool, Arguments: json.RawMessage("{}")}, resultMax)
				if err != nil {
					return nil, err
				}
				return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.uri, MIMEType: "application/json", Text: string(found)}}}, nil
			})
	}
}

// addPrompts offers the usual questions.
func addPrompts(server *sdk.Server) {
	for _, p := range []struct{ name, title, argument, about, text string }{
		{"month", "How was the month?", "month", "a month such as 2026-10",
			"How was %s? Say what was earned, spent and saved, the five largest categories and how each compares with the three months before, and what was unusual."},
		{"spending", "Where did the money go?", "period", "a period such as 2026, or last month",
			"Where did the money go in %s? List the categories by what was spent, and within the three largest the merchants."},
		{"subscriptions", "What is paid again and again?", "", "",
			"Look through the last 13 months for payments that come again and again in about the same amount. List each with its merchant, amount, how often, and what it comes to in a year."},
		{"worth", "What am I worth?", "", "",
			"What is the net worth, of what is it made, how has it changed in the last twelve months, and what is left out of it for want of a rate or a price?"},
	} {
		prompt := &sdk.Prompt{Name: p.name, Title: p.title}
		if p.argument != "" {
			prompt.Arguments = []*sdk.PromptArgument{{Name: p.argument, Description: p.about, Required: true}}
		}
		server.AddPrompt(prompt, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			text := p.text
			if p.argument != "" {
				text = fmt.Sprintf(p.text, ledger.ClipText(r.Params.Arguments[p.argument], 60))
			}
			return &sdk.GetPromptResult{Description: p.title,
				Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}, nil
		})
	}
}

// Handler answers one request over HTTP; who asks, and whether they may write, was found out before. Each is answered by
// itself: there are no sessions to keep. Streamed answers are events, of which the last is what the other answers are.
func (s *Service) Handler(who ledger.Actor, write, streamed bool) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.Server(who, write) },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: !streamed, MaxRequestBodyBytes: RequestMax,
			// A proxy on this machine passes on the name by which it was asked; no page knows the key.
			DisableLocalhostProtection: true, PropagateRequestCancellation: true})
}
