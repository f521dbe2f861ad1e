package importer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/ledger"
	"finsvc/ledger/export"
)

// readTexts sets name and notes. A name that is too long is cut, and kept whole in front of the notes.
func (r *Rows) readTexts(row *Row) {
	row.Notes = notes(r.text(row, fieldNotes))
	if longer(row.Notes, ledger.MaxNotes) {
		r.issue(row, fieldNotes, tooLong(row.Notes, ledger.MaxNotes))
	}
	name := oneLine(r.text(row, fieldName))
	if name == "" {
		row.Name = cutName(or(oneLine(row.Notes), defaultName))
		return
	}
	row.Name, row.Notes = ledger.FitName(name, row.Notes)
	if row.Name != name && len(row.Issues) == 0 && longer(row.Notes, ledger.MaxNotes) {
		r.issue(row, fieldName, fmt.Sprintf("is kept whole in front of the notes, and must have at most %d characters together with them", ledger.MaxNotes))
	}
}

// readLabels sets category and tags.
func (r *Rows) readLabels(row *Row) {
	row.Category = categoryPath(r.line(row, fieldCategory))
	cell := r.text(row, fieldTags)
	if cell == "" {
		return
	}
	row.Tags = splitTags(cell)
	for _, tag := range row.Tags {
		if longer(tag, ledger.MaxName) {
			r.issue(row, fieldTags, tooLong(tag, ledger.MaxName))
		}
	}
}

// line is a cell as a text of one line, of the length that names may have.
func (r *Rows) line(row *Row, f field) string {
	text := oneLine(r.text(row, f))
	if longer(text, ledger.MaxName) {
		r.issue(row, f, tooLong(text, ledger.MaxName))
	}
	return text
}

// text is a cell without the apostrophe that keeps spreadsheets from running it.
func (r *Rows) text(row *Row, f field) string { return export.FromHarmless(r.columns.cell(row.Raw, f)) }

// longer says whether a text has more than so many characters.
func longer(text string, most int) bool {
	return len(text) > most && utf8.RuneCountInString(text) > most
}

func tooLong(text string, most int) string {
	return fmt.Sprintf("must have at most %d characters, has %d", most, utf8.RuneCountInString(text))
}

// oneLine makes control characters and runs of white space one space each.
func oneLine(text string) string {
	if tidy(text) {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// tidy says whether a text is ASCII without anything that oneLine would change, or close to it: the
// answer false only costs time.
func tidy(text string) bool {
	space := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c == 0x7F || c == 0xC2 || c >= 0xE1 && c <= 0xE3 || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return text == "" || !space
}

// notes keeps lines and tabs; other control characters become spaces.
func notes(text string) string {
	if tidy(text) {
		return text
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, text))
}

// cutName shortens a text at a word to the characters that a name may have.
func cutName(text string) string {
	short, _ := ledger.FitName(text, "")
	return short
}

// categoryPath tidies "Parent:Child", which is split at its first colon.
func categoryPath(text string) string {
	parent, child, found := strings.Cut(text, ":")
	if !found {
		return text
	}
	parent, child = strings.TrimSpace(parent), strings.TrimSpace(child)
	switch {
	case parent == "" || child == "":
		return parent + child
	case len(parent)+len(child)+1 == len(text):
		return text
	}
	return parent + ":" + child
}

// splitTags cuts at commas that no backslash escapes, if there are any, else at such bars. Parts are
// trimmed; blank and repeated ones are dropped.
func splitTags(cell string) []string {
	separator := '|'
	if len(cutUnescaped(cell, ',')) > 1 {
		separator = ','
	}
	tags := cutUnescaped(cell, separator)
	for i := range tags {
		tags[i] = oneLine(tags[i])
	}
	return distinct(tags)
}

// distinct leaves out blank texts, and those that differ from one before in case and white space at most.
func distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(texts, func(text string) bool {
		key := ledger.Fold(text)
		again := text == "" || seen[key]
		seen[key] = true
		return again
	})
}

// cutUnescaped cuts at the separator and resolves the escapes of comma, bar and backslash.
func cutUnescaped(cell string, separator rune) []string {
	if strings.IndexByte(cell, '\\') < 0 {
		return strings.Split(cell, string(separator))
	}
	var parts []string
	var part strings.Builder
	escaped := false
	for _, r := range cell {
		switch {
		case escaped && r != ',' && r != '|' && r != '\\':
			part.WriteRune('\\')
			part.WriteRune(r)
			escaped = false
		case escaped:
			part.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == separator:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteRune(r)
		}
	}
	if escaped {
		part.WriteRune('\\')
	}
	return append(parts, part.String())
}
