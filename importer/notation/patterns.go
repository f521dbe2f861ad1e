package notation

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// PatternsOf are the patterns by which a text may be a whole date, perhaps with a time; none when it is no date.
func PatternsOf(cell string) []string {
	if len(cell) < 6 || len(cell) > 40 || cell[0] < '0' && cell[0] != '\'' ||
		!strings.ContainsAny(cell, "0123456789") || strings.ContainsAny(cell, ";|\t\"") {
		return nil // what parts cells is in no date
	}
	parts := partsOf(cell)
	if len(parts) > 16 || !beginsDate(parts[0]) {
		return nil
	}
	var list []string
	for _, order := range ordersOf(parts) {
		text := patternFrom(parts, order)
		if p, err := NewDatePattern(text); err == nil {
			if date, _, exists := p.Scan(cell); exists && date >= ledger.NewDate(1970, 1, 1) &&
				date < ledger.NewDate(2100, 1, 1) {
				list = append(list, text)
			}
		}
	}
	return list
}

// beginsDate reports whether a date may begin with a part: with digits or signs, or of words with the name of a month or
// a day. What else stands before a date makes a sentence of it.
func beginsDate(part string) bool {
	name := 0
	first, _ := utf8.DecodeRuneInString(part)
	return !unicode.IsLetter(first) || text.Wide(part) || isMonth(part, &name) || isDay(part)
}

func isDay(word string) bool {
	rest, ok := takeName(word, lexicon.Weekday, new(int))
	return ok && rest == ""
}

// partsOf cuts a text into runs of digits, of letters, and of the rest.
func partsOf(cell string) []string {
	kind := func(r rune) int {
		switch {
		case r >= '0' && r <= '9':
			return 0
		case unicode.IsLetter(r) && !text.Wide(string(r)):
			return 1
		}
		return 2
	}
	var parts []string
	start, last := 0, -1
	for i, r := range cell {
		if k := kind(r); k != last {
			if i > start {
				parts = append(parts, cell[start:i])
			}
			start, last = i, k
		}
	}
	return append(parts, cell[start:])
}

// ordersOf are the orders in which the first groups of a date may stand; a group is its verb, with b for a month's name
// and a for that of a day of the week.
func ordersOf(parts []string) []string {
	var groups []string
	for _, p := range parts {
		if p[0] >= '0' && p[0] <= '9' {
			groups = append(groups, strconv.Itoa(len(p)))
		} else if month := 0; isMonth(p, &month) {
			groups = append(groups, "b")
		}
	}
	first := strings.Join(groups[:min(3, len(groups))], "")
	switch first {
	case "422", "421", "412", "411":
		return []string{"Ymd"}
	case "224", "114", "124", "214":
		return []string{"dmY", "mdY"}
	case "222", "112", "122", "212":
		return []string{"dmy", "mdy", "ymd"}
	case "2b4", "1b4":
		return []string{"dbY"}
	case "2b2", "1b2":
		return []string{"dby"}
	case "b24", "b14":
		return []string{"bdY"}
	case "4b2", "4b1":
		return []string{"Ybd"}
	}
	if len(groups) > 0 && groups[0] == "8" {
		return []string{"Ymd", "dmY", "mdY"}
	}
	return nil
}

func isMonth(word string, month *int) bool {
	rest, ok := takeName(word, lexicon.Month, month)
	return ok && rest == ""
}

// patternFrom writes the pattern of a text: its date in the given order, then a time.
func patternFrom(parts []string, order string) string {
	var b strings.Builder
	date, clock := order, "HMSf"
	half := strings.HasSuffix(strings.ToLower(strings.Join(parts, "")), "m")
	for i, p := range parts {
		digits := p[0] >= '0' && p[0] <= '9'
		switch month := 0; {
		case digits && len(p) == 8 && date == order:
			b.WriteString("%" + order[:1] + "%" + order[1:2] + "%" + order[2:])
			date = ""
		case digits && date != "":
			b.WriteString("%" + date[:1])
			date = date[1:]
		case digits && i > 0 && (parts[i-1] == "+" || strings.HasSuffix(parts[i-1], "+")) && len(clock) < 3:
			return strings.TrimSuffix(b.String(), "+") + "%z"
		case digits && clock == "HMSf" && len(p) == 6:
			b.WriteString("%H%M%S")
			clock = "f"
		case digits && clock != "":
			verb := clock[:1]
			if half && verb == "H" {
				verb = "I"
			}
			b.WriteString("%" + verb)
			clock = clock[1:]
		case strings.HasPrefix(date, "b") && isMonth(p, &month):
			b.WriteString("%b")
			date = date[1:]
		case date == "" && (strings.EqualFold(p, "am") || strings.EqualFold(p, "pm")):
			b.WriteString("%p")
		case date == "" && len(clock) < 3 && (p == "Z" || strings.EqualFold(p, "UTC") || strings.EqualFold(p, "GMT")):
			b.WriteString("%Z")
		case date == order && isDay(p):
			b.WriteString("%a")
		default:
			b.WriteString(strings.ReplaceAll(p, "%", "%%"))
		}
	}
	return b.String()
}
