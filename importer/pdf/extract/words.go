package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ledongthuc/pdf"
)

// Word is a word where it stands on a page: X is its left edge and Y its baseline, in points from the lower left
// corner; Size is that of its letters.
type Word struct {
	Page  int     `json:"p"` // from 1
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Width float64 `json:"w"`
	Size  float64 `json:"s"`
	Text  string  `json:"t"`
}

// Right is the right edge of the word.
func (w Word) Right() float64 { return w.X + w.Width }

// What is read of a PDF at most. A statement of a year has a hundredth of it.
const (
	maxPDFPages = 500
	maxPDFWords = 500_000
	maxPDFBytes = 64 << 20 // of all pages' content when it is unpacked
	maxPDFForms = 8        // forms within forms
	maxPDFTree  = 16       // page groups within page groups
)

// pdfLine is a line of what [Text] writes: a word, or the end.
type pdfLine struct {
	*Word
	End *pdfEnd `json:"end,omitempty"`
}

// pdfEnd is the last line. Problem is one of the words of pdfProblem, blank when all was read.
type pdfEnd struct {
	Problem string `json:"problem"`
}

// The reasons why a PDF cannot be read, see pdfProblem.
const (
	pdfForeign  = "foreign"
	pdfLocked   = "locked"
	pdfDamaged  = "damaged"
	pdfPictures = "pictures"
	pdfEmpty    = "empty"
	pdfHuge     = "huge"
)

// pdfTrouble ends the reading of a PDF with one of those reasons.
type pdfTrouble string

// Error is the reason.
func (t pdfTrouble) Error() string { return string(t) }

// Text reads a PDF and writes its words as JSON lines. It is made for a process of its own, for the file may be
// made to crash it, hang it or fill its memory: [importer.Options] says how to start that. What is wrong with
// the file stands in the last line; the error is that of out.
func Text(in io.Reader, out io.Writer) error {
	words, err := readPDF(in)
	end := pdfEnd{}
	if err != nil {
		end.Problem, words = pdfDamaged, nil
		if trouble, ok := errors.AsType[pdfTrouble](err); ok {
			end.Problem = string(trouble)
		}
	}
	lines := json.NewEncoder(out)
	for i := range words {
		if err := lines.Encode(pdfLine{Word: &words[i]}); err != nil {
			return err
		}
	}
	return lines.Encode(pdfLine{End: &end})
}

// readPDF gives the words of all pages. The library panics on damaged files.
func readPDF(in io.Reader) (words []Word, err error) {
	defer func() {
		if v := recover(); v != nil {
			if trouble, ok := v.(pdfTrouble); ok {
				err = trouble
			} else {
				err = fmt.Errorf("panic: %v", v)
			}
		}
	}()
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	data, err = mendPDF(data)
	if err != nil {
		return nil, err
	}
	reader, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, lockedOr(err)
	}
	r := &pdfReader{fonts: map[string]*pdfFont{}}
	r.walk(reader.Trailer().Key("Root").Key("Pages"), pdf.Value{}, 0, 0)
	switch {
	case r.pages == 0:
		return nil, pdfTrouble(pdfDamaged)
	case len(r.words) == 0 && r.pictures > 0:
		return nil, pdfTrouble(pdfPictures)
	case len(r.words) == 0:
		return nil, pdfTrouble(pdfEmpty)
	}
	return r.words, nil
}

// mendPDF undoes what keeps the library from files that every viewer opens: bytes around the PDF, and the number of a
// newer version in its head, which changes nothing in how text is written.
func mendPDF(data []byte) ([]byte, error) {
	start := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
	if start < 0 || len(data) < start+10 {
		return nil, pdfTrouble(pdfForeign)
	}
	data = data[start:]
	end := bytes.LastIndex(data, []byte("%%EOF"))
	if end < 0 {
		return nil, pdfTrouble(pdfDamaged)
	}
	data = data[:end+len("%%EOF")]
	if string(data[5:8]) == "2.0" {
		copy(data[5:8], "1.7")
	}
	if data[8] != '\r' && data[8] != '\n' {
		data[8] = '\n'
	}
	return data, nil
}

// lockedOr tells a password from damage. The library has no value for encryptions that it does not know.
func lockedOr(err error) error {
	if errors.Is(err, pdf.ErrInvalidPassword) || strings.Contains(err.Error(), "encrypt") {
		return pdfTrouble(pdfLocked)
	}
	return err
}

// pdfReader reads pages one after the other.
type pdfReader struct {
	words    []Word
	fonts    map[string]*pdfFont // by what the file says of them
	pages    int
	pictures int
	unpacked int64 // bytes
}

// walk goes through the tree of pages. A tree with a circle in it ends at the limits, for what a page inherits is
// handed down rather than looked for upwards.
func (r *pdfReader) walk(node, resources pdf.Value, rotation int64, depth int) {
	if depth > maxPDFTree {
		panic(pdfTrouble(pdfDamaged))
	}
	if own := node.Key("Resources"); !own.IsNull() {
		resources = own
	}
	if own := node.Key("Rotate"); !own.IsNull() {
		rotation = own.Int64()
	}
	kids := node.Key("Kids")
	if kids.Kind() == pdf.Array {
		for i := range kids.Len() {
			r.walk(kids.Index(i), resources, rotation, depth+1)
		}
		return
	}
	if node.Kind() == pdf.Dict && !node.Key("Contents").IsNull() || node.Key("Type").Name() == "Page" {
		r.page(node, resources, rotation)
	}
}

func (r *pdfReader) page(node, resources pdf.Value, rotation int64) {
	r.pages++
	if r.pages > maxPDFPages {
		panic(pdfTrouble(pdfHuge))
	}
	content := node.Key("Contents")
	if content.IsNull() {
		return
	}
	p := &pdfPainter{reader: r, fonts: map[string]*pdfFont{}, pen: pdfPen{ctm: rotated(rotation), scale: 1}}
	p.paint(content, resources, 0)
	p.endWord()
}

// budget counts what a page's content unpacks to, for the interpreter itself knows no limit.
func (r *pdfReader) budget(content pdf.Value) {
	if content.Kind() == pdf.Array {
		for i := range content.Len() {
			r.budget(content.Index(i))
		}
		return
	}
	if content.Kind() != pdf.Stream {
		return
	}
	n, err := io.Copy(io.Discard, io.LimitReader(content.Reader(), maxPDFBytes-r.unpacked+1))
	r.unpacked += n
	if r.unpacked > maxPDFBytes {
		panic(pdfTrouble(pdfHuge))
	}
	if err != nil {
		panic(pdfTrouble(pdfDamaged))
	}
}

// add keeps a word, with the letters that fonts have joined parted again.
func (r *pdfReader) add(w Word) {
	w.Text = plainLetters(w.Text)
	if w.Text == "" {
		return
	}
	if len(r.words) >= maxPDFWords {
		panic(pdfTrouble(pdfHuge))
	}
	w.Page = r.pages
	r.words = append(r.words, w)
}
