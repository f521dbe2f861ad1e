package extract

import (
	"strings"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

// glyph is a letter of a font. Width is in parts of the size of the letters.
type glyph struct {
	text  string
	width float64
	space bool // the one-byte code 32, which word spacing is added to
}

// pdfFont knows the letters of a font and how wide they are, which is what the library leaves out.
type pdfFont struct {
	decoder pdf.TextEncoding
	wide    bool            // two bytes for a letter
	widths  map[int]float64 // by code, in thousandths of the size
	usual   float64         // width of what is not in widths; 0: see standardWidth
	name    string
	known   map[int]glyph
}

// fontNamed is nil for a font that the page does not have. Pages share fonts, whose parts are slow to find, so they
// are known again by what the file says of them.
func (p *pdfPainter) fontNamed(name string) *pdfFont {
	if f, ok := p.fonts[name]; ok {
		return f
	}
	dict := p.resources.Key("Font").Key(name)
	if dict.Kind() != pdf.Dict {
		return nil
	}
	known := p.reader.fonts[dict.String()]
	if known == nil {
		known = newPDFFont(dict)
		p.reader.fonts[dict.String()] = known
	}
	p.fonts[name] = known
	return known
}

func newPDFFont(dict pdf.Value) *pdfFont {
	font := pdf.Font{V: dict}
	f := &pdfFont{decoder: font.Encoder(), name: strings.ToLower(dict.Key("BaseFont").Name()),
		widths: map[int]float64{}, known: map[int]glyph{}}
	if dict.Key("Subtype").Name() == "Type0" {
		f.widen(dict.Key("DescendantFonts").Index(0))
		return f
	}
	unit := 1.0
	if matrix := dict.Key("FontMatrix"); matrix.Len() == 6 {
		unit = matrix.Index(0).Float64() * 1000
	}
	widths, first := dict.Key("Widths"), int(dict.Key("FirstChar").Int64())
	for i := range min(widths.Len(), 256) {
		f.widths[first+i] = widths.Index(i).Float64() * unit
	}
	f.usual = dict.Key("FontDescriptor").Key("MissingWidth").Float64()
	return f
}

// widen reads the widths of a font with two bytes for a letter (ISO 32000-1, 9.7.4.3).
func (f *pdfFont) widen(descendant pdf.Value) {
	f.wide, f.usual = true, 1000
	if usual := descendant.Key("DW"); !usual.IsNull() {
		f.usual = usual.Float64()
	}
	list := descendant.Key("W")
	for i := 0; i+1 < list.Len(); {
		first, second := int(list.Index(i).Int64()), list.Index(i+1)
		if second.Kind() == pdf.Array {
			for j := range second.Len() {
				f.widths[first+j] = second.Index(j).Float64()
			}
			i += 2
			continue
		}
		for code := first; code <= min(int(second.Int64()), 0xFFFF); code++ {
			f.widths[code] = list.Index(i + 2).Float64()
		}
		i += 3
	}
}

// glyphs are the letters that a string of codes stands for.
func (f *pdfFont) glyphs(raw string) []glyph {
	var out []glyph
	step := 1
	if f.wide {
		step = 2
	}
	for i := 0; i+step <= len(raw); i += step {
		code := int(raw[i])
		if f.wide {
			code = code<<8 | int(raw[i+1])
		}
		g, ok := f.known[code]
		if !ok {
			g = glyph{text: f.decode(raw[i : i+step]), width: f.width(code) / 1000, space: !f.wide && code == ' '}
			f.known[code] = g
		}
		out = append(out, g)
	}
	return out
}

// decode gives the text of a code. What an encoding does not say is Windows' own, as most programs mean it.
func (f *pdfFont) decode(code string) string {
	text := f.decoder.Decode(code)
	if r := []rune(text); len(r) == 1 && r[0] >= 0x80 && r[0] < 0xA0 {
		return string(charmap.Windows1252.DecodeByte(byte(r[0])))
	}
	return text
}

// width is in thousandths of the size of the letters.
func (f *pdfFont) width(code int) float64 {
	if w, ok := f.widths[code]; ok {
		return w
	}
	if f.usual > 0 || f.wide {
		return f.usual
	}
	// That of the fonts that every viewer has, whose widths a file may leave out: Helvetica's, near enough for
	// Times; Courier has one for all.
	if strings.Contains(f.name, "cour") {
		return 600
	}
	// The characters of each width in ASCII; all others are 556, as digits are.
	for _, some := range []struct {
		width float64
		chars string
	}{
		{222, "'ijl`"}, {260, "|"}, {278, " !,./:;I[\\]ft"}, {333, "()-r"}, {355, `"`}, {389, "*"}, {469, "^"},
		{500, "Jcksvxyz"},
		{584, "+<=>~"}, {611, "FTZ"}, {667, "&ABEKPSVXY"}, {722, "CDHNRUw"}, {778, "GOQ"}, {833, "Mm"}, {889, "%"},
		{944, "W"}, {1015, "@"},
	} {
		if code < 0x80 && strings.IndexByte(some.chars, byte(code)) >= 0 {
			return some.width
		}
	}
	return 556
}
