package importer

import (
	"strings"
	"unicode"
)

// role is what a column may be, as its header says.
type role string

const (
	roleDate          role = "date"
	roleOtherDate     role = "other date" // value date and the like
	roleTradeDate     role = "trade date" // besides, of brokers
	roleAmount        role = "amount"
	roleDebit         role = "debit"
	roleCredit        role = "credit"
	roleBalance       role = "balance"
	roleOtherAmount   role = "other amount" // original amounts, fees, rates
	roleCurrency      role = "currency"
	roleOtherCurrency role = "other currency"
	rolePayee         role = "payee"
	roleText          role = "text"
	roleNotes         role = "notes"
	roleCategory      role = "category"
	roleTags          role = "tags"
	roleAccount       role = "account"
	roleDirection     role = "direction"
	roleStatus        role = "status"
	roleID            role = "id"
)

// headerName is one entry of the table of headers.
type headerName struct {
	role     role
	language string
	rank     int // among the names of the role, 0 is the likeliest
}

// headerNames are the entries of the table by their names.
type headerNames map[string][]headerName

func newHeaderNames() headerNames {
	names := headerNames{}
	for line := range strings.Lines(headerTable + headerTableMore) {
		head, list, found := strings.Cut(strings.TrimSpace(line), ":")
		language, r, _ := strings.Cut(head, " ")
		for rank, name := range strings.Split(list, ";") {
			if name = strings.TrimSpace(name); found && name != "" {
				names[name] = append(names[name], headerName{role(r), language, rank})
			}
		}
	}
	return names
}

// labelSettings are the settings that name columns, and the role of the column that each means.
func labelSettings() map[string]role {
	return map[string]role{
		"date_col_label": roleDate, "amount_col_label": roleAmount, "debit_col_label": roleDebit, "credit_col_label": roleCredit,
		"name_col_label": rolePayee, "notes_col_label": roleNotes, "category_col_label": roleCategory, "tags_col_label": roleTags,
		"account_col_label": roleAccount, "currency_col_label": roleCurrency, "entity_type_col_label": roleDirection,
		"qty_col_label": "qty", "price_col_label": "price", "ticker_col_label": "ticker", "exchange_operating_mic_col_label": "mic",
		"id_col_label": roleID, "status_col_label": roleStatus, "balance_col_label": roleBalance,
	}
}

// headerReading is what a header may mean.
type headerReading struct {
	roles     map[role]int    // the better a name fits, the greater
	languages map[string]bool // in which the name is used
	code      string          // of a currency in it, such as EUR in "Amount (EUR)"
	fee       bool            // it is that of a fee
}

// read looks a header up: as a whole, else by the longest name within it.
func (names headerNames) read(header string) headerReading {
	const whole, numbered, part = 1_000, 800, 400
	plain, code := plainHeader(header)
	r := headerReading{roles: map[role]int{}, languages: map[string]bool{}, code: code}
	if full := baseLetters(strings.Join(wordsOf(header), " ")); full != plain && len(names[full]) > 0 {
		plain = full // what stands in parentheses belongs to the name
	}
	if r.add(names[plain], whole); len(r.roles) > 0 || plain == "" {
		return r
	}
	if r.add(names[baseLetters(strings.Join(wordsOf(parted(header)), " "))], whole); len(r.roles) > 0 {
		return r
	}
	if r.add(names[strings.TrimRight(plain, " 123456789")], numbered); len(r.roles) > 0 { // such as Description1
		return r
	}
	r.add(names[names.longestWithin(plain)], part)
	return r
}

func (r *headerReading) add(list []headerName, base int) {
	for _, n := range list {
		r.roles[n.role] = max(r.roles[n.role], base-n.rank)
		r.languages[n.language] = true
	}
}

// longestWithin is the longest name that stands within a header as whole words; in scripts without spaces, anywhere. Of
// two that are as long it is the first in the header.
func (names headerNames) longestWithin(plain string) string {
	best := ""
	if wide(plain) {
		for name := range names { // in no order
			at := strings.Index(plain, name)
			if at < 0 || !wide(name) || len(name) <= len("金") || len(name) < len(best) {
				continue
			}
			if len(name) > len(best) || at < strings.Index(plain, best) {
				best = name
			}
		}
		return best
	}
	words := strings.Fields(plain)
	const most = 12
	words = words[:min(len(words), most)]
	for from := range words {
		for to := len(words); to > from; to-- {
			name := strings.Join(words[from:to], " ")
			if _, known := names[name]; known && len(name) > len(best) && len(name) > 3 {
				best = name
			}
		}
	}
	return best
}

// parted puts a space before each capital letter that follows a small one, as in TransactionDate.
func parted(header string) string {
	var b strings.Builder
	last := ' '
	for _, r := range header {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// wide says whether a text has characters of Chinese or Japanese.
func wide(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}

// plainHeader is the form in which headers are compared, and the code of a currency that was written with it: lower
// case, no accents, no punctuation, without what stands in parentheses.
func plainHeader(header string) (plain, code string) {
	if open := strings.IndexAny(header, "([（"); open > 0 {
		code = codeOf(strings.Trim(header[open:], "()[]（） "))
		if end := strings.IndexAny(header[open:], ")]）"); end > 0 {
			header = header[:open] + " " + strings.TrimLeft(header[open+end:], ")]）")
		}
	}
	words, bare := wordsOf(header), false // bare: the code stands without parentheses, as in "Betrag in EUR"
	for len(words) > 1 {
		last := words[len(words)-1]
		if found := codeOf(last); found != "" && code == "" {
			code, bare = found, true
		} else if !strings.EqualFold(last, "in") || !bare {
			break
		}
		words = words[:len(words)-1]
	}
	return baseLetters(strings.Join(words, " ")), code
}

// codeOf is the currency that a part of a header names, written in capitals or as a sign.
func codeOf(word string) string {
	if word == strings.ToUpper(word) {
		if c, ok := lookupCode(word); ok {
			return c.Code
		}
	}
	return currencyNamed(word)
}

// among says whether a cell is one of the words of a list that is parted and ended by semicolons.
func among(list, cell string) bool {
	plain, _ := plainHeader(cell)
	return plain != "" && isListed(list, plain)
}

// isListed says whether a word is one of a list that is parted and ended by semicolons.
func isListed(list, word string) bool { return strings.Contains(";"+list, ";"+word+";") }

// language is what the headers say of where a file comes from.
type language struct {
	dayFirst  bool // headers in a language in whose countries the day comes before the month
	yearFirst bool // in one where dates with two digits of year begin with it
	name      string
	sure      bool // no other language has as many of the headers
}

// languageOf judges by the headers that are in no way English.
func languageOf(columns []column) language {
	var l language
	votes := map[string]int{}
	for i := range columns {
		if columns[i].languages["en"] {
			continue
		}
		for name := range columns[i].languages {
			votes[name]++
		}
	}
	best := 0
	for _, name := range []string{"de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sv", "fi", "hu", "ru", "tr", "zh", "ja",
		"et", "lt", "lv", "el", "ro", "hr", "bg", "ko", "th", "vi", "id", "he", "ar"} {
		if votes[name] == best {
			l.sure = false
		}
		if votes[name] > best {
			best, l.name, l.sure = votes[name], name, true
		}
	}
	l.yearFirst = strings.Contains("zh ja hu sv ko lt", l.name) && best > 0
	l.dayFirst = best > 0 && !strings.Contains("zh ja hu ko", l.name)
	return l
}

// currencyNamed is the code of a currency that is known by a word or sign of its own; blank where it is not.
func currencyNamed(word string) string {
	switch baseLetters(strings.TrimSpace(word)) {
	case "€", "euro", "euros":
		return "EUR"
	case "人民币", "人民幣", "rmb", "人民币元", "元人民币":
		return "CNY"
	case "£", "gbp £", "pound sterling":
		return "GBP"
	case "zl":
		return "PLN"
	case "kc":
		return "CZK"
	case "руб", "руб.", "₽":
		return "RUB"
	case "грн", "грн.", "₴":
		return "UAH"
	case "₺":
		return "TRY"
	case "tl":
		return "TRY"
	case "ft":
		return "HUF"
	case "r$":
		return "BRL"
	case "us dollar", "us dollars", "美元", "us$":
		return "USD"
	case "新臺幣", "新台幣", "臺幣", "台幣", "nt$":
		return "TWD"
	case "港币", "港幣", "hk$":
		return "HKD"
	case "日元", "日圓", "日本円", "円":
		return "JPY"
	case "₹":
		return "INR"
	}
	return ""
}
