package qif

import (
	"cmp"
	"fmt"

	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// rowReader reads a QIF file row by row. The file has been read before for what must be known of all of it.
type rowReader struct {
	record.Counter
	reader  *qifReader
	decoder *text.Decoder
	facts   *qifFacts
	dates   Order
	pattern notation.DatePattern // as given; the zero value when it was not
	numbers notation.NumberFormat
	proved  record.Settings // with what was found
	ahead   []qifItem
	number  int
	paired  []qifPair // that are still to come
}

// qifItem is a row, the account it belongs to as far as the file names one, and the other account that it names.
type qifItem struct {
	row        record.Record
	own, other string
}

// openQIF reads the file to its end for what it proves, and then begins again.
func openQIF(file *source.File, s record.Settings, d record.Defaults) (*rowReader, error) {
	compiled, problems := s.Compile()
	if err := problems.Err(); err != nil {
		return nil, err
	}
	content, err := file.Open()
	if err != nil {
		return nil, err
	}
	facts := &qifFacts{securities: map[string]string{}, aliases: map[int]string{}, byKey: map[string]*qifSlot{},
		home: d.Currency, numbers: numberProof{formats: qifFormats(), currency: d.Currency}}
	if err := facts.read(newQIFReader(text.NewDecoder(content, compiled.Encoding))); err != nil {
		return nil, err
	}
	// Find the home of every account of the file.
	takers := facts.markTakers(d.Account)
	for _, slot := range facts.slots {
		slot.home.currency = d.Currency
		if slot.taker && (slot.name == "" || takers == 1) {
			slot.home.check(d.Account)
			continue
		}
		slot.home.account = slot.nameBeside(d.Account)
		if slot.home.account == "" {
			return nil, slot.homeless(d.Account)
		}
		if text.Longer(slot.home.account, ledger.MaxName) {
			return nil, text.BrokenAt(slot.line, "belongs to an account whose name %s",
				text.TooLong(slot.home.account, ledger.MaxName))
		}
		slot.home.byName = true
		if existing := d.Named(slot.home.account); existing != nil {
			slot.home.currency, _ = money.LookupCurrency(existing.Currency) // was looked up when it was stored
			slot.home.check(existing)
		}
	}
	r := &rowReader{facts: facts, proved: s}
	if err := r.decide(compiled); err != nil {
		return nil, err
	}
	if len(facts.slots) > 1 && facts.transfers {
		if err := r.open(file, compiled); err != nil {
			return nil, err
		}
		r.paired, err = r.pairs()
		if err != nil {
			return nil, err
		}
	}
	return r, r.open(file, compiled)
}

// open begins to read the records.
func (r *rowReader) open(file *source.File, compiled record.Rules) error {
	content, err := file.Open()
	if err != nil {
		return err
	}
	r.decoder = text.NewDecoder(content, compiled.Encoding)
	r.reader, r.number = newQIFReader(r.decoder), 0
	return nil
}

// decide takes dates and numbers as the settings say, else as the file proves.
func (r *rowReader) decide(compiled record.Rules) (err error) {
	if record.Given(r.proved.DateFormat) != "" {
		r.pattern, r.dates = compiled.Dates, orderOf(compiled.Dates)
	} else {
		r.dates, err = r.facts.dates.proved()
		if err != nil {
			return err
		}
	}
	if record.Given(r.proved.NumberFormat) != "" {
		r.numbers = compiled.Numbers
	} else {
		r.numbers, err = r.facts.numbers.proved()
		if err != nil {
			return err
		}
	}
	record.Otherwise(&r.proved.DateFormat, r.dates.pattern())
	record.Otherwise(&r.proved.NumberFormat, r.numbers.Name)
	return nil
}

// Header is nil: the file has no columns.
func (r *rowReader) Header() []string { return nil }

// Encoding is the character set the file was read in. It is final after the last row.
func (r *rowReader) Encoding() string { return r.decoder.Name }

// ReadWith are the settings given with what the file proved.
func (r *rowReader) ReadWith() (record.Settings, bool) { return r.proved, true }

// Next is the following row; see [record.Reader].
func (r *rowReader) Next() (record.Record, error) {
	item, err := r.item()
	if err != nil {
		return record.Record{}, err
	}
	for len(r.paired) > 0 && r.paired[0].row <= item.row.Number {
		if r.paired[0].row == item.row.Number {
			item.row.Opposite = r.paired[0].other
		}
		r.paired = r.paired[1:]
	}
	if err := r.Counter.Count(&item.row); err != nil {
		return record.Record{}, err
	}
	return item.row, nil
}

// item is the following row; a record may be several.
func (r *rowReader) item() (qifItem, error) {
	for len(r.ahead) == 0 {
		rec, err := r.reader.next()
		if err != nil {
			return qifItem{}, err
		}
		switch rec.section.purpose {
		case qifEntries:
			r.ahead = r.entry(rec)
		case qifTrades:
			r.ahead = trade(r, rec)
		case qifPrices:
			r.ahead = r.prices(rec)
		case qifUnread:
			r.ahead = []qifItem{{row: record.Record{Line: rec.line, Name: rec.section.title,
				Skipped: "section " + rec.section.title + " is not read"}}}
		}
	}
	item := r.ahead[0]
	r.ahead = r.ahead[1:]
	r.number++
	item.row.Number = r.number
	for i := range item.row.Issues {
		item.row.Issues[i].Row = r.number
	}
	return item, nil
}

// begin is what all rows of a record have in common.
func (r *rowReader) begin(rec qifRecord) qifItem {
	slot := r.facts.slot(rec.section)
	row := record.Record{Line: rec.line, Body: record.Transaction{}, Account: slot.home.account,
		ByName: slot.home.byName, AccountType: slot.accountType, Currency: slot.home.currency}
	row.Key, _ = record.SourceHash(nil, keyCells(rec))
	for _, f := range rec.fields {
		row.Raw = append(row.Raw, string(rune(f.letter))+f.text)
		if text.Broken(f.text, r.decoder.Lossy) || f.letter == 0 || f.letter >= 0x80 {
			row.AddIssue("line "+string(rune(f.letter)), f.text, "has bytes that are not text in "+r.decoder.Name)
		}
	}
	for _, letter := range []byte("DT") {
		if stands(rec, letter) > 1 {
			row.AddIssue(qifTitle(letter), "", "stands more than once in the record: is a line with ^ missing between two records?")
		}
	}
	r.readDate(&row, rec.get('D'))
	return qifItem{row: row, own: slot.name}
}

// keyFields are the letters whose lines make the key of a row, in this order; lines of one letter in that of the
// file. C, which says whether the entry is cleared, changes from export to export and is none of them. The key is
// stored, so this must never change.
const keyFields = "DTUNPYMLAIQOSE$%"

func keyCells(record qifRecord) (cells []string) {
	for _, letter := range []byte(keyFields) {
		for _, f := range record.fields {
			if f.letter == letter {
				cells = append(cells, string(rune(letter))+f.text)
			}
		}
	}
	return cells
}

// stands is how often a letter stands before the first line of a split.
func stands(record qifRecord, letter byte) (n int) {
	for _, f := range record.fields {
		if f.letter == 'S' {
			break
		}
		if f.letter == letter {
			n++
		}
	}
	return n
}

func qifIssue(row *record.Record, letter byte, cell, message string) {
	row.AddIssue(qifTitle(letter), cell, message)
}

func (r *rowReader) readDate(row *record.Record, text string) {
	if text == "" {
		qifIssue(row, 'D', text, "is required and must not be blank")
		return
	}
	if len(r.pattern.Parts) > 0 {
		if date, err := r.pattern.Parse(text); err == nil {
			row.Date = date
			return
		}
	}
	d, ok := cutDate(text)
	if ok {
		row.Date, ok = d.in(r.dates)
	}
	if !ok {
		qifIssue(row, 'D', text, fmt.Sprintf("must be a date written as %s, got %s",
			cmp.Or(r.pattern.Text, r.dates.pattern()), ledger.Quote(text)))
	}
}

// money reads the first of some fields that is there; false when none is or it cannot be read.
func (r *rowReader) money(row *record.Record, record qifRecord, letters string) (int64, bool) {
	for _, letter := range []byte(letters) {
		text := record.get(letter)
		if text == "" {
			continue
		}
		minor, err := r.numbers.Minor(text, row.Currency)
		if err != nil {
			qifIssue(row, letter, text, err.Error())
		}
		return minor, err == nil
	}
	return 0, false
}

// entry is a transaction of an account without securities, or its opening balance.
func (r *rowReader) entry(rec qifRecord) []qifItem {
	item := r.begin(rec)
	row := &item.row
	minor, ok := r.money(row, rec, "TU")
	row.Minor = minor
	if !ok && rec.get('T')+rec.get('U') == "" {
		qifIssue(row, 'T', "", "is required and must not be blank")
	}
	category, other := cutCategory(rec.get('L'))
	if r.opens(rec, other) {
		row.Body, row.Name = record.Opening{}, cmp.Or(text.OneLine(rec.get('P')), "Opening balance")
		return []qifItem{item}
	}
	item.other = other
	remarks := &qifNotes{}
	remarks.add(lines(rec, 'M', "\n"))
	remarks.label("Number", rec.get('N'))
	remarks.label("Transfer", bracket(other))
	remarks.add(lines(rec, 'A', ", "))
	row.Category, row.Tags = r.labels(row, 'L', category)
	r.split(row, rec, remarks)
	r.name(row, rec, remarks, cmp.Or(row.Category, bracket(other)))
	return []qifItem{item}
}

// opens reports whether a record is an opening balance: its payee says so, or it names its own account.
func (r *rowReader) opens(record qifRecord, other string) bool {
	payee := record.get('P')
	return ledger.Fold(payee) == "opening balance" ||
		other != "" && ledger.Fold(other) == ledger.Fold(r.facts.nameOf(record.section)) && isOpening(payee)
}
