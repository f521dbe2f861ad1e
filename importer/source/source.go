// Package source is a file that can be opened again: its readers look at it once for how it is to be read and once for its rows, and
// nobody keeps more of it than compressed bytes.
package source

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/gzip"

	"finsvc/ledger"
)

// Rereader is a file that can be read again from its beginning.
type Rereader interface{ Again() io.Reader }

// replay reads a file once, and keeps it compressed for those who read it again. What is read again holds
// what was read before.
type replay struct {
	src    io.Reader
	packed bytes.Buffer
	packer *gzip.Writer
}

// Twice makes a file one that can be read again, unless it is one already.
func Twice(file io.Reader) io.Reader {
	if _, ok := file.(Rereader); ok {
		return file
	}
	r := &replay{src: file}
	r.packer, _ = gzip.NewWriterLevel(&r.packed, gzip.BestSpeed) // the level exists
	return r
}

// Read gives the following bytes of the file.
func (r *replay) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	_, _ = r.packer.Write(p[:n]) // a buffer takes everything
	return n, err
}

func (r *replay) Again() io.Reader {
	_ = r.packer.Close() // a buffer takes everything
	packed, _ := gzip.NewReader(bytes.NewReader(r.packed.Bytes()))
	return packed
}

func ErrTooLarge(most int64) error {
	return &ledger.Error{Kind: ledger.Invalid, Code: "content_too_large",
		Message: "the file is longer than " + humanize.IBytes(uint64(most)) + " (" + humanize.Comma(most) + " bytes)"}
}

// Opener gives the content of a file from its beginning, as often as it is called.
type Opener func() (io.Reader, error)

// hashed is a file of which all is hashed that is read.
type hashed struct {
	file io.Reader
	Sum  hash.Hash
}

func NewHashed(file io.Reader) *hashed { return &hashed{file, sha256.New()} }

// Read gives the following bytes of the file.
func (h *hashed) Read(p []byte) (int, error) {
	n, err := h.file.Read(p)
	_, _ = h.Sum.Write(p[:n]) // never fails
	return n, err
}

func (h *hashed) Measure() (read, size int64) {
	if m, ok := h.file.(Measured); ok {
		return m.Measure()
	}
	return 0, 0
}

// Buffer keeps a file in memory, compressed, for those who have to read it more than once and must not
// store it. Write it first, then open it as often as needed.
type Buffer struct {
	max, size int64
	packed    bytes.Buffer
	packer    *gzip.Writer
}

// Size is how many bytes were written.
func (s *Buffer) Size() int64 { return s.size }

// Held is how many bytes of memory the file takes.
func (s *Buffer) Held() int64 { return int64(s.packed.Cap()) }

// Write takes in bytes; the error of a file that is too long is one for the client.
func (s *Buffer) Write(p []byte) (int, error) {
	if s.size+int64(len(p)) > s.max {
		return 0, ErrTooLarge(s.max)
	}
	s.size += int64(len(p))
	return s.packer.Write(p)
}

// Open gives the file from its beginning. Nothing more can be written then.
func (s *Buffer) Open() (io.Reader, error) {
	if err := s.packer.Close(); err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(bytes.NewReader(s.packed.Bytes()))
	return &spooled{plain: plain, size: s.size}, err
}

// spooled is a file of a [Buffer] that is being read.
type spooled struct {
	plain      io.Reader
	read, size int64
}

// Read gives the following bytes of the file.
func (s *spooled) Read(p []byte) (int, error) {
	n, err := s.plain.Read(p)
	s.read += int64(n)
	return n, err
}

func (s *spooled) Measure() (read, size int64) { return s.read, s.size }

// Measured is a file that knows how many of its bytes were read, and how many it has.
type Measured interface{ Measure() (read, size int64) }

func NewBuffer(max int64) *Buffer {
	s := &Buffer{max: max}
	s.packer, _ = gzip.NewWriterLevel(&s.packed, gzip.BestSpeed) // the level exists
	return s
}
