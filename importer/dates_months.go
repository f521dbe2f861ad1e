package importer

import (
	"strings"
	"unicode"
)

// foreignMonths are names of months, and what they are shortened to, in Dutch, German, French, Spanish, Italian, Portuguese and the
// Scandinavian languages where they are not English, without accents, a line for each month. No word stands for two months.
const foreignMonths = `januari januar janner jan ene enero gen gennaio janeiro janv janvier
februari februar feb fevr fevrier fev febrero febbraio fevereiro
maart mrt marz mar maerz mrz mars marzo marco
april apr avr avril abr abril aprile
mei mai maj mayo mag maggio maio
juni jun juin junio giu giugno junho
juli jul juil juillet julio lug luglio julho
augustus august aug aout ago agosto augusti
september sep septembre septiembre settembre setembro sett
oktober okt octobre octubre ottobre ott outubro
november nov novembre noviembre novembro
dezember dez december dec decembre diciembre dicembre dic dezembro des desember
`

// takeMonth reads the name of a month in English, else in another language; what it is shortened to may have a dot behind it.
func takeMonth(text string, into *int) (string, bool) {
	if rest, ok := takeName(text, monthNames[:], into); ok {
		return rest, true
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	const shortest = 3
	if end < shortest {
		return "", false
	}
	word, month := " "+baseLetters(text[:end])+" ", 0
	for line := range strings.Lines(foreignMonths) {
		month++
		if strings.Contains(" "+strings.TrimSpace(line)+" ", word) {
			*into = month
			return text[end:], true
		}
	}
	return "", false
}
