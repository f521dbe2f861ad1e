package assistant

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/google/uuid"

	"finsvc/assistant/model"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// errLost ends the work on an answer that was cancelled, replaced or deleted, or that another worker has taken.
var errLost = errors.New("the answer is somebody else's or not wanted any more")

// errTooOften is why an answer fails that ended its worker each time it was begun.
var errTooOften = errors.New("the answer was begun too often")

// replyJob is the work on one answer.
//
// An answer's place in the queue is its message's row, in which whoever writes it renews a lease; after a crash it is
// begun anew, at a stop handed back. Each call of a tool is stored with its result in the write that renews the
// lease, so an answer that was cancelled, deleted or replaced ends at its next write. Text reaches who watches at
// once, from memory, and the row twice a second.
type replyJob struct {
	*Assistant
	msg   queries.Message // as it was claimed
	who   ledger.Actor
	sent  string // where the conversation went
	model string // which answered
	usage model.Usage
	made  map[string]*madeCall

	writing sync.Mutex // from the check of the lease to its renewal
	lease   int64      // unix ms; what the row says while it is ours
	stored  string     // the text in the row
	changed int64      // unix ms; when what people see of the row last changed

	mu    sync.Mutex
	text  spoken             // of the present round
	calls []queries.ToolCall // made so far
}

// answer writes the answer to a question, and notes what became of it.
func (a *Assistant) answer(ctx context.Context, msg queries.Message) {
	r := &replyJob{Assistant: a, msg: msg, lease: msg.LeaseUntil, changed: msg.UpdatedAt, made: map[string]*madeCall{}}
	r.who = ledger.Actor{HouseholdID: msg.HouseholdID, Origin: ledger.OriginAssistant}
	defer a.live.forget(msg.PublicID)
	ctx, lose := context.WithCancel(ctx)
	defer lose()
	stop := r.keepLease(ctx, lose)
	err := db.Recovered("panic", func() error { return r.reply(ctx) })
	stop()
	switch err = r.conclude(ctx, err); {
	case err == nil, errors.Is(err, errLost):
	default: // when the lease has run out another worker begins it anew
		a.Logger.LogAttrs(ctx, slog.LevelError, "answer abandoned", slog.Int64("message", msg.ID),
			slog.String("error", err.Error()))
	}
}

// conclude notes what became of an answer.
func (r *replyJob) conclude(ctx context.Context, err error) error {
	lasting := context.WithoutCancel(ctx)
	switch {
	case errors.Is(err, errLost):
		return err
	case err == nil:
		return r.settle(lasting, StatusComplete, nil)
	case ctx.Err() != nil: // the service stops, or the answer is not ours any more
		return r.handBack(lasting)
	}
	kind := model.FailureOther
	f, ok := errors.AsType[*model.Failure](err)
	if ok {
		kind = f.Kind
	}
	r.Logger.LogAttrs(ctx, slog.LevelWarn, "answer failed", slog.Int64("message", r.msg.ID),
		slog.String("host", r.sent), slog.String("error", err.Error()))
	return r.settle(lasting, StatusFailed, new(kind.Text()))
}

// store keeps a call that was made, with its result, and shows it. What was said before it is gone.
func (r *replyJob) store(ctx context.Context, call model.Call) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	var row queries.ToolCall
	err = r.keepWith(ctx, "", func(ctx context.Context, q *queries.Queries) (err error) {
		row, err = q.InsertToolCall(ctx, queries.InsertToolCallParams{PublicID: queries.PublicID(id),
			HouseholdID: r.msg.HouseholdID, MessageID: r.msg.ID,
			FunctionName: call.Name, FunctionArguments: string(call.Arguments),
			FunctionResult: new(string(call.Result)), CreatedAt: r.Now().UnixMilli()})
		return err
	})
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.calls = append(r.calls, row)
	r.mu.Unlock()
	r.live.send(r.state())
	return nil
}

// state is what can be shown of the answer now.
func (r *replyJob) state() Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	msg := r.msg
	msg.Content = r.text.trimmed() // what is shown only grows
	return Answer{Message: msg, Calls: r.calls}
}

// settle ends the work with what was said in the last round. Reason is what the chat says of a failure.
func (r *replyJob) settle(ctx context.Context, status string, reason *string) error {
	end := r.state()
	end.Failure = reason
	now := r.Now().UnixMilli()
	err := r.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		end.Message, err = q.SettleAnswer(ctx, queries.SettleAnswerParams{Status: status, Content: end.Content,
			Model: new(r.answered()), Host: known(r.sent), InputTokens: known(r.usage.Input),
			OutputTokens: known(r.usage.Output),
			UpdatedAt:    now, PublicID: r.msg.PublicID, HouseholdID: r.msg.HouseholdID, OldLease: r.lease})
		if errors.Is(err, db.ErrNotFound) {
			return errLost
		}
		if err != nil {
			return err
		}
		return q.SetChatError(ctx, queries.SetChatErrorParams{Error: reason, UpdatedAt: now, ID: r.msg.ChatID,
			HouseholdID: r.msg.HouseholdID})
	})
	if err == nil {
		r.live.send(end)
	}
	return err
}

// answered is the model that answered, or the one that was to.
func (r *replyJob) answered() string {
	if r.Model.Host() == "" {
		return cmp.Or(r.model, r.Model.Name())
	}
	return cmp.Or(r.model, deref(r.msg.WantedModel), r.Model.Name())
}

// handBack leaves the answer to the next worker, which begins it anew.
func (r *replyJob) handBack(ctx context.Context) error {
	return r.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err := q.HandBackAnswer(ctx, queries.HandBackAnswerParams{
			UpdatedAt: r.Now().UnixMilli(), PublicID: r.msg.PublicID,
			HouseholdID: r.msg.HouseholdID, OldLease: r.lease})
		if err != nil || n == 0 {
			return err
		}
		return q.DeleteCallsOfAnswer(ctx, queries.DeleteCallsOfAnswerParams{MessageID: r.msg.ID,
			HouseholdID: r.msg.HouseholdID})
	})
}

// known is nil for what is not known.
func known[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
