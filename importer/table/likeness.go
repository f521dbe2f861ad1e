package table

import (
	"hash/fnv"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/ledger"
)

// NormalLabel is the form in which labels and headers are compared: lower case, without asterisks,
// spaces and hyphens as one underscore.
func NormalLabel(label string) string {
	label = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(label, "*", "")))
	var out strings.Builder
	parted := false
	for _, r := range label {
		if r == ' ' || r == '-' || r == '\t' || r == '\u00A0' {
			parted = true
			continue
		}
		if parted {
			out.WriteByte('_')
			parted = false
		}
		out.WriteRune(r)
	}
	if parted {
		out.WriteByte('_')
	}
	return out.String()
}

// likeness says which cells of a row a bank may change in a later export without making another booking of it:
// balances, states of booking, notes and categories. What it says rests on headers and settings only, never on cells,
// so that it is the same for all exports of one make.
type likeness struct {
	aside []bool   // by column
	cells []string // room for what is left
}

// newLikeness is for the rows of a file.
func newLikeness(c Columns) likeness {
	l := likeness{aside: make([]bool, len(c.Header))}
	for i, header := range c.Header {
		roles := lexicon.ReadHeader(header).Roles
		plain, _ := lexicon.PlainHeader(header)
		aside := max(roles[lexicon.RoleBalance], roles[lexicon.RoleStatus], roles[lexicon.RoleCategory],
			roles[lexicon.RoleTags])
		told := max(roles[lexicon.RoleDate], roles[lexicon.RoleAmount], roles[lexicon.RoleDebit],
			roles[lexicon.RoleCredit], roles[lexicon.RolePayee], roles[lexicon.RoleText])
		l.aside[i] = aside >= 900 && told < 900 || lexicon.HasPlain(lexicon.NoteHeader, plain)
	}
	for _, f := range []record.Field{record.FieldBalance, record.FieldStatus} {
		at := c.At[f]
		for at >= len(l.aside) {
			l.aside = append(l.aside, false)
		}
		if at >= 0 {
			l.aside[at] = true
		}
	}
	for _, f := range []record.Field{record.FieldDate, record.FieldAmount, record.FieldDebit, record.FieldCredit,
		record.FieldName, record.FieldAccount, record.FieldDirection, record.FieldCurrency, record.FieldID} {
		if at := c.At[f]; at >= 0 && at < len(l.aside) {
			l.aside[at] = false
		}
	}
	if !slices.Contains(l.aside, true) {
		l.aside = nil
	}
	return l
}

// key is that of the cells that do not change, in one form of Unicode; the source hash where those are all.
func (l *likeness) key(room []byte, cells []string, raw int64) (int64, []byte) {
	plain := true
	l.cells = l.cells[:0]
	for i, cell := range cells {
		if i < len(l.aside) && l.aside[i] {
			plain, cell = false, ""
		} else if normal := ledger.NormalText(cell); normal != cell {
			plain, cell = false, normal
		}
		l.cells = append(l.cells, cell)
	}
	if plain {
		return raw, room
	}
	return record.SourceHash(room, l.cells)
}

// LayoutOf tells kinds of files apart: by type and header. Rows of one layout are compared as they stand.
func LayoutOf(kind string, header []string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind)) // never fails
	for _, label := range header {
		_, _ = h.Write([]byte("\x1F" + NormalLabel(label)))
	}
	return int64(h.Sum64())
}
