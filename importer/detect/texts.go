package detect

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// decideTexts finds the columns that say what a payment was. None of them is needed.
func decideTexts(d *decisions) {
	taken := []int{d.date, d.amount, d.debit, d.credit, d.direction}
	free := func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 }
	take := func(setting string, list []int) {
		if at := d.givenColumn(setting); at >= 0 {
			taken = append(taken, at)
			return
		}
		list = slices.DeleteFunc(list, func(at int) bool { return slices.Contains(taken, at) })
		if len(list) > 0 && d.open(setting) {
			taken = append(taken, list[0])
			d.set(setting, d.label(list[0]), "%s is called so", d.title(list[0]))
		}
	}
	for _, r := range []lexicon.Role{lexicon.RoleCategory, lexicon.RoleTags} {
		take(string(r)+"_col_label", slices.DeleteFunc(d.byRole(r, free),
			func(at int) bool { return d.columns[at].Roles[r] < 900 }))
	}
	var list []int
	for _, at := range d.profile.byRole(lexicon.RoleAccount,
		func(c *column) bool { return !c.isDate && c.filled > 0 }) {
		if d.profile.columns[at].Roles[lexicon.RoleAccount] >= 900 {
			list = append(list, at)
		}
	}
	take("account_col_label", list)
	payees := d.byRole(lexicon.RolePayee, func(c *column) bool { return free(c) && 2*c.filled >= d.dataRows() })
	texts := d.byRole(lexicon.RoleText, free)
	take("name_col_label", tellingFirst(d.profile, slices.Concat(payees, texts, d.byRole(lexicon.RolePayee, free),
		d.byRole(lexicon.RoleNotes, free), wordiest(d.profile, taken))))
	take("notes_col_label", tellingFirst(d.profile, slices.Concat(purposeColumns(d.profile, free),
		d.byRole(lexicon.RoleNotes, free), texts, payees)))
}

// tellingFirst moves columns that name nothing behind those that do: they hold no words, or the same ones in every row
// of many.
func tellingFirst(p *profile, list []int) []int {
	const many = 3
	var names, others []int
	for _, at := range list {
		if c := &p.columns[at]; 2*c.worded < c.filled || !c.varies && c.filled >= many {
			others = append(others, at)
		} else {
			names = append(names, at)
		}
	}
	return slices.Concat(names, others)
}

// wordiest is the column with most text, where no header tells.
func wordiest(p *profile, taken []int) []int {
	best := -1
	for _, at := range p.where(func(c *column) bool {
		return !c.isDate && !c.isNumber && c.filled > 0 &&
			len(c.Roles) == 0
	}) {
		if !slices.Contains(taken, at) && (best < 0 || lettersOf(p, at) > lettersOf(p, best)) {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	return []int{best}
}

// lettersOf counts the characters of a column in the beginning of the file.
func lettersOf(p *profile, at int) int {
	n := 0
	for _, r := range p.headRows() {
		n += len(text.CellAt(r.Cells, at))
	}
	return n
}

// purposeColumns are the columns that say what was paid for, the likeliest first.
func purposeColumns(p *profile, holds func(c *column) bool) []int {
	place := func(at int) int {
		plain, _ := lexicon.PlainHeader(p.columns[at].header)
		return lexicon.Place(lexicon.PurposeHeader, plain)
	}
	var list []int
	for at := range p.columns {
		if holds(&p.columns[at]) && place(at) >= 0 {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return place(a) - place(b) })
	return list
}

// decideID decides which column holds the bank's own id of each booking.
func decideID(d *decisions) {
	for _, c := range d.ids {
		given := !d.open("id_col_label")
		if c.identifies() {
			if !given {
				d.set("id_col_label", d.label(c.at), "every row has another one in %s, so it tells whether a row is booked already, whatever else has changed", d.title(c.at))
			}
			return
		}
		if given && (c.dead || !c.unique()) {
			d.questions = append(d.questions, record.Question{Setting: "id_col_label",
				Text: "must name a column with an id that differs in every row, and " + d.title(c.at) + " does not; " +
					record.NoColumn + " is for files that have none", Candidates: []string{record.NoColumn}})
			return
		}
	}
}
