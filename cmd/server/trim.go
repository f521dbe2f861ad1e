package server

import (
	"context"
	"runtime/debug"
	"time"
)

// fewUses is how often a minute the database is used at most when nobody asks for anything: the workers look for work,
// and a supervisor for health.
const fewUses = 20

// trimWhenIdle gives memory back in the first quiet minute after others: a server at home is asked for minutes a day.
//
// The page caches, the prepared statements and Go's free memory go. Workers wait for commits meanwhile, see
// [db.DB.Await].
func (s *Service) trimWhenIdle(ctx context.Context) error {
	before, busy := s.Database.Uses(), true
	return s.every(ctx, time.Minute, "rest", func(ctx context.Context) error {
		now := s.Database.Uses()
		quiet := now-before <= fewUses
		before = now
		if !quiet || !busy {
			busy = busy || !quiet
			return nil
		}
		busy = false
		err := s.Database.ReleaseMemory(ctx)
		debug.FreeOSMemory()
		return err
	})
}
