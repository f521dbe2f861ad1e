package chart

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// Point is a value on a day.
type Point struct {
	Day     int64  // counted from any day
	Value   int64  // minor units
	Missing bool   // the day has no value: the line is broken here
	Date    string // the day, written
	Amount  string // the value, written
}

// Series is a value over time.
type Series struct {
	Name   string // the chart in one sentence, for who does not see it
	Points []Point
	Height int // in pixels; 0 is 220, and less than 120 is 120
}

// mostPoints is how many points a line keeps: more than that cannot be told apart.
const mostPoints = 400

// width is that of an inner svg, which is stretched to the width of the page.
const width = 10000

// stroke is how every line in a stretched svg is drawn: it keeps its width.
const stroke template.HTML = `stroke-linejoin="round" stroke-linecap="round" vector-effect="non-scaling-stroke"`

// Line draws a series: a line over a faint area, its lowest and highest point with their amounts, the first and the last date.
// It is empty where no point has a value.
//
// For a read-out the svg has an attribute data-points, a JSON list of [x, y, date, amount] for each point that is drawn: x is in
// hundredths of a per cent of the width, y in tenths of a pixel from the top. It also has a hidden g of the class chart-cursor
// with a line and a circle to be moved there by their attributes x1, x2, cx and cy. The svg takes no pointer, so that its
// title does not pop up: a script listens to the element around it.
func Line(s Series) template.HTML {
	points := thin(inOrder(s.Points), mostPoints)
	low, high := extremes(points)
	if low < 0 {
		return ""
	}
	height := int64(max(s.Height, 120))
	if s.Height == 0 {
		height = 220
	}
	top, bottom := int64(260), (height-54)*10 // between them is room for the line, around them for labels
	c := curve{points: points, low: points[low].Value, high: points[high].Value, top: top, bottom: bottom}
	ground := bottom + 240
	switch {
	case c.low < 0 && c.high > 0:
		ground = c.y(0)
	case c.high <= 0 && c.low < 0:
		ground = top - 220
	}
	line, area := c.paths(ground)

	var m markup
	m.add(`<svg class="chart-time" role="img" width="100%%" height="%d" overflow="visible" pointer-events="none" data-points='%s'>`,
		height, c.data())
	m.add(`<title>%s</title>`, s.Name)
	m.add(`<svg width="100%%" height="%d" viewBox="0 0 %d %d" preserveAspectRatio="none" overflow="visible">`,
		height, width, height*10)
	if area != "" {
		m.add(`<path class="chart-area" d="%s"/>`, area)
	}
	if c.low < 0 && c.high > 0 {
		m.add(`<path class="chart-zero" d="M0 %dH%d" fill="none" %s/>`, ground, width, stroke)
	}
	m.add(`<path class="chart-base" d="M0 %dH%d" fill="none" %s/>`, bottom+240, width, stroke)
	m.add(`<path class="chart-line" d="%s" fill="none" %s/></svg>`, line, stroke)
	c.mark(&m, high, -100)
	if c.low != c.high {
		c.mark(&m, low, 180)
	}
	first, last := points[0], points[len(points)-1]
	if first.Day == last.Day {
		m.add(`<text class="chart-date" x="50%%" y="%d" text-anchor="middle">%s</text>`, height-6, first.Date)
	} else {
		m.add(`<text class="chart-date" x="0" y="%d">%s</text>`, height-6, first.Date)
		m.add(`<text class="chart-date" x="100%%" y="%d" text-anchor="end">%s</text>`, height-6, last.Date)
	}
	m.add(`<g class="chart-cursor" visibility="hidden"><line y1="%s" y2="%s"/><circle r="4"/></g></svg>`, tenth(top-220), tenth(bottom+240))
	return m.html()
}

// Spark draws points as a tiny line, without words: it says nothing that the text beside it does not say. It is empty where
// no point has a value.
func Spark(points []Point) template.HTML {
	points = thin(inOrder(points), 60)
	low, high := extremes(points)
	if low < 0 {
		return ""
	}
	c := curve{points: points, low: points[low].Value, high: points[high].Value, top: 20, bottom: 220}
	line, _ := c.paths(c.bottom)
	var m markup
	m.add(`<svg class="chart-spark" aria-hidden="true" width="64" height="24" viewBox="0 0 %d 240" preserveAspectRatio="none" overflow="visible">`,
		width)
	m.add(`<path class="chart-line" d="%s" fill="none" %s/></svg>`, line, stroke)
	return m.html()
}

// inOrder is points by day.
func inOrder(points []Point) []Point {
	byDay := func(a, b Point) int {
		switch {
		case a.Day < b.Day:
			return -1
		case a.Day > b.Day:
			return 1
		}
		return 0
	}
	if slices.IsSortedFunc(points, byDay) {
		return points
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, byDay)
	return points
}

// thin leaves at most that many points: the first, the last, and of each of the stretches between them the lowest, the
// highest and one that has no value. So no extreme is lost, and no gap that is as wide as a stretch.
func thin(points []Point, most int) []Point {
	if len(points) <= most {
		return points
	}
	each := 2
	if slices.ContainsFunc(points, func(p Point) bool { return p.Missing }) {
		each = 3
	}
	last := len(points) - 1
	stretches := (most - 2) / each
	kept := []Point{points[0]}
	for i := range stretches {
		from, to := 1+i*(last-1)/stretches, 1+(i+1)*(last-1)/stretches
		stretch := points[from:to]
		low, high := extremes(stretch)
		indexes := []int{low, high, slices.IndexFunc(stretch, func(p Point) bool { return p.Missing })}
		slices.Sort(indexes)
		for _, index := range slices.Compact(indexes) {
			if index >= 0 {
				kept = append(kept, stretch[index])
			}
		}
	}
	return append(kept, points[last])
}

// extremes returns the indexes of the lowest and the highest value, the latest where there are several; -1 where there is none.
func extremes(points []Point) (low, high int) {
	low, high = -1, -1
	for i, p := range points {
		if p.Missing {
			continue
		}
		if low < 0 || p.Value <= points[low].Value {
			low = i
		}
		if high < 0 || p.Value >= points[high].Value {
			high = i
		}
	}
	return low, high
}

// curve places points between the first day and the last, the lowest value and the highest.
type curve struct {
	points      []Point // not empty, by day
	low, high   int64
	top, bottom int64 // in tenths of a pixel
}

func (c curve) x(day int64) int64 {
	return place(day, c.points[0].Day, c.points[len(c.points)-1].Day, width)
}

func (c curve) y(value int64) int64 { return c.bottom - place(value, c.low, c.high, c.bottom-c.top) }

// paths returns the line, broken where values are missing, and the area between it and the ground. A value between two gaps is a
// line of no length, which round ends make a dot.
func (c curve) paths(ground int64) (line, area string) {
	var lines, areas strings.Builder
	for rest := c.points; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(p Point) bool { return p.Missing })
		if end < 0 {
			end = len(rest)
		}
		run := rest[:end]
		rest = rest[min(end+1, len(rest)):]
		if len(run) == 0 {
			continue
		}
		x, y := c.x(run[0].Day), c.y(run[0].Value)
		startX, startY := x, y
		var steps strings.Builder
		for _, p := range run[1:] {
			nextX, nextY := c.x(p.Day), c.y(p.Value)
			fmt.Fprintf(&steps, "l%d %d", nextX-x, nextY-y)
			x, y = nextX, nextY
		}
		if len(run) == 1 {
			steps.WriteString("h0")
		}
		fmt.Fprintf(&lines, "M%d %d%s", startX, startY, steps.String())
		if len(run) > 1 {
			fmt.Fprintf(&areas, "M%d %d%sV%dH%dZ", startX, startY, steps.String(), ground, startX)
		}
	}
	return lines.String(), areas.String()
}

// mark draws a point and its amount so far above or below it, inwards where it is near an edge.
func (c curve) mark(m *markup, index int, below int64) {
	p := c.points[index]
	x, y := percent(c.x(p.Day)), tenth(c.y(p.Value))
	anchor := "middle"
	switch {
	case x < width/4:
		anchor = "start"
	case x > width*3/4:
		anchor = "end"
	}
	m.add(`<circle class="chart-dot" cx="%s" cy="%s" r="3"/>`, x, y)
	m.add(`<text class="chart-label" x="%s" y="%s" text-anchor="%s">%s</text>`, x, y+tenth(below), anchor, p.Amount)
}

// data is the list of points for the read-out, as an attribute in single quotes: JSON in which nothing is left to escape.
func (c curve) data() template.HTML {
	type row [4]any
	rows := []row{}
	for _, p := range c.points {
		if !p.Missing {
			rows = append(rows, row{c.x(p.Day), c.y(p.Value), printable(p.Date), printable(p.Amount)})
		}
	}
	text, _ := json.Marshal(rows) // numbers and texts
	return template.HTML(strings.ReplaceAll(string(text), "'", `\u0027`))
}

// printable is text without the few characters that JSON may hold and XML may not.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, text)
}
