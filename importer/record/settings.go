package record

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// With fills in what is absent.
func (s Settings) With(other Settings) Settings {
	mine := s.Members()
	for name, member := range other.Members() {
		if Given(*mine[name]) == "" && *member != nil {
			*mine[name] = *member
		}
	}
	return s
}

// ProvedBeyond gives a reason to the settings that are there and were not given.
func (s Settings) ProvedBeyond(given Settings) map[string]string {
	reasons, mine := map[string]string{}, given.Written()
	for name := range s.Written() {
		if _, told := mine[name]; !told {
			reasons[name] = "all of the file agrees with it, and with nothing else"
		}
	}
	return reasons
}

// Written are the settings that are there, by name.
func (s Settings) Written() map[string]string {
	list := map[string]string{}
	for name, member := range s.Members() {
		if *member != nil && **member != "" {
			list[name] = **member
		}
	}
	return list
}

// Otherwise gives a setting that is absent or blank a value.
func Otherwise(setting **string, value string) {
	if Given(*setting) == "" {
		*setting = new(value)
	}
}

// Members gives every setting by the name that clients use for it, to be read or set.
func (s *Settings) Members() map[string]**string {
	return map[string]**string{
		"date_col_label": &s.DateColLabel, "amount_col_label": &s.AmountColLabel, "name_col_label": &s.NameColLabel,
		"category_col_label": &s.CategoryColLabel, "tags_col_label": &s.TagsColLabel,
		"notes_col_label":   &s.NotesColLabel,
		"account_col_label": &s.AccountColLabel, "qty_col_label": &s.QtyColLabel, "ticker_col_label": &s.TickerColLabel,
		"price_col_label": &s.PriceColLabel, "entity_type_col_label": &s.EntityTypeColLabel,
		"currency_col_label":               &s.CurrencyColLabel,
		"exchange_operating_mic_col_label": &s.ExchangeOperatingMICColLabel, "date_format": &s.DateFormat,
		"number_format":      &s.NumberFormat,
		"signage_convention": &s.SignageConvention, "col_sep": &s.ColSep, "amount_type_strategy": &s.AmountTypeStrategy,
		"amount_type_inflow_value": &s.AmountTypeInflowValue,
		"debit_col_label":          &s.DebitColLabel, "credit_col_label": &s.CreditColLabel,
		"rows_to_skip": &s.RowsToSkip, "footer": &s.Footer,
		"encoding": &s.Encoding, "has_header": &s.HasHeader, "outflow_value": &s.OutflowValue,
		"neutral_value": &s.NeutralValue, "row_filter": &s.RowFilter,
		"trade_side_col_label": &s.TradeSideColLabel, "buy_value": &s.BuyValue, "sell_value": &s.SellValue,
		"fee_col_label": &s.FeeColLabel, "allow_short": &s.AllowShort,
		"id_col_label": &s.IDColLabel, "status_col_label": &s.StatusColLabel, "balance_col_label": &s.BalanceColLabel,
		"pending_rows": &s.PendingRows,
		"currency":     &s.Currency,
	}
}

// WithDefaults says of every setting that has a default what it is. A tab is a separator, not a blank.
func (s Settings) WithDefaults() Settings {
	for setting, otherwise := range map[**string]string{
		&s.DateFormat: "%Y-%m-%d", &s.NumberFormat: "1,234.56", &s.SignageConvention: InflowsPositive, &s.ColSep: ",",
		&s.AmountTypeStrategy: SignedAmount,
	} {
		if *setting == nil || strings.Trim(**setting, " ") == "" {
			*setting = new(otherwise)
		}
	}
	return s
}

// Settings say how a file is to be read. Every member is optional: nil and blank both mean that it was
// not given, so that it is found from the content of the file, see detect. The first nineteen are the contract's
// import configuration; the rest are additions for files that the contract's own settings cannot express.
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
	// COLUMN=VALUE: all other rows are left out; with != those with the value
	RowFilter *string `json:"row_filter"`
	Currency  *string `json:"currency"` // ISO 4217 code of all amounts, where no column has one

	// the column that says whether a trade is a purchase or a sale
	TradeSideColLabel *string `json:"trade_side_col_label"`
	BuyValue          *string `json:"buy_value"`  // what it says of a purchase; else words of many languages
	SellValue         *string `json:"sell_value"` // of a sale
	// what was paid besides the amount; of a trade besides quantity times price
	FeeColLabel *string `json:"fee_col_label"`
	AllowShort  *string `json:"allow_short"` // "false": a sale of more than is held is an error

	// the column with the bank's own id of each booking; "none" where no column is one
	IDColLabel *string `json:"id_col_label"`
	// the column that says whether a payment was booked, is pending, or never happened
	StatusColLabel  *string `json:"status_col_label"`
	BalanceColLabel *string `json:"balance_col_label"` // the column with the balance after each row
	// "book": rows that are pending at the bank are booked like all others; leave_out
	PendingRows *string `json:"pending_rows"`
}

// The values that are compared in more than one place.
const (
	InflowsPositive = "inflows_positive"
	InflowsNegative = "inflows_negative"
	SignedAmount    = "signed_amount"
	CustomColumn    = "custom_column"
	leaveOut        = "leave_out"
	BookAll         = "book"

	MaxFooter = 100

	// maxSetting is how many characters a setting may have: more than the longest heading of a column.
	maxSetting = 1_000
)

// Check finds every setting that cannot be obeyed. It knows nothing of the file: whether a label is
// among its columns is found by [table.NewRows].
func (s Settings) Check() ledger.Problems {
	if problems := s.checkLengths(); len(problems) > 0 {
		return problems // nothing is made of what is too long
	}
	_, problems := s.Compile()
	return problems
}

func (s Settings) checkLengths() (problems ledger.Problems) {
	members := s.Members()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if n := utf8.RuneCountInString(Given(*members[name])); n > maxSetting {
			problems.Add(name, "must have at most %d characters, has %d", maxSetting, n)
		}
	}
	return problems
}

// Rules are settings made ready for use, with the defaults filled in.
type Rules struct {
	Separator     byte
	Skip, Footer  int
	Header        bool
	Encoding      encoding.Encoding // nil: found from the bytes
	Numbers       notation.NumberFormat
	Dates         notation.DatePattern
	Sign          int64 // 1 when a positive number is money in, else -1
	ByColumn      bool  // the direction stands in a column of its own
	Inflow        string
	Outflow       string
	Neutral       string
	FilterColumn  string
	FilterValue   string
	SideGiven     bool   // the side column was named, not found
	BuyValue      string // folded, like the next one
	SellValue     string
	AllowShort    bool
	BookPending   bool           // rows that are pending at the bank are booked like all others
	FilterNot     bool           // rows with the value are left out, not the others
	CurrencyGiven bool           // the column of currencies was given, not found by its usual name
	Currency      money.Currency // of rows whose currency no column has; zero when it was not given
}

func (s Settings) Compile() (Rules, ledger.Problems) {
	p := ledger.Problems{}
	s = s.WithDefaults()
	r := Rules{
		Separator: s.separator(&p),
		Skip:      count(&p, "rows_to_skip", s.RowsToSkip, 1<<30),
		Footer:    count(&p, "footer", s.Footer, MaxFooter),
		Header:    s.Header(&p),
		Sign:      1,
		Inflow:    Given(s.AmountTypeInflowValue),
		Outflow:   Given(s.OutflowValue),
		Neutral:   Given(s.NeutralValue),
	}
	s.compileTrades(&p, &r)
	switch pending := Given(s.PendingRows); pending {
	case "", leaveOut:
	case BookAll:
		r.BookPending = true
	default:
		p.Add("pending_rows", "must be %s or %s, got %s", leaveOut, BookAll, ledger.Quote(pending))
	}
	s.checkDirection(&p)
	s.checkAmounts(&p)
	s.compileFormats(&p, &r)
	s.compileFilter(&p, &r)
	s.compileCurrency(&p, &r)
	if Given(s.SignageConvention) == InflowsNegative {
		r.Sign = -1
	}
	r.ByColumn = Given(s.AmountTypeStrategy) == CustomColumn
	if !r.Header {
		s.checkColumnNumbers(&p)
	}
	return r, p
}

func (s Settings) compileFormats(p *ledger.Problems, r *Rules) {
	var err error
	r.Numbers, err = notation.NewNumberFormat(Given(s.NumberFormat))
	if err != nil {
		p.Add("number_format", "%s", err)
	}
	r.Dates, err = notation.NewDatePattern(Given(s.DateFormat))
	if err != nil {
		p.Add("date_format", "%s", err)
	}
	if name := Given(s.Encoding); name != "" && name != text.ASCIIName {
		r.Encoding, err = text.LookupEncoding(name)
		if err != nil {
			p.Add("encoding", "%s", err)
		}
	}
}

func (s Settings) compileTrades(p *ledger.Problems, r *Rules) {
	r.SideGiven = Given(s.TradeSideColLabel) != ""
	r.BuyValue, r.SellValue = ledger.Fold(Given(s.BuyValue)), ledger.Fold(Given(s.SellValue))
	if r.BuyValue != "" && r.BuyValue == r.SellValue {
		p.Add("sell_value", "must be another word than buy_value, got %s", ledger.Quote(Given(s.SellValue)))
	}
	r.AllowShort = boolean(p, "allow_short", s.AllowShort, false)
}

// boolean reads an optional setting that is true or false.
func boolean(p *ledger.Problems, field string, value *string, otherwise bool) bool {
	switch text := strings.ToLower(Given(value)); text {
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

func (s Settings) compileFilter(p *ledger.Problems, r *Rules) {
	filter := Given(s.RowFilter)
	if filter == "" {
		return
	}
	column, value, found := strings.Cut(filter, "=")
	column, r.FilterNot = strings.CutSuffix(strings.TrimSpace(column), "!")
	r.FilterColumn, r.FilterValue = strings.TrimSpace(column), strings.TrimSpace(value)
	if !found || r.FilterColumn == "" {
		p.Add("row_filter", "must be written COLUMN=VALUE, such as State=COMPLETED, got %s", ledger.Quote(filter))
	}
}

func (s Settings) compileCurrency(p *ledger.Problems, r *Rules) {
	code, known := Given(s.Currency), false
	r.CurrencyGiven = Given(s.CurrencyColLabel) != ""
	r.Currency, known = lexicon.Currency(code)
	if !known && code != "" {
		p.Add("currency", "must be an ISO 4217 code such as EUR, got %s", ledger.Quote(code))
	}
}

func (s Settings) checkDirection(p *ledger.Problems) {
	switch convention := Given(s.SignageConvention); convention {
	case "", InflowsPositive, InflowsNegative:
	default:
		p.Add("signage_convention", "must be %s or %s, got %s", InflowsPositive, InflowsNegative,
			ledger.Quote(convention))
	}
	switch strategy := Given(s.AmountTypeStrategy); strategy {
	case "", SignedAmount:
	case CustomColumn:
		if Given(s.AmountTypeInflowValue) == "" {
			p.Add("amount_type_inflow_value", "is required with amount_type_strategy %s: the value that marks money in",
				CustomColumn)
		}
		if Given(s.EntityTypeColLabel) == "" {
			p.Add("entity_type_col_label", "is required with amount_type_strategy %s: the column that says in or out",
				CustomColumn)
		}
	default:
		p.Add("amount_type_strategy", "must be %s or %s, got %s", SignedAmount, CustomColumn, ledger.Quote(strategy))
	}
}

func (s Settings) checkAmounts(p *ledger.Problems) {
	debit, credit := Given(s.DebitColLabel) != "", Given(s.CreditColLabel) != ""
	switch {
	case debit && !credit:
		p.Add("credit_col_label", "is required with debit_col_label")
	case credit && !debit:
		p.Add("debit_col_label", "is required with credit_col_label")
	case debit && Given(s.AmountColLabel) != "":
		p.Add("amount_col_label", "must not be given together with debit_col_label and credit_col_label")
	case debit && Given(s.AmountTypeStrategy) == CustomColumn:
		p.Add("amount_type_strategy", "must be %s when debit_col_label and credit_col_label are given", SignedAmount)
	}
}

func (s Settings) checkColumnNumbers(p *ledger.Problems) {
	for _, f := range Fields {
		label := Given(f.Label(s))
		if label == "" {
			continue
		}
		if _, ok := ColumnNumber(label); !ok {
			p.Add(f.Setting, "must be a column number from 1 to %d because has_header is false, got %s",
				text.MaxColumns, ledger.Quote(label))
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

func (s Settings) Header(p *ledger.Problems) bool {
	return boolean(p, "has_header", s.HasHeader, true)
}

// count reads an optional number of lines.
func count(p *ledger.Problems, field string, value *string, most int) int {
	text := Given(value)
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

// ColumnNumber reads a label that is the number of a column, from 1.
func ColumnNumber(label string) (int, bool) {
	n, err := strconv.Atoi(label)
	return n, err == nil && n >= 1 && n <= text.MaxColumns && fmt.Sprint(n) == label
}

// Given is the text of an optional setting; blank counts as absent.
func Given(value *string) string {
	if value == nil {
		return ""
	}
	return strings.TrimSpace(*value)
}
