package assistant

import (
	"slices"
	"strings"
	"unicode/utf8"

	"finsvc/embed"
	"finsvc/ledger"
	"finsvc/queries"
)

// How a prompt is measured, in tokens. Nobody but the provider can count them; three bytes each is on the safe side
// for text in every common language and for JSON.
const (
	tokenBytes = 3
	turnTokens = 4 // of what a provider writes around a turn, a call or a tool

	// smallestContext is what a prompt may have in any case: below that tools and their results have no room.
	smallestContext = DefaultContext
	// longestPast is how many messages of a chat are looked at for a prompt.
	longestPast = 100
	// leastRoom is how many bytes the result of a call must be able to have.
	leastRoom = 400
)

const (
	cutQuestion = "\n[The rest of the question was too long and is left out.]"
	noMoreTools = "\n- Answer now, without tools, from the results that are there."
)

// conversation is what a model is told for one answer, and how much it may be.
type conversation struct {
	asked    Prompt // without its turns and tools
	system   Turn
	past     []Turn // questions, each with its answer behind it, oldest first
	question Turn
	work     []Turn // calls with their results
	budget   int    // tokens
}

// newConversation begins with what was said before an answer, newest first. Ok is false when nothing was asked.
func newConversation(asked Prompt, currency string, said []queries.ListTurnsBeforeRow, budget int, specs []ToolSpec) (c *conversation, ok bool) {
	if len(said) == 0 || said[0].Role != RoleUser {
		return nil, false
	}
	c = &conversation{asked: asked, budget: max(budget, smallestContext), past: pairs(said[1:])}
	c.system = Turn{Role: RoleSystem, Text: systemPrompt(asked.Today, currency)}
	c.question = Turn{Role: RoleUser, Text: said[0].Content}
	// A question leaves at least as much for the results as it takes itself.
	most := (c.left(specs) + cost(c.question)) / 2
	if cost(c.question) > most {
		c.question.Text = head(c.question.Text, (most-turnTokens)*tokenBytes-len(cutQuestion)) + cutQuestion
	}
	return c, true
}

func systemPrompt(today ledger.Date, currency string) string {
	return strings.NewReplacer("{today}", today.String(), "{weekday}", today.Time().Weekday().String(), "{currency}", currency).
		Replace(strings.TrimSpace(embed.Prompt))
}

// pairs gives the questions that were answered, oldest first, from messages that are newest first. What failed has no
// answer, and some models refuse two turns of the same side in a row. Calls of earlier answers are left out: the
// answers have their figures.
func pairs(said []queries.ListTurnsBeforeRow) (past []Turn) {
	for i := range max(len(said)-1, 0) {
		answer, question := said[i], said[i+1]
		if answer.Role != RoleAssistant || question.Role != RoleUser {
			continue
		}
		past = append(past, Turn{Role: RoleAssistant, Text: answer.Content}, Turn{Role: RoleUser, Text: question.Content})
	}
	slices.Reverse(past)
	return past
}

// next is what the model is asked now: as many of the newest turns of the past as there is room for, each question
// with its answer.
func (c *conversation) next(specs []ToolSpec) Prompt {
	past, left := c.past, c.left(specs)
	for len(past) > 0 && costs(past) > left {
		past = past[2:]
	}
	system := c.system
	if len(specs) == 0 && len(c.work) > 0 {
		system.Text += noMoreTools
	}
	p := c.asked
	p.Tools = specs
	p.Turns = slices.Concat([]Turn{system}, past, []Turn{c.question}, c.work)
	return p
}

// room is how many bytes the result of a call may have when so many more calls are to share what is left besides those
// that were made in the same round; 0 or less when there is none. The past gives way to results.
func (c *conversation) room(specs []ToolSpec, made []Call, call Call, sharers int) int {
	left := c.left(specs) - cost(Turn{Calls: made})
	return min(c.budget/3, left/sharers-cost(Turn{Calls: []Call{call}})) * tokenBytes
}

// left is how many tokens there are for the past and for further results.
func (c *conversation) left(specs []ToolSpec) int {
	answer := c.budget / 8
	left := c.budget - answer - cost(c.system) - cost(c.question) - costs(c.work) - tokens(len(noMoreTools))
	for _, s := range specs {
		left -= tokens(len(s.Name)+len(s.Description)+len(s.Parameters)) + turnTokens
	}
	return left
}

func costs(turns []Turn) (n int) {
	for _, t := range turns {
		n += cost(t)
	}
	return n
}

func cost(t Turn) int {
	n := turnTokens + tokens(len(t.Text))
	for _, c := range t.Calls {
		n += 2*turnTokens + tokens(len(c.ID)+len(c.Name)+len(c.Arguments)) + tokens(len(c.ID)+len(c.Result))
	}
	return n
}

func tokens(bytes int) int { return (bytes + tokenBytes - 1) / tokenBytes }

// head is the beginning of a text, at most so many bytes of whole characters.
func head(text string, most int) string {
	if most = max(most, 0); len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
