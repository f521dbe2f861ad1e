package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"github.com/klauspost/compress/gzip"

	"finsvc/db"
	"finsvc/queries"
)

// chunkSize is how many bytes of a file are stored in one piece: small enough that other writes do not
// notice.
const chunkSize = 512 << 10

// Store keeps a file of an import in the database, piece by piece and compressed, as it comes in.
type Store struct {
	ctx      context.Context
	db       *db.DB
	importID int64
	max      int64
	number   int64
	size     int64
	buf      []byte
	packed   bytes.Buffer
	packer   *gzip.Writer
	sum      hash.Hash
}

// NewStore begins to keep the file of an import, which may be so many bytes long at most.
func NewStore(ctx context.Context, d *db.DB, importID, longest int64) *Store {
	w := &Store{ctx: ctx, db: d, importID: importID, max: longest, sum: sha256.New()}
	w.packer, _ = gzip.NewWriterLevel(&w.packed, gzip.BestSpeed) // the level exists
	return w
}

// Write takes in bytes; the error of a file that is too long is one for the client.
func (w *Store) Write(p []byte) (int, error) {
	if w.size+int64(len(p)) > w.max {
		return 0, ErrTooLarge(w.max)
	}
	for taken := 0; taken < len(p); {
		n := min(chunkSize-len(w.buf), len(p)-taken)
		w.buf = append(w.buf, p[taken:taken+n]...)
		taken += n
		if len(w.buf) == chunkSize {
			if err := w.Flush(); err != nil {
				return 0, err
			}
		}
	}
	w.size += int64(len(p))
	w.sum.Write(p)
	return len(p), nil
}

// Flush stores what has come since the last piece. Write returns when the piece is stored, so its memory
// serves for the next one.
func (w *Store) Flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	w.packed.Reset()
	w.packer.Reset(&w.packed)
	if _, err := w.packer.Write(w.buf); err != nil {
		return err
	}
	if err := w.packer.Close(); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	w.number++
	return w.db.Write(w.ctx, func(ctx context.Context, q *queries.Queries) error {
		return q.InsertImportChunk(ctx, queries.InsertImportChunkParams{ImportID: w.importID, Number: w.number,
			Data: w.packed.Bytes()})
	})
}

// Size is how many bytes have come in.
func (w *Store) Size() int64 { return w.size }

// Sum is the SHA-256 of what has come in.
func (w *Store) Sum() []byte { return w.sum.Sum(nil) }

// Stored is a file that was kept so; the size may be 0 for who does not ask how much is left to read.
func Stored(ctx context.Context, d *db.DB, householdID, importID, size int64) *File {
	return New(size, func() (io.Reader, error) {
		return &chunkReader{ctx: ctx, db: d, householdID: householdID, importID: importID}, nil
	})
}

// chunkReader reads a stored file from its beginning, one piece in memory at a time.
type chunkReader struct {
	ctx         context.Context
	db          *db.DB
	householdID int64
	importID    int64
	number      int64
	piece       io.Reader
}

// Read gives the following bytes of the file.
func (r *chunkReader) Read(p []byte) (int, error) {
	for {
		if r.piece != nil {
			n, err := r.piece.Read(p)
			if n > 0 || err != io.EOF {
				return n, err
			}
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
}

func (r *chunkReader) next() error {
	r.number++
	var data []byte
	err := r.db.Read(r.ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		data, err = q.GetImportChunk(ctx, queries.GetImportChunkParams{ImportID: r.importID, Number: r.number,
			HouseholdID: r.householdID})
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
