package table

import (
	"errors"
	"io"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
)

// Head cuts the beginning of a table into cells, to be shown to a person who is asked how it is to be read. The settings
// need not say more than where it begins and what parts its cells.
func Head(file *source.File, s record.Settings, most int) (header []string, rows [][]string, err error) {
	rules, problems := s.Compile()
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	content, err := file.Open()
	if err != nil {
		return nil, nil, err
	}
	lines := text.NewLineReader(text.NewDecoder(content, rules.Encoding))
	for range rules.Skip {
		if _, err := lines.Next(); err != nil {
			return nil, nil, endOf(err)
		}
	}
	csv := text.NewCSVReader(lines, rules.Separator)
	for len(rows) < most {
		row, err := csv.Next()
		if err != nil {
			return header, rows, endOf(err)
		}
		if rules.Header && header == nil {
			header = row.Cells
			continue
		}
		rows = append(rows, row.Cells)
	}
	return header, rows, nil
}

// endOf is the error of reading that is none at the end.
func endOf(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// FieldsOf names, for each column of a table, the setting that makes something of it; blank where none does. The header
// is nil when the file has none. It is nil of what is no table.
func FieldsOf(kind string, s record.Settings, header []string, columns int) []string {
	k := KindNamed(kind, record.Defaults{})
	if k == nil {
		return nil
	}
	found, _ := FindColumns(s, k, header, 1) // what is amiss, reading the file says
	fields := make([]string, columns)
	for f, at := range found.At {
		if at >= 0 && at < len(fields) && fields[at] == "" {
			fields[at] = record.Fields[f].Setting
		}
	}
	return fields
}
