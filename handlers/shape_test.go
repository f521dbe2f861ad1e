package handlers

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/handlers/apitest"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// bodyShape is what a body holds: for each path, such as account.name or tags[].id, of what kind it is. A kind that ends in ?
// may be null, and must be seen both as null and as a value.
type bodyShape struct {
	kinds map[string]string
	more  map[string]bool          // what the contract does not have
	seen  map[string]map[bool]bool // by path: whether it was null
}

// newShape reads lines of a path and a kind. A path that begins with + is more than the contract has; words behind the
// kind are for readers.
func newShape(t *testing.T, lines string) *bodyShape {
	t.Helper()
	s := &bodyShape{kinds: map[string]string{}, more: map[string]bool{}, seen: map[string]map[bool]bool{}}
	for text := range strings.Lines(lines) {
		words := strings.Fields(text)
		switch {
		case len(words) == 0:
		case len(words) == 1 || s.kinds[strings.TrimPrefix(words[0], "+")] != "":
			t.Fatalf("the line %q has no kind or stands there twice", text)
		default:
			path, more := strings.CutPrefix(words[0], "+")
			s.kinds[path], s.more[path] = words[1], more
		}
	}
	return s
}

// within gives the lines of a shape with their paths under another one.
func within(prefix, lines string) string {
	var out strings.Builder
	for text := range strings.Lines(lines) {
		text = strings.TrimSpace(text)
		more := strings.HasPrefix(text, "+")
		switch text = strings.TrimPrefix(text, "+"); {
		case text == "":
			continue
		case more:
			out.WriteString("+")
		}
		out.WriteString(prefix + "." + text + "\n")
	}
	return out.String()
}

// read holds a body against the shape.
func (s *bodyShape) read(t *testing.T, from string, p apitest.Reply) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(p.Text))
	decoder.UseNumber()
	var body any
	if err := decoder.Decode(&body); err != nil || p.StatusCode/100 != 2 {
		t.Fatalf("%s: %d %s (%v)", from, p.StatusCode, p.Text, err)
	}
	root := "object"
	if _, bare := body.([]any); bare {
		root = s.kinds["[]"] + "s" // the lines begin with the element: it is a list
	}
	s.walk(t, from, "", root, body)
}

func (s *bodyShape) walk(t *testing.T, from, path, kind string, v any) {
	t.Helper()
	plain, nullable := strings.CutSuffix(kind, "?")
	if s.seen[path] == nil {
		s.seen[path] = map[bool]bool{}
	}
	s.seen[path][v == nil] = true
	switch in := v.(type) {
	case nil:
		if !nullable {
			t.Errorf("%s: %s is null, want %s", from, path, kind)
		}
	case map[string]any:
		s.walkObject(t, from, path, plain, in)
	case []any:
		for _, item := range in {
			s.walk(t, from, path+"[]", s.kinds[path+"[]"], item)
		}
		if !strings.HasSuffix(plain, "s") {
			t.Errorf("%s: %s is a list, want %s", from, path, kind)
		}
	default:
		if !scalarIs(plain, v) {
			t.Errorf("%s: %s is %v, want %s", from, path, v, kind)
		}
	}
}

// walkObject checks that the members are those of the shape, no more and no less. JSON may hold anything.
func (s *bodyShape) walkObject(t *testing.T, from, path, kind string, in map[string]any) {
	t.Helper()
	if kind != "object" && kind != "JSON" {
		t.Errorf("%s: %s is an object, want %s", from, path, kind)
	}
	if kind == "JSON" {
		return
	}
	for name, v := range in {
		at := strings.TrimPrefix(path+"."+name, ".")
		if s.kinds[at] == "" {
			t.Errorf("%s: %s is in the answer but not in the list", from, at)
			continue
		}
		s.walk(t, from, at, s.kinds[at], v)
	}
	for at := range s.kinds {
		parent, name := "", at
		if dot := strings.LastIndexByte(at, '.'); dot >= 0 {
			parent, name = at[:dot], at[dot+1:]
		}
		if _, there := in[name]; parent == path && !there && !strings.HasSuffix(name, "[]") {
			t.Errorf("%s: %s is missing", from, at)
		}
	}
}

// whole checks that everything of the contract was seen, and what may be null both ways.
func (s *bodyShape) whole(t *testing.T) {
	t.Helper()
	for path, kind := range s.kinds {
		if nullable := strings.HasSuffix(kind, "?"); !s.more[path] && (!s.seen[path][false] || s.seen[path][true] != nullable) {
			t.Errorf("%s %s: seen with a value %v, as null %v", path, kind, s.seen[path][false], s.seen[path][true])
		}
	}
}

// scalarIs reports whether a text, number or boolean is of a kind; a|b is one of these words.
func scalarIs(kind string, v any) bool {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	whole, err := number.Int64()
	switch kind {
	case "text":
		return isText
	case "uuid":
		id, err := uuid.Parse(text)
		return err == nil && id.String() == text
	case "date":
		_, err := ledger.ParseDate(text)
		return err == nil
	case "instant":
		at, err := time.Parse("2006-01-02T15:04:05.000Z", text)
		return err == nil && !at.IsZero()
	case "color":
		return regexp.MustCompile(`^#[0-9a-f]{6}$`).MatchString(text)
	case "currency":
		_, known := money.LookupCurrency(text)
		return known && len(text) == 3
	case "int":
		return isNumber && err == nil
	case "count":
		return isNumber && err == nil && whole >= 0
	case "number":
		return isNumber && !bytes.ContainsAny([]byte(number), "eE")
	case "boolean":
		_, is := v.(bool)
		return is
	}
	return isText && strings.Contains("|"+kind+"|", "|"+text+"|")
}
