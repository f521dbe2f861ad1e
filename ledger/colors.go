package ledger

import (
	"hash/fnv"
	"strings"
)

// palette are the colours that are given where nobody chose one.
var palette = []string{"#e99537", "#4da568", "#6471eb", "#db5a54", "#df4e92", "#c44fe9", "#eb5429", "#61c9ea",
	"#805dee", "#6ad28a"}

// PickColor chooses from the palette by the name, so that the same name always gets the same colour.
func PickColor(name string) string {
	h := fnv.New32a()
	h.Write([]byte(Fold(name)))
	return palette[h.Sum32()%uint32(len(palette))]
}

// CheckColor takes #rrggbb in either case and gives it in lower case.
func (p *Problems) CheckColor(field, text string) string {
	color := strings.ToLower(strings.TrimSpace(text))
	if len(color) != 7 || color[0] != '#' || strings.Trim(color[1:], "0123456789abcdef") != "" {
		p.Add(field, "must be a colour such as #4da568, got %s", Quote(text))
	}
	return color
}
