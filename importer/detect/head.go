package detect

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
)

// readHead gives the beginning of a file as text, cut at the end of a line, and the character set it was read in.
func readHead(src io.Reader, given encoding.Encoding) (cell, charset string, err error) {
	head, reader := make([]byte, headSize), text.NewDecoder(src, given)
	n, err := io.ReadFull(reader, head)
	head = head[:n]
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return string(head), reader.Name, nil
	case err != nil:
		return "", "", err
	}
	if end := strings.LastIndexAny(string(head), "\r\n"); end > 0 {
		head = head[:end+1]
	}
	return string(head), reader.Name, nil
}

// shortYear is how Mint writes dates with two digits of the year.
const shortYear = "%m/%d/%y"

// readShortYears reads Mint's dates, in which the month comes first, with two digits of year where all of the
// beginning have so many.
func readShortYears(p *profile) {
	at := p.givenColumn("date_col_label")
	if at < 0 {
		return
	}
	for _, fit := range p.columns[at].dates {
		if fit.pattern.Text == shortYear && fit.fits == p.columns[at].seen {
			p.given.DateFormat, p.short = new(shortYear), true
		}
	}
}

// readColumns learns from the beginning of the file what each column may be.
func readColumns(p *profile) {
	records := p.sheet.records
	if p.sheet.header != nil {
		records = records[1:]
	}
	width := len(p.sheet.header)
	for _, r := range records {
		if dataLike(r.Cells) {
			width = max(width, len(r.Cells))
		}
	}
	p.columns = make([]column, width)
	for i := range p.columns {
		p.columns[i].words = map[string]int{}
		if p.sheet.header != nil && i < len(p.sheet.header) {
			p.columns[i].header = p.sheet.header[i]
		}
		p.columns[i].Header = lexicon.ReadHeader(p.columns[i].header)
	}
	headers := make([]lexicon.Header, len(p.columns))
	for i := range p.columns {
		headers[i] = p.columns[i].Header
	}
	p.language = lexicon.LanguageOf(headers)
	markFees(p)
	any := firstData(records) >= 0
	for _, r := range records {
		if any && !dataLike(r.Cells) && !hasDate(p, r.Cells) {
			continue
		}
		for i := range p.columns {
			p.columns[i].learn(text.CellAt(r.Cells, i))
		}
	}
	// Find columns of numbers whose headers are the same but for a word that says the side, such as "Payment
	// in" and "Payment out", and make each two of them a pair of money out and money in.
	parts := make([][]string, len(p.columns))
	for i := range p.columns {
		if c := &p.columns[i]; c.mayBeSide() {
			parts[i] = text.Words(text.Fold(c.header))
		}
	}
	for i := range parts {
		for j := i + 1; j < len(parts); j++ {
			in, ok := lexicon.SideBetween(parts[i], parts[j])
			switch {
			case !ok:
			case in == 0:
				addPair(p, j, i)
			default:
				addPair(p, i, j)
			}
		}
	}
	for i := range p.columns {
		p.columns[i].classify()
	}
	// Obey the settings about what the columns are.
	if at := p.givenColumn("date_col_label"); at >= 0 {
		p.columns[at].isDate = true
	}
	for _, setting := range []string{"amount_col_label", "debit_col_label", "credit_col_label"} {
		if at := p.givenColumn(setting); at >= 0 {
			p.columns[at].isNumber, p.columns[at].isMoney, p.columns[at].isDate = true, true, false
		}
	}
	if at := p.givenColumn("entity_type_col_label"); at >= 0 {
		p.columns[at].isWord = true
	}
}

// hasDate reports whether any cell of a record is a date.
func hasDate(p *profile, cells []string) bool {
	for _, cell := range cells {
		if len(notation.PatternsOf(cell)) > 0 {
			return true
		}
	}
	return false
}

func addPair(p *profile, debit, credit int) {
	p.pairs = append(p.pairs, [2]int{debit, credit})
	const score = 800 // less than a name that is known as a whole
	p.columns[debit].Roles = map[lexicon.Role]int{lexicon.RoleDebit: score}
	p.columns[credit].Roles = map[lexicon.Role]int{lexicon.RoleCredit: score}
}

// markFees makes columns that are headed as fees columns of another amount than the one that is booked. Charges stand
// for money out where another column has the money in.
func markFees(p *profile) {
	pair := slices.ContainsFunc(p.columns, func(c column) bool {
		return c.Roles[lexicon.RoleCredit] >= 900 &&
			!saysFee(c.header)
	})
	for i := range p.columns {
		c := &p.columns[i]
		if !saysFee(c.header) || pair && c.Roles[lexicon.RoleDebit] >= 900 {
			continue
		}
		c.fee, c.Roles = true, map[lexicon.Role]int{lexicon.RoleOtherAmount: 1_000}
	}
}

// saysFee reports whether a header is that of a fee, in any language, and not that of an amount which tells what
// became of one.
func saysFee(header string) bool {
	plain, _ := lexicon.PlainHeader(header)
	if lexicon.Has(lexicon.FeeHeader, header) || lexicon.HasPlain(lexicon.ChargeHeader, plain) {
		return true
	}
	if text.Wide(plain) {
		within := func(part string) bool { return strings.Contains(plain, part) }
		return slices.ContainsFunc(lexicon.Words(lexicon.FeePart), within) &&
			!slices.ContainsFunc(lexicon.Words(lexicon.BesideFeePart), within)
	}
	fee := false
	for word := range strings.FieldsSeq(plain) {
		if lexicon.HasPlain(lexicon.BesideFee, word) {
			return false
		}
		fee = fee || lexicon.HasPlain(lexicon.FeeWord, word) || joins(word, lexicon.FeeEnding, strings.HasSuffix) ||
			joins(word, lexicon.FeeBeginning, strings.HasPrefix)
	}
	return fee
}

// joins reports whether a word is made of one of a list and more.
func joins(word string, list lexicon.Meaning, holds func(word, part string) bool) bool {
	for _, part := range lexicon.Words(list) {
		if len(word) > len(part) && holds(word, part) {
			return true
		}
	}
	return false
}

// findCharset corrects a guess of the character set by the headers, which are known names in one of them only, or
// names of a language that is written in another one. Few bytes are beyond ASCII in an export, too few for their
// frequency to tell.
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

// bestCharset is the character set in which the header line of a raw text has more known names than in the guessed
// one, else that of the language of its names if it has as many in it; blank for the guess.
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

// knownNames counts the cells of a header line that are names as a whole, read in a character set, and gives their
// language.
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

// plainest is the first of several character sets of a language in which a text has the fewest signs beyond ASCII that
// are none of its letters.
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
