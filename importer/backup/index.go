package backup

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// sourceID names a thing of a backup: a UUID as it is, anything else by a hash.
type sourceID [16]byte

func sourceOf(id string) sourceID {
	if parsed, err := uuid.Parse(id); err == nil && len(id) == 36 {
		return sourceID(parsed)
	}
	sum := sha256.Sum256([]byte(id))
	return sourceID(sum[:16])
}

// index is what the records of a backup refer to each other by. Lines stand in no order, so all of them are
// looked at before the first row is given.
type index struct {
	accounts     map[string]*indexedAccount
	categories   map[string]*indexedLabel
	tags         map[string]*indexedLabel
	merchants    map[string]*indexedLabel
	securities   map[string]*indexedSecurity
	transactions map[sourceID]int32 // numbers of rows
	others       map[sourceID]int32 // lines of other things that have ids
	days         map[indexedDay]int32
}

// indexedAccount is an account of the file. Its opening balance and first statement are records of valuations.
type indexedAccount struct {
	line       int
	name       string
	currency   money.Currency
	sign       int64       // that turns an amount in the written sign into the ledger's
	first      ledger.Date // of its entries; MaxDate when there are none
	last       ledger.Date
	opening    *indexedValuation
	statements *indexedValuation // the first reconciliation
}

type indexedValuation struct {
	line    int
	date    ledger.Date
	undated bool
	minor   int64 // in the written sign
	notes   *string
}

type indexedLabel struct {
	line         int
	name, parent string
}

type indexedSecurity struct {
	line        int
	ticker, mic string
}

// indexedDay is a day of an account.
type indexedDay struct {
	account sourceID
	day     ledger.Date
}

// indexBackup looks at all records of a backup.
func indexBackup(file *source.File, home money.Currency) (*index, error) {
	x := &index{map[string]*indexedAccount{}, map[string]*indexedLabel{}, map[string]*indexedLabel{},
		map[string]*indexedLabel{},
		map[string]*indexedSecurity{}, map[sourceID]int32{}, map[sourceID]int32{}, map[indexedDay]int32{}}
	s := &indexing{x, home, map[string]*indexedSpan{}, map[string]int{}, record.FileLimits()}
	if err := eachRecord(file, s.look); err != nil {
		return nil, err
	}
	for id, span := range s.spans {
		if account := s.accounts[id]; account != nil {
			account.first, account.last = span.first, span.last
		}
	}
	if s.count[record.EntityValuation] == 0 {
		return x, nil
	}
	return x, eachRecord(file, s.lookAgain) // they need their accounts, which may come behind them
}

// eachRecord reads the records one by one.
func eachRecord(file *source.File, look func(*jsonRecord) error) error {
	lines, err := newBackupLines(file)
	for err == nil {
		var record *jsonRecord
		record, err = lines.next()
		if err == nil {
			err = look(record)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// indexing is an index on its way.
type indexing struct {
	*index
	home   money.Currency
	spans  map[string]*indexedSpan // by account
	count  map[string]int          // of records, by what they make
	limits map[string]int
}

// indexedSpan is the range of days of the transactions and trades of an account.
type indexedSpan struct{ first, last ledger.Date }

// entityOf is what a record of a kind makes, as far as a file may have so many of it only; blank for others.
func entityOf(kind string) string {
	switch kind {
	case recordAccount:
		return record.EntityAccount
	case recordCategory:
		return record.EntityCategory
	case recordTag:
		return record.EntityTag
	case recordMerchant:
		return record.EntityMerchant
	case recordRule:
		return record.EntityRule
	case recordSecurity:
		return record.EntitySecurity
	case recordSecuritySplit:
		return record.EntitySplit
	case recordSecurityPrice:
		return record.EntityPrice
	case recordTrade:
		return record.EntityTrade
	case recordValuation:
		return record.EntityValuation
	case recordTransfer:
		return record.EntityTransfer
	case recordRejected:
		return record.EntityRejected
	}
	return ""
}

func (s *indexing) look(rec *jsonRecord) error {
	b := &line{rec, &record.Record{}, s.index, s.home}
	if entity := entityOf(b.kind); entity != "" {
		s.count[entity]++
		if s.count[entity] > s.limits[entity] {
			return record.TooMany(b.line, "lists", entity, s.limits[entity])
		}
	}
	switch b.kind {
	case recordValuation:
	case recordTransaction, recordTrade:
		if day := b.date("date"); day != 0 {
			s.take(b.text("account_id"), day)
		}
		if len(s.spans) > s.limits[record.EntityAccount] {
			return record.TooMany(b.line, "names", record.EntityAccount, s.limits[record.EntityAccount])
		}
		if id := b.text("id"); id != "" && b.kind == recordTransaction && s.transactions[sourceOf(id)] == 0 {
			s.transactions[sourceOf(id)] = int32(b.jsonRecord.number)
		}
	default:
		s.lookAtThing(b)
	}
	return nil
}

func (s *indexing) take(account string, day ledger.Date) {
	span := s.spans[account]
	if span == nil {
		s.spans[account] = &indexedSpan{day, day}
		return
	}
	span.first, span.last = min(span.first, day), max(span.last, day)
}

// lookAgain takes in the valuations.
func (s *indexing) lookAgain(rec *jsonRecord) error {
	if rec.kind != recordValuation {
		return nil
	}
	b := &line{rec, &record.Record{}, s.index, s.home}
	if account := s.accounts[b.text("account_id")]; account != nil {
		lookAtValuation(b, account)
	}
	return nil
}

// lookAtThing takes in what others refer to. The first of an id counts.
func (x *index) lookAtThing(b *line) {
	id := b.text("id")
	if id == "" {
		return
	}
	switch b.kind {
	case recordAccount:
		if account := readAccount(b); len(b.row.Issues) == 0 && x.accounts[id] == nil {
			x.accounts[id] = &indexedAccount{line: b.line, name: account.Input.Name.Value, currency: b.row.Currency,
				sign:  account.Sign,
				first: ledger.MaxDate, last: ledger.MinDate}
		}
	case recordCategory:
		labelOf(b, x.categories, id)
	case recordTag:
		labelOf(b, x.tags, id)
	case recordMerchant:
		labelOf(b, x.merchants, id)
	case recordSecurity:
		ticker, mic := tickerOf(b)
		if len(b.row.Issues) == 0 && x.securities[id] == nil {
			x.securities[id] = &indexedSecurity{b.line, ticker, mic}
		}
	}
}

func labelOf(b *line, all map[string]*indexedLabel, id string) {
	name := text.CutName(text.AsName(b.text("name")))
	if name != "" && all[id] == nil {
		all[id] = &indexedLabel{b.line, name, b.text("parent_id")}
	}
}

// lookAtValuation takes in when the books of an account begin, and with what.
func lookAtValuation(b *line, account *indexedAccount) {
	v := readValuation(b, account)
	if len(b.row.Issues) > 0 {
		return
	}
	found := &indexedValuation{b.line, b.row.Date, v.Undated, b.row.Minor, v.Notes}
	if v.Opening {
		if account.opening == nil {
			account.opening = found
		}
		return
	}
	account.first, account.last = min(account.first, found.date), max(account.last, found.date)
	if account.statements == nil || found.date < account.statements.date {
		account.statements = found
	}
}

// checkUnique notes that a thing with this id was seen; it is an issue when another was.
func checkUnique(b *line, id string) {
	if id == "" {
		return
	}
	key := sourceOf(b.kind + " " + id)
	if first := b.index.others[key]; first != 0 {
		b.issue("id", fmt.Sprintf("must be that of one %s, is that of line %d as well", b.kind, first))
		return
	}
	b.index.others[key] = int32(b.line)
}

// path is how a category is named: "Parent:Child" or its name alone; blank when there is none of that id.
func (x *index) path(id string) string {
	c := x.categories[id]
	if c == nil {
		return ""
	}
	if above := x.categories[c.parent]; above != nil && c.parent != id {
		return above.name + ":" + c.name
	}
	return c.name
}

// tickerOf is that of the record, with its market; both in capitals.
func tickerOf(b *line) (symbol, mic string) {
	text := b.required("ticker")
	if text == "" {
		return "", ""
	}
	symbol, _, err := market.ParseTicker(strings.ReplaceAll(text, "|", " "))
	if err != nil {
		b.issue("ticker", err.Error())
	}
	mic, err = market.ParseMIC(b.text("exchange_operating_mic"))
	if err != nil {
		b.issue("exchange_operating_mic", err.Error())
	}
	return symbol, mic
}
