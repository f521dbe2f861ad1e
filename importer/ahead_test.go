package importer

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

// numbersTo gives the numbers below n, then an error.
func numbersTo(n int, end error) func(context.Context) (int, error) {
	at := -1
	return func(context.Context) (int, error) {
		if at++; at < n {
			return at, nil
		}
		return 0, end
	}
}

// TestReadAhead: all is used in its order before the error that ends it. In a bubble no goroutine may be left behind.
func TestReadAhead(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, n := range []int{0, 1, aheadSize - 1, aheadSize, aheadSize + 1, 10*aheadSize + 7} {
		for _, end := range []error{io.EOF, broken} {
			synctest.Test(t, func(t *testing.T) {
				used := 0
				err := prefetch(t.Context(), numbersTo(n, end), func(i int) error {
					if i != used {
						t.Errorf("%d came as number %d", i, used)
					}
					used++
					return nil
				})
				if used != n || (end == io.EOF) != (err == nil) || err != nil && err != broken {
					t.Errorf("%d of %d, then %v: %v", used, n, end, err)
				}
			})
		}
	}
}

// TestReadAheadEnds: whatever ends the use of what was read ends the reading, too, though there is no end of it.
func TestReadAheadEnds(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		use  func(stop func()) error
		want error
	}{
		"refused":   {func(func()) error { return refused }, refused},
		"cancelled": {func(stop func()) error { stop(); return nil }, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				next := func(ctx context.Context) (int, error) { return 0, ctx.Err() }
				if err := prefetch(ctx, next, func(int) error { return c.use(stop) }); !errors.Is(err, c.want) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// TestReadAheadWaits: the reading does not run away from the use.
func TestReadAheadWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := 0
		next := func(context.Context) (int, error) { read++; return 0, nil }
		enough := errors.New("enough")
		err := prefetch(t.Context(), next, func(int) error {
			synctest.Wait()
			if most := aheadSize * (aheadBatches + 2); read > most {
				t.Errorf("%d were read, %d at most must be", read, most)
			}
			return enough
		})
		if err != enough {
			t.Errorf("got %v", err)
		}
	})
}

// TestReadAheadContainsPanics: a panic of the reading must not end the program.
func TestReadAheadContainsPanics(t *testing.T) {
	t.Parallel()
	next := func(context.Context) (int, error) { panic("no such cell") }
	err := prefetch(t.Context(), next, func(int) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "no such cell") {
		t.Errorf("got %v", err)
	}
}
