package importer

import (
	"context"
	"errors"
	"io"
	"sync"

	"finsvc/db"
)

// How far is read ahead: aheadLots lots of up to aheadSize things wait to be used, besides the one that is in use and the
// one that is being read.
const (
	aheadSize = 256
	aheadLots = 1
)

// lot is some of the things that were read ahead, and the error that came instead of another one.
type lot[T any] struct {
	things []T
	err    error
}

// readAhead uses all that next gives, in its order, while another goroutine reads what follows. It ends with the first
// error of use, or with that of next when all before it was used; io.EOF is none. The other goroutine has ended by then:
// the context that next is given ends when nothing more is wanted.
func readAhead[T any](ctx context.Context, next func(context.Context) (T, error), use func(T) error) error {
	reading, stop := context.WithCancel(ctx)
	lots, free := make(chan lot[T], aheadLots), make(chan []T, aheadLots+2)
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(lots)
		fillLots(reading, next, lots, free)
	})
	defer reader.Wait()
	defer stop()
	for l := range lots {
		for _, thing := range l.things {
			if err := use(thing); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(l.err, io.EOF):
			return nil
		case l.err != nil:
			return l.err
		}
		free <- l.things // has room for all there are
	}
	return ctx.Err()
}

// fillLots reads until an error, which is in the last lot, or until nobody wants more.
func fillLots[T any](ctx context.Context, next func(context.Context) (T, error), lots chan<- lot[T], free <-chan []T) {
	for l := (lot[T]{}); l.err == nil; {
		l.things = emptied(free)
		l.err = db.Contained("panic", func() error {
			for len(l.things) < aheadSize {
				thing, err := next(ctx)
				if err != nil {
					return err
				}
				l.things = append(l.things, thing)
			}
			return nil
		})
		select {
		case lots <- l:
		case <-ctx.Done():
			return
		}
	}
}

// emptied is room for a lot: that of one that was used, if there is any.
func emptied[T any](free <-chan []T) []T {
	select {
	case room := <-free:
		return room[:0]
	default:
		return make([]T, 0, aheadSize)
	}
}
