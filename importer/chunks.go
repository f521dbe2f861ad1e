package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/gzip"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// chunkSize is how many bytes of a file are stored in one piece: small enough that other writes do not
// notice.
const chunkSize = 512 << 10

// chunkWriter stores a file piece by piece, compressed, as it comes in.
type chunkWriter struct {
	ctx      context.Context
	im       *Importer
	importID int64
	number   int64
	size     int64
	buf      []byte
	packed   bytes.Buffer
	packer   *gzip.Writer
	sum      hash.Hash
}

func newChunkWriter(ctx context.Context, im *Importer, importID int64) *chunkWriter {
	w := &chunkWriter{ctx: ctx, im: im, importID: importID, sum: sha256.New()}
	w.packer, _ = gzip.NewWriterLevel(&w.packed, gzip.BestSpeed) // the level exists
	return w
}

// Write takes in bytes; the error of a file that is too long is one for the client.
func (w *chunkWriter) Write(p []byte) (int, error) {
	if w.size+int64(len(p)) > w.im.max {
		return 0, errTooLarge(w.im.max)
	}
	for taken := 0; taken < len(p); {
		n := min(chunkSize-len(w.buf), len(p)-taken)
		w.buf = append(w.buf, p[taken:taken+n]...)
		taken += n
		if len(w.buf) == chunkSize {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	w.size += int64(len(p))
	w.sum.Write(p)
	return len(p), nil
}

func errTooLarge(most int64) error {
	return &ledger.Error{Kind: ledger.Invalid, Code: "content_too_large",
		Message: "the file is longer than " + humanize.IBytes(uint64(most)) + " (" + humanize.Comma(most) + " bytes)"}
}

// flush stores what has come since the last piece. Write returns when the piece is stored, so its memory
// serves for the next one.
func (w *chunkWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	if err := w.pack(); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	w.number++
	return w.im.db.Write(w.ctx, func(ctx context.Context, q *queries.Queries) error {
		return q.InsertImportChunk(ctx, queries.InsertImportChunkParams{ImportID: w.importID, Number: w.number, Data: w.packed.Bytes()})
	})
}

func (w *chunkWriter) pack() error {
	w.packed.Reset()
	w.packer.Reset(&w.packed)
	if _, err := w.packer.Write(w.buf); err != nil {
		return err
	}
	return w.packer.Close()
}

// chunkReader reads a stored file from its beginning, one piece in memory at a time.
type chunkReader struct {
	ctx         context.Context
	im          *Importer
	householdID int64
	importID    int64
	number      int64
	piece       io.Reader
	read, size  int64 // bytes; the size is 0 when nobody has asked how much is left
}

func (im *Importer) open(ctx context.Context, householdID, importID int64) *chunkReader {
	return &chunkReader{ctx: ctx, im: im, householdID: householdID, importID: importID}
}

// openSized is open for those who want to know how much is left.
func (im *Importer) openSized(ctx context.Context, householdID, importID, size int64) *chunkReader {
	r := im.open(ctx, householdID, importID)
	r.size = size
	return r
}

// Read gives the following bytes of the file.
func (r *chunkReader) Read(p []byte) (int, error) {
	for {
		if r.piece != nil {
			n, err := r.piece.Read(p)
			r.read += int64(n)
			if n > 0 || err != io.EOF {
				return n, err
			}
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
}

func (r *chunkReader) measure() (read, size int64) { return r.read, r.size }

func (r *chunkReader) next() error {
	r.number++
	var data []byte
	err := r.im.db.Read(r.ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		data, err = q.GetImportChunk(ctx, queries.GetImportChunkParams{ImportID: r.importID, Number: r.number, HouseholdID: r.householdID})
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return io.EOF
	}
	if err != nil {
		return err
	}
	r.piece, err = gzip.NewReader(bytes.NewReader(data))
	return err
}
