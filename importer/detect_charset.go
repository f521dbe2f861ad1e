package importer

import (
	"bytes"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// charsetsOf are the usual character sets of one byte in exports of a language, the likeliest first.
const charsetsOf = "pl windows-1250 iso-8859-2;cs windows-1250 iso-8859-2;hu windows-1250 iso-8859-2;hr windows-1250 iso-8859-2;ro windows-1250 iso-8859-16;" +
	"tr windows-1254;et windows-1257;lt windows-1257;lv windows-1257;el windows-1253;bg windows-1251;ru windows-1251;he windows-1255;ar windows-1256;vi windows-1258;th windows-874"

// findCharset corrects a guess of the character set by the headers, which are known names in one of them only, or names of a
// language that is written in another one. Few bytes are beyond ASCII in an export, too few for their frequency to tell.
func (f *detector) findCharset(open opener, guess string) error {
	e, err := lookupEncoding(guess)
	_, single := e.(*charmap.Charmap)
	if err != nil || !single && e != simplifiedchinese.GB18030 || !f.open("encoding") || f.sheet.header == nil {
		return nil
	}
	src, err := open()
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(io.LimitReader(src, headSize))
	if err != nil {
		return err
	}
	lines := bytes.SplitAfterN(raw, []byte("\n"), f.sheet.skip+2)
	if f.sheet.skip >= len(lines) {
		return nil
	}
	if f.charset = f.bestCharset(raw, lines[f.sheet.skip], guess); f.charset == "" {
		return nil
	}
	if src, err = open(); err != nil {
		return err
	}
	text, _, err := readHead(src, f.told())
	if err != nil {
		return err
	}
	f.findSheet(text)
	return nil
}

// bestCharset is the character set in which the header line of a raw text has more known names than in the guessed one, else that of the
// language of its names if the guess is the one that is taken when nothing is likely; blank for the guess.
func (f *detector) bestCharset(raw, line []byte, guess string) string {
	known, language := f.knownNames(line, guess)
	best, usual := "", ""
	for entry := range strings.SplitSeq(charsetsOf, ";") {
		names := strings.Fields(entry)
		name := plainest(raw, names[1:])
		if n, _ := f.knownNames(line, name); n > known {
			best, known = name, n
		}
		if names[0] == language {
			usual = name
		}
	}
	switch {
	case best == "" && guess == "windows-1252":
		return usual
	case guess == "gb18030" && language != "" && !strings.Contains("zh ja ko", language): // the guess for a lone letter
		return or(usual, "windows-1252")
	}
	return best
}

// knownNames counts the cells of a header line that are names as a whole, read in a character set, and gives their language.
func (f *detector) knownNames(line []byte, charset string) (n int, name string) {
	e, err := lookupEncoding(charset)
	if err != nil {
		return 0, ""
	}
	text := decodedText(line, e)
	var list []column
	for cell := range strings.SplitSeq(text, string(f.sheet.separator)) {
		c := column{headerReading: f.names.read(strings.Trim(strings.TrimSpace(cell), `"`))}
		for _, score := range c.roles {
			if score >= 900 {
				n++
				break
			}
		}
		list = append(list, c)
	}
	return n, languageOf(list).name
}

// plainest is the first of several character sets of one language in which a text has the fewest signs beyond ASCII that are
// no letters.
func plainest(raw []byte, names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	best, least := names[0], len(raw)+1
	for _, name := range names {
		e, err := lookupEncoding(name)
		if err != nil {
			continue
		}
		odd := 0
		for _, r := range decodedText(raw, e) {
			odd += one(r > unicode.MaxASCII && !unicode.IsLetter(r) && !strings.ContainsRune("€„”“’–\u00a0", r))
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
