package importer

import (
	"bytes"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
)

// charsetsOf are the usual character sets in exports of a language, those of one byte first, the likeliest before the others.
const charsetsOf = "pl windows-1250 iso-8859-2;cs windows-1250 iso-8859-2;hu windows-1250 iso-8859-2;hr windows-1250 iso-8859-2;ro windows-1250 iso-8859-16;" +
	"tr windows-1254;et windows-1257;lt windows-1257;lv windows-1257;el windows-1253;bg windows-1251;ru windows-1251;he windows-1255;ar windows-1256;vi windows-1258;th windows-874;" +
	"de windows-1252;fr windows-1252;es windows-1252;it windows-1252;nl windows-1252;pt windows-1252;sv windows-1252;fi windows-1252;" +
	"ja shift_jis euc-jp;zh gb18030 big5;ko euc-kr"

// lettersOf are the letters beyond ASCII of languages for which several character sets of one byte are usual.
const lettersOf = "pl ąćęłńóśźż;cs áäčďéěíĺľňóôŕřšťúůýž;hu áéíóöőúüű;hr čćđšž;ro ăâîșțşţ"

// findCharset corrects a guess of the character set by the headers, which are known names in one of them only, or names of a
// language that is written in another one. Few bytes are beyond ASCII in an export, too few for their frequency to tell.
func (f *detector) findCharset(open opener, guess string) error {
	if guess == asciiName || strings.HasPrefix(guess, "utf-") || !f.open("encoding") || f.sheet.header == nil {
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
// language of its names if it has as many in it; blank for the guess.
func (f *detector) bestCharset(raw, line []byte, guess string) string {
	known, language := f.knownNames(line, guess)
	best, usual := "", ""
	for entry := range strings.SplitSeq(charsetsOf, ";") {
		names := strings.Fields(entry)
		name := plainest(raw, names[0], names[1:])
		n, _ := f.knownNames(line, name)
		if names[0] == language.name && n >= known {
			usual = name
		}
		if n > known {
			best, known = name, n
		}
	}
	switch {
	case best == "" && (guess == "windows-1252" || language.sure):
		return usual
	case guess == "gb18030" && language.name != "" && !strings.Contains("zh ja ko", language.name): // the guess for a lone letter
		return or(usual, "windows-1252")
	}
	return best
}

// knownNames counts the cells of a header line that are names as a whole, read in a character set, and gives their language.
func (f *detector) knownNames(line []byte, charset string) (n int, l language) {
	e, err := lookupEncoding(charset)
	if err != nil {
		return 0, l
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
	return n, languageOf(list)
}

// plainest is the first of several character sets of a language in which a text has the fewest signs beyond ASCII that are
// none of its letters.
func plainest(raw []byte, language string, names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	_, letters, known := strings.Cut(";"+lettersOf, ";"+language+" ")
	letters, _, _ = strings.Cut(letters, ";")
	best, least := names[0], len(raw)+1
	for _, name := range names {
		e, err := lookupEncoding(name)
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
