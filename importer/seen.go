package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"hash"
	"io"
	"maps"

	"finsvc/ledger"
	"finsvc/queries"
)

// seen is what a preflight has found out about a file. It is not found out again when the same file is imported next, as
// long as nothing has changed that decides it.
//
// A file is read as often as it takes, never kept: once for how it is to be read, once for what its rows would do,
// once to write them.
type seen struct {
	householdID int64
	how         reading // that was asked for
	basis       queries.GetImportBasisRow
	sum         []byte // SHA-256 of the file
	detection   detection
	given       Settings
	outlook     *outlook
}

// holds says whether a file that was received is the one that was seen, to be read in the same way and on the same basis.
func (s *seen) holds(who ledger.Actor, how reading, sum []byte, basis queries.GetImportBasisRow) bool {
	return s != nil && s.householdID == who.HouseholdID && s.basis == basis && bytes.Equal(s.sum, sum) && s.how.like(how)
}

// like says whether two readings of a file are the same.
func (r reading) like(other reading) bool {
	account := func(id *int64) int64 {
		if id == nil {
			return 0
		}
		return *id
	}
	return r.kind == other.kind && or(r.duplicates, DuplicatesHold) == or(other.duplicates, DuplicatesHold) && account(r.accountID) == account(other.accountID) && maps.Equal(r.settings.written(), other.settings.written())
}

// see finds out how a file is to be read, unless that was seen before.
func (im *Importer) see(ctx context.Context, who ledger.Actor, in Request, how reading, f *queries.FinishUploadParams) (s seen, err error) {
	if s.basis, err = im.basis(ctx, who, f.ID); err != nil { // first: what changes while the file is read must show
		return s, err
	}
	if in.Seen != nil && in.Seen.seen.holds(who, how, f.Sha256, s.basis) {
		return *in.Seen.seen, nil
	}
	s.detection, s.given, err = im.detected(ctx, who, how, func() (io.Reader, error) { return im.open(ctx, who.HouseholdID, f.ID), nil })
	return s, err
}

// hashed is a file of which all is hashed that is read.
type hashed struct {
	file io.Reader
	sum  hash.Hash
}

func newHashed(file io.Reader) *hashed { return &hashed{file, sha256.New()} }

// Read gives the following bytes of the file.
func (h *hashed) Read(p []byte) (int, error) {
	n, err := h.file.Read(p)
	_, _ = h.sum.Write(p[:n]) // never fails
	return n, err
}

func (h *hashed) measure() (read, size int64) {
	if m, ok := h.file.(measured); ok {
		return m.measure()
	}
	return 0, 0
}
