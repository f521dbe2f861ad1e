package importer_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"finsvc/importer/pdf/extract"
)

// texts are the words that the reader finds, in the order in which they are written.
func texts(t *testing.T, file string) string {
	t.Helper()
	var out bytes.Buffer
	if err := extract.Text(strings.NewReader(file), &out); err != nil {
		t.Fatal(err)
	}
	var words []string
	for line := range strings.Lines(out.String()) {
		var word struct {
			T   string
			End *struct{ Problem string }
		}
		if err := json.Unmarshal([]byte(line), &word); err != nil {
			t.Fatal(err)
		}
		if word.End != nil && word.End.Problem != "" {
			return "problem " + word.End.Problem
		}
		words = append(words, word.T)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// TestPDFText: the ways in which PDF writes words.
func TestPDFText(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"BT /F1 10 Tf (one two) Tj ET":                                            "one two",
		"BT /F1 10 Tf [(Ke) 20 (rn) -10 (ed) -300 (apart)] TJ ET":                 "Kerned apart",
		"BT /F1 10 Tf (pie) Tj (ces) Tj ET":                                       "pieces",
		"BT /F1 10 Tf 12 TL (a) Tj T* (b) Tj (c) ' 1 0 (d) \" ET":                 "a b c d",
		"BT /F1 10 Tf 100 0 Td (right) Tj -100 0 Td (left) Tj ET":                 "right left",
		"BT /F1 10 Tf (\\200 \\344\\366) Tj ET":                                   "€ äö",
		"BT /F1 10 Tf 0 10 -10 0 50 50 Tm (up) Tj ET BT /F1 9 Tf (on) Tj ET":      "on",
		"q 2 0 0 2 0 0 cm BT /F1 10 Tf (big) Tj ET Q BT /F1 10 Tf (small) Tj ET":  "big small",
		"BT /F9 10 Tf (no such font) Tj /F1 10 Tf (font) Tj ET":                   "font",
		"BT /F1 10 Tf 50 Tz (nar) Tj (row) Tj 3 Ts (raised) Tj ET Q Q":            "narrow raised",
		"BT /F1 10 Tf 10 Tw (wide gap) Tj 5 Tc (abc) Tj ET /Nothing Do 1 2 cm BI": "wide gapa b c",
	} {
		if got := texts(t, pdfOf(content).String()); got != want {
			t.Errorf("%s: got %q, want %q", content, got, want)
		}
	}
}

// TestPDFWholes: what files may have around and inside that changes no text.
func TestPDFWholes(t *testing.T) {
	t.Parallel()
	const content = "BT /F1 10 Tf (word) Tj ET"
	newer := pdfOf(content)
	newer.version = "2.0"
	form := pdfOf("/Fm Do")
	form.objects[3] = strings.Replace(form.objects[3], "/Font", "/XObject << /Fm 6 0 R >> /Font", 1)
	form.stream("/Subtype /Form /Matrix [1 0 0 1 5 5] /BBox [0 0 9 9]", content)
	nested := pdfOf(content)
	nested.objects[1] = "<< /Type /Pages /Kids [6 0 R] /Count 1 >>"
	nested.add("<< /Type /Pages /Kids [4 0 R] /Count 1 /Rotate 0 >>")
	wide := pdfOf("BT /F1 10 Tf <00010002> Tj ET")
	wide.objects[2] = "<< /Type /Font /Subtype /Type0 /BaseFont /W /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /DW 500 /W [1 [400] 2 3 600] >>] >>"
	wide.stream("", "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <FB01> <0002> <0078> endbfchar endcmap")
	turned := pdfOf("BT /F1 10 Tf 0 1 -1 0 100 100 Tm (turned) Tj ET")
	turned.objects[3] = strings.Replace(turned.objects[3], "/Parent", "/Rotate 90 /Parent", 1)
	for name, c := range map[string]struct{ file, want string }{
		"no PDF": {"junk\n", "problem foreign"},
		"bytes behind the end": {pdfOf(content).String() + strings.Repeat("\n<!-- sent by a mail program -->", 9),
			"word"},
		"version 2.0":        {newer.String(), "word"},
		"a form":             {form.String(), "word"},
		"groups of pages":    {nested.String(), "word"},
		"two bytes a letter": {wide.String(), "fix"},
		"a turned page":      {turned.String(), "turned"},
		"nothing":            {"", "problem foreign"},
	} {
		if got := texts(t, c.file); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
