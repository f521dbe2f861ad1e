package importer

import "fmt"

// rowWarning is what a preflight says of a row that can be imported, or is left out for a reason that changes what is held. It goes on
// after "row 5 ".
type rowWarning string

const (
	warnUnits      rowWarning = "moves units without a purchase or sale and is left out: what is held will differ until that is entered"
	warnReinvested rowWarning = "buys with income that is left out, so it is left out, too: give amount_col_label to have both booked"
	warnTable      rowWarning = "stands below another header than the trades that are read and is left out: what is held may differ until that is entered"
	warnRounded    rowWarning = "has a price with more decimals than can be stored, which is rounded"
	warnHundredths rowWarning = "has a price in hundredths, per cent or pence, as its amount proves, which is divided by 100"
)

// RowWarning is told of rows for the same reason.
type RowWarning struct {
	Text  rowWarning
	First int // the number of the first of the rows
	Rows  int
}

// String is the whole sentence.
func (w RowWarning) String() string {
	return fmt.Sprintf("row %d %s (rows that do: %d)", w.First, w.Text, w.Rows)
}

// warn counts what is told of a row.
func (c *forecast) warn(row Row) {
	if row.Warning == "" || len(row.Issues) > 0 {
		return
	}
	for i := range c.out.Warned {
		if c.out.Warned[i].Text == row.Warning {
			c.out.Warned[i].Rows++
			return
		}
	}
	c.out.Warned = append(c.out.Warned, RowWarning{row.Warning, row.Number, 1})
}

// Warnings are what a preflight tells of the rows of trades.
func (out *Outcome) Warnings() []string {
	list := out.shortWarning()
	for _, w := range out.Warned {
		list = append(list, w.String())
	}
	return list
}
