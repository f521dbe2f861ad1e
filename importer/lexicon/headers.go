package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/importer/text"
)

// Role is what a column may be, as its header says.
type Role string

// The roles of columns.
const (
	RoleDate          Role = "date"
	RoleOtherDate     Role = "other date" // value date and the like
	RoleTradeDate     Role = "trade date" // besides, of brokers
	RoleAmount        Role = "amount"
	RoleDebit         Role = "debit"
	RoleCredit        Role = "credit"
	RoleBalance       Role = "balance"
	RoleOtherAmount   Role = "other amount" // original amounts, fees, rates
	RoleCurrency      Role = "currency"
	RoleOtherCurrency Role = "other currency"
	RolePayee         Role = "payee"
	RoleText          Role = "text"
	RoleNotes         Role = "notes"
	RoleCategory      Role = "category"
	RoleTags          Role = "tags"
	RoleAccount       Role = "account"
	RoleDirection     Role = "direction"
	RoleStatus        Role = "status"
	RoleID            Role = "id"
	RoleQuantity      Role = "qty"
	RolePrice         Role = "price"
	RoleTicker        Role = "ticker"
	RoleMIC           Role = "mic"
)

// Sure is the least that a name adds to a role when it is the whole header.
const Sure = 900

// headerName is one name of a column.
type headerName struct {
	role     Role
	language string
	rank     int // among the names of its entry, 0 is the likeliest
}

// headerNames are the names of columns in their plain form.
type headerNames map[string][]headerName

func newHeaderNames(l *list) headerNames {
	names := headerNames{}
	for _, entry := range l.entries {
		language, role, _ := strings.Cut(entry.Key, " ")
		for rank, name := range entry.Words {
			plain := text.Plain(name)
			names[plain] = append(names[plain], headerName{Role(role), language, rank})
		}
	}
	return names
}

// Header is what the header of a column may mean.
type Header struct {
	Roles     map[Role]int    // the better a name fits, the greater
	Languages map[string]bool // in which the name is used
	Code      string          // of a currency in it, such as EUR in "Amount (EUR)"
}

// ReadHeader looks a header up: as a whole, else by the longest name within it.
func ReadHeader(header string) Header {
	const whole, numbered, part = 1_000, 800, 400
	names := words().headers
	plain, code := PlainHeader(header)
	h := Header{Roles: map[Role]int{}, Languages: map[string]bool{}, Code: code}
	full := text.Plain(header)
	if full != plain && len(names[full]) > 0 {
		plain = full // what stands in parentheses belongs to the name
	}
	h.add(names[plain], whole)
	if len(h.Roles) > 0 || plain == "" {
		return h
	}
	h.add(names[text.Plain(Parted(header))], whole)
	if len(h.Roles) > 0 {
		return h
	}
	h.add(names[strings.TrimRight(plain, " 123456789")], numbered) // such as Description1
	if len(h.Roles) > 0 {
		return h
	}
	h.add(names[names.longestWithin(plain)], part)
	return h
}

func (h *Header) add(list []headerName, base int) {
	for _, n := range list {
		h.Roles[n.role] = max(h.Roles[n.role], base-n.rank)
		h.Languages[n.language] = true
	}
}

// longestWithin is the longest name that stands within a header as whole words; in scripts without spaces, anywhere. Of
// two that are as long it is the first in the header.
func (names headerNames) longestWithin(plain string) string {
	best := ""
	if text.Wide(plain) {
		for name := range names { // in no order
			at := strings.Index(plain, name)
			if at < 0 || !text.Wide(name) || len(name) <= len("金") || len(name) < len(best) {
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
			_, known := names[name]
			if known && len(name) > len(best) && len(name) > 3 {
				best = name
			}
		}
	}
	return best
}

// Parted puts a space before each capital letter that follows a small one, as in TransactionDate.
func Parted(header string) string {
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

// PlainHeader is the form in which headers are compared, and the code of a currency that was written with it: lower
// case, no accents, no punctuation, without what stands in parentheses.
func PlainHeader(header string) (plain, code string) {
	open := strings.IndexAny(header, "([（")
	if open > 0 {
		code = codeOf(strings.Trim(header[open:], "()[]（） "))
		end := strings.IndexAny(header[open:], ")]）")
		if end > 0 {
			header = header[:open] + " " + strings.TrimLeft(header[open+end:], ")]）")
		}
	}
	words, bare := text.Words(header), false // bare: the code stands without parentheses, as in "Betrag in EUR"
	for len(words) > 1 {
		last := words[len(words)-1]
		found := codeOf(last)
		if found != "" && code == "" {
			code, bare = found, true
		} else if !strings.EqualFold(last, "in") || !bare {
			break
		}
		words = words[:len(words)-1]
	}
	return text.Fold(strings.Join(words, " ")), code
}

// Language is what headers say of where a file comes from.
type Language struct {
	Name      string // blank for English
	DayFirst  bool   // one in whose countries the day comes before the month
	YearFirst bool   // one where dates with two digits of year begin with it
	Sure      bool   // no other language has as many of the headers
}

// LanguageOf judges by the headers that are in no way English.
func LanguageOf(columns []Header) Language {
	votes := map[string]int{}
	for _, column := range columns {
		if column.Languages["en"] {
			continue
		}
		for name := range column.Languages {
			votes[name]++
		}
	}
	var l Language
	best := 0
	for _, name := range Words(languages) {
		switch {
		case votes[name] > best:
			best, l.Name, l.Sure = votes[name], name, true
		case votes[name] == best:
			l.Sure = false
		}
	}
	l.YearFirst = best > 0 && slices.Contains(Words(yearBeforeMonth), l.Name)
	l.DayFirst = best > 0 && !slices.Contains(Words(monthBeforeDay), l.Name)
	return l
}

// printedRoles are the roles by the names of columns of printed statements.
func printedRoles(l *list) map[string]Role {
	roles := map[string]Role{}
	for _, entry := range l.entries {
		for _, name := range entry.Words {
			roles[text.Plain(name)] = Role(entry.Key)
		}
	}
	return roles
}

// PrintedRole is what the header of a printed statement says its column is: that of the longest name for one that it
// begins with, else of the name that it is in exports, where that means only one; blank when it says nothing.
func PrintedRole(header string) Role {
	plain := text.Plain(header)
	t := words()
	role := t.printed[plain]
	for end := len(plain) - 1; end > 0 && role == ""; end-- {
		if plain[end] == ' ' {
			role = t.printed[plain[:end]]
		}
	}
	const short = 3 // letters that mean too much
	if role != "" || len(plain) <= short {
		return role
	}
	for _, name := range t.headers[plain] {
		meant := name.role
		switch meant {
		case RoleTradeDate:
			meant = RoleDate
		case RolePayee, RoleNotes:
			meant = RoleText
		case RoleDate, RoleOtherDate, RoleText, RoleAmount, RoleDebit, RoleCredit, RoleBalance:
		default:
			return ""
		}
		if role != "" && role != meant {
			return ""
		}
		role = meant
	}
	return role
}
