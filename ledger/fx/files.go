package fx

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// readHeader gives what reads the lines below the header of either kind of CSV; nil when it is no header.
func (r *rateReader) readHeader(line int, head []string) func(line int, cells []string) bool {
	switch {
	case slices.EqualFunc(head, plainColumns(), strings.EqualFold):
		r.file.Source = SourceCSV
		return r.readPlain
	case len(head) > 1 && strings.EqualFold(head[0], "date") && isCodes(head[1:]):
		r.file.Source = SourceECB
		return func(line int, cells []string) bool {
			// Read a line of a day's rates of the euro. What was not published that day is N/A or empty.
			if len(cells) == 0 {
				return true
			}
			if len(cells) > len(head) {
				return r.Fail(line, "", "must have at most %d cells, as the header has, has %d", len(head), len(cells))
			}
			day, err := parseECBDate(cells[0])
			if err != nil {
				return r.Fail(line, head[0], "%s", err)
			}
			for i, cell := range cells[1:] {
				if cell == "" || strings.EqualFold(cell, "N/A") {
					continue
				}
				if code := head[i+1]; !r.addECB(line, code, code, cell, day) {
					return false
				}
			}
			return true
		}
	}
	r.Fail(line, "", `must be the header "date,from,to,rate", or "Date, USD, JPY, ..." as the European Central Bank writes it, got %s`, money.Clip(strings.Join(head, ",")))
	return nil
}

func plainColumns() []string { return []string{"date", "from", "to", "rate"} }

// isCodes reports whether the cells look like codes of currencies, each a different one.
func isCodes(cells []string) bool {
	for i, cell := range cells {
		if len(cell) != 3 || strings.Trim(cell, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" ||
			slices.Contains(cells[:i], cell) {
			return false
		}
	}
	return true
}

// readPlain reads a line of date,from,to,rate.
func (r *rateReader) readPlain(line int, cells []string) bool {
	columns := plainColumns()
	if len(cells) == 0 {
		return true
	}
	if len(cells) != len(columns) {
		return r.Fail(line, "", "must have %d cells (%s), has %d", len(columns), strings.Join(columns, ","), len(cells))
	}
	more := true
	day, err := ledger.ParseDate(cells[0])
	if err != nil {
		more = r.Fail(line, columns[0], "%s", err)
	}
	pair := [2]money.Currency{}
	for i := range pair {
		pair[i], err = ParseCode(cells[i+1])
		if err != nil {
			more = r.Fail(line, columns[i+1], "%s", err)
		}
	}
	if pair[0] == pair[1] && pair[0].Code != "" {
		more = r.Fail(line, columns[2], "must be another currency than from, got %s", ledger.Quote(cells[2]))
	}
	rate, err := parseRate(cells[3])
	if err != nil {
		more = r.Fail(line, columns[3], "%s", err)
	}
	if len(r.Problems) > 0 {
		return more
	}
	return r.add(line, columns[3], ExchangeRate{pair[0].Code, pair[1].Code, day, rate})
}

func ParseCode(text string) (money.Currency, error) {
	currency, known := money.LookupCurrency(text)
	if !known {
		return money.Currency{}, fmt.Errorf("must be the code of a currency such as EUR, got %s", money.Clip(text))
	}
	return currency, nil
}

// parseECBDate reads 2026-11-20 or 20 November 2026.
func parseECBDate(text string) (ledger.Date, error) {
	if t, err := time.Parse("2 January 2006", text); err == nil {
		day := ledger.DateOf(t)
		return day, day.Check()
	}
	return ledger.ParseDate(text)
}

// readXML reads the central bank's XML: Cube elements with a currency and a rate, in one with a time.
func (r *rateReader) readXML(content []byte) {
	r.file.Source = SourceECB
	in := xml.NewDecoder(bytes.NewReader(content))
	var cubes cubeReader
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		line, _ := in.InputPos()
		if err != nil {
			r.Fail(line, "", "cannot be read: %s", xmlText(err))
			return
		}
		if !cubes.take(r, line, token) {
			return
		}
	}
}

func xmlText(err error) string {
	if broken, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return broken.Msg
	}
	return err.Error()
}

// cubeReader knows how many elements are open, and the day of the one that has a time.
type cubeReader struct {
	depth    int
	day      ledger.Date
	dayDepth int // depth of the element with the time; 0: none is open
}

func (c *cubeReader) take(r *rateReader, line int, token xml.Token) bool {
	switch t := token.(type) {
	case xml.StartElement:
		c.depth++
		if t.Name.Local == "Cube" {
			return c.takeCube(r, line, t.Attr)
		}
	case xml.EndElement:
		if c.dayDepth == c.depth {
			c.dayDepth = 0
		}
		c.depth--
	}
	return true
}

func (c *cubeReader) takeCube(r *rateReader, line int, attributes []xml.Attr) bool {
	cells := map[string]string{}
	for _, a := range attributes {
		cells[a.Name.Local] = strings.TrimSpace(a.Value)
	}
	if text, given := cells["time"]; given {
		day, err := parseECBDate(text)
		c.day, c.dayDepth = day, c.depth
		if err != nil {
			return r.Fail(line, "time", "%s", err)
		}
	}
	code, given := cells["currency"]
	if !given {
		return true
	}
	switch {
	case !isCodes([]string{code}):
		return r.Fail(line, "currency", "must be the code of a currency such as USD, got %s", money.Clip(code))
	case c.dayDepth == 0:
		return r.Fail(line, "currency", "must lie in a Cube with a time, %s does not", code)
	}
	return r.addECB(line, "rate", code, cells["rate"], c.day)
}
