// Package importer turns the bytes of a bank's export into planned transactions. The part in this
// file and its neighbours is pure: bytes to records to rows, nothing stored, nothing looked up but
// currencies. What a row means is decided here once, for a preflight and for the import alike.
package importer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Settings say how a file is to be read. Every member is optional: nil and blank both mean that it was
// not given, so that it is found from the content of the file, see detect. The first nineteen are the contract's import configuration; the rest are additions for
// files that the contract's own settings cannot express.
type Settings struct {
	DateColLabel                 *string `json:"date_col_label"`
	AmountColLabel               *string `json:"amount_col_label"`
	NameColLabel                 *string `json:"name_col_label"`
	CategoryColLabel             *string `json:"category_col_label"`
	TagsColLabel                 *string `json:"tags_col_label"`
	NotesColLabel                *string `json:"notes_col_label"`
	AccountColLabel              *string `json:"account_col_label"`
	QtyColLabel                  *string `json:"qty_col_label"`
	TickerColLabel               *string `json:"ticker_col_label"`
	PriceColLabel                *string `json:"price_col_label"`
	EntityTypeColLabel           *string `json:"entity_type_col_label"`
	CurrencyColLabel             *string `json:"currency_col_label"`
	ExchangeOperatingMICColLabel *string `json:"exchange_operating_mic_col_label"`
	DateFormat                   *string `json:"date_format"`          // strptime pattern; %Y-%m-%d
	NumberFormat                 *string `json:"number_format"`        // 1,234.56
	SignageConvention            *string `json:"signage_convention"`   // inflows_positive
	ColSep                       *string `json:"col_sep"`              // a comma
	AmountTypeStrategy           *string `json:"amount_type_strategy"` // signed_amount
	AmountTypeInflowValue        *string `json:"amount_type_inflow_value"`

	DebitColLabel  *string `json:"debit_col_label"`  // money out, with CreditColLabel in place of AmountColLabel
	CreditColLabel *string `json:"credit_col_label"` // money in
	RowsToSkip     *string `json:"rows_to_skip"`     // lines before the header
	Footer         *string `json:"footer"`           // records after the data
	Encoding       *string `json:"encoding"`         // character set; a byte order mark wins over it
	HasHeader      *string `json:"has_header"`       // "false": labels are column numbers from 1
	OutflowValue   *string `json:"outflow_value"`    // the only other value of the direction column, when given
	NeutralValue   *string `json:"neutral_value"`    // rows with this direction are left out
	RowFilter      *string `json:"row_filter"`       // COLUMN=VALUE: all other rows are left out; with != those with the value
	Currency       *string `json:"currency"`         // ISO 4217 code of all amounts, where no column has one

	TradeSideColLabel *string `json:"trade_side_col_label"` // the column that says whether a trade is a purchase or a sale
	BuyValue          *string `json:"buy_value"`            // what it says of a purchase; else words of many languages
	SellValue         *string `json:"sell_value"`           // of a sale
	FeeColLabel       *string `json:"fee_col_label"`        // what was paid besides the amount; of a trade besides quantity times price
	AllowShort        *string `json:"allow_short"`          // "false": a sale of more than is held is an error

	IDColLabel      *string `json:"id_col_label"`      // the column with the bank's own id of each booking; "none" where no column is one
	StatusColLabel  *string `json:"status_col_label"`  // the column that says whether a payment was booked, is pending, or never happened
	BalanceColLabel *string `json:"balance_col_label"` // the column with the balance after each row
	PendingRows     *string `json:"pending_rows"`      // "book": rows that are pending at the bank are booked like all others; leave_out
}

// The values that are compared in more than one place.
const (
	inflowsPositive = "inflows_positive"
	inflowsNegative = "inflows_negative"
	signedAmount    = "signed_amount"
	customColumn    = "custom_column"
	leaveOut        = "leave_out"
	bookAll         = "book"

	maxFooter = 100

	// maxSetting is how many characters a setting may have: more than the longest heading of a column.
	maxSetting = 1_000
)

// Check finds every setting that cannot be obeyed. It knows nothing of the file: whether a label is
// among its columns is found by [NewRows].
func (s Settings) Check() ledger.Problems {
	if problems := s.checkLengths(); len(problems) > 0 {
		return problems // nothing is made of what is too long
	}
	_, problems := s.compile()
	return problems
}

func (s Settings) checkLengths() (problems ledger.Problems) {
	members := s.Members()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if n := utf8.RuneCountInString(given(*members[name])); n > maxSetting {
			problems.Add(name, "must have at most %d characters, has %d", maxSetting, n)
		}
	}
	return problems
}

// rules are settings made ready for use, with the defaults filled in.
type rules struct {
	separator    byte
	skip, footer int
	header       bool
	encoding     encoding.Encoding // nil: found from the bytes
	numbers      numberFormat
	dates        datePattern
	sign         int64 // 1 when a positive number is money in, else -1
	byColumn     bool  // the direction stands in a column of its own
	inflow       string
	outflow      string
	neutral      string
	filterColumn string
	filterValue  string
	sideGiven    bool   // the side column was named, not found
	buyValue     string // folded, like the next one
	sellValue    string
	allowShort   bool
	bookPending  bool           // rows that are pending at the bank are booked like all others
	filterNot    bool           // rows with the value are left out, not the others
	currencyTold bool           // the column of currencies was given, not found by its usual name
	currency     money.Currency // of rows whose currency no column has; zero when it was not given
}

func (s Settings) compile() (rules, ledger.Problems) {
	p := ledger.Problems{}
	s = s.withDefaults()
	r := rules{
		separator: s.separator(&p),
		skip:      count(&p, "rows_to_skip", s.RowsToSkip, 1<<30),
		footer:    count(&p, "footer", s.Footer, maxFooter),
		header:    s.header(&p),
		sign:      1,
		inflow:    given(s.AmountTypeInflowValue),
		outflow:   given(s.OutflowValue),
		neutral:   given(s.NeutralValue),
	}
	s.compileTrades(&p, &r)
	switch pending := given(s.PendingRows); pending {
	case "", leaveOut:
	case bookAll:
		r.bookPending = true
	default:
		p.Add("pending_rows", "must be %s or %s, got %s", leaveOut, bookAll, ledger.Quote(pending))
	}
	s.checkDirection(&p)
	s.checkAmounts(&p)
	s.compileFormats(&p, &r)
	s.compileFilter(&p, &r)
	s.compileCurrency(&p, &r)
	if given(s.SignageConvention) == inflowsNegative {
		r.sign = -1
	}
	r.byColumn = given(s.AmountTypeStrategy) == customColumn
	if !r.header {
		s.checkColumnNumbers(&p)
	}
	return r, p
}

func (s Settings) compileFormats(p *ledger.Problems, r *rules) {
	var err error
	if r.numbers, err = newNumberFormat(given(s.NumberFormat)); err != nil {
		p.Add("number_format", "%s", err)
	}
	if r.dates, err = newDatePattern(given(s.DateFormat)); err != nil {
		p.Add("date_format", "%s", err)
	}
	if name := given(s.Encoding); name != "" && name != asciiName {
		if r.encoding, err = lookupEncoding(name); err != nil {
			p.Add("encoding", "%s", err)
		}
	}
}

func (s Settings) compileTrades(p *ledger.Problems, r *rules) {
	r.sideGiven = given(s.TradeSideColLabel) != ""
	r.buyValue, r.sellValue = ledger.Fold(given(s.BuyValue)), ledger.Fold(given(s.SellValue))
	if r.buyValue != "" && r.buyValue == r.sellValue {
		p.Add("sell_value", "must be another word than buy_value, got %s", ledger.Quote(given(s.SellValue)))
	}
	r.allowShort = boolean(p, "allow_short", s.AllowShort, false)
}

// boolean reads an optional setting that is true or false.
func boolean(p *ledger.Problems, field string, value *string, otherwise bool) bool {
	switch text := strings.ToLower(given(value)); text {
	case "":
	case "true":
		return true
	case "false":
		return false
	default:
		p.Add(field, "must be true or false, got %s", ledger.Quote(text))
	}
	return otherwise
}

func (s Settings) compileFilter(p *ledger.Problems, r *rules) {
	filter := given(s.RowFilter)
	if filter == "" {
		return
	}
	column, value, found := strings.Cut(filter, "=")
	column, r.filterNot = strings.CutSuffix(strings.TrimSpace(column), "!")
	r.filterColumn, r.filterValue = strings.TrimSpace(column), strings.TrimSpace(value)
	if !found || r.filterColumn == "" {
		p.Add("row_filter", "must be written COLUMN=VALUE, such as State=COMPLETED, got %s", ledger.Quote(filter))
	}
}

func (s Settings) compileCurrency(p *ledger.Problems, r *rules) {
	code, known := given(s.Currency), false
	r.currencyTold = given(s.CurrencyColLabel) != ""
	if r.currency, known = lexicon.Currency(code); !known && code != "" {
		p.Add("currency", "must be an ISO 4217 code such as EUR, got %s", ledger.Quote(code))
	}
}

func (s Settings) checkDirection(p *ledger.Problems) {
	switch convention := given(s.SignageConvention); convention {
	case "", inflowsPositive, inflowsNegative:
	default:
		p.Add("signage_convention", "must be %s or %s, got %s", inflowsPositive, inflowsNegative, ledger.Quote(convention))
	}
	switch strategy := given(s.AmountTypeStrategy); strategy {
	case "", signedAmount:
	case customColumn:
		if given(s.AmountTypeInflowValue) == "" {
			p.Add("amount_type_inflow_value", "is required with amount_type_strategy %s: the value that marks money in", customColumn)
		}
		if given(s.EntityTypeColLabel) == "" {
			p.Add("entity_type_col_label", "is required with amount_type_strategy %s: the column that says in or out", customColumn)
		}
	default:
		p.Add("amount_type_strategy", "must be %s or %s, got %s", signedAmount, customColumn, ledger.Quote(strategy))
	}
}

func (s Settings) checkAmounts(p *ledger.Problems) {
	debit, credit := given(s.DebitColLabel) != "", given(s.CreditColLabel) != ""
	switch {
	case debit && !credit:
		p.Add("credit_col_label", "is required with debit_col_label")
	case credit && !debit:
		p.Add("debit_col_label", "is required with credit_col_label")
	case debit && given(s.AmountColLabel) != "":
		p.Add("amount_col_label", "must not be given together with debit_col_label and credit_col_label")
	case debit && given(s.AmountTypeStrategy) == customColumn:
		p.Add("amount_type_strategy", "must be %s when debit_col_label and credit_col_label are given", signedAmount)
	}
}

func (s Settings) checkColumnNumbers(p *ledger.Problems) {
	for _, f := range fields {
		label := given(f.label(s))
		if label == "" {
			continue
		}
		if _, ok := columnNumber(label); !ok {
			p.Add(f.setting, "must be a column number from 1 to %d because has_header is false, got %s", maxColumns, ledger.Quote(label))
		}
	}
}

func (s Settings) separator(p *ledger.Problems) byte {
	switch *s.ColSep {
	case ",", ";", "|", "\t":
		return (*s.ColSep)[0]
	case `\t`:
		return '\t'
	}
	p.Add("col_sep", `must be one of "," ";" "|" and tab, got %s`, ledger.Quote(*s.ColSep))
	return ','
}

func (s Settings) header(p *ledger.Problems) bool {
	return boolean(p, "has_header", s.HasHeader, true)
}

// count reads an optional number of lines.
func count(p *ledger.Problems, field string, value *string, most int) int {
	text := given(value)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		p.Add(field, "must be a whole number from 0 to %d, got %s", most, ledger.Quote(text))
		return 0
	}
	return n
}

// columnNumber reads a label that is the number of a column, from 1.
func columnNumber(label string) (int, bool) {
	n, err := strconv.Atoi(label)
	return n, err == nil && n >= 1 && n <= maxColumns && fmt.Sprint(n) == label
}

// given is the text of an optional setting; blank counts as absent.
func given(value *string) string {
	if value == nil {
		return ""
	}
	return strings.TrimSpace(*value)
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
