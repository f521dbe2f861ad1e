package wire

import (
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/entry"
)

// oneByte gives a byte, and then an error.
type oneByte struct{ given bool }

func (r *oneByte) Read(p []byte) (int, error) {
	if r.given {
		return 0, io.ErrUnexpectedEOF
	}
	r.given = true
	return copy(p, "{"), nil
}

// TestAnnouncedLengthReservesNothing: not parallel, as all that is allocated meanwhile is counted.
func TestAnnouncedLengthReservesNothing(t *testing.T) {
	const announced = 75 << 20
	var before, after runtime.MemStats
	all := NewMemory(BodyMemory)
	one := &Share{of: all}
	runtime.ReadMemStats(&before)
	if _, err := readAll(new(oneByte), announced, one); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes were allocated for a byte of %d that were announced", got, announced)
	}
	if one.held != firstPiece {
		t.Errorf("%d bytes are held", one.held)
	}
	one.Release()
	if all.free != BodyMemory || len(all.byKey) != 0 {
		t.Errorf("%d bytes are free, held %v", all.free, all.byKey)
	}
	for _, length := range []int{0, 1, firstPiece - 1, firstPiece, 100_000} {
		for _, announced := range []int64{int64(length), -1} {
			s := &Share{of: all}
			data, err := readAll(strings.NewReader(strings.Repeat("x", length)), announced, s)
			if err != nil || len(data) != length || s.held != int64(cap(data)) || announced >= 0 && s.held > announced+1 {
				t.Errorf("%d of %d: got %d, %d held, %v", length, announced, len(data), s.held, err)
			}
			s.Release()
		}
	}
}

// TestMemoryIsShared: one key takes what there is but for the reserve, which is for those who hold little.
func TestMemoryIsShared(t *testing.T) {
	t.Parallel()
	all := NewMemory(BodyMemory)
	greedy := make([]*Share, 6)
	var refused int
	for i := range greedy {
		greedy[i] = &Share{of: all, key: 1}
		if err := greedy[i].Take(10 << 20); err != nil {
			refused++
			if !ledger.IsKind(err, ledger.Unavailable) {
				t.Errorf("refused as %v", err)
			}
		}
	}
	if refused != 1 || all.free != BodyMemory-50<<20 {
		t.Errorf("%d were refused, %d bytes are free", refused, all.free)
	}
	other := &Share{of: all, key: 2}
	if err := other.Take(littleMemory); err != nil {
		t.Errorf("another key: %v", err)
	}
	if err := greedy[0].Take(6<<20 + 1); !ledger.IsKind(err, ledger.Unavailable) {
		t.Errorf("more of a key that holds much: %v", err)
	}
	if err := (&Share{of: all, key: 3}).Take(BodyMemory); ledger.AsError(err) == nil || ledger.AsError(err).Code != CodeTooLarge {
		t.Errorf("what never fits is to be tried again: %v", err)
	}
	for _, s := range append(greedy, other) {
		s.Release()
		s.Release() // counts once
	}
	if all.free != BodyMemory || len(all.byKey) != 0 {
		t.Errorf("%d bytes are free, held %v", all.free, all.byKey)
	}
}

// TestTreesTakeMemory: what a small body becomes is counted, too.
func TestTreesTakeMemory(t *testing.T) {
	t.Parallel()
	body := "[" + strings.Repeat("{},", 100_000) + "{}]"
	s := &Share{of: NewMemory(BodyMemory)}
	if _, err := ParseJSON([]byte(body), s); err != nil || s.held < 100_000*objectMemory {
		t.Errorf("%d bytes are held, %v", s.held, err)
	}
	if _, err := ParseJSON([]byte(body), s); ledger.AsError(err) == nil || ledger.AsError(err).Code != CodeTooLarge {
		t.Errorf("twice as much: %v", err)
	}
	// The largest batch fits: as many transactions as may be with all members that there are.
	one := "{" + strings.Repeat(`"0123456789abcdef0123456789":1,`, 37) + `"z":1}`
	for i := 0; strings.Contains(one, "0123456789abcdef0123456789"); i++ {
		one = strings.Replace(one, "0123456789abcdef0123456789", "m"+strconv.Itoa(i)+"_with_a_long_name_of_its_own"[:25], 1)
	}
	largest := "[" + strings.Repeat(one+",", entry.MaxBulk-1) + one + "]"
	all := &Share{of: NewMemory(BodyMemory)}
	if err := all.Take(16 << 20); err != nil {
		t.Fatal(err)
	}
	if _, err := ParseJSON([]byte(largest), all); err != nil {
		t.Errorf("the largest batch: %v", err)
	}
}
