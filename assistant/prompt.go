package assistant

import (
	"slices"
	"strings"
	"unicode/utf8"

	"finsvc/assistant/model"
	"finsvc/embed"
	"finsvc/ledger"
	"finsvc/queries"
)

// How a prompt is measured, in tokens. Only the provider can count them; three bytes each is on the safe side
// for text in every common language and for JSON.
const (
	tokenBytes = 3
	turnTokens = 4 // of what a provider writes around a turn, a call or a tool

	// smallestContext is what a prompt may have in any case: below that tools and their results have no room.
	smallestContext = DefaultContext
	// longestPast is how many messages of a chat are looked at for a prompt.
	longestPast = 100
	// leastRoom is how many bytes the result of a call must be able to have.
	leastBudget = 400
)

const (
	cutQuestion = "\n[The rest of the question was too long and is left out.]"
	noMoreTools = "\n- Answer now, without tools, from the results that are there."
)

// conversation is what a model is told for one answer, and how much it may be.
type conversation struct {
	prompt   model.Prompt // without its turns and tools
	system   model.Turn
	past     []model.Turn // questions, each with its answer behind it, oldest first
	question model.Turn
	work     []model.Turn // calls with their results
	budget   int          // tokens
}

// newConversation begins with what was said before an answer, newest first. Ok is false when nothing was asked.
func newConversation(prompt model.Prompt, currency string, said []queries.ListTurnsBeforeRow, budget int,
	specs []model.Tool) (c *conversation, ok bool) {
	if len(said) == 0 || said[0].Role != model.RoleUser {
		return nil, false
	}
	c = &conversation{prompt: prompt, budget: max(budget, smallestContext), past: pairs(said[1:])}
	c.system = model.Turn{Role: model.RoleSystem, Text: systemPrompt(prompt.Today, currency)}
	c.question = model.Turn{Role: model.RoleUser, Text: said[0].Content}
	// A question leaves at least as much for the results as it takes itself.
	most := (c.left(specs) + cost(c.question)) / 2
	if cost(c.question) > most {
		c.question.Text = head(c.question.Text, (most-turnTokens)*tokenBytes-len(cutQuestion)) + cutQuestion
	}
	return c, true
}

func systemPrompt(today ledger.Date, currency string) string {
	return strings.NewReplacer("{today}", today.String(), "{weekday}", today.Time().Weekday().String(),
		"{currency}", currency).
		Replace(strings.TrimSpace(embed.Prompt))
}

// pairs gives the questions that were answered, oldest first, from messages that are newest first. What failed has no
// answer, and some models refuse two turns of the same side in a row. Calls of earlier answers are left out: the
// answers have their figures.
func pairs(said []queries.ListTurnsBeforeRow) (past []model.Turn) {
	for i := range max(len(said)-1, 0) {
		answer, question := said[i], said[i+1]
		if answer.Role != model.RoleAssistant || question.Role != model.RoleUser {
			continue
		}
		past = append(past, model.Turn{Role: model.RoleAssistant, Text: answer.Content},
			model.Turn{Role: model.RoleUser, Text: question.Content})
	}
	slices.Reverse(past)
	return past
}

// next is what the model is asked now: as many of the newest turns of the past as there is room for, each question
// with its answer.
func (c *conversation) next(specs []model.Tool) model.Prompt {
	past, left := c.past, c.left(specs)
	for len(past) > 0 && costs(past) > left {
		past = past[2:]
	}
	system := c.system
	if len(specs) == 0 && len(c.work) > 0 {
		system.Text += noMoreTools
	}
	p := c.prompt
	p.Tools = specs
	p.Turns = slices.Concat([]model.Turn{system}, past, []model.Turn{c.question}, c.work)
	return p
}

// resultBudget is how many bytes the result of a call may have when so many more calls are to share what is left
// besides those that were made in the same round; 0 or less when there is none. The past gives way to results.
func (c *conversation) resultBudget(specs []model.Tool, made []model.Call, call model.Call, sharers int) int {
	left := c.left(specs) - cost(model.Turn{Calls: made})
	return min(c.budget/3, left/sharers-cost(model.Turn{Calls: []model.Call{call}})) * tokenBytes
}

// left is how many tokens there are for the past and for further results.
func (c *conversation) left(specs []model.Tool) int {
	answer := c.budget / 8
	left := c.budget - answer - cost(c.system) - cost(c.question) - costs(c.work) - tokens(len(noMoreTools))
	for _, s := range specs {
		left -= tokens(len(s.Name)+len(s.Description)+len(s.Parameters)) + turnTokens
	}
	return left
}

func costs(turns []model.Turn) (n int) {
	for _, t := range turns {
		n += cost(t)
	}
	return n
}

func cost(t model.Turn) int {
	n := turnTokens + tokens(len(t.Text))
	for _, c := range t.Calls {
		n += 2*turnTokens + tokens(len(c.ID)+len(c.Name)+len(c.Arguments)) + tokens(len(c.ID)+len(c.Result))
	}
	return n
}

func tokens(bytes int) int { return (bytes + tokenBytes - 1) / tokenBytes }

// head is the beginning of a text, at most so many bytes of whole characters.
func head(text string, most int) string {
	most = max(most, 0)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
