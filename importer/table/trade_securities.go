package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// securityID is one of the ways in which a row names its security.
type securityID struct {
	kind securityIDKind
	text string // a name is folded
}

// securityIDKind is in the order in which a security is called by them.
type securityIDKind int

const (
	idTicker securityIDKind = iota // in the column of tickers, which may hold ISINs
	idISIN
	idSymbol
	idName
)

// securityBook finds out which ways of naming a security in a file are of the same one: they stand in one row. So a
// row in which the ticker is blank gets that of the others with its ISIN, symbol or name.
type securityBook struct {
	columns    Columns
	isins      []int
	symbols    []int
	names      []int
	texts      []*textColumn
	neighbours map[securityID]map[securityID]bool
	spelled    map[securityID]string // names as they stand in the file
}

// textColumn is a column that may hold the names of securities: it does when a security that has several rows has the
// same text in all of them.
type textColumn struct {
	at      int
	texts   map[securityID]string
	repeats bool
	differs bool
}

func newSecurityBook(c Columns) securityBook {
	b := securityBook{columns: c, neighbours: map[securityID]map[securityID]bool{}, spelled: map[securityID]string{}}
	for i, header := range c.Header {
		plain, _ := lexicon.PlainHeader(header)
		switch words := strings.Fields(plain); {
		case i == c.At[record.FieldTicker]:
		case slices.Contains(words, "isin") && !slices.Contains(words, "underlying"):
			b.isins = append(b.isins, i)
		case lexicon.Has(lexicon.SymbolHeader, header):
			b.symbols = append(b.symbols, i)
		case lexicon.Has(lexicon.SecurityNameHeader, header):
			b.names = append(b.names, i)
		case lexicon.Has(lexicon.SecurityTextHeader, header):
			b.texts = append(b.texts, &textColumn{at: i, texts: map[securityID]string{}})
		}
	}
	return b
}

// of lists how a row names its security.
func (b *securityBook) of(cells []string) []securityID {
	var list []securityID
	if cell := withinText(text.OneLine(b.columns.cell(cells, record.FieldTicker))); cell != "" {
		list = append(list, securityID{idTicker, strings.ToUpper(cell)})
		if notation.IsISIN(cell) {
			list = append(list, securityID{idISIN, cell})
		}
	}
	for _, at := range b.isins {
		if cell := withinText(text.OneLine(text.CellAt(cells, at))); !notation.Empty(cell) {
			list = append(list, securityID{idISIN, strings.ToUpper(cell)})
		}
	}
	for _, at := range b.symbols {
		if cell := text.OneLine(text.CellAt(cells, at)); !notation.Empty(cell) {
			list = append(list, securityID{idSymbol, strings.ToUpper(cell)})
		}
	}
	for _, at := range b.names {
		if cell := text.OneLine(text.CellAt(cells, at)); !notation.Empty(cell) {
			list = append(list, securityID{idName, ledger.Fold(cell)})
		}
	}
	return list
}

// add takes in a row and lists how it names its security.
func (b *securityBook) add(cells []string) []securityID {
	list := b.of(cells)
	for i := range list {
		list[i].text = strings.Clone(list[i].text)
		for _, other := range list[:i] {
			b.join(list[i], other)
		}
	}
	for _, at := range b.names {
		b.spell(text.CellAt(cells, at))
	}
	for _, c := range b.texts {
		text := strings.Clone(text.OneLine(text.CellAt(cells, c.at)))
		if len(list) == 0 || notation.Empty(text) {
			continue
		}
		before, known := c.texts[list[0]]
		c.repeats, c.differs = c.repeats || known, c.differs || known && ledger.Fold(before) != ledger.Fold(text)
		c.texts[list[0]] = text
	}
	return list
}

// spell keeps how a name stands in the file.
func (b *securityBook) spell(cell string) {
	if text := text.OneLine(cell); !notation.Empty(text) {
		b.spelled[securityID{idName, ledger.Fold(text)}] = strings.Clone(text)
	}
}

// close ends the file: texts that have proved to be names are names from now on.
func (b *securityBook) close() {
	for _, c := range b.texts {
		if !c.repeats || c.differs {
			continue
		}
		b.names = append(b.names, c.at)
		for id, text := range c.texts {
			b.spell(text)
			b.join(id, securityID{idName, ledger.Fold(text)})
		}
	}
	b.texts = nil
}

func (b *securityBook) join(one, other securityID) {
	for _, pair := range [][2]securityID{{one, other}, {other, one}} {
		if b.neighbours[pair[0]] == nil {
			b.neighbours[pair[0]] = map[securityID]bool{}
		}
		b.neighbours[pair[0]][pair[1]] = true
	}
}

// nearest are the ways of one kind to name the security that is named by id, those that stand in a row with it, else
// those that stand in a row with something that does, and so on.
func (b *securityBook) nearest(id securityID, kind securityIDKind) []string {
	seen, ring := map[securityID]bool{id: true}, []securityID{id}
	for len(ring) > 0 {
		var found []string
		var next []securityID
		for _, at := range ring {
			if at.kind == kind {
				found = append(found, at.text)
			}
			for neighbour := range b.neighbours[at] {
				if !seen[neighbour] {
					seen[neighbour] = true
					next = append(next, neighbour)
				}
			}
		}
		if len(found) > 0 {
			slices.Sort(found)
			return found
		}
		ring = next
	}
	return nil
}

// ticker is what the security of a row is called: by the ticker, the ISIN, the symbol or the name that its rows have,
// in this order. It is blank when the row names none. The error continues a sentence that begins with the column of
// tickers.
func (b *securityBook) ticker(ids []securityID) (cell string, kind securityIDKind, err error) {
	for kind := idTicker; kind <= idName; kind++ {
		for _, id := range ids {
			found := slices.DeleteFunc(b.nearest(id, kind), func(text string) bool {
				// Say whether a row is of another security than one that has its name, too: it has another ISIN or
				// symbol.
				other := securityID{kind, text}
				for _, id := range ids {
					if id.kind != idISIN && id.kind != idSymbol || other == id {
						continue
					}
					same, any := b.neighbours[other][id], other.kind == id.kind
					for neighbour := range b.neighbours[other] {
						any = any || neighbour.kind == id.kind
					}
					if any && !same {
						return true
					}
				}
				return false
			})
			switch {
			case len(found) == 1 && kind == idName:
				return cmp.Or(b.spelled[securityID{idName, found[0]}], found[0]), kind, nil
			case len(found) == 1:
				return found[0], kind, nil
			case len(found) > 1:
				return "", kind, fmt.Errorf("is blank, and %s is of several securities: %s", ledger.Quote(id.text),
					text.Quoted(found))
			}
		}
	}
	return "", idTicker, nil
}

// name is what the columns of names call the security of a row; blank when they do not.
func (b *securityBook) name(cells []string) string {
	for _, at := range b.names {
		if cell := text.OneLine(text.CellAt(cells, at)); !notation.Empty(cell) {
			return cell
		}
	}
	return ""
}

// key tells securities apart; blank for that of a row that names none, or several.
func (b *securityBook) key(ids []securityID) string {
	text, _, _ := b.ticker(ids)
	return text
}
