package tools

import (
	"bytes"
	"encoding/json"
	"finsvc/ledger"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// jsonObject is a JSON object whose members keep their order. Values are texts, integers, truth values, lists of texts,
// objects and lists of objects.
type jsonObject []jsonMember

type jsonMember struct {
	name  string
	value any
}

// with adds a member.
func (o jsonObject) with(name string, value any) jsonObject {
	return append(o, jsonMember{name, value})
}

// withText adds a member unless the text is empty.
func (o jsonObject) withText(name, text string) jsonObject {
	if text == "" {
		return o
	}
	return o.with(name, text)
}

func (o jsonObject) append(b []byte) []byte {
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, m.name), ':')
		b = appendValue(b, m.value)
	}
	return append(b, '}')
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendText(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case bool:
		return strconv.AppendBool(b, v)
	case jsonObject:
		return v.append(b)
	case []string:
		return appendList(b, v, appendText)
	case []jsonObject:
		return appendList(b, v, func(b []byte, o jsonObject) []byte { return o.append(b) })
	}
	return append(b, "null"...)
}

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, v)
	}
	return append(b, ']')
}

// appendText leaves the signs alone that matter in HTML only: as \u003c they would cost a model four tokens.
func appendText(b []byte, text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a text always has a JSON form
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}

// toolResult is what a tool found: the figures, which are never cut; extras, which follow from them and go when there
// is no room for them even without rows; lists, which are cut from their end, the last list first.
type toolResult struct {
	figures, extras jsonObject
	lists           []toolList
}

// toolList is a list of a result. Total is how many there are in all; 0 when the list has them all.
type toolList struct {
	name  string
	rows  []jsonObject
	total int
	more  string // how to get the rest
}

func (l *toolList) all() int { return max(l.total, len(l.rows)) }

// cutNote says how much of a list is there.
func (l *toolList) cutNote(shown int) string {
	note := fmt.Sprintf("%d of %d shown", shown, l.all())
	if l.more != "" {
		note += ", " + l.more
	}
	return note
}

// fit writes a result into a room; nothing when not even the figures have space in it.
func (r *toolResult) fit(budget int) (json.RawMessage, bool) {
	for _, extras := range []jsonObject{r.extras, nil} {
		figures := append(r.figures[:len(r.figures):len(r.figures)], extras...)
		if mayFit(r.lists, budget) {
			text, _ := fitLists(figures, r.lists, math.MaxInt32)
			if len(text) <= budget {
				return text, true
			}
		}
		text, fits := fitLists(figures, r.lists, budget)
		if fits {
			return text, true
		}
	}
	return nil, false
}

// mayFit reports whether all rows fit, if nothing else needs room: thousands of them are not written in vain.
func mayFit(lists []toolList, budget int) bool {
	return !slices.ContainsFunc(lists, func(l toolList) bool { return l.rowsWithin(&budget) < len(l.rows) })
}

// fitLists fills the room that the figures leave with rows, list by list.
func fitLists(figures jsonObject, lists []toolList, budget int) (json.RawMessage, bool) {
	rest := budget - len(figures.append(nil))
	for i := range lists {
		// A name, brackets, and a note that is at its longest when the most rows are shown.
		rest -= len(`,"":[]`) + len(lists[i].name) + len(lists[i].name+": ; ") + len(lists[i].cutNote(lists[i].all()))
	}
	if len(lists) > 0 {
		rest -= len(`,"cut":""`)
	}
	out, notes := figures[:len(figures):len(figures)], []string{}
	for i := range lists {
		l := &lists[i]
		shown := l.rowsWithin(&rest)
		out = out.with(l.name, l.rows[:shown])
		if shown < l.all() {
			notes = append(notes, l.name+": "+l.cutNote(shown))
		}
	}
	if len(notes) > 0 {
		out = out.with("cut", strings.Join(notes, "; "))
	}
	text := out.append(nil)
	return text, len(text) <= budget
}

// rowsWithin is how many rows there is room for; it takes their room away.
func (l *toolList) rowsWithin(rest *int) int {
	for i, row := range l.rows {
		size := len(row.append(nil)) + 1
		if size > *rest {
			return i
		}
		*rest -= size
	}
	return len(l.rows)
}

// refusedCall is the result of a call that is wrong: what, and what would be right.
func refusedCall(problem, hint string) *toolResult {
	return &toolResult{figures: jsonObject{{"error", ledger.ClipText(problem, 600)}, {"hint", ledger.ClipText(hint, 600)}}}
}

// text writes a result into a room. A text of people may be what makes a refusal too long for it.
func (r *toolResult) text(budget int) json.RawMessage {
	text, fits := r.fit(budget)
	if fits {
		return text
	}
	if len(r.figures) == 2 && r.figures[0].name == "error" {
		problem, _ := r.figures[0].value.(string)
		for most := 300; most > 0; most /= 2 {
			text := (jsonObject{{"error", ledger.ClipText(problem, most)}}).append(nil)
			if len(text) <= budget {
				return text
			}
		}
	}
	short := (jsonObject{{"error", "the result does not fit"}, {"hint", "ask for less"}}).append(nil)
	if len(short) <= budget {
		return short
	}
	return json.RawMessage(`{}`)
}
