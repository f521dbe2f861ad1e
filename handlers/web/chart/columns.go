package chart

import (
	"html/template"
	"math/big"
)

// Month is what came into an account in a month and what went out of it, both as positive amounts.
type Month struct {
	Label   string // short: it stands under the column
	Title   string // the month and its amounts in words
	In, Out int64  // minor units; below zero it counts on the other side
	Href    string // its transactions
}

// Columns draws months beside each other, in their order: what came in stands above a line, what went out hangs below it,
// by one scale. It is empty without months.
func Columns(name string, months []Month) template.HTML {
	if len(months) == 0 {
		return ""
	}
	const top, plot, height, least = 80, 1300, 164, 10
	highest, deepest := new(big.Int), new(big.Int)
	for _, month := range months {
		up, down := month.sides()
		if up.Cmp(highest) > 0 {
			highest = up
		}
		if down.Cmp(deepest) > 0 {
			deepest = down
		}
	}
	span := new(big.Int).Add(highest, deepest)
	zero := top + portion(highest, span, plot)
	var m markup
	m.add(`<svg class="chart-columns" role="group" aria-label="%s" width="100%%" height="%d" overflow="visible">`, name, height)
	count := int64(len(months))
	each := (count + 11) / 12 // at most twelve labels find room
	for i, month := range months {
		from, to := int64(i)*width/count, (int64(i)+1)*width/count
		wide := to - from
		end := m.open("g", "chart-month", month.Href)
		m.add(`<title>%s</title><rect class="chart-hit" x="%s" y="0" width="%s" height="%d" fill="none" pointer-events="all"/>`,
			month.Title, percent(from), percent(wide), height)
		up, down := month.sides()
		bar := func(class string, y, tall int64) {
			m.add(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`,
				class, percent(from+wide*3/10), tenth(y), percent(wide*2/5), tenth(tall))
		}
		if up.Sign() > 0 {
			tall := max(portion(up, span, plot), least)
			bar("chart-in", zero-tall, tall)
		}
		if down.Sign() > 0 {
			bar("chart-out", zero, max(portion(down, span, plot), least))
		}
		if back := count - 1 - int64(i); back%each == 0 {
			class := "chart-date"
			if back/each%2 == 1 {
				class += " chart-alternate"
			}
			m.add(`<text class="%s" x="%s" y="%d" text-anchor="middle">%s</text>`,
				class, percent((from+to)/2), height-6, month.Label)
		}
		m.add(`%s`, template.HTML(end))
	}
	m.add(`<line class="chart-zero" x1="0" x2="100%%" y1="%s" y2="%s"/></svg>`, tenth(zero), tenth(zero))
	return m.html()
}

// sides is what stands above the line and what hangs below it.
func (m Month) sides() (up, down *big.Int) {
	up, down = new(big.Int), new(big.Int)
	for _, flow := range []struct {
		value         int64
		own, opposite *big.Int
	}{{m.In, up, down}, {m.Out, down, up}} {
		if flow.value < 0 {
			flow.opposite.Add(flow.opposite, magnitude(flow.value))
		} else {
			flow.own.Add(flow.own, big.NewInt(flow.value))
		}
	}
	return up, down
}
