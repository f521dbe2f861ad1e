// Package source is a file that can be opened again, as text or as it is kept in the database: its readers look at it
// once for how it is to be read and once for its rows, and nobody keeps more of it than compressed bytes.
package source

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/gzip"

	"finsvc/ledger"
)

// File is a file that can be opened again. It is for one goroutine at a time, like its readers.
type File struct {
	open  func() (io.Reader, error)
	size  int64
	reads int
	last  *reader
	sum   []byte
}

// New makes a file of what gives its content from the beginning. The size may be 0 when it is not known.
func New(size int64, open func() (io.Reader, error)) *File { return &File{open: open, size: size} }

// Text is a file with a content.
func Text(content string) *File {
	return New(int64(len(content)), func() (io.Reader, error) { return strings.NewReader(content), nil })
}

// Open begins to read the file.
func (f *File) Open() (io.Reader, error) {
	content, err := f.open()
	if err != nil {
		return nil, err
	}
	f.last = &reader{file: f, content: content}
	if f.sum == nil {
		f.last.hash = sha256.New()
	}
	return f.last, nil
}

// Reads is how often the file was read to its end.
func (f *File) Reads() int { return f.reads }

// Progress is how many bytes were read since the file was opened last, and how many there are.
func (f *File) Progress() (read, size int64) {
	if f.last == nil {
		return 0, f.size
	}
	return f.last.read, f.size
}

// Sum is the SHA-256 of the content. The file is read for it only if nobody has read it to its end.
func (f *File) Sum() ([]byte, error) {
	if f.sum != nil {
		return f.sum, nil
	}
	content, err := f.Open()
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, content)
	return f.sum, err
}

// reader reads a file from its beginning.
type reader struct {
	file    *File
	content io.Reader
	read    int64
	hash    hash.Hash // nil when the sum is known
	ended   bool
}

// Read gives the following bytes of the file.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	r.read += int64(n)
	if r.hash != nil {
		_, _ = r.hash.Write(p[:n]) // never fails
	}
	if err == io.EOF && !r.ended {
		r.ended = true
		r.file.reads++
		if r.hash != nil {
			r.file.sum = r.hash.Sum(nil)
		}
	}
	return n, err
}

// Buffer keeps a file in memory, compressed, for those who have to read it more than once and must not
// store it. Write it first, then read its File.
type Buffer struct {
	max, size int64
	packed    bytes.Buffer
	packer    *gzip.Writer
}

// NewBuffer takes at most so many bytes.
func NewBuffer(most int64) *Buffer {
	b := &Buffer{max: most}
	b.packer, _ = gzip.NewWriterLevel(&b.packed, gzip.BestSpeed) // the level exists
	return b
}

// Size is how many bytes were written.
func (b *Buffer) Size() int64 { return b.size }

// Held is how many bytes of memory the file takes.
func (b *Buffer) Held() int64 { return int64(b.packed.Cap()) }

// Write takes in bytes; the error of a file that is too long is one for the client.
func (b *Buffer) Write(p []byte) (int, error) {
	if b.size+int64(len(p)) > b.max {
		return 0, ErrTooLarge(b.max)
	}
	b.size += int64(len(p))
	return b.packer.Write(p)
}

// File is what was written. Nothing more can be written then.
func (b *Buffer) File() *File {
	err := b.packer.Close()
	return New(b.size, func() (io.Reader, error) {
		if err != nil {
			return nil, err
		}
		return gzip.NewReader(bytes.NewReader(b.packed.Bytes()))
	})
}

// ErrTooLarge says to a client that a file is longer than so many bytes.
func ErrTooLarge(most int64) error {
	return &ledger.Error{Kind: ledger.Invalid, Code: "content_too_large",
		Message: "the file is longer than " + humanize.IBytes(uint64(most)) + " (" + humanize.Comma(most) + " bytes)"}
}
