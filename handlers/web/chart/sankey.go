package chart

import (
	"cmp"
	"errors"
	"html/template"
	"math/big"
	"slices"
)

// Part is what came in from one category, or went out for one.
type Part struct {
	Label  string
	Amount int64  // minor units; below zero it counts on the other side, as a refund does
	Href   string // its transactions
	Colour string // the user's, #rrggbb; or empty
}

// Flow is what came in and went out in a time. The difference is made here: what was kept, or what was short.
type Flow struct {
	Name    string // the chart in one sentence
	Middle  string // what everything goes through: the household
	In, Out []Part

	Kept, Short, Other  string // labels of the difference, and of what is too thin to be drawn
	KeptHref, ShortHref string
	OtherHref           func(folded []Part) string // the link of all these together; or nil
	Format              func(minor int64) string
	Share               func(perMille int64) string // a share of the whole, written; or nil
}

// errLarge says that the parts of a flow come to more than an amount may be.
var errLarge = errors.New("the parts of the flow come to more than an amount can be")

// ribbon is a part as it is drawn.
type ribbon struct {
	Part
	class    string
	perMille int64
}

// ribbons are both sides of a flow and what each comes to. Parts of less than 1.5 % are folded into one where there are at
// least two; each side goes by size, then what was folded, then the difference.
func (f Flow) ribbons() (in, out []ribbon, total int64, err error) {
	var income, spending []Part
	for _, side := range []struct {
		parts         []Part
		own, opposite *[]Part
	}{{f.In, &income, &spending}, {f.Out, &spending, &income}} {
		for _, part := range side.parts {
			switch {
			case part.Amount > 0:
				*side.own = append(*side.own, part)
			case part.Amount < 0:
				part.Amount = -part.Amount
				if part.Amount < 0 {
					return nil, nil, 0, errLarge
				}
				*side.opposite = append(*side.opposite, part)
			}
		}
	}
	received, spent := sumOf(income), sumOf(spending)
	whole := received
	if spent.Cmp(received) > 0 {
		whole = spent
	}
	if !whole.IsInt64() {
		return nil, nil, 0, errLarge
	}
	total = whole.Int64()
	in, out = f.fold(income, "chart-in", total), f.fold(spending, "chart-out", total)
	difference := new(big.Int).Sub(received, spent).Int64() // at most the whole
	switch {
	case difference > 0:
		out = append(out, f.ribbon(Part{Label: f.Kept, Amount: difference, Href: f.KeptHref}, "chart-kept", total))
	case difference < 0:
		in = append(in, f.ribbon(Part{Label: f.Short, Amount: -difference, Href: f.ShortHref}, "chart-short", total))
	}
	return in, out, total, nil
}

func (f Flow) ribbon(part Part, class string, total int64) ribbon {
	return ribbon{part, class, portion(big.NewInt(part.Amount), big.NewInt(total), 1000)}
}

func (f Flow) fold(parts []Part, class string, total int64) []ribbon {
	var drawn []ribbon
	var thin []Part
	for _, part := range parts {
		r := f.ribbon(part, class, total)
		if r.perMille < 15 {
			thin = append(thin, part)
			continue
		}
		drawn = append(drawn, r)
	}
	slices.SortStableFunc(drawn, func(a, b ribbon) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Label, b.Label))
	})
	switch len(thin) {
	case 0:
		return drawn
	case 1:
		return append(drawn, f.ribbon(thin[0], class, total))
	}
	other := Part{Label: f.Other, Amount: sumOf(thin).Int64()} // at most the whole
	if f.OtherHref != nil {
		other.Href = f.OtherHref(thin)
	}
	return append(drawn, f.ribbon(other, "chart-other", total))
}

func sumOf(parts []Part) *big.Int {
	total := new(big.Int)
	for _, part := range parts {
		total.Add(total, big.NewInt(part.Amount))
	}
	return total
}

// title is a ribbon in words.
func (f Flow) title(r ribbon) string {
	if f.Share == nil {
		return r.Label + " " + f.Format(r.Amount)
	}
	return r.Label + " " + f.Format(r.Amount) + " (" + f.Share(r.perMille) + ")"
}

// Places of a Sankey, in tenths of a pixel.
const (
	hubHeight   = 3000 // what everything together is high
	labelHeight = 180  // what a label needs: in a ribbon, or above one that is thinner
	rowGap      = 60
	hubTop      = 300 // above it is the name of the middle
)

// Sankey draws a flow: ribbons from where money came through the middle to where it went, each with its label and a link.
// It is empty where there is no money, and an error where the parts come to more than an amount can be.
func Sankey(f Flow) (template.HTML, error) {
	in, out, total, err := f.ribbons()
	if err != nil || total == 0 {
		return "", err
	}
	_, inTall := rows(in)
	_, outTall := rows(out)
	tall := max(hubHeight, inTall, outTall)
	hub := hubTop + (tall-hubHeight)/2
	var m markup
	m.add(`<svg class="chart-sankey" role="group" aria-label="%s" width="100%%" height="%s">`,
		f.Name, tenth(hubTop+tall+rowGap))
	f.side(&m, in, tall, true)
	f.side(&m, out, tall, false)
	m.add(`<rect class="chart-hub" x="50%%" y="%s" width="6" height="%s" transform="translate(-3)"/>`, tenth(hub), tenth(hubHeight))
	m.add(`<text class="chart-label" x="50%%" y="%s" text-anchor="middle">`, tenth(hub-100))
	f.label(&m, f.Middle, total)
	m.add(`</text></svg>`)
	return m.html(), nil
}

// label writes a name and an amount. A long name is cut; all of it is in the title.
func (f Flow) label(m *markup, name string, amount int64) {
	m.add(`<tspan class="chart-name">%s</tspan> <tspan class="chart-amount">%s</tspan>`,
		isolated(shortened(name, 22)), f.Format(amount))
}

// rows returns where the ribbons of one side meet the middle, see bounds, and how high they are outside, where each has room
// for its label.
func rows(ribbons []ribbon) (cuts []int64, tall int64) {
	amounts := make([]int64, len(ribbons))
	for i, r := range ribbons {
		amounts[i] = r.Amount
	}
	cuts = bounds(amounts, hubHeight)
	for i := range ribbons {
		thick := thickness(cuts, i)
		if thick < labelHeight {
			tall += labelHeight
		}
		tall += thick + rowGap
	}
	return cuts, tall
}

// thickness is that of a ribbon outside: at least one pixel.
func thickness(cuts []int64, index int) int64 { return max(cuts[index+1]-cuts[index], 10) }

// side draws the ribbons of one side, from the outside to the middle, all together in the middle of the height.
func (f Flow) side(m *markup, ribbons []ribbon, tall int64, left bool) {
	cuts, own := rows(ribbons)
	y, hub, height := hubTop+(tall-own)/2, hubTop+(tall-hubHeight)/2, hubTop+tall+rowGap
	// Ribbons are half as wide as the chart. They leave level and arrive level: outside and inside are their ends, and leave and
	// arrive the points that bend them, of 1000.
	outside, leave, arrive, inside := 0, 650, 350, 1000
	half, edge, node, text, anchor := "0", "0", 0, 14, "start"
	if !left {
		outside, leave, arrive, inside = 1000, 350, 650, 0
		half, edge, node, text, anchor = "50%", "100%", -6, -14, "end"
	}
	for i, r := range ribbons {
		thick := thickness(cuts, i)
		baseline := y + thick/2 + 45
		if thick < labelHeight {
			baseline = y + labelHeight - 50
			y += labelHeight
		}
		from, to := hub+cuts[i], hub+cuts[i+1]
		end := m.open("g", "chart-flow", r.Href)
		m.add(`<title>%s</title>`, f.title(r))
		m.add(`<svg class="chart-ribbon" x="%s" width="50%%" height="%s" viewBox="0 0 1000 %d" preserveAspectRatio="none">`,
			half, tenth(height), height)
		fills(r.Colour, r.class, func(fill template.HTML) {
			m.add(`<path%s d="M%d %dC%d %d %d %d %d %dV%dC%d %d %d %d %d %dZ"/>`, fill,
				outside, y, leave, y, arrive, from, inside, from, to, arrive, to, leave, y+thick, outside, y+thick)
		})
		m.add(`</svg>`)
		fills(r.Colour, r.class, func(fill template.HTML) {
			m.add(`<rect%s x="%s" y="%s" width="6" height="%s" transform="translate(%d)"/>`, fill, edge, tenth(y), tenth(thick), node)
		})
		m.add(`<text class="chart-label" x="%s" y="%s" transform="translate(%d)" text-anchor="%s">`, edge, tenth(baseline), text, anchor)
		f.label(m, r.Label, r.Amount)
		m.add(`</text>%s`, template.HTML(end))
		y += thick + rowGap
	}
}

// FlowLists draws a flow as two lists of bars, where money came from and where it went, for pages that are too narrow for
// ribbons.
func FlowLists(f Flow) (in, out template.HTML, err error) {
	received, spent, _, err := f.ribbons()
	if err != nil {
		return "", "", err
	}
	return Bars(f.bars(received)), Bars(f.bars(spent)), nil
}

func (f Flow) bars(ribbons []ribbon) []Bar {
	var bars []Bar
	for _, r := range ribbons {
		bar := Bar{Label: r.Label, Value: r.Amount, Amount: f.Format(r.Amount), Href: r.Href, Colour: r.Colour, fill: r.class}
		if f.Share != nil {
			bar.Share = f.Share(r.perMille)
		}
		bars = append(bars, bar)
	}
	return bars
}
