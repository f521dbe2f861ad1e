package importer

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

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// How much the process that reads a PDF may use. The memory beyond pdfMemory is for what is above the watched heap
// in a single step.
const (
	defaultPDFTime = 20 * time.Second
	pdfMemory      = 256 << 20
	maxPDFText     = 128 << 20
	maxPDFReaders  = 2 // processes at a time
)

// LimitPDFReader bounds the process that it is called in to what the reader of a PDF may use; end is called when that
// is not enough.
func LimitPDFReader(end func()) {
	limitProcess(pdfMemory, defaultPDFTime)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
		for range time.Tick(10 * time.Millisecond) {
			if metrics.Read(sample); sample[0].Value.Uint64() > pdfMemory {
				end()
			}
		}
	}()
}

// pdfWords has another process read a PDF. Whatever becomes of that process, the error is a *[FileError].
//
// Any parser can be made to crash, hang or bloat by a file. So a process of its own, this program with a hidden
// command, turns bytes into words with their places, within limits of time and memory and without an environment.
// Lines, columns and rows are found from the words here, by code that knows no file format.
func (im *Importer) pdfWords(ctx context.Context, file io.Reader) ([]PDFWord, error) {
	if len(im.pdfText) == 0 {
		return nil, errors.New("nobody said how PDF files are read")
	}
	select {
	case im.pdfReaders <- struct{}{}:
		defer func() { <-im.pdfReaders }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, im.pdfTime)
	defer cancel()
	words, err := runPDFReader(limited, im.pdfText, file)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, &FileError{Message: fmt.Sprintf("could not be read within %s: it is damaged or much too large for a statement", im.pdfTime)}
	}
	return words, err
}

// statementDefaults are what a statement need not say: whose it is.
func (im *Importer) statementDefaults(ctx context.Context, who ledger.Actor, key int64) (Defaults, error) {
	ids, err := im.ledger.Entries.AccountIDs(ctx, who)
	if err != nil {
		return Defaults{}, err
	}
	account, err := im.ledger.Catalog.GetAccount(ctx, who, ids[key])
	if err != nil {
		return Defaults{}, err
	}
	currency, _ := money.LookupCurrency(account.Currency) // was looked up when it was stored
	return Defaults{Type: PdfImport, Currency: currency, Liability: account.Classification == ledger.Liability,
		PDFWords: func(file io.Reader) ([]PDFWord, error) { return im.pdfWords(ctx, file) }}, nil
}

// runPDFReader starts the process and takes in what it writes. It knows nothing of this one but the file.
func runPDFReader(ctx context.Context, command []string, file io.Reader) ([]PDFWord, error) {
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

// isExit says whether the process ended by itself, rather than that its input could not be read.
func isExit(err error) bool {
	_, ok := errors.AsType[*exec.ExitError](err)
	return ok || errors.Is(err, exec.ErrWaitDelay)
}

// takePDFWords reads what [PDFText] wrote. Without its last line the process did not get to the end.
func takePDFWords(in io.Reader) ([]PDFWord, error) {
	var words []PDFWord
	lines := json.NewDecoder(bufio.NewReaderSize(in, 64<<10))
	for {
		var line pdfLine
		if err := lines.Decode(&line); err != nil {
			return nil, &FileError{Message: "could not be read: it is damaged, or takes more than " + humanize.IBytes(pdfMemory) + " of memory to read"}
		}
		if line.End != nil {
			return words, pdfProblem(line.End.Problem)
		}
		if line.PDFWord == nil || len(words) >= maxPDFWords {
			return nil, pdfProblem(pdfHuge)
		}
		words = append(words, *line.PDFWord)
	}
}

// pdfProblem is a reason of the reader as a sentence about the file; nil when there is none.
func pdfProblem(reason string) error {
	switch reason {
	case "":
		return nil
	case pdfForeign:
		return &FileError{Message: "is no PDF: it does not begin with %PDF. Send its bytes as the part named file of a form"}
	case pdfLocked:
		return &FileError{Message: "is protected by a password: save it without one and send it again"}
	case pdfPictures:
		return &FileError{Message: "has no text, only pictures: it was scanned. Get the statement as the bank makes it, or as CSV"}
	case pdfEmpty:
		return &FileError{Message: "has no text: there is nothing to read in it"}
	case pdfHuge:
		return &FileError{Message: fmt.Sprintf("is much too large for a statement: at most %d pages, %s words and %s of unpacked text are read",
			maxPDFPages, humanize.Comma(maxPDFWords), humanize.IBytes(maxPDFBytes))}
	}
	return &FileError{Message: "is a damaged PDF: get it from the bank once more, or open it in a viewer and save it anew"}
}
