// Package chart draws the figures of the pages: values, labels and links in, markup out.
//
// It knows no ledger and no request. Values are minor units and only their proportions are drawn: no value is ever written
// into the markup, only the texts of the caller, so a page that hides amounts hides them here by giving other texts. All
// arithmetic is on whole numbers, so no place on a page is ever "not a number", and any value of 64 bits can be drawn.
//
// # What is drawn
//
//   - [Line], a value over time; [Spark], the same without a word, for a rail of accounts
//   - [Sankey], where money came from and where it went; [FlowLists], the same as two lists, for narrow pages
//   - [Bars], things by size; [Stacked], parts of a whole; [Columns], months beside each other
//
// Each fits every width. What must stretch stands in an inner svg with a viewBox, whose strokes do not scale; texts and dots
// stand outside of it, at places in per cent, and keep their size. There is no style attribute, no script and no id, so the
// strictest content security policy lets everything pass, and a chart can be on a page twice. A chart without links has the
// role img and a sentence as its title; a chart with links is a group of that name. A table of the same figures is the
// page's to make.
//
// # Classes
//
// Colours and faces come from the style sheet, by these classes:
//
//   - chart-time, chart-spark, chart-sankey, chart-bars, chart-stack, chart-legend, chart-columns: a chart, as a whole
//   - chart-line, chart-area, chart-zero, chart-base, chart-dot, chart-cursor: the line, the area under it, the line of
//     zero, the ground, a marked point, the read-out
//   - chart-label, chart-date: names and amounts in a chart; dates and months
//   - chart-in, chart-out, chart-kept, chart-short, chart-other, chart-negative, chart-shade-1 to chart-shade-6: fills of what
//     has no colour of its own
//   - chart-light, chart-dark: the same shape twice in the colour that the user chose, for a light page and for a dark one; the
//     style sheet hides one of them
//   - chart-flow, chart-ribbon, chart-hub: a ribbon with its end and its label, the ribbon alone, the middle
//   - chart-month, chart-hit: a month, and the area of it that can be clicked; chart-alternate: every second name of a
//     month, which a narrow page hides
//   - chart-bar, chart-swatch: the svg of a bar, and of the sign of a part
//   - chart-name, chart-amount, chart-share, chart-change: texts; chart-more: a change for the worse
//   - chart-link: every link
package chart

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"math/big"
	"math/bits"
	"strings"

	"github.com/rivo/uniseg"
)

// markup is what has been written so far.
type markup struct{ strings.Builder }

// add writes a format. Every string among the values is text and is escaped; what is markup already is a template.HTML.
func (m *markup) add(format string, values ...any) {
	for i, value := range values {
		if text, ok := value.(string); ok {
			values[i] = escaped(text)
		}
	}
	fmt.Fprintf(m, format, values...)
}

func (m *markup) html() template.HTML { return template.HTML(m.String()) }

// escaped is text for an element or a quoted attribute, of HTML and of XML: what XML cannot hold becomes U+FFFD.
func escaped(text string) template.HTML {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a builder takes everything
	return template.HTML(out.String())
}

// open starts a link, or what stands in its place where there is none, and returns what ends it. Links stay on this server:
// one that has a scheme or a host is no link of ours and is left out.
func (m *markup) open(tag, class, href string) (end string) {
	if !isLocal(href) {
		m.add(`<%s class="%s">`, tag, class)
		return "</" + tag + ">"
	}
	m.add(`<a class="%s chart-link" href="%s">`, class, href)
	return "</a>"
}

// isLocal reports whether an address is a path, a query or a fragment. Browsers drop spaces and control characters and read a
// backslash as a slash, so neither is let through where it could make a host.
func isLocal(href string) bool {
	if href == "" || strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return false
	}
	before, _, _ := strings.Cut(href, "/")
	before, _, _ = strings.Cut(before, "?")
	before, _, _ = strings.Cut(before, "#")
	return !strings.HasPrefix(href, "//") && !strings.Contains(before, ":")
}

// percent is a place or a width, in hundredths of a per cent.
type percent int64

func (p percent) String() string { return decimal(int64(p), 100) + "%" }

// tenth is a place or a height, in tenths of a pixel.
type tenth int64

func (t tenth) String() string { return decimal(int64(t), 10) }

// decimal writes n of that many parts, without needless zeros.
func decimal(n, parts int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%s%d", sign, n/parts)
	if n%parts == 0 {
		return text
	}
	digits := len(fmt.Sprint(parts)) - 1
	return text + "." + strings.TrimRight(fmt.Sprintf("%0*d", digits, n%parts), "0")
}

// place is where a value stands between low and high, on a scale of that size; in its middle where all values are one.
// The differences are taken without a sign and multiplied to 128 bits, so no value is too large.
func place(value, low, high, size int64) int64 {
	if low == high {
		return size / 2
	}
	span := uint64(high) - uint64(low)
	upper, lower := bits.Mul64(uint64(value)-uint64(low), uint64(size))
	quotient, rest := bits.Div64(upper, lower, span) // upper < span, as value is at most high
	if rest >= span-rest {
		quotient++
	}
	return int64(quotient)
}

// bounds cuts a scale of that size by amounts, which are not negative: the bounds of amount i are i and i+1. Each is rounded
// by itself from the sum so far, so the parts meet without gaps and end at the size.
func bounds(amounts []int64, size int64) []int64 {
	total := sum(amounts)
	cuts := make([]int64, 1, len(amounts)+1)
	so := new(big.Int)
	for _, amount := range amounts {
		so.Add(so, big.NewInt(amount))
		cuts = append(cuts, portion(so, total, size))
	}
	return cuts
}

// portion is what a part of a total takes of a size, rounded down; nothing of nothing.
func portion(part, total *big.Int, size int64) int64 {
	if total.Sign() == 0 {
		return 0
	}
	n := new(big.Int).Mul(part, big.NewInt(size))
	return n.Quo(n, total).Int64()
}

func sum(amounts []int64) *big.Int {
	total := new(big.Int)
	for _, amount := range amounts {
		total.Add(total, big.NewInt(amount))
	}
	return total
}

// shortened is a label of at most that many columns of text, cut between what a reader sees as characters.
func shortened(label string, columns int) string {
	if uniseg.StringWidth(label) <= columns {
		return label
	}
	var out strings.Builder
	width := 0
	for clusters := uniseg.NewGraphemes(label); clusters.Next(); {
		width += clusters.Width()
		if width > columns-1 {
			break
		}
		out.WriteString(clusters.Str())
	}
	return strings.TrimSpace(out.String()) + "…"
}

// isolated is text that keeps its own direction beside other text in an svg, where there is no bdi.
func isolated(text string) string { return "\u2068" + text + "\u2069" }
