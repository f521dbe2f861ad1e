package ledger

import (
	"context"
	"errors"
	"time"

	"finsvc/db"
	"finsvc/queries"
)

// answerAge is how long an answer is kept for repeats of its request (decisions, section 5).
const answerAge = 24 * time.Hour

// answerTime is the instant by which answers are aged. It goes on from the newest that is kept by as long as this process
// has run, whatever the clock does: one that jumps ahead would have repeats booked twice.
func (l *Ledger) answerTime(ctx context.Context, q *queries.Queries) (int64, error) {
	ran := l.ran().Milliseconds()
	if l.answersBegin.Load() == 0 {
		newest, err := q.GetNewestIdempotentAnswer(ctx, l.stamp()-ran)
		if err != nil {
			return 0, err
		}
		l.answersBegin.CompareAndSwap(0, newest)
	}
	return l.answersBegin.Load() + ran, nil
}

// Answer is what a request with an Idempotency-Key was answered, and the digest of that request.
type Answer struct {
	Digest      []byte
	Status      int
	ContentType string
	Body        []byte
}

// FindAnswer gives the answer that the key was given for its Idempotency-Key; nil when there is none.
func (l *Ledger) FindAnswer(ctx context.Context, who Actor, key string) (answer *Answer, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		now, err := l.answerTime(ctx, q)
		if err != nil {
			return err
		}
		row, err := q.GetIdempotentAnswer(ctx, queries.GetIdempotentAnswerParams{ApiKeyID: who.KeyID, IdempotencyKey: key, NotBefore: now - answerAge.Milliseconds()})
		if errors.Is(err, db.ErrNotFound) {
			return nil
		}
		if err == nil {
			answer = &Answer{row.RequestHash, int(row.Status), row.ContentType, row.Body}
		}
		return err
	})
	return answer, err
}

// SaveAnswer keeps an answer for repeats.
func (l *Ledger) SaveAnswer(ctx context.Context, who Actor, key string, a Answer) error {
	return l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		now, err := l.answerTime(ctx, q)
		if err != nil {
			return err
		}
		if err := q.DeleteOldIdempotentAnswers(ctx, now-answerAge.Milliseconds()); err != nil {
			return err
		}
		return q.InsertIdempotentAnswer(ctx, queries.InsertIdempotentAnswerParams{ApiKeyID: who.KeyID, IdempotencyKey: key, RequestHash: a.Digest,
			Status: int64(a.Status), ContentType: a.ContentType, Body: a.Body, CreatedAt: now})
	})
}

// Together makes one write of all that work does with the context it gets: all of it is kept, or none.
// Work must not wait for anything outside of the database.
func (l *Ledger) Together(ctx context.Context, work func(context.Context) error) error {
	return l.db.Write(ctx, func(ctx context.Context, _ *queries.Queries) error { return work(ctx) })
}
