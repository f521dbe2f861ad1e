package table

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/intake"
)

// What is wrong with a list of merchants as a whole, for programs.
const (
	codeFileType      = "invalid_file_type"
	codeMissingColumn = "missing_column"
	codeCSV           = "invalid_csv"
)

// ReadMerchants reads a list of merchants: CSV with a header line and the columns name, and if there are any color and
// website_url (or website), in whatever encoding, parted by commas, semicolons, tabs or bars. Other columns are left
// out. The file's name may be empty. Errors are validation errors that name row and column.
func ReadMerchants(fileName string, content []byte) ([]intake.MerchantRow, error) {
	text, err := io.ReadAll(text.NewDecoder(bytes.NewReader(content), nil))
	if err != nil {
		return nil, err // memory alone is read
	}
	if !isTable(fileName, text) {
		return nil, intake.NewFileError(codeFileType, "must be a CSV file (.csv, .tsv or .txt)")
	}
	records, err := readTable(string(text))
	if err != nil {
		return nil, intake.NewFileError(codeCSV, "cannot be read: %s", err)
	}
	if len(records) == 0 {
		return nil, intake.NewFileError(codeCSV, "must not be empty: its first line names the columns, one of which is name")
	}
	columns, err := merchantHeader(records[0].Cells)
	if err != nil {
		return nil, err
	}
	return columns.read(records[1:])
}

// isTable reports whether a file can be CSV: by its name, and because nothing is in it that only other files have.
func isTable(name string, text []byte) bool {
	ending := strings.ToLower(path.Ext(name))
	return slices.Contains([]string{"", ".csv", ".tsv", ".txt"}, ending) && bytes.IndexByte(text, 0) < 0 &&
		!bytes.HasPrefix(text, []byte("%PDF"))
}

// readTable cuts a text into records by the separator that its first line has most of.
func readTable(cell string) (records []text.Row, err error) {
	reader := text.NewCSVReader(text.NewLineReader(strings.NewReader(cell)), tableSeparator(cell))
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
}

func tableSeparator(text string) byte {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	best := byte(',')
	for _, other := range []byte{';', '\t', '|'} {
		if strings.Count(line, string(other)) > strings.Count(line, string(best)) {
			best = other
		}
	}
	return best
}

// merchantColumns are the places of the columns; -1 for one that is not there. Width is that of the header.
type merchantColumns struct{ name, color, website, width int }

func merchantHeader(header []string) (merchantColumns, error) {
	c := merchantColumns{-1, -1, -1, len(header)}
	for i, label := range header {
		to := map[string]*int{"name": &c.name, "color": &c.color, "website_url": &c.website,
			"website": &c.website}[NormalLabel(label)]
		switch {
		case to == nil:
		case *to >= 0:
			return c, intake.NewFileError(codeCSV, "must name each column once, has %s twice", ledger.Quote(label))
		default:
			*to = i
		}
	}
	if c.name < 0 {
		return c, intake.NewFileError(codeMissingColumn, "must have a column name, its header has %s",
			ledger.Quote(strings.Join(header, ", ")))
	}
	return c, nil
}

func (c merchantColumns) read(records []text.Row) ([]intake.MerchantRow, error) {
	var problems ledger.Problems
	rows := make([]intake.MerchantRow, 0, len(records))
	for i, record := range records {
		for len(record.Cells) > c.width && record.Cells[len(record.Cells)-1] == "" {
			record.Cells = record.Cells[:len(record.Cells)-1]
		}
		if n := len(record.Cells); n > c.width {
			problems.Add(intake.RowPlace(i+1, ""), "must have at most %d cells, as the header has, has %d; is a quote missing?", c.width, n)
			continue
		}
		rows = append(rows, intake.MerchantRow{Number: i + 1,
			Input: catalog.MerchantInput{Name: ledger.Some(text.CellAt(record.Cells, c.name)),
				Color:      ledger.Some(text.CellAt(record.Cells, c.color)),
				WebsiteURL: ledger.Some(text.CellAt(record.Cells, c.website))}})
	}
	return rows, intake.MerchantFileError(problems)
}
