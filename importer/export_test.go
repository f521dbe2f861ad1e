package importer

import (
	"io"
	"strings"

	"finsvc/importer/lexicon"
)

// Detect gives what detection finds to tests outside of the package: the settings, and those that are asked for.
func Detect(open func() (io.Reader, error), s Settings, d Defaults) (Settings, []string, error) {
	found, err := detect(open, s, d)
	var names []string
	for _, q := range found.questions {
		names = append(names, q.Setting)
	}
	return found.settings, names, err
}

// Reused says whether the import that was queued last was judged by what a preflight had seen.
func Reused(im *Importer, out *Outcome) bool { return im.foresight.outlook == out.seen.outlook }

// Reasons gives why the settings that were found have their values.
func Reasons(open func() (io.Reader, error), d Defaults) map[string]string {
	found, _ := detect(open, Settings{}, d)
	return found.reasons
}

// Question is what detection asks, for tests outside of the package.
type Question = question

// Questions gives what is asked of a file.
func Questions(open func() (io.Reader, error), s Settings, d Defaults) []Question {
	found, _ := detect(open, s, d)
	return found.questions
}

// Answered gives the settings, the names of those that are still asked for, and the reasons.
func Answered(open func() (io.Reader, error), s Settings, d Defaults) (Settings, []string, map[string]string, error) {
	settings, asked, err := Detect(open, s, d)
	found, _ := detect(open, s, d)
	return settings, asked, found.reasons, err
}

// AgainstBalances reports whether a file, read so, has a column headed as balances that rise by what is booked as money out, and fall by
// what is booked as money in, in each of at least two steps, and in none as they should, in the order of the days.
func AgainstBalances(content string, s Settings, d Defaults) bool {
	rows, err := NewRows(strings.NewReader(content), s, d)
	if err != nil {
		return false
	}
	for at, header := range rows.Header() {
		if lexicon.ReadHeader(header).Roles[lexicon.RoleBalance] < 900 {
			continue
		}
		if againstColumn(content, s, d, at) {
			return true
		}
	}
	return false
}

func againstColumn(content string, s Settings, d Defaults, at int) bool {
	rows, err := NewRows(strings.NewReader(content), s, d)
	var before Row
	var last int64
	up, down := 0, 0
	steps, with, against, first := 0, [2]int{}, [2]int{}, true
	for err == nil {
		var row Row
		if row, err = rows.Next(); err != nil || row.Skipped != "" || len(row.Issues) > 0 {
			continue
		}
		row.Raw = append([]string{}, row.Raw...)
		balance, bad := rows.rules.numbers.minor(cellAt(row.Raw, at), row.Currency)
		if bad != nil {
			return false
		}
		if !first {
			up, down = up+one(row.Date > before.Date), down+one(row.Date < before.Date)
			steps++
			with[0], against[0] = with[0]+one(balance-last == row.Minor), against[0]+one(last-balance == row.Minor)
			with[1], against[1] = with[1]+one(last-balance == before.Minor), against[1]+one(balance-last == before.Minor)
		}
		before, last, first = row, balance, false
	}
	return steps >= 2 && with[0]+with[1] == 0 && (against[0] == steps && (up > 0 || down == 0) || against[1] == steps && (down > 0 || up == 0))
}

// Unused gives the settings and the columns that nothing is made of.
func Unused(open func() (io.Reader, error), d Defaults) (Settings, []string) {
	found, _ := detect(open, Settings{}, d)
	return found.settings, found.unused
}
