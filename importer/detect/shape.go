package detect

import (
	"strconv"

	"finsvc/importer/record"
	"finsvc/importer/text"
)

// decideSheet says how the file is cut.
func decideSheet(d *decisions) {
	if len(d.sheet.records) == 0 {
		return
	}
	const names = "with %q between cells most records have a date and a number in cells of their own"
	d.set("col_sep", string(d.sheet.separator), names, string(d.sheet.separator))
	if d.sheet.header == nil {
		d.set("has_header", "false", "the first record has a date and an amount already, so labels are column numbers")
	} else {
		d.set("has_header", "true", "line %d names the columns", d.sheet.records[d.sheet.headerAt].Line)
	}
	if given := record.Given(d.given.RowsToSkip); given != "" && given != strconv.Itoa(d.sheet.skip) {
		d.out.RowsToSkip = nil // what was given leads to lines that are no part of the table either
	}
	if d.sheet.skip > 0 {
		d.set("rows_to_skip", strconv.Itoa(d.sheet.skip), "the lines before line %d are no part of the table",
			d.sheet.skip+1)
	}
}

// decideEncoding says in which character set the file was read.
func decideEncoding(d *decisions) {
	if !d.open("encoding") {
		return
	}
	switch d.encoding {
	case text.ASCIIName:
		d.set("encoding", text.ASCIIName, "no byte is beyond ASCII")
	case text.UTF8Name:
		d.set("encoding", text.UTF8Name, "what was looked at beyond ASCII is valid UTF-8, but for a few broken characters at most")
	case d.charset:
		d.set("encoding", d.encoding, "the headers are known names in it, or those of a language that is written in it; it matters for names only")
	default:
		d.set("encoding", d.encoding, "the likeliest by a mark or the frequency of its bytes; it matters for names only")
	}
}
