package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/cmd/importing"
	"finsvc/importer"
	"finsvc/ledger"
)

// londonEuros is what is sent to London every three months, in cents.
const londonEuros = 75_000

// fundsLondon reports whether that is done on a day.
func (d *household) fundsLondon(day ledger.Date) bool {
	_, month, date := day.Time().Date()
	return date == 10 && month%3 == 0
}

// movement is a line of the London bank's files, with the balance after it in pence.
type movement struct {
	day            ledger.Date
	text           string
	pence, balance int64
}

// bankFile is a file that the bank gave out: what was booked from a day to another. They overlap, as such files do.
type bankFile struct {
	name        string
	first, last ledger.Date
	later       bool // it is kept as a pending import
}

func (d *household) files() []bankFile {
	return []bankFile{
		{"london-to-summer.csv", d.first, d.today - 90, false},
		{"london-quarter.csv", d.today - 110, d.today - 30, false},
		{"london-newest.csv", d.today - 40, d.today, true},
	}
}

// importFiles imports the bank's files as the command import does, from a folder; the last is left to be published.
func (d *household) importFiles(ctx context.Context, im *importer.Importer, home ledger.Household,
	folder string) error {
	j, err := importing.NewJob(silent(), im, d.ledger, home)
	if err != nil {
		return err
	}
	j.Request.AccountID = ledger.Some(d.accounts[london])
	movements := d.londonMovements()
	for _, f := range d.files() {
		path := filepath.Join(folder, f.name)
		if err := os.WriteFile(path, f.csv(movements), 0o600); err != nil {
			return err
		}
		j.Options.Yes, j.Options.Later = true, f.later
		if err := j.ImportFile(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// csv is the file as the bank writes it.
func (f bankFile) csv(movements []movement) []byte {
	var b strings.Builder
	b.WriteString("Date,Description,Amount,Balance\n")
	for _, m := range movements {
		if f.first <= m.day && m.day <= f.last {
			fmt.Fprintf(&b, "%s,%s,%s,%s\n", m.day, m.text, decimal.New(m.pence, -2).StringFixed(2),
				decimal.New(m.balance, -2).StringFixed(2))
		}
	}
	return []byte(b.String())
}

// londonMovements is everything that is booked in the London account, by day.
func (d *household) londonMovements() []movement {
	var list []movement
	balance := int64(185_000)
	add := func(day ledger.Date, pence int64, text string) {
		balance += pence
		list = append(list, movement{day, text, pence, balance})
	}
	for day := d.first; day <= d.today; day++ {
		_, month, date := day.Time().Date()
		switch date {
		case 1:
			add(day, -650, "Account fee")
		case 9:
			add(day, -1_840, "Cloud hosting")
		case 14, 22:
			add(day, -d.between(799, 3_499), "Bookshop")
		case 25:
			add(day, 62_000, "Bramley & Co retainer")
		}
		if before := day - 1; d.fundsLondon(before) && before >= d.first {
			add(day, decimal.New(londonEuros, -2).Mul(d.rate("GBP", before)).Round(2).Shift(2).IntPart(),
				"From Everyday account")
		}
		if month == time.May && date >= 18 && date <= 20 {
			add(day, -14_200, "Hotel at the river")
		}
	}
	return list
}
