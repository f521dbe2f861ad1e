package detect

import (
	"slices"
	"strconv"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// dateFit is how well a pattern fits the dates of a column.
type dateFit struct {
	pattern     notation.DatePattern
	fits        int
	up, down    int // steps to a later and to an earlier day
	previous    ledger.Date
	low, high   ledger.Date // the first and the last day
	present     ledger.Date // of the record that is being looked at; 0 when it does not fit
	all         uint64      // sums up the days that were read: equal when two readings are
	near, apart int         // distances to the other column of dates, read by the same pattern
	alone       ledger.Date // the first day on which another column of dates is blank; 0 when none is
}

func (d *dateFit) clear() { *d = dateFit{pattern: d.pattern} }

// see reads a date by every pattern, and says whether one fits.
func (c *column) see(cell string) bool {
	if cell == "" {
		for i := range c.dates {
			c.dates[i].present = 0
		}
		c.last = "" // the same date below is looked at again
		return false
	}
	same, any := cell == c.last && cell != "", false
	for i := range c.dates {
		d := &c.dates[i]
		if !same {
			d.present = 0
			if date, _, exists := d.pattern.Scan(cell); exists {
				d.present = date
			}
		}
		if d.present == 0 {
			continue
		}
		any = true
		d.count()
	}
	if !same {
		c.last = cell
	}
	c.seen += one(any)
	return any
}

func (d *dateFit) count() {
	d.fits++
	d.all = d.all*31 + uint64(d.present)
	d.low, d.high = min(d.low, d.present), max(d.high, d.present)
	if d.fits == 1 {
		d.low = d.present
	}
	switch {
	case d.previous == 0 || d.present == d.previous:
	case d.present > d.previous:
		d.up++
	default:
		d.down++
	}
	d.previous = d.present
}

// noteGaps notes on which days a column has a date and another column of dates has none.
func (f *detector) noteGaps(cells []string) {
	gap := false
	for i := range f.columns {
		gap = gap || f.columns[i].isDate && text.CellAt(cells, i) == ""
	}
	if !gap {
		return
	}
	for i := range f.columns {
		for j := range f.columns[i].dates {
			if d := &f.columns[i].dates[j]; d.present != 0 && (d.alone == 0 || d.present < d.alone) {
				d.alone = d.present
			}
		}
	}
}

// closeness compares the two dates of a record: booked and valued are days apart, not months.
func (f *detector) closeness() {
	const near, apart = 7, 25
	if len(f.twoDates) < 2 {
		return
	}
	a, b := &f.columns[f.twoDates[0]], &f.columns[f.twoDates[1]]
	for i := range a.dates {
		for j := range b.dates {
			x, y := &a.dates[i], &b.dates[j]
			if x.pattern.Text != y.pattern.Text || x.present == 0 || y.present == 0 || x.present == y.present {
				continue
			}
			switch distance := max(x.present-y.present, y.present-x.present); {
			case distance <= near:
				x.near, y.near = x.near+1, y.near+1
			case distance > apart:
				x.apart, y.apart = x.apart+1, y.apart+1
			}
		}
	}
}

// findDate decides on the column of dates and on how they are written.
func (f *detector) findDate() {
	isDate := func(c *column) bool { return c.isDate && c.filled > 0 }
	f.date = f.givenColumn("date_col_label")
	if f.date < 0 {
		candidates := f.firstOfFile(f.byRole(lexicon.RoleDate, isDate))
		if traded := f.byRole(lexicon.RoleTradeDate, isDate); f.ofTrades() && len(traded) > 0 {
			candidates = traded
		}
		if len(candidates) == 0 {
			candidates = f.where(func(c *column) bool { return isDate(c) && len(c.Roles) == 0 })
		}
		if len(candidates) == 0 {
			candidates = f.where(isDate)
		}
		if named := f.byRole(lexicon.RoleDate, func(c *column) bool { return c.filled > 0 && c.Roles[lexicon.RoleDate] >= 900 }); len(candidates) == 0 && len(named) > 0 {
			f.ask("date_format", nil, "no format that is known fits the dates in %s, such as %s", f.title(named[0]), text.Quoted(f.columns[named[0]].first))
			return
		}
		if len(candidates) == 0 {
			f.ask("date_col_label", f.labels(f.where(func(*column) bool { return true })), "no column holds dates; the columns are %s", f.titles(f.where(func(*column) bool { return true })))
			return
		}
		f.date = candidates[0]
		if f.takeComplete(isDate) {
			return
		}
		if f.doubtDate(candidates) {
			return
		}
		f.set("date_col_label", f.label(f.date), "%s holds a date in %d of %d rows%s", f.title(f.date), f.bestFit(f.date), f.rows-int64(len(f.tail)), also(f, f.where(isDate)))
	}
	if f.open("date_format") {
		f.findDateFormat(&f.columns[f.date])
	}
}

// takeComplete takes the column that has a date in every row where the one that would be taken has none in some: these could not be booked by
// it. Where a blank cell may mean that a payment is not booked yet, nothing is taken: that is so of a day of booking, and of a
// column that nobody knows unless some of its blanks are far older than the newest row. Of several complete columns it takes
// the one that stands for the date by its name, and none where that is more than one.
func (f *detector) takeComplete(isDate func(c *column) bool) bool {
	rows := f.dataRows()
	gapped := &f.columns[f.date]
	if gapped.seen >= rows || f.ofTrades() || f.blankIsPending() {
		return false
	}
	complete := f.where(func(c *column) bool { return isDate(c) && c.seen >= rows })
	if named := slices.DeleteFunc(slices.Clone(complete), func(at int) bool { return f.columns[at].Roles[lexicon.RoleDate] < 900 }); len(named) > 0 {
		complete = named
	}
	if len(complete) != 1 {
		return false
	}
	known := f.sheet.header != nil && f.date < len(f.sheet.header) && lexicon.Has(lexicon.PurchaseDay, f.sheet.header[f.date])
	if !known && (gapped.Roles[lexicon.RoleDate] >= 900 || !f.columns[complete[0]].longAlone()) {
		return false
	}
	gaps := rows - gapped.seen
	why := f.title(f.date)
	f.date = complete[0]
	f.set("date_col_label", f.label(f.date), "%s holds a date in each of %d rows, and %s has none in %d of them", f.title(f.date), rows, why, gaps)
	if f.open("date_format") {
		f.findDateFormat(&f.columns[f.date])
	}
	return true
}

// longAlone reports whether another column of dates is blank beside a date that is far older than the newest one, by every reading of both:
// no payment is pending for so long.
func (c *column) longAlone() bool {
	const pendingDays = 45
	best := 0
	for _, d := range c.dates {
		best = max(best, d.fits)
	}
	for _, d := range c.dates {
		if d.fits == best && (d.alone == 0 || d.high-d.alone <= pendingDays) {
			return false
		}
	}
	return best > 0
}

// also says which other columns hold the same kind of thing.
func also(f *detector, list []int) string {
	if len(list) < 2 {
		return ""
	}
	return "; dates stand in " + f.titles(list)
}

// firstOfFile prefers columns that are called date outright, then the first in the file.
func (f *detector) firstOfFile(list []int) []int {
	best := -1
	for _, at := range list {
		plain, _ := lexicon.PlainHeader(f.columns[at].header)
		if len(plain) > 0 && f.columns[at].Roles[lexicon.RoleDate] >= 1_000 && f.columns[at].Roles[lexicon.RoleOtherDate] == 0 {
			return []int{at}
		}
		if f.columns[at].Roles[lexicon.RoleDate] >= 900 && (best < 0 || at < best) {
			best = at
		}
	}
	if best >= 0 {
		return []int{best}
	}
	return list
}

func (f *detector) bestFit(at int) int {
	n := 0
	for _, d := range f.columns[at].dates {
		n = max(n, d.fits)
	}
	return n
}

// findDateFormat takes the pattern that fits most dates, and of several the one that something proves.
func (f *detector) findDateFormat(c *column) {
	best := f.bestFit(f.date)
	var fitting []dateFit
	for _, d := range c.dates {
		if d.fits == best && best > 0 {
			fitting = append(fitting, d)
		}
	}
	if day := f.dayOfTimes(c); day != "" && best < c.seen {
		f.set("date_format", day, "the times of day are written in several ways, and move no day")
		return
	}
	if len(fitting) == 0 || best < c.seen {
		f.ask("date_format", nil, "no one format fits all dates in %s, such as %s", f.title(f.date), text.Quoted(c.first))
		return
	}
	left := f.usual(fitting)
	switch {
	case len(fitting) == 1:
		f.set("date_format", left[0].pattern.Text, "%d of %d dates fit it, and fewer any other", best, c.seen)
		return
	case len(left) == 1:
		f.set("date_format", left[0].pattern.Text, "%d of %d dates fit it, and of the formats that fit as many it is the usual one", best, c.seen)
		return
	}
	fitting = left
	if d, why := f.proved(fitting); d != nil {
		f.set("date_format", d.pattern.Text, "%s", why)
		return
	}
	var texts []string
	for _, d := range fitting {
		texts = append(texts, d.pattern.Text)
	}
	f.ask("date_format", texts, "%s (row 1) and every other date fit %s", c.firstCell(), strings.Join(texts, " and "))
}

func (c *column) firstCell() string {
	if len(c.first) == 0 {
		return ""
	}
	return c.first[0]
}

// usual leaves out readings that nobody writes: a year of two digits on the side that scatters the days over many years,
// and the month before the day with dots between.
func (f *detector) usual(list []dateFit) []dateFit {
	var left []dateFit
	for _, d := range list {
		text := d.pattern.Text
		odd := d.scattered(list) || strings.HasPrefix(text, "%m.") ||
			text == "%d%m%Y" && len(list) > 1 && strings.HasPrefix(list[0].pattern.Text, "%Y")
		if !odd {
			left = append(left, d)
		}
	}
	if len(left) == 0 {
		return list
	}
	return left
}

// scattered says whether the days are far closer together when the year of two digits stands at the other end.
func (d dateFit) scattered(list []dateFit) bool {
	const far = 4
	for _, other := range list {
		if d.yearInFront() != other.yearInFront() && d.high-d.low > far*(other.high-other.low) {
			return true
		}
	}
	return false
}

func (d dateFit) yearInFront() bool { return strings.HasPrefix(d.pattern.Text, "%y") }

// proved picks the reading for which there is proof: the same days either way, a second column of dates that is close
// only by it, rows in order only by it, or the language of the headers.
func (f *detector) proved(list []dateFit) (*dateFit, string) {
	const enough = 3
	sorted := func(d dateFit) bool { return d.up == 0 && d.down >= enough || d.down == 0 && d.up >= enough }
	for i := range list {
		close, order := list[i].near > 0 && list[i].apart == 0, sorted(list[i])
		for j := range list {
			if j == i {
				continue
			}
			close = close && list[j].near == 0 && list[j].apart >= 1
			order = order && list[j].up > 0 && list[j].down > 0
		}
		switch {
		case close:
			return &list[i], "the two dates of each row are close together only when read so"
		case order:
			return &list[i], "the rows are in order of their dates only when read so"
		}
	}
	for i := 1; i < len(list) && list[i].all == list[0].all; i++ {
		if i == len(list)-1 {
			return &list[0], "every date is the same day by whichever format it is read"
		}
	}
	for i := range list {
		switch {
		case f.language.YearFirst && list[i].yearInFront():
			return &list[i], "the year comes first in the language of the headers"
		case f.language.DayFirst && strings.HasPrefix(list[i].pattern.Text, "%d"):
			return &list[i], "the day comes first in the language of the headers"
		}
	}
	return nil, ""
}

func formatInt(n int) string { return strconv.Itoa(n) }

// dayOfTimes is the pattern of the day where only the times behind it are written in several ways, which the reader of trades
// makes nothing of; blank else.
func (f *detector) dayOfTimes(c *column) string {
	day := ""
	if !f.ofTrades() {
		return day
	}
	for _, d := range c.dates {
		before, clock, timed := strings.Cut(d.pattern.Text, "%H")
		before = strings.TrimSuffix(strings.TrimSpace(before), "T")
		if day == "" {
			day = before
		}
		if before != day || timed && strings.Trim(clock, ":.%MSfzZ") != "" {
			return ""
		}
	}
	return day
}

// doubtDate asks which of several columns of dates counts whose headers are no known names, if they ever differ. Without
// headers it is the first, the day of booking stands before that of value.
func (f *detector) doubtDate(list []int) bool {
	for _, at := range list[1:] {
		first, other := &f.columns[list[0]], &f.columns[at]
		if f.sheet.header == nil || first.Roles[lexicon.RoleDate] >= 900 || other.Roles[lexicon.RoleDate] != first.Roles[lexicon.RoleDate] || other.Roles[lexicon.RoleOtherDate] > 0 {
			continue
		}
		if rows := f.dataRows(); first.seen >= rows && other.seen < rows && first.longAlone() && !f.ofTrades() {
			continue // it has no date in rows that cannot be pending
		}
		for _, r := range f.headRows() {
			if a, b := text.CellAt(r.Cells, list[0]), text.CellAt(r.Cells, at); a != b && len(notation.PatternsOf(a)) > 0 && len(notation.PatternsOf(b)) > 0 {
				f.ask("date_col_label", f.labels(list), "dates stand in %s, and nothing says which of them counts", f.titles(list))
				return true
			}
		}
	}
	return false
}

// shortYears reads Mint's dates, in which the month comes first, with two digits of year where all of the beginning have so many.
func (f *detector) shortYears() {
	const short = "%m/%d/%y"
	at := f.givenColumn("date_col_label")
	if at < 0 {
		return
	}
	for _, d := range f.columns[at].dates {
		if d.pattern.Text == short && d.fits == f.columns[at].seen {
			f.out.DateFormat, f.given.DateFormat = new(short), new(short)
			f.found.Reasons["date_format"] = "Mint writes the month first, and these years have two digits"
		}
	}
}

// doubtGaps asks which column of dates counts where the one that is called so has none in rows for which another has one, and no
// column of states says why: these rows would not be booked, and may be pending or only have no day of purchase.
func (f *detector) doubtGaps() {
	if f.date < 0 || slices.ContainsFunc(f.found.Questions, func(q record.Question) bool { return q.Setting == "row_filter" }) || !f.open("row_filter") {
		return
	}
	if f.blankIsPending() {
		return
	}
	seen := f.columns[f.date].seen
	if fuller := f.where(func(c *column) bool { return c.isDate && c.seen > seen }); len(fuller) > 0 {
		f.ask("date_col_label", f.labels(append([]int{f.date}, fuller...)), "%s has a date in %d rows only, and %s in %d", f.title(f.date), seen, f.title(fuller[0]), f.columns[fuller[0]].seen)
	}
}
