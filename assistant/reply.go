package assistant

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/queries"
)

const (
	// maxCalls is how many calls of one round are made.
	maxCalls = 16
	// maxArguments is how many bytes the arguments of a call may have: too few to nest deeper than the thousand
	// levels that SQLite reads. maxToolName is how many the name of a tool may have.
	maxArguments = 2000
	maxToolName  = 64
	// sameCall is how often a model may make the same call before it has to answer without tools.
	sameCall = 3
	// retries is how often a provider is asked again that may answer in a moment: after firstWait, then after twice as
	// long each time, or when the provider says so, if that is within longestWait.
	retries     = 3
	firstWait   = time.Second
	longestWait = 20 * time.Second
)

// Why there is no answer, beside a [model.Failure].
var (
	errSilent     = errors.New("the model has said nothing")
	errNobody     = errors.New("nobody waits for the answer: the user is not active, or the assistant is switched off for the household")
	errNoQuestion = errors.New("there is no question to answer")
)

// madeCall is a call that was made, and how often the model has asked for it.
type madeCall struct {
	result json.RawMessage
	times  int
}

// reply asks the model, makes the calls it wants, and asks again, until it has answered. The answer is what it says in
// the last round: what models say before they call tools is about the calls, not about the figures.
func (r *replyJob) reply(ctx context.Context) error {
	if r.msg.Attempts > maxAttempts {
		return errTooOften
	}
	specs := r.tools.Specs()
	c, err := r.prepare(ctx, specs)
	if err != nil {
		return err
	}
	for round := 0; ; round++ {
		if round >= r.Rounds {
			specs = nil
		}
		said, err := r.ask(ctx, c.next(specs))
		switch {
		case r.text.full:
			return nil
		case err != nil:
			return err
		case len(specs) == 0 || len(said.Calls) == 0:
			if r.text.trimmed() == "" {
				return &model.Failure{Kind: model.FailureOther, Err: errSilent}
			}
			return nil
		}
		more, err := r.use(ctx, c, specs, said.Calls)
		if err != nil {
			return err
		}
		if !more {
			specs = nil
		}
	}
}

// prepare finds out who asks what, and what was said before.
func (r *replyJob) prepare(ctx context.Context, specs []model.Tool) (c *conversation, err error) {
	err = r.DB.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		user, err := q.GetUserOfChat(ctx, queries.GetUserOfChatParams{ChatID: r.msg.ChatID,
			HouseholdID: r.msg.HouseholdID})
		if err != nil {
			return err
		}
		home, err := q.GetHousehold(ctx, r.msg.HouseholdID)
		if err != nil {
			return err
		}
		if user.DeactivatedAt != nil || home.Assistant == 0 {
			return errNobody
		}
		r.who.UserID = user.ID
		today, err := r.Ledger.Tx(q, r.who).Today(ctx)
		if err != nil {
			return err
		}
		c, err = r.begin(ctx, q, today, home.Currency, specs)
		return err
	})
	return c, err
}

func (r *replyJob) begin(ctx context.Context, q *queries.Queries, today ledger.Date, currency string,
	specs []model.Tool) (*conversation, error) {
	said, err := q.ListTurnsBefore(ctx, queries.ListTurnsBeforeParams{
		Longest: int64(max(r.Context, smallestContext))*tokenBytes + 1, ChatID: r.msg.ChatID,
		HouseholdID: r.msg.HouseholdID, Before: r.msg.ID, Most: longestPast})
	if err != nil {
		return nil, err
	}
	prompt := model.Prompt{Model: deref(r.msg.WantedModel), Who: r.who, Today: today}
	c, ok := newConversation(prompt, currency, said, r.Context, specs)
	if !ok {
		return nil, errNoQuestion
	}
	return c, nil
}

// ask asks the model once, and again when it may answer in a moment, as long as it has said nothing.
func (r *replyJob) ask(ctx context.Context, p model.Prompt) (said model.Reply, err error) {
	r.resetText()
	r.sent = r.Model.Host()
	for try := range retries + 1 {
		said, err = r.Model.Reply(ctx, p, r.say)
		r.usage.Input += said.Usage.Input
		r.usage.Output += said.Usage.Output
		r.model = cmp.Or(said.Model, r.model)
		f, ok := errors.AsType[*model.Failure](err)
		if !ok || !f.Again || f.RetryAfter > longestWait || try == retries || r.text.String() != "" {
			break
		}
		backoff := firstWait<<try/2 + rand.N(firstWait<<try)
		if err := wait(ctx, max(backoff, f.RetryAfter)); err != nil {
			return said, err
		}
	}
	return said, err
}

// resetText begins a round: nothing is said in it yet.
func (r *replyJob) resetText() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text = spoken{}
}

// wait waits; its error is the context's.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// say takes and shows a piece of the model's text.
func (r *replyJob) say(piece string) error {
	r.mu.Lock()
	err := r.text.add(piece)
	r.mu.Unlock()
	r.live.send(r.state())
	return err
}

// use makes the calls of a round, as many as there is room for. More is false when the model has to answer without any
// further: there is no room for their results, or it does the same again and again.
func (r *replyJob) use(ctx context.Context, c *conversation, specs []model.Tool,
	calls []model.Call) (more bool, err error) {
	r.resetText()
	calls = calls[:min(len(calls), maxCalls)]
	var made []model.Call
	more = true
	for i, call := range calls {
		call = tidied(call)
		budget := c.resultBudget(specs, made, call, len(calls)-i)
		m, err := r.call(ctx, call, budget)
		if err != nil {
			return false, err
		}
		if m == nil || len(m.result) > budget {
			more = false
			break
		}
		call.Result = m.result
		made = append(made, call)
		more = more && m.times < sameCall
	}
	if len(made) > 0 {
		c.work = append(c.work, model.Turn{Role: model.RoleAssistant, Calls: made})
	}
	return more, nil
}

// call makes a call, or gives the result of the same call made before; nil when there is no room for one.
func (r *replyJob) call(ctx context.Context, call model.Call, budget int) (*madeCall, error) {
	key := call.Name + " " + string(call.Arguments)
	m := r.made[key]
	if m == nil {
		if budget < leastBudget {
			return nil, nil
		}
		result, err := r.tools.Run(ctx, r.who, call, budget)
		if err != nil {
			return nil, err
		}
		call.Result = result
		if err := r.store(ctx, call); err != nil {
			return nil, err
		}
		m = &madeCall{result: result}
		r.made[key] = m
	}
	m.times++
	return m, nil
}

// tidied is a call as it can be kept: its arguments an object on one line that is not too long.
func tidied(call model.Call) model.Call {
	call.Name = head(strings.Map(printable, strings.ToValidUTF8(call.Name, "\uFFFD")), maxToolName)
	var line bytes.Buffer
	readable := len(call.Arguments) <= maxArguments && utf8.Valid(call.Arguments) &&
		json.Compact(&line, call.Arguments) == nil
	if readable && bytes.HasPrefix(line.Bytes(), []byte("{")) {
		call.Arguments = line.Bytes()
		return call
	}
	text, _ := json.Marshal(ledger.Quote(string(call.Arguments))) // a text always can
	call.Arguments = json.RawMessage(`{"unreadable":` + string(text) + `}`)
	return call
}
