// Package extract turns a PDF into words with their places. Any parser can be made to crash, hang or bloat by a file,
// so [Run] has a process of its own do it, within limits of time and memory and without an environment; [Text] is what
// that process does.
package extract

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime/metrics"
	"time"

	"github.com/dustin/go-humanize"

	"finsvc/importer/text"
)

// How much the process that reads a PDF may use. The memory beyond pdfMemory is for what is above the watched heap
// in a single step.
const (
	DefaultTime   = 20 * time.Second
	pdfMemory     = 256 << 20
	maxPDFText    = 128 << 20
	MaxPDFReaders = 2 // processes at a time
)

// Limit bounds the process that it is called in to what the reader of a PDF may use; end is called when that
// is not enough.
func Limit(end func()) {
	limitProcess(pdfMemory, DefaultTime)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
		for range time.Tick(10 * time.Millisecond) {
			if metrics.Read(sample); sample[0].Value.Uint64() > pdfMemory {
				end()
			}
		}
	}()
}

// Run starts the process and takes in what it writes. It knows nothing of this one but the file.
func Run(ctx context.Context, command []string, file io.Reader) ([]Word, error) {
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Env = []string{fmt.Sprintf("GOMEMLIMIT=%d", pdfMemory*3/4), "GOTRACEBACK=none"}
	child.Stdin, child.WaitDelay = file, time.Second
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("start the reader of PDF files: %w", err)
	}
	words, readErr := takePDFWords(io.LimitReader(out, maxPDFText))
	if readErr != nil {
		_ = child.Process.Kill() // it may have ended already
	}
	if err := child.Wait(); err != nil && readErr == nil && !isExit(err) {
		return nil, err
	}
	return words, readErr
}

// isExit reports whether the process ended by itself, rather than that its input could not be read.
func isExit(err error) bool {
	_, ok := errors.AsType[*exec.ExitError](err)
	return ok || errors.Is(err, exec.ErrWaitDelay)
}

// takePDFWords reads what [Text] wrote. Without its last line the process did not get to the end.
func takePDFWords(in io.Reader) ([]Word, error) {
	var words []Word
	lines := json.NewDecoder(bufio.NewReaderSize(in, 64<<10))
	for {
		var line pdfLine
		if err := lines.Decode(&line); err != nil {
			return nil, &text.FileError{Message: "could not be read: it is damaged, or takes more than " +
				humanize.IBytes(pdfMemory) + " of memory to read"}
		}
		if line.End != nil {
			return words, pdfProblem(line.End.Problem)
		}
		if line.Word == nil || len(words) >= maxPDFWords {
			return nil, pdfProblem(pdfHuge)
		}
		words = append(words, *line.Word)
	}
}

// pdfProblem is a reason of the reader as a sentence about the file; nil when there is none.
func pdfProblem(reason string) error {
	switch reason {
	case "":
		return nil
	case pdfForeign:
		return &text.FileError{Message: "is no PDF: it does not begin with %PDF. Send its bytes as the part named file of a form"}
	case pdfLocked:
		return &text.FileError{Message: "is protected by a password: save it without one and send it again"}
	case pdfPictures:
		return &text.FileError{Message: "has no text, only pictures: it was scanned. Get the statement as the bank makes it, or as CSV"}
	case pdfEmpty:
		return &text.FileError{Message: "has no text: there is nothing to read in it"}
	case pdfHuge:
		return &text.FileError{Message: fmt.Sprintf("is much too large for a statement: at most %d pages, %s words and %s of unpacked text are read",
			maxPDFPages, humanize.Comma(maxPDFWords), humanize.IBytes(maxPDFBytes))}
	}
	return &text.FileError{Message: "is a damaged PDF: get it from the bank once more, or open it in a viewer and save it anew"}
}
