package importer

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// rereader is a file that can be read again from its beginning.
type rereader interface{ again() io.Reader }

func (r *chunkReader) again() io.Reader { return r.im.open(r.ctx, r.householdID, r.importID) }

// replay reads a file once, and keeps it compressed for those who read it again. What is read again holds
// what was read before.
type replay struct {
	src    io.Reader
	packed bytes.Buffer
	packer *gzip.Writer
}

// twice makes a file one that can be read again, unless it is one already.
func twice(file io.Reader) io.Reader {
	if _, ok := file.(rereader); ok {
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

func (r *replay) again() io.Reader {
	_ = r.packer.Close() // a buffer takes everything
	packed, _ := gzip.NewReader(bytes.NewReader(r.packed.Bytes()))
	return packed
}
