package wire

import (
	"sync"

	"github.com/dustin/go-humanize"

	"finsvc/ledger"
)

const (
	// bodyMemory is how many bytes all requests together may hold of their bodies: as they were sent, and decoded. The
	// smallest machine that the server is made for has 512 MiB, and SQLite's caches need their share of it.
	BodyMemory = 64 << 20
	// bodyReserve is the part of it that is for keys that hold little, so that one key that sends much shuts out
	// nobody.
	bodyReserve = 8 << 20
	// littleMemory is what a key may hold of the reserve: an ordinary body and what it becomes.
	littleMemory = 2 << 20
	// uploadMemory is what a file takes that is stored while it arrives: a piece of it, the same piece compressed, and
	// the state of the compressor.
	uploadMemory = 2 << 20
)

// Memory is what requests share. Nothing is promised by what a client announces: it is taken as bytes arrive.
type Memory struct {
	mu    sync.Mutex
	free  int64
	byKey map[int64]int64 // held, by the id of the key
}

func NewMemory(size int64) *Memory { return &Memory{free: size, byKey: map[int64]int64{}} }

// Share is what one request holds of a memory. A request without one is not limited.
type Share struct {
	of   *Memory
	key  int64
	held int64
}

// NewShare begins a request that holds nothing yet.
func (m *Memory) NewShare() *Share { return &Share{of: m} }

// Left is how many bytes may still be taken.
func (m *Memory) Left() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.free
}

// Holds is how many bytes the request has taken.
func (s *Share) Holds() int64 { return s.held }

// Take adds to what the request holds; the error is for the client.
func (s *Share) Take(bytes int64) error {
	if s == nil {
		return nil
	}
	if s.held+bytes > BodyMemory-bodyReserve {
		return &ledger.Error{Kind: ledger.Invalid, Code: CodeTooLarge,
			Message: "the body takes more than " + humanize.IBytes(BodyMemory-bodyReserve) +
				" of memory; send less at a time"}
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if left := s.of.free - bytes; left < 0 || left < bodyReserve && s.of.byKey[s.key]+bytes > littleMemory {
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
			Message: "too many bodies are being received at once; nothing was written, send it again in a moment"}
	}
	s.of.free -= bytes
	s.of.byKey[s.key] += bytes
	s.held += bytes
	return nil
}

// Release gives back what the request holds.
func (s *Share) Release() {
	if s.held == 0 {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.free += s.held
	s.of.byKey[s.key] -= s.held
	if s.of.byKey[s.key] == 0 {
		delete(s.of.byKey, s.key)
	}
	s.held = 0
}
