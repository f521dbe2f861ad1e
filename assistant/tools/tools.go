// Package tools has what a model may call: each tool checks its arguments, asks package ledger for one household, and
// gives figures as JSON that fits a budget of bytes, with what was left out said. Nothing in it can change the books,
// and it knows no model's dialect.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// callTime is how long a call may read. What takes longer over the API is given up, too.
const callTime = 5 * time.Second

// Set has the tools that a model may use: they read the books of one household, and change nothing.
type Set struct {
	ledger *books.Books
	limit  time.Duration // of a call
}

// New makes the tools over a ledger.
func New(l *books.Books) *Set { return &Set{l, callTime} }

// Within gives the same tools with another limit to the time of a call.
func (t *Set) Within(limit time.Duration) *Set { return &Set{t.ledger, limit} }

// tool is one of them.
type tool struct {
	name, about string
	params      []toolParam
	run         func(ctx context.Context, c *toolCall) (*toolResult, error)
}

// toolCall is a call whose arguments were read. What is wrong with them shows up as a problem.
type toolCall struct {
	*toolArguments
	ledger *books.Books
	who    ledger.Actor
}

func allTools() []tool {
	return []tool{accountsTool(), transactionsTool(), balanceSheetTool(), incomeTool(), holdingsTool(),
		categoriesTool(), tool{"get_tags", "All tags.", nil, getTags}, merchantsTool(), explainTool()}
}

// Specs are the tools as a model sees them.
func (t *Set) Specs() []model.Tool {
	var specs []model.Tool
	for _, tool := range allTools() {
		specs = append(specs, model.Tool{Name: tool.name, Description: tool.about, Parameters: schemaOf(tool.params)})
	}
	return specs
}

// Has reports whether there is a tool of that name.
func (t *Set) Has(name string) bool {
	return slices.ContainsFunc(allTools(), func(tool tool) bool { return tool.name == name })
}

// Run makes a call: the result is an object of at most room bytes, in which lists are cut before totals. What is
// wrong with a call is its result, {"error": …, "hint": …}, so that the model can do better; an error is the
// context's or the database's.
func (t *Set) Run(ctx context.Context, who ledger.Actor, call model.Call, budget int) (json.RawMessage, error) {
	all := allTools()
	at := slices.IndexFunc(all, func(tool tool) bool { return tool.name == call.Name })
	if at < 0 {
		return refusedCall("there is no tool "+ledger.Quote(ledger.ClipText(call.Name, 60)),
			"the tools are "+strings.Join(toolNames(all), ", ")).text(budget), ctx.Err()
	}
	tool := &all[at]
	c := &toolCall{readArguments(tool.params, call.Arguments), t.ledger, who}
	within, cancel := context.WithTimeout(ctx, t.limit)
	defer cancel()
	found, err := c.make(within, tool)
	switch {
	case err == nil:
		return found.text(budget), nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return refusedCall(fmt.Sprintf("this took longer than %s and was given up", t.limit),
			"ask for fewer days by start_date and end_date, or for a longer or rarer text").text(budget), nil
	case ctx.Err() == nil && ledger.IsBusy(err):
		return refusedCall("too much is being looked up for this household at present",
			"try again in a moment").text(budget), nil
	}
	return nil, err
}

// make runs a tool unless its arguments are wrong.
func (c *toolCall) make(ctx context.Context, t *tool) (*toolResult, error) {
	if len(c.problems) > 0 {
		return c.refusal(t), ctx.Err()
	}
	found, err := t.run(ctx, c)
	e := ledger.AsError(err)
	if e != nil && (e.Kind == ledger.Invalid || e.Kind == ledger.NotFound || e.Kind == ledger.Conflict) {
		if len(e.Fields) == 0 {
			return refusedCall(e.Message, "see get_accounts, get_holdings and the other lists for what there is"), nil
		}
		c.problems = e.Fields
	}
	if len(c.problems) > 0 {
		return c.refusal(t), ctx.Err()
	}
	return found, err
}

// refusal says what is wrong with the arguments, and which there are.
func (c *toolCall) refusal(t *tool) *toolResult {
	var names []string
	for _, p := range t.params {
		names = append(names, p.name)
	}
	hint := t.name + " takes no arguments"
	if len(names) > 0 {
		hint = "arguments of " + t.name + ": " + strings.Join(names, ", ")
	}
	return refusedCall(strings.Join(c.problems.Sentences(), "; "), hint)
}

func toolNames(all []tool) (names []string) {
	for _, t := range all {
		names = append(names, t.name)
	}
	return names
}
