package assistant

import (
	"context"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// lookLeast is how often a watched message is looked at, in case another process writes it.
const lookLeast = time.Second

// Answer is a message of the assistant as far as it is written.
type Answer = Message

// Watch follows a message: what comes out of the channel is its present state, then newer ones. The channel is closed
// behind the state in which it is settled, when the message is gone, and when stop is called, which it must be.
func (a *Assistant) Watch(ctx context.Context, who ledger.Actor, chat, message uuid.UUID) (states <-chan Answer, stop func(), err error) {
	m, err := a.GetMessage(ctx, who, chat, message)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop = context.WithCancel(ctx)
	out := make(chan Answer)
	go func() {
		defer close(out)
		for err == nil && tell(ctx, out, m) && m.Status == StatusPending && pause(ctx) {
			m, err = a.GetMessage(ctx, who, chat, message)
		}
	}()
	return out, stop, nil
}

func tell(ctx context.Context, out chan<- Answer, m Answer) bool {
	select {
	case out <- m:
		return true
	case <-ctx.Done():
		return false
	}
}

func pause(ctx context.Context) bool {
	select {
	case <-time.After(lookLeast):
		return true
	case <-ctx.Done():
		return false
	}
}

// kick says that there may be something to do: a question was asked, or what became of one has changed.
func (a *Assistant) kick() {}
