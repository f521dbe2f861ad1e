package tenant

import (
	"context"
	"errors"
	"sync"
	"time"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// answerAge is how long an answer is kept for repeats of its request (decisions, section 5).
const answerAge = 24 * time.Hour

// Limits of the answers that are kept for one key. They are kept in the file, for a day: a client that gives each of
// its requests an Idempotency-Key keeps one a second, of a kilobyte or so.
const (
	maxAnswers      = 100_000
	maxAnswerBytes  = 256 << 20
	recountAnswers  = time.Minute // how often they are counted at most where they are too many
	answerMemoryMax = 10_000      // keys whose answers are counted in memory
)

// answerCounts is about how many answers are kept for keys. It grows with each that is kept, and is counted anew when
// there seem to be too many, as old ones have gone and some writes were undone.
type answerCounts struct {
	mu    sync.Mutex
	byKey map[int64]answerCount
}

type answerCount struct {
	answers, bytes int64
	counted        time.Duration // when, by the time that the process has run
}

// roomForAnswer refuses an answer of so many bytes where the key has too many.
func (s *Answers) roomForAnswer(ctx context.Context, q *queries.Queries, key, bytes int64) error {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	have, known := s.kept.byKey[key]
	more := func() bool { return have.answers >= maxAnswers || have.bytes+bytes > maxAnswerBytes }
	if !known || more() && s.Ran()-have.counted >= recountAnswers {
		row, err := q.CountIdempotentAnswers(ctx, key)
		if err != nil {
			return err
		}
		have = answerCount{row.Answers, row.Bytes, s.Ran()}
	}
	if s.kept.byKey == nil || len(s.kept.byKey) >= answerMemoryMax {
		s.kept.byKey = map[int64]answerCount{}
	}
	if more() {
		s.kept.byKey[key] = have
		return &ledger.Error{Kind: ledger.RateLimited, Code: "rate_limit_exceeded",
			Details: map[string]any{"limit": maxAnswers, "current": have.answers,
				"reset_in_seconds": int(answerAge.Seconds())},
			Message: "too many answers are kept for repeats of what this key has asked in the last 24 hours; nothing was written. Send requests without Idempotency-Key until then"}
	}
	s.kept.byKey[key] = answerCount{have.answers + 1, have.bytes + bytes, have.counted}
	return nil
}

// answerTime is the instant by which answers are aged. It goes on from the newest that is kept by as long as this
// process has run, whatever the clock does: one that jumps ahead would have repeats booked twice.
func (s *Answers) answerTime(ctx context.Context, q *queries.Queries) (int64, error) {
	ran := s.Ran().Milliseconds()
	if s.begin.Load() == 0 {
		newest, err := q.GetNewestIdempotentAnswer(ctx, s.Stamp()-ran)
		if err != nil {
			return 0, err
		}
		s.begin.CompareAndSwap(0, newest)
	}
	return s.begin.Load() + ran, nil
}

// Answer is what a request with an Idempotency-Key was answered, and the digest of that request.
type Answer struct {
	Digest      []byte
	Status      int
	ContentType string
	Body        []byte
}

// FindAnswer gives the answer that the session's key, or one that was rotated into it, was given for its
// Idempotency-Key; nil when there is none.
func (s *Answers) FindAnswer(ctx context.Context, session *Session, key string) (answer *Answer, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		now, err := s.answerTime(ctx, q)
		if err != nil {
			return err
		}
		row, err := q.GetIdempotentAnswer(ctx, queries.GetIdempotentAnswerParams{ApiKeyID: session.FirstKeyID,
			IdempotencyKey: key, NotBefore: now - answerAge.Milliseconds()})
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
func (s *Answers) SaveAnswer(ctx context.Context, session *Session, key string, a Answer) error {
	return s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		now, err := s.answerTime(ctx, q)
		if err != nil {
			return err
		}
		if err := q.DeleteOldIdempotentAnswers(ctx, now-answerAge.Milliseconds()); err != nil {
			return err
		}
		if err := s.roomForAnswer(ctx, q, session.FirstKeyID, int64(len(a.Body))); err != nil {
			return err
		}
		return q.InsertIdempotentAnswer(ctx, queries.InsertIdempotentAnswerParams{ApiKeyID: session.FirstKeyID,
			IdempotencyKey: key, RequestHash: a.Digest,
			Status: int64(a.Status), ContentType: a.ContentType, Body: a.Body, CreatedAt: now})
	})
}

// Together makes one write of all that work does with the context it gets: all of it is kept, or none.
// Work must not wait for anything outside of the database.
func (s *Answers) Together(ctx context.Context, work func(context.Context) error) error {
	return s.DB.Write(ctx, func(ctx context.Context, _ *queries.Queries) error { return work(ctx) })
}
