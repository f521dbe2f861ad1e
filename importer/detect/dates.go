package detect

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// decideDate decides on the column of dates and on how they are written.
func decideDate(d *decisions) {
	isDate := func(c *column) bool { return c.isDate && c.filled > 0 }
	d.date = d.givenColumn("date_col_label")
	if d.date < 0 {
		candidates := firstOfFile(d.profile, d.byRole(lexicon.RoleDate, isDate))
		if traded := d.byRole(lexicon.RoleTradeDate, isDate); d.ofTrades() && len(traded) > 0 {
			candidates = traded
		}
		if len(candidates) == 0 {
			candidates = d.where(func(c *column) bool { return isDate(c) && len(c.Roles) == 0 })
		}
		if len(candidates) == 0 {
			candidates = d.where(isDate)
		}
		if named := d.byRole(lexicon.RoleDate, func(c *column) bool {
			return c.filled > 0 &&
				c.Roles[lexicon.RoleDate] >= 900
		}); len(candidates) == 0 && len(named) > 0 {
			d.ask("date_format", nil, "no format that is known fits the dates in %s, such as %s", d.title(named[0]),
				text.Quoted(d.columns[named[0]].first))
			return
		}
		if len(candidates) == 0 {
			d.ask("date_col_label", d.labels(d.where(func(*column) bool { return true })),
				"no column holds dates; the columns are %s", d.titles(d.where(func(*column) bool { return true })))
			return
		}
		d.date = candidates[0]
		if takeCompleteDates(d, isDate) {
			return
		}
		if askDate(d, candidates) {
			return
		}
		d.set("date_col_label", d.label(d.date), "%s holds a date in %d of %d rows%s", d.title(d.date),
			bestFit(d.profile, d.date), d.rows-int64(len(d.tail)), also(d.profile, d.where(isDate)))
	}
	if d.open("date_format") {
		decideDateFormat(d, &d.columns[d.date])
	}
}

// takeCompleteDates takes the column that has a date in every row where the one that would be taken has none in some:
// these could not be booked by it. Where a blank cell may mean that a payment is not booked yet, nothing is taken:
// that is so of a day of booking, and of a column that nobody knows unless some of its blanks are far older than the
// newest row. Of several complete columns it takes the one that stands for the date by its name, and none where that
// is more than one.
func takeCompleteDates(d *decisions, isDate func(c *column) bool) bool {
	rows := d.dataRows()
	gapped := &d.columns[d.date]
	if gapped.seen >= rows || d.ofTrades() || blankIsPending(d) {
		return false
	}
	complete := d.where(func(c *column) bool { return isDate(c) && c.seen >= rows })
	if named := slices.DeleteFunc(slices.Clone(complete), func(at int) bool { return d.columns[at].Roles[lexicon.RoleDate] < 900 }); len(named) > 0 {
		complete = named
	}
	if len(complete) != 1 {
		return false
	}
	known := d.sheet.header != nil && d.date < len(d.sheet.header) &&
		lexicon.Has(lexicon.PurchaseDay, d.sheet.header[d.date])
	if !known && (gapped.Roles[lexicon.RoleDate] >= 900 || !d.columns[complete[0]].longAlone()) {
		return false
	}
	gaps := rows - gapped.seen
	why := d.title(d.date)
	d.date = complete[0]
	d.set("date_col_label", d.label(d.date), "%s holds a date in each of %d rows, and %s has none in %d of them",
		d.title(d.date), rows, why, gaps)
	if d.open("date_format") {
		decideDateFormat(d, &d.columns[d.date])
	}
	return true
}

// also says which other columns hold the same kind of thing.
func also(p *profile, list []int) string {
	if len(list) < 2 {
		return ""
	}
	return "; dates stand in " + p.titles(list)
}

// firstOfFile prefers columns that are called date outright, then the first in the file.
func firstOfFile(p *profile, list []int) []int {
	best := -1
	for _, at := range list {
		plain, _ := lexicon.PlainHeader(p.columns[at].header)
		if len(plain) > 0 && p.columns[at].Roles[lexicon.RoleDate] >= 1_000 &&
			p.columns[at].Roles[lexicon.RoleOtherDate] == 0 {
			return []int{at}
		}
		if p.columns[at].Roles[lexicon.RoleDate] >= 900 && (best < 0 || at < best) {
			best = at
		}
	}
	if best >= 0 {
		return []int{best}
	}
	return list
}

func bestFit(p *profile, at int) int {
	n := 0
	for _, d := range p.columns[at].dates {
		n = max(n, d.fits)
	}
	return n
}

// decideDateFormat takes the pattern that fits most dates, and of several the one that something proves.
func decideDateFormat(d *decisions, c *column) {
	best := bestFit(d.profile, d.date)
	var fitting []dateFit
	for _, fit := range c.dates {
		if fit.fits == best && best > 0 {
			fitting = append(fitting, fit)
		}
	}
	if day := dayOfTimes(d.profile, c); day != "" && best < c.seen {
		d.set("date_format", day, "the times of day are written in several ways, and move no day")
		return
	}
	if len(fitting) == 0 || best < c.seen {
		d.ask("date_format", nil, "no one format fits all dates in %s, such as %s", d.title(d.date),
			text.Quoted(c.first))
		return
	}
	left := usualFits(d.profile, fitting)
	switch {
	case len(fitting) == 1:
		d.set("date_format", left[0].pattern.Text, "%d of %d dates fit it, and fewer any other", best, c.seen)
		return
	case len(left) == 1:
		d.set("date_format", left[0].pattern.Text, "%d of %d dates fit it, and of the formats that fit as many it is the usual one", best, c.seen)
		return
	}
	fitting = left
	if fit, why := provedFit(d.profile, fitting); fit != nil {
		d.set("date_format", fit.pattern.Text, "%s", why)
		return
	}
	var texts []string
	for _, fit := range fitting {
		texts = append(texts, fit.pattern.Text)
	}
	d.ask("date_format", texts, "%s (row 1) and every other date fit %s", c.firstCell(), strings.Join(texts, " and "))
}

// usualFits leaves out readings that nobody writes: a year of two digits on the side that scatters the days over many
// years, and the month before the day with dots between.
func usualFits(p *profile, list []dateFit) []dateFit {
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

// provedFit picks the reading for which there is proof: the same days either way, a second column of dates that is
// close only by it, rows in order only by it, or the language of the headers.
func provedFit(p *profile, list []dateFit) (*dateFit, string) {
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
		case p.language.YearFirst && list[i].yearInFront():
			return &list[i], "the year comes first in the language of the headers"
		case p.language.DayFirst && strings.HasPrefix(list[i].pattern.Text, "%d"):
			return &list[i], "the day comes first in the language of the headers"
		}
	}
	return nil, ""
}

// dayOfTimes is the pattern of the day where only the times behind it are written in several ways, which the reader of
// trades makes nothing of; blank else.
func dayOfTimes(p *profile, c *column) string {
	day := ""
	if !p.ofTrades() {
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

// askDate asks which of several columns of dates counts whose headers are no known names, if they ever differ. Without
// headers it is the first, the day of booking stands before that of value.
func askDate(d *decisions, list []int) bool {
	for _, at := range list[1:] {
		first, other := &d.columns[list[0]], &d.columns[at]
		if d.sheet.header == nil || first.Roles[lexicon.RoleDate] >= 900 ||
			other.Roles[lexicon.RoleDate] != first.Roles[lexicon.RoleDate] || other.Roles[lexicon.RoleOtherDate] > 0 {
			continue
		}
		if rows := d.dataRows(); first.seen >= rows && other.seen < rows && first.longAlone() && !d.ofTrades() {
			continue // it has no date in rows that cannot be pending
		}
		for _, r := range d.headRows() {
			if a, b := text.CellAt(r.Cells, list[0]), text.CellAt(r.Cells, at); a != b &&
				len(notation.PatternsOf(a)) > 0 && len(notation.PatternsOf(b)) > 0 {
				d.ask("date_col_label", d.labels(list), "dates stand in %s, and nothing says which of them counts",
					d.titles(list))
				return true
			}
		}
	}
	return false
}

// askGaps asks which column of dates counts where the one that is called so has none in rows for which another has
// one, and no column of states says why: these rows would not be booked, and may be pending or only have no day of
// purchase.
func askGaps(d *decisions) {
	if d.date < 0 || slices.ContainsFunc(d.questions, func(q record.Question) bool { return q.Setting == "row_filter" }) || !d.open("row_filter") {
		return
	}
	if blankIsPending(d) {
		return
	}
	seen := d.columns[d.date].seen
	if fuller := d.where(func(c *column) bool { return c.isDate && c.seen > seen }); len(fuller) > 0 {
		d.ask("date_col_label", d.labels(append([]int{d.date}, fuller...)),
			"%s has a date in %d rows only, and %s in %d", d.title(d.date), seen, d.title(fuller[0]),
			d.columns[fuller[0]].seen)
	}
}

// dateSteps counts the steps forth and back in the order of the rows.
func dateSteps(d *decisions) (up, down int) {
	if d.date < 0 {
		return 0, 0
	}
	for _, fit := range d.columns[d.date].dates {
		if fit.pattern.Text == record.Given(d.out.DateFormat) {
			return fit.up, fit.down
		}
	}
	return 0, 0
}

// blankIsPending reports whether payments without a day in the column of days, of which another column has one, are
// pending: the column is that of the booking, and most rows have it.
func blankIsPending(d *decisions) bool {
	return d.date >= 0 && d.sheet.header != nil && d.date < len(d.sheet.header) &&
		!lexicon.Has(lexicon.PurchaseDay, d.sheet.header[d.date]) && d.columns[d.date].Roles[lexicon.RoleDate] >= 900 &&
		2*d.columns[d.date].seen > d.dataRows()
}

// outline is how a text is written: where its digits, its letters and its marks are.
func outline(cell string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '0'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, cell)
}

// oddCell counts the rows of the beginning that have an amount, and gives a cell that a test finds odd if it does so
// in more than one row, and in more than one of ten.
func oddCell(d *decisions, test func(r text.Row) (cell string, odd bool)) (rows int, example string) {
	const few = 10
	found := 0
	for _, r := range d.headRows() {
		if !hasAmount(d, r) {
			continue
		}
		rows++
		if cell, odd := test(r); odd {
			found++
			example = first(example, cell)
		}
	}
	if found <= 1 || few*found <= rows {
		return rows, ""
	}
	return rows, example
}

// hasAmount reports whether a record has an amount.
func hasAmount(d *decisions, r text.Row) bool {
	for _, at := range d.money() {
		if notation.ShapeOf(text.CellAt(r.Cells, at)).Number {
			return true
		}
	}
	return false
}
