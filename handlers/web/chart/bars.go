package chart

import (
	"cmp"
	"html/template"
	"math/big"
)

// Bar is one row of a list of bars, or one part of a stacked bar.
type Bar struct {
	Label  string
	Value  int64  // minor units
	Amount string // the value, written
	Share  string // of the whole, written; or empty
	Change string // against what is usual, written; or empty
	More   bool   // the change is for the worse
	Href   string // or empty
	Colour string // the user's, #rrggbb; or empty

	fill string // the class of a bar without a colour; empty is chart-out
}

// thinnest is the least width, of a hundred hundreds, that what is not zero has.
const thinnest = 40

// Bars draws rows in their order, each with a bar: the longest is that of the largest value. It is empty without rows.
func Bars(bars []Bar) template.HTML {
	if len(bars) == 0 {
		return ""
	}
	largest := new(big.Int)
	for _, bar := range bars {
		if size := magnitude(bar.Value); size.Cmp(largest) > 0 {
			largest = size
		}
	}
	var m markup
	m.add(`<ol class="chart-bars" role="list">`)
	for _, bar := range bars {
		m.add(`<li>`)
		bar.words(&m)
		m.add(`<svg class="chart-bar" aria-hidden="true" width="100%%" height="6">`)
		if bar.Value != 0 {
			wide := max(portion(magnitude(bar.Value), largest, width), thinnest)
			class := cmp.Or(bar.fill, "chart-out")
			if bar.Value < 0 {
				class = "chart-negative"
			}
			fills(bar.Colour, class, func(fill template.HTML) { m.add(`<rect%s width="%s" height="6"/>`, fill, percent(wide)) })
		}
		m.add(`</svg></li>`)
	}
	m.add(`</ol>`)
	return m.html()
}

// words writes what a bar says.
func (b Bar) words(m *markup) {
	end := m.open("span", "chart-name", b.Href)
	m.add(`<bdi>%s</bdi>%s`, b.Label, template.HTML(end))
	if b.Change != "" {
		class := "chart-change"
		if b.More {
			class += " chart-more"
		}
		m.add(` <span class="%s">%s</span>`, class, b.Change)
	}
	if b.Share != "" {
		m.add(` <span class="chart-share">%s</span>`, b.Share)
	}
	m.add(` <span class="chart-amount">%s</span>`, b.Amount)
}

// Stacked draws parts of a whole as one thin bar, and under it what each part is, in the same order. A value below zero is no
// part of a whole: it is only named. Parts without a colour get shades. It is empty without parts.
func Stacked(name string, parts []Bar) template.HTML {
	if len(parts) == 0 {
		return ""
	}
	values := make([]int64, len(parts))
	for i, part := range parts {
		values[i] = max(part.Value, 0)
	}
	cuts := bounds(values, width)
	var m markup
	m.add(`<svg class="chart-stack" role="img" width="100%%" height="12"><title>%s</title>`, name)
	for i, part := range parts {
		if cuts[i+1] > cuts[i] {
			fills(part.Colour, shade(i), func(fill template.HTML) {
				m.add(`<rect%s x="%s" width="%s" height="12"/>`, fill, percent(cuts[i]), percent(cuts[i+1]-cuts[i]))
			})
		}
	}
	m.add(`</svg><ol class="chart-legend" role="list">`)
	for i, part := range parts {
		m.add(`<li><svg class="chart-swatch" aria-hidden="true" width="10" height="10">`)
		if part.Value > 0 {
			fills(part.Colour, shade(i), func(fill template.HTML) { m.add(`<rect%s width="10" height="10"/>`, fill) })
		}
		m.add(`</svg> `)
		part.words(&m)
		m.add(`</li>`)
	}
	m.add(`</ol>`)
	return m.html()
}

// shade is the class of the part of that index; there are six, from dark to light.
func shade(index int) string { return "chart-shade-" + string(rune('1'+index%6)) }

func magnitude(value int64) *big.Int { return new(big.Int).Abs(big.NewInt(value)) }
