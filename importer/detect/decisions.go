package detect

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/table"
)

// decisions are the settings that a file is to be read with as far as they are decided, why, and what must be asked.
// Deciders fill them in one after the other, in the order of detect.go; a later one may rely on what an earlier one
// decided.
type decisions struct {
	*profile
	out       record.Settings
	reasons   map[string]string
	questions []record.Question
	running   *runningBalance // with the order of the rows, once the dates are decided
	headed    bool            // headers say which columns are money out and money in

	date, amount, fee, debit, credit, direction, quantity int // columns that were decided on, -1 when there is none
}

// newDecisions begins with what was given.
func newDecisions(p *profile, given record.Settings) *decisions {
	return &decisions{profile: p, out: given, reasons: map[string]string{}, date: -1, amount: -1, fee: -1, debit: -1,
		credit: -1, direction: -1, quantity: -1}
}

// fillIn makes what is still open the default, unless something must be asked.
func (d *decisions) fillIn() {
	if len(d.questions) == 0 {
		d.out = d.out.WithDefaults()
	}
}

// set fills in a setting that is open, with the reason.
func (d *decisions) set(name, value, reason string, args ...any) {
	member := d.out.Members()[name]
	if *member != nil && strings.Trim(**member, " ") != "" {
		return
	}
	*member = new(value)
	d.reasons[name] = fmt.Sprintf(reason, args...)
}

// add goes on with the reason of a setting, where it has one.
func (d *decisions) add(name, more string, args ...any) {
	if reason := d.reasons[name]; reason != "" {
		d.reasons[name] = reason + fmt.Sprintf(more, args...)
	}
}

// ask puts a question unless the setting was given.
func (d *decisions) ask(setting string, candidates []string, reason string, args ...any) {
	if !d.open(setting) {
		return
	}
	d.questions = append(d.questions, record.Question{Setting: setting, Text: fmt.Sprintf(reason, args...),
		Candidates: candidates})
}

// refuse puts a question also where the setting was given: the file disproves what it says.
func (d *decisions) refuse(setting string, candidates []string, reason string, args ...any) {
	d.questions = append(d.questions, record.Question{Setting: setting,
		Text: "what was given contradicts the file: " + fmt.Sprintf(reason, args...), Candidates: candidates})
}

// asks reports whether a setting is asked about already.
func (d *decisions) asks(setting string) bool {
	return slices.ContainsFunc(d.questions, func(q record.Question) bool { return q.Setting == setting })
}

// chosenColumn is the column of a setting, whoever set it; -1 when it is open.
func (d *decisions) chosenColumn(setting string) int {
	at, err := table.Columns{Header: d.sheet.header}.Named(record.Given(*d.out.Members()[setting]), setting)
	if err != nil || at >= len(d.columns) {
		return -1
	}
	return at
}

// money gives the columns whose numbers are read: the amounts first; the balance has its numbers written alike.
func (d *decisions) money() []int {
	var list []int
	for _, at := range []int{d.amount, d.debit, d.credit} {
		if at >= 0 {
			list = append(list, at)
		}
	}
	return list
}

// proofOfAmount is what the running balance proves of the column of amounts, with the fee where one is taken besides.
func (d *decisions) proofOfAmount() proof { return d.proofOf(d.amount) }

func (d *decisions) proofOf(amount int) proof {
	if d.fee >= 0 {
		return d.running.proofLess(amount, d.fee)
	}
	return d.running.proofOf(amount)
}
