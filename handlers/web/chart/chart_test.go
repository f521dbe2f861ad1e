package chart

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

// day is a point of a series whose texts are made from its numbers.
func day(n, value int64) Point {
	return Point{Day: n, Value: value, Date: fmt.Sprint("day ", n), Amount: fmt.Sprint("€", value)}
}

// wave is a series that goes up and down.
func wave(days int64) []Point {
	var points []Point
	for n := range days {
		points = append(points, day(n, 1000*n+n*n%97*500-20000))
	}
	return points
}

// october is a flow with everything in it: colours, refunds, thin parts, a text from another direction, an unwelcome one.
func october() Flow {
	return Flow{
		Name: "€5,922 came in & €3,535 went out", Middle: "Household", Kept: "Kept", Short: "From savings", Other: "Other",
		KeptHref: "/accounts", OtherHref: func(folded []Part) string { return fmt.Sprint("/transactions?folded=", len(folded)) },
		Format: func(minor int64) string { return fmt.Sprint("€", minor) },
		Share:  func(perMille int64) string { return fmt.Sprintf("%d.%d %%", perMille/10, perMille%10) },
		In: []Part{{"Interest", 20200, "/transactions?category=3", "#2e86de"}, {"Salary", 450000, "/transactions?category=1&month=10", "#4da568"},
			{"Work for the neighbours of my neighbours", 110000, "", ""}},
		Out: []Part{{"Rent", 140000, "/transactions?category=4", "#e99537"}, {"Groceries", 61230, "/transactions?category=5", "#61c9ea"},
			{`<script>alert("x")</script>`, 32000, "javascript:alert(1)", "red"}, {"قهوة ومقهى", 22000, "/transactions?category=6", "#ffff00"},
			{"Fees", 900, "/transactions?category=7", ""}, {"Internet", 4000, "", ""}, {"Clothes", -12000, "/transactions?category=8", "#000000"}, {"Nothing", 0, "", ""}},
	}
}

// months are those of a year and one more, with one of nothing and one of refunds.
func months() []Month {
	var list []Month
	for i, label := range []string{"Oct", "Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct"} {
		n := int64(i)
		list = append(list, Month{Label: label, Title: fmt.Sprintf("%s: €%d in", label, 3000+n*10), In: 300000 + n*1000, Out: 200000 + n*n%7*30000, Href: fmt.Sprint("/transactions?month=", n)})
	}
	list[3].In, list[3].Out = 0, 0
	list[4].In, list[4].Out = -5000, -70000
	return list
}

// drawings are charts of each kind, of ordinary values and of nasty ones.
func drawings(t *testing.T) map[string]template.HTML {
	t.Helper()
	must := func(drawn template.HTML, err error) template.HTML {
		if err != nil {
			t.Fatal(err)
		}
		return drawn
	}
	gaps := wave(12)
	for _, i := range []int{0, 4, 6, 7} {
		gaps[i].Missing = true
	}
	short := october()
	short.In = short.In[:1]
	lists, spent, err := FlowLists(october())
	rows := []Bar{{Label: "Rent", Value: 140000, Amount: "€1,400.00", Share: "37 %", Href: "/transactions?category=1", Colour: "#e99537"},
		{Label: `Fish & "chips"`, Value: 61230, Amount: "€612.30", Share: "16 %", Change: "+12 % on the average", More: true, Colour: "#1b5e8c"},
		{Label: "Tiny", Value: 3, Amount: "€0.03", Change: "−90 %"}, {Label: "Refunded", Value: -22000, Amount: "−€220.00"}, {Label: "Nothing", Amount: "€0.00"}}
	return map[string]template.HTML{
		"line":          Line(Series{Name: "Net worth rose from €−200 to €1 < 2", Points: wave(40)}),
		"line-gaps":     Line(Series{Name: "With days of no value", Points: gaps, Height: 160}),
		"line-negative": Line(Series{Name: "A debt", Points: []Point{day(1, -500), day(31, -900), day(59, -300)}}),
		"line-one":      Line(Series{Name: "One day", Points: []Point{day(7, -12)}}),
		"line-constant": Line(Series{Name: "Always the same", Points: []Point{day(1, 50), day(2, 50), day(9, 50)}}),
		"line-zero":     Line(Series{Name: "Nothing", Points: []Point{day(1, 0), day(2, 0)}}),
		"line-large": Line(Series{Name: "As much as can be", Height: 1,
			Points: []Point{day(math.MaxInt64, math.MaxInt64), day(0, 0), day(math.MinInt64, math.MinInt64)}}),
		"spark": Spark(wave(90)), "sankey": must(Sankey(october())), "sankey-short": must(Sankey(short)),
		"flow-lists": must(lists+spent, err), "bars": Bars(rows), "stacked": Stacked("Assets & more", rows), "columns": Columns("In and out by month", months()),
	}
}

// TestDrawings: each chart is what it was; with -update it is written anew.
func TestDrawings(t *testing.T) {
	t.Parallel()
	for name, drawn := range drawings(t) {
		path := filepath.Join("testdata", name+".svg")
		got := strings.ReplaceAll(string(drawn), "><", ">\n<") + "\n"
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s is not as in %s (%v); look at it, then: go test ./handlers/web/chart -run Drawings -update\n%s", name, path, err, got)
		}
	}
}

// TestDrawingsAreSound: every chart, drawn of ordinary values and of nasty ones, is sound markup within its box.
func TestDrawingsAreSound(t *testing.T) {
	t.Parallel()
	for name, drawn := range drawings(t) {
		t.Run(name, func(t *testing.T) { sound(t, drawn) })
	}
}

// sound checks what holds for every chart: it is well-formed XML as well as HTML, has no style, script or id, each svg of its own is
// hidden or has a role and a name, links stay here, and what is drawn is in its box.
func sound(t interface {
	Helper()
	Fatalf(string, ...any)
}, drawn template.HTML) {
	t.Helper()
	fail := func(format string, values ...any) { t.Helper(); t.Fatalf(format+"\n%s", append(values, drawn)...) }
	d := xml.NewDecoder(strings.NewReader("<body>" + string(drawn) + "</body>"))
	depth, height := 0, int64(0) // of svgs in each other; of the outermost, in tenths
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fail("%v", err)
		}
		switch token := token.(type) {
		case xml.EndElement:
			if token.Name.Local == "svg" {
				depth--
			}
		case xml.StartElement:
			has := map[string]string{}
			for _, a := range token.Attr {
				if name := a.Name.Local; name == "style" || name == "id" || strings.HasPrefix(name, "on") {
					fail("%s has %s", token.Name.Local, name)
				}
				has[a.Name.Local] = a.Value
			}
			switch tag := token.Name.Local; tag {
			case "script", "style", "image", "use":
				fail("there is a %s", tag)
			case "a":
				if !strings.HasPrefix(has["href"], "/") {
					fail("a link to %q", has["href"])
				}
			case "svg":
				if depth++; depth == 1 {
					height = tenths(has["height"])
					if has["aria-hidden"] == "" && has["role"] == "" {
						fail("an svg has no role")
					}
				}
			case "rect", "circle", "text", "line":
				x, y := tenths(has["x"]+has["cx"]), tenths(has["y"]+has["cy"])
				wide, tall := tenths(has["width"]), tenths(has["height"])
				if strings.HasSuffix(has["width"], "%") && x+wide > 1001 || strings.HasSuffix(has["x"]+has["cx"], "%") && (x < 0 || x > 1000) {
					fail("%v is outside of the width", has)
				}
				if y < 0 || y+tall > height {
					fail("%v is outside of the height", has)
				}
			case "path":
				inside(fail, has["d"], height)
			}
		}
	}
}

// tenths reads a length in pixels or per cent, in tenths; what is not given is 0.
func tenths(text string) int64 {
	whole, part, _ := strings.Cut(strings.TrimSuffix(text, "%"), ".")
	n, _ := strconv.ParseInt(whole+(part + "0")[:1], 10, 64)
	return n
}

// inside follows a path of M, l, h, H, V, C and Z: every point of it is in the inner box.
func inside(fail func(string, ...any), path string, height int64) {
	var x, y int64
	for rest := path; rest != ""; {
		command := rest[0]
		end := strings.IndexAny(rest[1:], "MlhHVCZ") + 1
		if end == 0 {
			end = len(rest)
		}
		var n []int64
		for _, field := range strings.Fields(rest[1:end]) {
			number, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				fail("%q in %s", field, path)
			}
			n = append(n, number)
		}
		rest = rest[end:]
		switch command {
		case 'M':
			x, y = n[0], n[1]
		case 'l':
			x, y = x+n[0], y+n[1]
		case 'H':
			x = n[0]
		case 'V':
			y = n[0]
		case 'C':
			x, y = n[4], n[5]
		}
		if x < 0 || x > width || y < 0 || y > height {
			fail("%d %d of %s is outside of the box", x, y, path)
		}
	}
}

func points() *rapid.Generator[[]Point] {
	return rapid.Custom(func(r *rapid.T) []Point {
		days := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 400))
		return rapid.SliceOfN(rapid.Custom(func(r *rapid.T) Point {
			return Point{Day: days.Draw(r, "day"), Value: rapid.Int64().Draw(r, "value"), Missing: rapid.IntRange(0, 9).Draw(r, "gap") == 0,
				Date: rapid.String().Draw(r, "date"), Amount: rapid.String().Draw(r, "amount")}
		}), 0, 60).Draw(r, "points")
	})
}

// TestAnyLineIsSound draws what no household has: any day, any value, any text.
func TestAnyLineIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		series := Series{Name: rapid.String().Draw(r, "name"), Points: points().Draw(r, "points"), Height: rapid.IntRange(-1, 500).Draw(r, "height")}
		drawn := Line(series)
		sound(r, drawn)
		sound(r, Spark(series.Points))
		valued := slices.DeleteFunc(slices.Clone(series.Points), func(p Point) bool { return p.Missing })
		if len(valued) == 0 {
			if drawn != "" {
				r.Fatalf("drawn of nothing: %s", drawn)
			}
			return
		}
		_, data, _ := strings.Cut(string(drawn), "data-points='")
		data, _, _ = strings.Cut(data, "'")
		var rows [][4]any
		if err := json.Unmarshal([]byte(data), &rows); err != nil || len(rows) != len(valued) {
			r.Fatalf("%d points to read out of %d, %v: %s", len(rows), len(valued), err, data)
		}
	})
}

// TestThinnedLineKeepsItsExtremes: however long a series is, at most so many points are left, in order, the first and the
// last, the lowest and the highest among them.
func TestThinnedLineKeepsItsExtremes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		long := make([]Point, rapid.IntRange(1, 5000).Draw(r, "points"))
		seed, gaps := rapid.Uint64().Draw(r, "seed"), rapid.Bool().Draw(r, "gaps")
		for i := range long {
			seed = seed*6364136223846793005 + 1442695040888963407
			long[i] = Point{Day: int64(i), Value: int64(seed), Missing: gaps && seed>>60 == 0}
		}
		most := rapid.IntRange(10, 400).Draw(r, "most")
		kept := thin(long, most)
		if len(kept) > most || kept[0] != long[0] || kept[len(kept)-1] != long[len(long)-1] {
			r.Fatalf("%d of %d points left", len(kept), most)
		}
		if !slices.IsSortedFunc(kept, func(a, b Point) int { return int(a.Day - b.Day) }) {
			r.Fatalf("not in order")
		}
		low, high := extremes(long)
		if low >= 0 && (!slices.Contains(kept, long[low]) || !slices.Contains(kept, long[high])) {
			r.Fatalf("an extreme is lost")
		}
	})
}

// TestLineIsBrokenWhereValuesAreMissing: runs of points are lines of their own, a single one is a dot, and gaps at the ends
// only make room.
func TestLineIsBrokenWhereValuesAreMissing(t *testing.T) {
	t.Parallel()
	list := []Point{day(0, 0), day(1, 10), day(2, 20), day(3, 30), day(4, 40), day(5, 50), day(6, 60), day(7, 70), day(8, 80), day(9, 90), day(10, 100)}
	for _, i := range []int{0, 3, 5, 10} {
		list[i].Missing = true
	}
	c := curve{points: list, low: 0, high: 100, top: 0, bottom: 1000}
	line, area := c.paths(1000)
	wantLine := "M1000 900l1000 -100" + "M4000 600h0" + "M6000 400l1000 -100l1000 -100l1000 -100"
	wantArea := "M1000 900l1000 -100V1000H1000Z" + "M6000 400l1000 -100l1000 -100l1000 -100V1000H6000Z"
	if line != wantLine || area != wantArea {
		t.Errorf("got %s and %s, want %s and %s", line, area, wantLine, wantArea)
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, low, high, size, want int64 }{
		{5, 5, 5, 100, 50}, {0, 0, 10, 100, 0}, {10, 0, 10, 100, 100}, {-5, -10, 0, 100, 50}, {1, 0, 3, 100, 33}, {2, 0, 3, 100, 67}, {1, 0, 2, 1, 1},
		{0, math.MinInt64, math.MaxInt64, 10000, 5000}, {math.MaxInt64, math.MinInt64, math.MaxInt64, 10000, 10000}, {math.MinInt64, math.MinInt64, math.MaxInt64, 10000, 0},
		{999999999999, 0, 999999999999, 10000, 10000}, {500000000000, 0, 999999999999, 10000, 5000},
	} {
		if got := place(c.value, c.low, c.high, c.size); got != c.want {
			t.Errorf("place(%d, %d, %d, %d) = %d, want %d", c.value, c.low, c.high, c.size, got, c.want)
		}
	}
}

// TestLengths holds how places are written.
func TestLengths(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{percent(0).String(): "0%", percent(10000).String(): "100%", percent(1250).String(): "12.5%", percent(1205).String(): "12.05%",
		percent(5).String(): "0.05%", tenth(2200).String(): "220", tenth(2201).String(): "220.1", tenth(-5).String(): "-0.5"} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestSankeyBalances: what comes in is what goes out, whatever the parts are, and of an amount that is none it says so.
func TestSankeyBalances(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		amount := rapid.OneOf(rapid.Int64Range(-1000, 1000000), rapid.Int64Range(-1<<56, 1<<56), rapid.Int64())
		parts := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) Part {
			return Part{rapid.String().Draw(r, "label"), amount.Draw(r, "amount"), rapid.SampledFrom([]string{"", "/transactions", "//elsewhere", "javascript:x"}).Draw(r, "href"),
				rapid.SampledFrom([]string{"", "#123456", "#fffff0", "white"}).Draw(r, "colour")}
		}), 0, 40)
		f := october()
		f.In, f.Out = parts.Draw(r, "in"), parts.Draw(r, "out")
		in, out, total, err := f.ribbons()
		drawn, errDrawn := Sankey(f)
		_, _, errListed := FlowLists(f)
		// The sums by numbers without bounds: what counts on each side.
		received, spent := new(big.Int), new(big.Int)
		single := false // an amount whose opposite is none
		count := func(parts []Part, own, opposite *big.Int) {
			for _, part := range parts {
				single = single || part.Amount == math.MinInt64
				if part.Amount > 0 {
					own.Add(own, big.NewInt(part.Amount))
				} else {
					opposite.Sub(opposite, big.NewInt(part.Amount))
				}
			}
		}
		count(f.In, received, spent)
		count(f.Out, spent, received)
		large := single || !received.IsInt64() || !spent.IsInt64()
		if (err != nil) != large || (errDrawn != nil) != large || (errListed != nil) != large {
			r.Fatalf("in %s, out %s: %v, %v, %v", received, spent, err, errDrawn, errListed)
		}
		if err != nil {
			return
		}
		sound(r, drawn)
		for _, side := range [][]ribbon{in, out} {
			left, thin := total, 0
			for _, ribbon := range side {
				if ribbon.Amount <= 0 {
					r.Fatalf("%v has no width", ribbon)
				}
				left -= ribbon.Amount
				if ribbon.perMille < 15 && ribbon.class != "chart-other" && ribbon.class != "chart-kept" && ribbon.class != "chart-short" {
					thin++
				}
			}
			if left != 0 || thin > 1 {
				r.Fatalf("%d of %d left, %d thin: %v", left, total, thin, side)
			}
		}
	})
}

// TestSankeyFoldsWhatIsThin: two parts below 1.5 % become one, with its link; one alone stays; what is exactly that stays.
func TestSankeyFoldsWhatIsThin(t *testing.T) {
	t.Parallel()
	labels := func(list []ribbon) string {
		var names []string
		for _, r := range list {
			names = append(names, fmt.Sprintf("%s %d", r.Label, r.Amount))
		}
		return strings.Join(names, ", ")
	}
	f := october()
	f.In = []Part{{"Wages", 1000, "", ""}}
	f.Out = []Part{{"A", 14, "", ""}, {"B", 15, "", ""}, {"C", 14, "", ""}, {"D", 900, "", ""}}
	_, out, _, err := f.ribbons()
	if got, want := labels(out), "D 900, B 15, Other 28, Kept 57"; err != nil || got != want || out[2].Href != "/transactions?folded=2" {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	f.Out = f.Out[1:]
	in, out, _, err := f.ribbons()
	if got, want := labels(out), "D 900, B 15, C 14, Kept 71"; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got := labels(in); got != "Wages 1000" {
		t.Error(got)
	}
}

// TestAnyRowsAreSound draws rows, parts and months of any values and texts.
func TestAnyRowsAreSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.String()
		bars := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) Bar {
			return Bar{Label: text.Draw(r, "label"), Value: rapid.Int64().Draw(r, "value"), Amount: text.Draw(r, "amount"), Share: text.Draw(r, "share"), Change: text.Draw(r, "change"),
				More: rapid.Bool().Draw(r, "more"), Colour: rapid.SampledFrom([]string{"", "#ABCDEF", "#12345g"}).Draw(r, "colour")}
		}), 0, 20).Draw(r, "bars")
		sound(r, Bars(bars))
		sound(r, Stacked(text.Draw(r, "name"), bars))
		sound(r, Columns(text.Draw(r, "name"), rapid.SliceOfN(rapid.Custom(func(r *rapid.T) Month {
			return Month{Label: text.Draw(r, "label"), Title: text.Draw(r, "title"), In: rapid.Int64().Draw(r, "in"), Out: rapid.Int64().Draw(r, "out")}
		}), 0, 40).Draw(r, "months")))
	})
}

// TestNothingToDraw: of nothing there is no chart, so that a page can say so instead.
func TestNothingToDraw(t *testing.T) {
	t.Parallel()
	empty, err := Sankey(Flow{Format: func(int64) string { return "" }})
	in, out, errLists := FlowLists(Flow{})
	if err != nil || errLists != nil || empty+in+out+Line(Series{})+Spark([]Point{{Missing: true}})+Bars(nil)+Stacked("", nil)+Columns("", nil) != "" {
		t.Error(empty, in, out, err, errLists)
	}
}

// TestValuesStayOut: only the texts of the caller are in the markup, so that a page can hide amounts.
func TestValuesStayOut(t *testing.T) {
	t.Parallel()
	const secret = 7654321
	f := Flow{Format: func(int64) string { return "•••" }, In: []Part{{"Wages", secret, "", ""}}, Out: []Part{{"Rent", secret / 3, "", ""}}}
	flow, err := Sankey(f)
	all := flow + Line(Series{Points: []Point{{Day: 1, Value: secret, Amount: "•••"}, {Day: 2, Value: 2 * secret, Amount: "•••"}}}) +
		Bars([]Bar{{Value: secret, Amount: "•••"}}) + Stacked("", []Bar{{Value: secret}, {Value: 3}}) + Columns("", []Month{{In: secret, Out: 2}})
	if err != nil || strings.Contains(string(all), fmt.Sprint(secret)) || strings.Contains(string(all), fmt.Sprint(2*secret)) || strings.Contains(string(all), fmt.Sprint(secret/3)) {
		t.Error(err, all)
	}
}

// TestLinksStayHere: what a browser would take for a script or another host is no link.
func TestLinksStayHere(t *testing.T) {
	t.Parallel()
	for href, want := range map[string]bool{
		"/transactions?q=a:b": true, "?month=2026-10": true, "#top": true, "transactions": true, "../accounts/1": true, "/a//b": true, "?to=http://x": true,
		"": false, "javascript:alert(1)": false, "JaVaScRiPt:alert(1)": false, "https://example.com/": false, "data:text/html,x": false, "//example.com": false,
		`/\example.com`: false, "/\t/example.com": false, " javascript:alert(1)": false, "java\nscript:alert(1)": false, "/a b": false,
	} {
		if got := isLocal(href); got != want {
			t.Errorf("isLocal(%q) = %t", href, got)
		}
	}
}

func TestShortened(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"": "", "Groceries": "Groceries", "Twelve signs": "Twelve signs", "Thirteen sign": "Thirteen si…", "Eleven sign and": "Eleven sign…",
		"食料品と日用品": "食料品と日…", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦": "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦…"} {
		if got := shortened(label, 12); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// FuzzLabels: any text of a household or of a bank gives well-formed markup, in every place where a text can stand.
func FuzzLabels(f *testing.F) {
	for _, text := range []string{"", "Rent", `<b>&"'`, "]]>", "<!--", "\x00\x1b\ufffe", "\xff\xfe", "قهوة", "\u202e", "a\nb\tc\r", "👩‍👩‍👧‍👦", "javascript:x", "#aabbcc"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		flow := Flow{Name: text, Middle: text, Kept: text, KeptHref: "/" + text, Other: text, Format: func(int64) string { return text }, Share: func(int64) string { return text },
			In: []Part{{text, 1000, "/?q=" + text, text}}, Out: []Part{{text, 100, text + "/", "#ffffff"}, {text, 1, "", ""}, {text, 2, "", ""}}}
		sankey, err := Sankey(flow)
		in, out, errLists := FlowLists(flow)
		if err != nil || errLists != nil {
			t.Fatal(err, errLists)
		}
		bars := []Bar{{Label: text, Value: 1, Amount: text, Share: text, Change: text, Href: "/" + text, Colour: text}}
		for _, drawn := range []template.HTML{sankey, in, out, Bars(bars), Stacked(text, bars), Columns(text, []Month{{Label: text, Title: text, In: 1, Href: "/" + text}}),
			Line(Series{Name: text, Points: []Point{{Day: 1, Value: 2, Date: text, Amount: text}, {Day: 2, Value: 1, Date: text, Amount: text}}})} {
			for d := xml.NewDecoder(strings.NewReader("<body>" + string(drawn) + "</body>")); ; {
				_, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%v: %s", err, drawn)
				}
			}
		}
	})
}
