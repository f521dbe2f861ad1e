package detect

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
)

// findCharset corrects a guess of the character set by the headers, which are known names in one of them only, or names of a
// language that is written in another one. Few bytes are beyond ASCII in an export, too few for their frequency to tell.
func findCharset(p *profile, guess string) error {
	if guess == text.ASCIIName || strings.HasPrefix(guess, "utf-") || !p.open("encoding") || p.sheet.header == nil {
		return nil
	}
	src, err := p.file.Open()
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(io.LimitReader(src, headSize))
	if err != nil {
		return err
	}
	lines := bytes.SplitAfterN(raw, []byte("\n"), p.sheet.skip+2)
	if p.sheet.skip >= len(lines) {
		return nil
	}
	p.charset = bestCharset(p, raw, lines[p.sheet.skip], guess)
	if p.charset == "" {
		return nil
	}
	src, err = p.file.Open()
	if err != nil {
		return err
	}
	text, _, err := readHead(src, p.givenEncoding())
	if err != nil {
		return err
	}
	findSheet(p, text)
	return nil
}

// bestCharset is the character set in which the header line of a raw text has more known names than in the guessed one, else that of the
// language of its names if it has as many in it; blank for the guess.
func bestCharset(p *profile, raw, line []byte, guess string) string {
	known, language := knownNames(p, line, guess)
	best, usual := "", ""
	for _, entry := range lexicon.Entries(lexicon.Charsets) {
		name := plainest(raw, entry.Key, entry.Words)
		n, _ := knownNames(p, line, name)
		if entry.Key == language.Name && n >= known {
			usual = name
		}
		if n > known {
			best, known = name, n
		}
	}
	switch {
	case best == "" && (guess == "windows-1252" || language.Sure):
		return usual
	case guess == "gb18030" && language.Name != "" && !slices.Contains([]string{"zh", "ja", "ko"}, language.Name): // the guess for a lone letter
		return cmp.Or(usual, "windows-1252")
	}
	return best
}

// knownNames counts the cells of a header line that are names as a whole, read in a character set, and gives their language.
func knownNames(p *profile, line []byte, charset string) (n int, l lexicon.Language) {
	e, err := text.LookupEncoding(charset)
	if err != nil {
		return 0, l
	}
	text := decodedText(line, e)
	var list []lexicon.Header
	for cell := range strings.SplitSeq(text, string(p.sheet.separator)) {
		c := lexicon.ReadHeader(strings.Trim(strings.TrimSpace(cell), `"`))
		for _, score := range c.Roles {
			if score >= 900 {
				n++
				break
			}
		}
		list = append(list, c)
	}
	return n, lexicon.LanguageOf(list)
}

// plainest is the first of several character sets of a language in which a text has the fewest signs beyond ASCII that are
// none of its letters.
func plainest(raw []byte, language string, names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	letters, known := "", false
	for _, entry := range lexicon.Entries(lexicon.Letters) {
		if entry.Key == language {
			letters, known = strings.Join(entry.Words, ""), true
		}
	}
	best, least := names[0], len(raw)+1
	for _, name := range names {
		e, err := text.LookupEncoding(name)
		if err != nil {
			continue
		}
		odd := 0
		for _, r := range decodedText(raw, e) {
			plain := r <= unicode.MaxASCII || strings.ContainsRune("€„”“’–\u00a0", r) || unicode.IsLetter(r) && !known
			odd += one(!plain && !strings.ContainsRune(letters, unicode.ToLower(r)))
		}
		if odd < least {
			best, least = name, odd
		}
	}
	return best
}

// decodedText is blank where the bytes are none of the character set.
func decodedText(raw []byte, e encoding.Encoding) string {
	text, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return ""
	}
	return string(text)
}
