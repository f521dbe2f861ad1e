package lexicon

import (
	"strconv"

	"finsvc/importer/text"
)

// numbersOf are the numbers by the plain names of a list.
func numbersOf(l *list) map[string]int {
	numbers := map[string]int{}
	for _, entry := range l.entries {
		number, _ := strconv.Atoi(entry.Key)
		for _, name := range entry.Words {
			numbers[text.Plain(name)] = number
		}
	}
	return numbers
}

// Month is the number of a month by its name in any language, whole or shortened as is usual; 0 when it is none.
func Month(name string) int { return words().months[text.Plain(name)] }

// MonthBegun is the number of a month by its name in any language, or by the beginning of it that no other month's
// name has; 0 when it is none.
func MonthBegun(name string) int {
	t, plain := words(), text.Plain(name)
	number, known := t.months[plain]
	if known {
		return number
	}
	return t.monthsBegun[plain]
}

// Weekday is the number of a day of the week by its English name, whole or its first three letters, from 1 for Monday;
// 0 when it is none.
func Weekday(name string) int { return words().weekdays[text.Plain(name)] }
