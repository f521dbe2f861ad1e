// Package machine is what the pages may ask of the program around the server: the copies of its file, an examination, data
// to try things with. The pages name what they need here; package cmd, which knows files and processes, gives it. So a page
// calls what a command of the same name does, and no handler touches a file.
package machine

import (
	"context"
	"io"
	"time"

	"finsvc/ledger"
)

// Machine is the program around a server. What it gives of the file is of all households in it: whatever lets a visitor
// read that is refused, as forbidden, where the file has the books of several.
type Machine interface {
	// LastCopy is when the newest copy was made that was found good; false when there is none.
	LastCopy() (at time.Time, ok bool)
	// Copies lists the copies of the file, the newest first.
	Copies(ctx context.Context) ([]Copy, error)
	// MakeCopy makes one and looks it through.
	MakeCopy(ctx context.Context) (Inspected, error)
	// OpenCopy opens one to be read, with its size.
	OpenCopy(ctx context.Context, name string) (io.ReadCloser, int64, error)
	// VerifyCopy looks one through.
	VerifyCopy(ctx context.Context, name string) (Inspected, error)
	// Examine looks at the file, its copies and what they lie on, and changes nothing.
	Examine(ctx context.Context) ([]Finding, error)
	// FillDemo puts made-up books into the household of an actor, which must be empty.
	FillDemo(ctx context.Context, who ledger.Actor) error
	// Receive keeps a copy that was brought along, and looks it through. The command puts it in the place of the file,
	// which no server may have open then.
	Receive(ctx context.Context, file io.Reader) (got Inspected, command string, err error)
}

// Copy is a copy of the file.
type Copy struct {
	Name, Kind, Size string // the kind in words; the size with its unit
	At               time.Time
	Good             bool // it was looked through when it was made
}

// Inspected is what came of looking a copy through.
type Inspected struct {
	Name     string
	Summary  string   // what it holds, in words
	Problems []string // why it is not to be relied on; none of a good one
}

// Finding is what a check came to: Status is ok, warn or fail.
type Finding struct {
	Check   string   `json:"check"`
	Status  string   `json:"status"`
	Message string   `json:"message"`
	Details []string `json:"details"`
}
