package importer

import (
	"io"

	"finsvc/importer/detect"
	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

// Detect gives what detection finds to tests outside of the package: the settings, and those that are asked for.
func Detect(open func() (io.Reader, error), s record.Settings, d record.Defaults) (record.Settings, []string, error) {
	found, err := detect.Find(source.New(0, open), s, d)
	var names []string
	for _, q := range found.Questions {
		names = append(names, q.Setting)
	}
	return found.Settings, names, err
}

// Reused reports whether the import that was queued last was judged by what a preflight had seen.
func Reused(im *Importer, out *Preflight) bool {
	return im.analyser.cache.analysis == out.upload.analysis
}

// Reasons gives why the settings that were found have their values.
func Reasons(open func() (io.Reader, error), d record.Defaults) map[string]string {
	found, _ := detect.Find(source.New(0, open), record.Settings{}, d)
	return found.Reasons
}

// Question is what detection asks, for tests outside of the package.
type Question = record.Question

// Questions gives what is asked of a file.
func Questions(open func() (io.Reader, error), s record.Settings, d record.Defaults) []Question {
	found, _ := detect.Find(source.New(0, open), s, d)
	return found.Questions
}

// Answered gives the settings, the names of those that are still asked for, and the reasons.
func Answered(open func() (io.Reader, error), s record.Settings, d record.Defaults) (record.Settings, []string,
	map[string]string, error) {
	settings, asked, err := Detect(open, s, d)
	found, _ := detect.Find(source.New(0, open), s, d)
	return settings, asked, found.Reasons, err
}

// AgainstBalances reports whether a file, read so, has a column headed as balances that rise by what is booked as
// money out, and fall by what is booked as money in, in each of at least two steps, and in none as they should, in the
// order of the days.
func AgainstBalances(content string, s record.Settings, d record.Defaults) bool {
	rows, err := table.NewRows(source.Text(content), s, d)
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

func againstColumn(content string, s record.Settings, d record.Defaults, at int) bool {
	rows, err := table.NewRows(source.Text(content), s, d)
	var before record.Record
	var last int64
	up, down := 0, 0
	steps, with, against, first := 0, [2]int{}, [2]int{}, true
	for err == nil {
		var row record.Record
		if row, err = rows.Next(); err != nil || row.Skipped != "" || len(row.Issues) > 0 {
			continue
		}
		row.Raw = append([]string{}, row.Raw...)
		balance, bad := rows.Rules.Numbers.Minor(text.CellAt(row.Raw, at), row.Currency)
		if bad != nil {
			return false
		}
		if !first {
			up, down = up+oneIf(row.Date > before.Date), down+oneIf(row.Date < before.Date)
			steps++
			with[0], against[0] = with[0]+oneIf(balance-last == row.Minor), against[0]+oneIf(last-balance == row.Minor)
			with[1], against[1] = with[1]+oneIf(last-balance == before.Minor),
				against[1]+oneIf(balance-last == before.Minor)
		}
		before, last, first = row, balance, false
	}
	return steps >= 2 && with[0]+with[1] == 0 && (against[0] == steps && (up > 0 || down == 0) ||
		against[1] == steps && (down > 0 || up == 0))
}

// Unused gives the settings and the columns that nothing is made of.
func Unused(open func() (io.Reader, error), d record.Defaults) (record.Settings, []string) {
	found, _ := detect.Find(source.New(0, open), record.Settings{}, d)
	return found.Settings, found.Unused
}

func oneIf(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// Watch shows every stored file that is opened from now on.
func Watch(im *Importer, opened func(*source.File)) { im.reader.opened = opened }
