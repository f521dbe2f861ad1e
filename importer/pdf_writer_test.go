package importer_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"finsvc/importer/pdf/extract"
)

// pdfFile writes PDF files as the tests need them: objects from number 1, the first of which is the catalogue.
type pdfFile struct {
	objects []string
	trailer string // more entries of it
	version string
}

// add gives the number of a new object.
func (f *pdfFile) add(format string, args ...any) int {
	f.objects = append(f.objects, fmt.Sprintf(format, args...))
	return len(f.objects)
}

// stream adds a compressed stream.
func (f *pdfFile) stream(dict, content string) int {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write([]byte(content)) // into memory
	_ = w.Close()
	return f.add("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", dict, packed.Len(), packed.String())
}

func (f *pdfFile) String() string {
	version := f.version
	if version == "" {
		version = "1.4"
	}
	out := "%PDF-" + version + "\n"
	table := "0000000000 65535 f \n"
	for i, object := range f.objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(out))
		out += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	return out + fmt.Sprintf("xref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n",
		len(f.objects)+1, table, len(f.objects)+1, f.trailer, len(out))
}

// pdfOf is a file with a page for each content, which may use the font F1, all of whose letters are half as wide as
// they are high.
func pdfOf(contents ...string) *pdfFile {
	f := &pdfFile{}
	f.add("<< /Type /Catalog /Pages 2 0 R >>")
	f.add("") // the pages, when they are known
	f.add("<< /Type /Font /Subtype /Type1 /BaseFont /Any /Encoding /WinAnsiEncoding /FirstChar 0 /LastChar 255 /Widths [%s] >>", strings.Repeat("500 ", 256))
	var kids string
	for _, content := range contents {
		page := f.add("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>",
			len(f.objects)+2)
		f.stream("", content)
		kids += fmt.Sprintf("%d 0 R ", page)
	}
	f.objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(contents))
	return f
}

// drawn writes each word where it stands.
func drawn(words []extract.Word) string {
	var content strings.Builder
	for _, w := range words {
		text, _ := charmap.Windows1252.NewEncoder().String(w.Text) // the layouts have no other letters
		fmt.Fprintf(&content, "BT /F1 %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n", w.Size, w.X, w.Y,
			strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text))
	}
	return content.String()
}

// pdfPages is a file whose pages are drawn as text, see wordsOf.
func pdfPages(pages ...string) *pdfFile {
	contents := make([]string, len(pages))
	for _, w := range wordsOf(pages...) {
		contents[w.Page-1] += drawn([]extract.Word{w})
	}
	return pdfOf(contents...)
}
