package assistant

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Answer is the state of a message: of an answer that is being written its text and calls so far, which may be ahead
// of its row. The text is that of the present round: what a model said before it called tools is gone when the call
// is there.
type Answer = Message

// Watch follows a message of a person's chat: what comes out of the channel is its present state, then newer ones;
// who is slow gets the newest. The channel is closed behind a state that is settled, when the message is deleted, and
// when stop is called, which it must be, or [Assistant.Run] ends.
func (a *Assistant) Watch(ctx context.Context, who ledger.Actor, chat,
	message uuid.UUID) (states <-chan Answer, stop func(), err error) {
	look := func(ctx context.Context) (Answer, error) { return a.GetMessage(ctx, who, chat, message) }
	if _, err := look(ctx); err != nil {
		return nil, nil, err
	}
	states, stop = a.live.Listen(ctx, queries.PublicID(message), look)
	// a question is soon taken, perhaps by another process: the second look is not put off
	a.live.Kick(queries.PublicID(message))
	return states, stop, nil
}
