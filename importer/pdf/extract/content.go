package extract

import (
	"math"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/unicode/norm"
)

// pdfMatrix maps points: x' = ax + cy + e, y' = bx + dy + f.
type pdfMatrix struct{ a, b, c, d, e, f float64 }

// then is the map of m, and after it that of n.
func (m pdfMatrix) then(n pdfMatrix) pdfMatrix {
	return pdfMatrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

func moved(x, y float64) pdfMatrix { return pdfMatrix{a: 1, d: 1, e: x, f: y} }

// rotated is the map of a page that is shown turned clockwise. Only differences of places matter.
func rotated(degrees int64) pdfMatrix {
	switch (degrees%360 + 360) % 360 {
	case 90:
		return pdfMatrix{b: -1, c: 1}
	case 180:
		return pdfMatrix{a: -1, d: -1}
	case 270:
		return pdfMatrix{b: 1, c: -1}
	}
	return pdfMatrix{a: 1, d: 1}
}

// pdfPen is the state that text is written with (ISO 32000-1, 9.3 and 9.4).
type pdfPen struct {
	ctm, tm, line  pdfMatrix
	font           *pdfFont
	size, scale    float64
	between, blank float64 // added to every letter, to every space
	leading, rise  float64
}

// pdfPainter follows the content of a page and gathers the words on it.
type pdfPainter struct {
	reader    *pdfReader
	resources pdf.Value
	fonts     map[string]*pdfFont
	pen       pdfPen
	saved     []pdfPen
	word      Word
	depth     int
}

// paint follows a page's or a form's content.
func (p *pdfPainter) paint(content, resources pdf.Value, depth int) {
	before, fonts, saved := p.resources, p.fonts, len(p.saved)
	p.resources, p.fonts, p.depth = resources, map[string]*pdfFont{}, depth
	p.reader.budget(content)
	pdf.Interpret(content, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		// Obey an operator of text, of place or of forms; all others draw nothing that can be read.
		n := operands(args)
		switch op {
		case "q":
			p.saved = append(p.saved, p.pen)
		case "Q":
			if last := len(p.saved) - 1; last >= 0 {
				p.pen, p.saved = p.saved[last], p.saved[:last]
			}
		case "cm":
			p.pen.ctm = pdfMatrix{n[0], n[1], n[2], n[3], n[4], n[5]}.then(p.pen.ctm)
		case "BT":
			p.pen.tm, p.pen.line = moved(0, 0), moved(0, 0)
		case "Do":
			if len(args) == 1 {
				p.object(p.resources.Key("XObject").Key(args[0].Name()))
			}
		case "BI":
			p.reader.pictures++
		default:
			p.write(op, args, n)
		}
	})
	p.resources, p.fonts, p.depth = before, fonts, depth-1
	p.saved = p.saved[:min(saved, len(p.saved))]
}

// write obeys the operators of text.
func (p *pdfPainter) write(op string, args []pdf.Value, n [6]float64) {
	switch op {
	case "Tf":
		if len(args) == 2 {
			p.pen.font, p.pen.size = p.fontNamed(args[0].Name()), n[1]
		}
	case "Tm":
		p.pen.tm = pdfMatrix{n[0], n[1], n[2], n[3], n[4], n[5]}
		p.pen.line = p.pen.tm
	case "TD":
		p.pen.leading = -n[1]
		p.newLine(n[0], n[1])
	case "Td":
		p.newLine(n[0], n[1])
	case "T*":
		p.newLine(0, -p.pen.leading)
	case "Tj":
		p.show(args)
	case "'":
		p.newLine(0, -p.pen.leading)
		p.show(args)
	case `"`:
		p.pen.blank, p.pen.between = n[0], n[1]
		p.newLine(0, -p.pen.leading)
		p.show(args[min(2, len(args)):])
	case "TJ":
		p.showKerned(args)
	default:
		p.adjust(op, n[0])
	}
}

func (p *pdfPainter) adjust(op string, n float64) {
	switch op {
	case "Tc":
		p.pen.between = n
	case "Tw":
		p.pen.blank = n
	case "Tz":
		p.pen.scale = n / 100
	case "TL":
		p.pen.leading = n
	case "Ts":
		p.pen.rise = n
	}
}

// operands are the operands as numbers; what is none, or missing, is 0.
func operands(args []pdf.Value) (n [6]float64) {
	for i := range min(len(args), len(n)) {
		n[i] = args[i].Float64()
	}
	return n
}

func (p *pdfPainter) newLine(x, y float64) {
	p.pen.line = moved(x, y).then(p.pen.line)
	p.pen.tm = p.pen.line
}

// object draws a form, which is content within content, and counts pictures.
func (p *pdfPainter) object(x pdf.Value) {
	switch x.Key("Subtype").Name() {
	case "Image":
		p.reader.pictures++
	case "Form":
		if p.depth >= maxPDFForms {
			panic(pdfTrouble(pdfHuge))
		}
		pen, resources := p.pen, p.resources
		if own := x.Key("Resources"); !own.IsNull() {
			resources = own
		}
		if m := x.Key("Matrix"); m.Len() == 6 {
			p.pen.ctm = pdfMatrix{m.Index(0).Float64(), m.Index(1).Float64(), m.Index(2).Float64(),
				m.Index(3).Float64(),
				m.Index(4).Float64(), m.Index(5).Float64()}.then(p.pen.ctm)
		}
		p.paint(x, resources, p.depth+1)
		p.pen = pen
	}
}

func (p *pdfPainter) show(args []pdf.Value) {
	if len(args) == 1 && p.pen.font != nil {
		for _, g := range p.pen.font.glyphs(args[0].RawString()) {
			p.letter(g)
		}
	}
}

// showKerned writes pieces with gaps between them, in thousandths of the size of the letters.
func (p *pdfPainter) showKerned(args []pdf.Value) {
	if len(args) != 1 {
		return
	}
	for i := range args[0].Len() {
		piece := args[0].Index(i)
		if piece.Kind() == pdf.String {
			p.show([]pdf.Value{piece})
		} else {
			p.advance(-piece.Float64() / 1000 * p.pen.size * p.pen.scale)
		}
	}
}

func (p *pdfPainter) advance(x float64) { p.pen.tm = moved(x, 0).then(p.pen.tm) }

// letter writes one letter and moves on. Letters that are not upright belong to no line.
func (p *pdfPainter) letter(g glyph) {
	pen := &p.pen
	at := pdfMatrix{pen.size * pen.scale, 0, 0, pen.size, 0, pen.rise}.then(pen.tm).then(pen.ctm)
	step := (g.width*pen.size + pen.between) * pen.scale
	if g.space {
		step += pen.blank * pen.scale
	}
	p.advance(step)
	if at.a <= 0 || math.Abs(at.b) > 0.05*at.a || math.IsNaN(at.e+at.f) || math.IsInf(at.e+at.f, 0) {
		return
	}
	if strings.TrimFunc(g.text, unicode.IsSpace) == "" {
		p.endWord()
		return
	}
	// Put a letter to the word before it, when it stands directly behind it.
	letter := Word{X: at.e, Y: at.f, Width: g.width * at.a, Size: math.Abs(at.d), Text: g.text}
	const gap = 0.15 // of the size: a narrow space has 0.2
	w := &p.word
	away := letter.X - w.Right()
	if w.Text == "" || math.Abs(letter.Y-w.Y) > 0.1*w.Size || away > gap*w.Size || away < -0.5*w.Size ||
		letter.Size != w.Size {
		p.endWord()
		*w = letter
		return
	}
	w.Text += letter.Text
	w.Width = letter.Right() - w.X
}

func (p *pdfPainter) endWord() {
	if p.word.Text != "" {
		p.reader.add(p.word)
	}
	p.word = Word{}
}

// plainLetters takes joined letters apart and removes what cannot be seen.
func plainLetters(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\u00AD' || r == '\uFEFF' || r == '\u200B' || unicode.IsControl(r):
			return -1
		case r == '\u00A0':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if strings.ContainsFunc(text, func(r rune) bool { return r >= '\uFB00' && r <= '\uFB06' }) {
		return norm.NFKC.String(text)
	}
	return strings.TrimSpace(norm.NFC.String(text))
}
