package reconcile

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/export"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

func UnzipTables(_ context.Context, _ *export.Snapshot, text *io.SectionReader) (*Books, error) {
	archive, err := zip.NewReader(text, text.Size())
	if err != nil {
		return nil, err
	}
	return ReadTables(archive)
}

// csvRow is a row of a table by the names of its columns.
type csvRow struct {
	columns map[string]int
	cells   []string
}

func (r csvRow) cell(name string) string { return r.cells[r.columns[name]] }

// day is the day of the row; one that is blank lies before all others.
func (r csvRow) day() (ledger.Date, error) {
	if r.cell("date") == "" {
		return ledger.MinDate - 1, nil
	}
	return ledger.ParseDate(r.cell("date"))
}

// security is what names one in all tables.
func (r csvRow) security(mic string) string { return r.cell("ticker") + "|" + r.cell(mic) }

// tableReader takes in the rows of tables.
type tableReader struct{ *Books }

// ReadTables adds up the tables of a household.
func ReadTables(tables fs.FS) (*Books, error) {
	r := newBooks()
	for _, table := range []struct {
		name string
		row  func(tableReader, csvRow) error
	}{{"accounts", tableReader.openAccount}, {"transactions", tableReader.entry}, {"trades", tableReader.trade},
		{"valuations", tableReader.valuation},
		{"splits", tableReader.stockSplit}, {"prices", tableReader.marketPrice}, {"rates", tableReader.rate}} {
		if err := eachCSVRow(tables, table.name+".csv", func(row csvRow) error {
			return table.row(tableReader{r},
				row)
		}); err != nil {
			return nil, fmt.Errorf("%s.csv: %w", table.name, err)
		}
	}
	return r, nil
}

// eachCSVRow gives the rows of a table, which has at least a header.
func eachCSVRow(tables fs.FS, name string, give func(csvRow) error) (err error) {
	file, err := tables.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.ReuseRecord = true
	header, err := reader.Read()
	row := csvRow{columns: map[string]int{}}
	for i, column := range header {
		row.columns[column] = i
	}
	for err == nil {
		row.cells, err = reader.Read()
		if err == nil {
			err = give(row)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (r tableReader) openAccount(row csvRow) error {
	currency, known := money.LookupCurrency(row.cell("currency"))
	if !known {
		return fmt.Errorf("currency must be a code, got %s", ledger.Quote(row.cell("currency")))
	}
	r.open(row.cell("id"), currency, decimal.New(1, 0))
	return nil
}

func (r tableReader) entry(row csvRow) error {
	a, errAccount := r.Books.account(row.cell("account_id"))
	day, errDay := row.day()
	if err := errors.Join(errAccount, errDay); err != nil {
		return err
	}
	return a.book(day, row.cell("amount"), row.cell("currency"))
}

func (r tableReader) trade(row csvRow) error {
	if err := r.entry(row); err != nil {
		return err
	}
	units, errUnits := decimal.NewFromString(row.cell("qty"))
	price, errPrice := decimal.NewFromString(row.cell("price"))
	if err := errors.Join(errUnits, errPrice); err != nil || units.IsZero() {
		return err
	}
	day, _ := row.day() // it was read as an entry's
	security := row.security("exchange_operating_mic")
	r.accounts[row.cell("account_id")].trade(day, security, units)
	r.paid(security, day, units, price, row.cell("currency"))
	return nil
}

func (r tableReader) valuation(row csvRow) error {
	a, errAccount := r.Books.account(row.cell("account_id"))
	day, errDay := row.day()
	_, minor, errAmount := readAmount(row.cell("amount"), row.cell("currency"))
	if err := errors.Join(errAccount, errDay, errAmount); err != nil {
		return err
	}
	d := a.on(day)
	d.states, d.total = true, &minor
	return nil
}

func (r tableReader) stockSplit(row csvRow) error {
	day, errDay := row.day()
	num, errNum := decimal.NewFromString(row.cell("numerator"))
	den, errDen := decimal.NewFromString(row.cell("denominator"))
	security := row.security("exchange_operating_mic")
	r.splits[security] = append(r.splits[security], splitOn{day, num, den})
	return errors.Join(errDay, errNum, errDen)
}

func (r tableReader) marketPrice(row csvRow) error {
	day, err := row.day()
	return errors.Join(err, r.quote(row.security("mic"), day, row.cell("price"), row.cell("currency")))
}

func (r tableReader) rate(row csvRow) error {
	day, errDay := row.day()
	rate, errRate := decimal.NewFromString(row.cell("rate"))
	r.rates.add(fx.ExchangeRate{From: row.cell("from"), To: row.cell("to"), Date: day, Rate: rate})
	return errors.Join(errDay, errRate)
}
