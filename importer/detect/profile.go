package detect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/export"
)

// profile is what the passes over a file find: how it is cut, what each of its columns holds, which rows are no
// payments, and how many steps of a running balance add up. It decides no setting, and nothing of it changes once the
// rows are read.
type profile struct {
	given    record.Settings // with what the form of the file fixes, see readForm
	defaults record.Defaults
	kind     table.Kind
	file     *source.File
	form     map[string]string // settings that the file of this program fixes
	short    bool              // Mint's years have two digits

	// By the beginning of the file.
	sheet    sheet
	charset  string // in which the headers are written, where that is not the likeliest one
	columns  []column
	language lexicon.Language
	sections table.TradeSections // of a file of trades
	pairs    [][2]int            // columns of money out and money in, by their headers

	// By all its rows.
	encoding    string // in which it was read
	rows        int64
	headings    int             // records that head a part of the file
	tail        [][]string      // the last records without a date, to be told from a footer
	latest      [][]string      // the last payments, see keepLatest
	counted     *runningBalance // the steps of the balance that add up
	undivided   *runningBalance // the same without regard to currencies; nil where there are not several
	balanceRows balanceRows
	twoDates    []int // columns of dates that may be read in several ways
	amounts     []int // columns that are called amount
	differ      bool  // and are not all equal in every row
	ids         []*idColumn
}

// readProfile reads the beginning of a file for its shape and its columns.
func readProfile(file *source.File, s record.Settings, d record.Defaults) (*profile, error) {
	p := &profile{given: s, defaults: d, file: file, kind: table.KindNamed(d.Type, d)}
	src, err := p.file.Open()
	if err != nil {
		return p, err
	}
	head, charset, err := readHead(src, p.givenEncoding())
	if err != nil {
		return p, err
	}
	findSheet(p, head)
	if err := findCharset(p, charset); err != nil {
		return p, err
	}
	// Take what the form of the file fixes as given: that of a file that this program has written, of which
	// nothing needs a proof, that of its kind, and whether there is a header.
	if _, plain := p.kind.(table.Transactions); plain && slices.Contains(p.sheet.header, export.TransactionIDColumn) {
		p.form = map[string]string{"date_format": "%Y-%m-%d", "number_format": "1,234.56",
			"signage_convention": record.InflowsPositive}
		for _, name := range []string{"date", "amount", "currency", "name", "notes", "category", "tags", "account"} {
			if slices.Contains(p.sheet.header, name) {
				p.form[name+"_col_label"] = name
			}
		}
		maps.DeleteFunc(p.form, func(setting, _ string) bool { return !p.open(setting) })
		for setting, value := range p.form {
			*p.given.Members()[setting] = new(value)
		}
	}
	if p.open("has_header") && len(p.sheet.records) > 0 {
		p.given.HasHeader = new(strconv.FormatBool(p.sheet.header != nil))
	}
	p.given = p.kind.Settings(p.given)
	readColumns(p)
	if _, isMint := p.kind.(table.Mint); isMint && record.Given(s.DateFormat) == "" {
		readShortYears(p)
	}
	return p, nil
}

// open reports whether a setting was not given.
func (p *profile) open(name string) bool {
	member := *p.given.Members()[name]
	return member == nil || strings.Trim(*member, " ") == ""
}

// ofTrades reports whether the rows are to be read as trades.
func (p *profile) ofTrades() bool {
	_, yes := p.kind.(*table.Trades)
	return yes
}

// givenEncoding is the character set that was given, or that the headers are written in; nil to find it.
func (p *profile) givenEncoding() encoding.Encoding {
	if p.charset != "" {
		e, _ := text.LookupEncoding(p.charset)
		return e
	}
	e, err := text.LookupEncoding(record.Given(p.given.Encoding))
	if err != nil || record.Given(p.given.Encoding) == text.ASCIIName {
		return nil
	}
	return e
}

// label is how a setting names a column so that it is found again: its header, or its number from 1.
func (p *profile) label(at int) string {
	number := strconv.Itoa(at + 1)
	if p.sheet.header == nil || at >= len(p.sheet.header) || record.Given(&p.sheet.header[at]) == "" {
		return number
	}
	c := table.Columns{Header: p.sheet.header}
	if found, err := c.Named(p.sheet.header[at], ""); err != nil || found != at {
		return number
	}
	return p.sheet.header[at]
}

// title names a column to people.
func (p *profile) title(at int) string {
	if p.sheet.header != nil && at < len(p.sheet.header) && p.sheet.header[at] != "" {
		return ledger.Quote(p.sheet.header[at])
	}
	return "column " + strconv.Itoa(at+1)
}

func (p *profile) labels(at []int) []string {
	list := make([]string, 0, len(at))
	for _, i := range at {
		list = append(list, p.label(i))
	}
	return list
}

func (p *profile) titles(at []int) string {
	list := make([]string, 0, len(at))
	for _, i := range at {
		list = append(list, p.title(i))
	}
	return strings.Join(list, ", ")
}

// namesUnknownColumn reports whether a setting names a column that the file does not have.
func namesUnknownColumn(p *profile) bool {
	for name := range labelSettings() {
		if !p.open(name) && p.givenColumn(name) < 0 && record.Given(*p.given.Members()[name]) != record.NoColumn {
			return true
		}
	}
	return false
}

// givenColumn is the column that a setting: its place, or -1.
func (p *profile) givenColumn(setting string) int {
	label := record.Given(*p.given.Members()[setting])
	if label == "" {
		return -1
	}
	at, err := table.Columns{Header: p.sheet.header}.Named(label, setting)
	if err != nil || at >= len(p.columns) {
		return -1
	}
	return at
}

// where gives the columns that a test holds for.
func (p *profile) where(holds func(c *column) bool) []int {
	var list []int
	for i := range p.columns {
		if holds(&p.columns[i]) {
			list = append(list, i)
		}
	}
	return list
}

// byRole gives the columns with a role, the best first, then in the order of the file.
func (p *profile) byRole(r lexicon.Role, holds func(c *column) bool) []int {
	list := p.where(func(c *column) bool { return c.Roles[r] > 0 && holds(c) })
	slices.SortStableFunc(list, func(a, b int) int { return p.columns[b].Roles[r] - p.columns[a].Roles[r] })
	return list
}

// headRows are the rows of the beginning of the file.
func (p *profile) headRows() []text.Row {
	if p.sheet.header != nil {
		return p.sheet.records[1:]
	}
	return p.sheet.records
}

// dataRows counts the rows that are neither headings nor the end of the file.
func (p *profile) dataRows() int { return int(p.rows) - p.headings - len(p.tail) }

// isForeign reports whether a column of currencies has another one than the account's.
func (p *profile) isForeign(at int) bool {
	c := &p.columns[at]
	if p.defaults.AccountCurrency != nil || c.words == nil {
		return true
	}
	for word := range c.words {
		if currency, known := notation.CurrencyIn(word, p.defaults.Currency); !known ||
			currency.Code != p.defaults.Currency.Code {
			return true
		}
	}
	return false
}

// isCard reports whether the headers are those of a card, whose exports are often the other way round.
func (p *profile) isCard() bool {
	made, posted := false, false // the two dates of a card
	for i := range p.columns {
		plain, _ := lexicon.PlainHeader(p.columns[i].header)
		made = made || lexicon.HasPlain(lexicon.CardPurchaseDay, plain)
		posted = posted || lexicon.HasPlain(lexicon.CardBookingDay, plain)
		if lexicon.Has(lexicon.Card, p.columns[i].header) {
			return true
		}
	}
	return made && posted
}

// stepsOf says how good a proof is.
func (p *profile) stepsOf(proven proof) string {
	return fmt.Sprintf("balance column %s: %d of %d steps add up", p.title(proven.balance), proven.hits(), proven.all)
}

// labelSettings are the settings that name columns, and the role of the column that each means.
func labelSettings() map[string]lexicon.Role {
	return map[string]lexicon.Role{
		"date_col_label": lexicon.RoleDate, "amount_col_label": lexicon.RoleAmount,
		"debit_col_label": lexicon.RoleDebit, "credit_col_label": lexicon.RoleCredit,
		"name_col_label": lexicon.RolePayee, "notes_col_label": lexicon.RoleNotes,
		"category_col_label": lexicon.RoleCategory, "tags_col_label": lexicon.RoleTags,
		"account_col_label": lexicon.RoleAccount, "currency_col_label": lexicon.RoleCurrency,
		"entity_type_col_label": lexicon.RoleDirection,
		"qty_col_label":         lexicon.RoleQuantity, "price_col_label": lexicon.RolePrice,
		"ticker_col_label": lexicon.RoleTicker, "exchange_operating_mic_col_label": lexicon.RoleMIC,
		"id_col_label": lexicon.RoleID, "status_col_label": lexicon.RoleStatus,
		"balance_col_label": lexicon.RoleBalance,
	}
}
