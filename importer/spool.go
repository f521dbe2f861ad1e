package importer

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Spool keeps a file in memory, compressed, for those who have to read it more than once and must not
// store it. Write it first, then open it as often as needed.
type Spool struct {
	max, size int64
	packed    bytes.Buffer
	packer    *gzip.Writer
}

// NewSpool makes a spool that takes as much as an import may be long.
func (im *Importer) NewSpool() *Spool {
	s := &Spool{max: im.max}
	s.packer, _ = gzip.NewWriterLevel(&s.packed, gzip.BestSpeed) // the level exists
	return s
}

// Size is how many bytes were written.
func (s *Spool) Size() int64 { return s.size }

// Held is how many bytes of memory the file takes.
func (s *Spool) Held() int64 { return int64(s.packed.Cap()) }

// Write takes in bytes; the error of a file that is too long is one for the client.
func (s *Spool) Write(p []byte) (int, error) {
	if s.size+int64(len(p)) > s.max {
		return 0, errTooLarge(s.max)
	}
	s.size += int64(len(p))
	return s.packer.Write(p)
}

// Open gives the file from its beginning. Nothing more can be written then.
func (s *Spool) Open() (io.Reader, error) {
	if err := s.packer.Close(); err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(bytes.NewReader(s.packed.Bytes()))
	return &spooled{plain: plain, size: s.size}, err
}

// spooled is a file of a [Spool] that is being read.
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

func (s *spooled) measure() (read, size int64) { return s.read, s.size }
