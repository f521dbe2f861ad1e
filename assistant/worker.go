package assistant

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

const (
	// atOnce is how many answers are written at the same time: as many as people ask for. A model that can only do one
	// thing at a time keeps its own queue.
	atOnce = 64
	// lease is how long a worker may be silent before its answer counts as abandoned.
	lease = 30 * time.Second
	// lookAgain is how often a worker looks for questions that another process has taken.
	lookAgain = time.Second
	// grace is how long answers may go on that are being written when the service stops.
	grace = 2 * time.Second
	// maxAttempts is how often an answer is begun that a crash ended: a question must not end the service for ever.
	maxAttempts = 3
)

// Run answers what is asked, of each chat one question after the other, until ctx ends; then it hands back what is not
// answered within two seconds, and the next start begins it anew. A message's row is its place in the queue, so any
// process that has the file open may answer.
func (a *Assistant) Run(ctx context.Context) error { return a.run(ctx, 0) }

// RunIn is [Assistant.Run] for one chat of a person: what others ask is left to others.
func (a *Assistant) RunIn(ctx context.Context, who ledger.Actor, chat uuid.UUID) error {
	var key int64
	err := a.read(ctx, who, func(ctx context.Context, q *queries.Queries) error {
		row, err := ownChat(ctx, a.Ledger.Tx(q, who), chat)
		key = row.ID
		return err
	})
	if err != nil {
		return err
	}
	return a.run(ctx, key)
}

// run answers in one chat, or in all for 0.
func (a *Assistant) run(ctx context.Context, chat int64) error {
	if a.Off {
		<-ctx.Done()
		return nil
	}
	a.live.Begin()
	defer a.live.End()
	if a.Server {
		if err := a.DB.WriteUntilDone(ctx,
			func(ctx context.Context, q *queries.Queries) error { return q.FreeAnswers(ctx) }); err != nil {
			return err
		}
	}
	work, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	var answers sync.WaitGroup
	a.serve(ctx, work, chat, &answers)
	a.live.End() // who listens would hold up the stop
	defer time.AfterFunc(grace, cut).Stop()
	answers.Wait()
	return nil
}

// serve begins answers in the context work until ctx ends.
func (a *Assistant) serve(ctx, work context.Context, chat int64, answers *sync.WaitGroup) {
	var running atomic.Int64
	troubled := false
	for ctx.Err() == nil {
		version, _ := a.DB.Version(ctx) // 0, which is none, where the file cannot be read
		claimed, err := a.claim(ctx, chat, atOnce-running.Load())
		if err != nil && !troubled && ctx.Err() == nil {
			a.Logger.LogAttrs(ctx, slog.LevelError, "assistant worker", slog.String("error", err.Error()))
		}
		troubled = err != nil
		if troubled {
			version = 0 // it may pass without a commit
		}
		for _, msg := range claimed {
			running.Add(1)
			answers.Go(func() {
				defer a.kick() // for the next question of the chat
				defer running.Add(-1)
				a.answer(work, msg)
			})
		}
		a.DB.Await(ctx, a.wake, version, lookAgain)
	}
}

// kick says that there may be something to do: a question was asked, or what became of one has changed.
func (a *Assistant) kick() {
	select {
	case a.wake <- struct{}{}:
	default: // it knows already
	}
	a.live.KickAll()
}

// claim takes answers that wait, at most so many, and removes what was begun of them.
func (a *Assistant) claim(ctx context.Context, chat, most int64) (claimed []queries.Message, err error) {
	if most <= 0 {
		return nil, nil
	}
	err = a.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		now := a.Now()
		claimed, err = q.ClaimAnswers(ctx,
			queries.ClaimAnswersParams{LeaseUntil: now.Add(lease).UnixMilli(), HeldByServer: a.Server,
				UpdatedAt: now.UnixMilli(), Now: now.UnixMilli(), ChatID: chat, Most: most})
		for _, msg := range claimed {
			if err == nil {
				err = q.DeleteCallsOfAnswer(ctx,
					queries.DeleteCallsOfAnswerParams{MessageID: msg.ID, HouseholdID: msg.HouseholdID})
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}
