package handlers

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"finsvc/ledger"
)

const (
	mimeJSON = "application/json"
	mimeForm = "application/x-www-form-urlencoded"
	mimePart = "multipart/form-data; boundary=XX"
)

// multi writes a multipart body with boundary XX; a part is its headers after "form-data; ", and content.
func multi(parts ...[2]string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("--XX\r\nContent-Disposition: form-data; " + p[0] + "\r\n\r\n" + p[1] + "\r\n")
	}
	return b.String() + "--XX--\r\n"
}

// TestParseBody holds what was decided.
//
// Decision, Transport: multipart is taken as a body, for imports with a part named file; POST and DELETE without a body
// are fine whatever the content type.
// Contract, General: bodies are JSON, asked and answered, with that content type.
func TestParseBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, media, in, want string }{
		{"JSON", mimeJSON, `{"a":1}`, `{"a":1}`},
		{"JSON with parameter", "application/json; charset=utf-8", `{"a":1}`, `{"a":1}`},
		{"JSON of a vendor", "application/vnd.x+json", `"a"`, `"a"`},
		{"JSON without type", "", ` {"a":1}`, `{"a":1}`},
		{"JSON as text", "text/plain", `[1]`, `[1]`},
		{"JSON called a form", mimeForm, `{"a":"x&y=z"}`, `{"a":"x\u0026y=z"}`},
		{"broken type", "a/b/c;;", `{}`, `{}`},
		{"nothing", mimeJSON, "", `null`},
		{"white space", mimeJSON, " \r\n", `null`},
		{"nothing of a strange type", "image/png", "", `null`},
		{"empty multipart", mimePart, "", `null`},
		{"form", mimeForm, "transaction[name]=a+%C3%A4&transaction[tag_ids][]=1&transaction[tag_ids][]=2&x=;",
			`{"transaction":{"name":"a ä","tag_ids":["1","2"]},"x":";"}`},
		{"form with numbered list", mimeForm, "a[0]=x&a[1]=y", `{"a":["x","y"]}`},
		{"form clearing a list", mimeForm, "a[]=", `{"a":[""]}`},
		{"form with strange brackets", mimeForm, "a]b=1&c[=2", `{"a]b":"1","c[":"2"}`},
		{"multipart", mimePart, multi([2]string{`name="import[type]"`, "T"}, [2]string{`name="file"; filename="a.csv"`, "d;ä\xff"}),
			`{"file":null,"import":{"type":"T"}}`},
	} {
		v, err := parseBody(http.Header{"Content-Type": {c.media}}, []byte(c.in), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, _ := json.Marshal(v.plain()); string(got) != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestParseBodyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, media, in, want string }{
		{"XML", "application/xml", "<a/>", `unsupported_media_type: send the body as application/json, application/x-www-form-urlencoded or multipart/form-data, got "application/xml"`},
		{"no boundary", "multipart/form-data", "--XX", `unsupported_media_type: send the body as application/json, application/x-www-form-urlencoded or multipart/form-data, got "multipart/form-data"`},
		{"text called JSON", mimeJSON, "a=b", `bad_request: the body is malformed JSON: at byte 0 expected a JSON value, got 'a'`},
		{"broken escape", mimeForm, "a=1&b=%zz", `bad_request: the form has a broken %-escape in the part that begins at byte 4`},
		{"invalid UTF-8 in a form", mimeForm, "a=1&b=%ff", `bad_request: the form has invalid UTF-8 in the part that begins at byte 4`},
		{"twice", mimeForm, "a[b]=1&a[b]=2", `bad_request: the form gives "a[b]" twice, or both as a value and as more than one`},
		{"value and list", mimeForm, "a=1&a[]=2", `bad_request: the form gives "a[]" twice, or both as a value and as more than one`},
		{"value and object", mimeForm, "a=1&a[b]=2", `bad_request: the form gives "a[b]" twice, or both as a value and as more than one`},
		{"deep", mimeForm, "a" + strings.Repeat("[b]", 32) + "=1", `bad_request: the name "a[b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b…" is nested deeper than 32 levels`},
		{"cut off", mimePart, strings.TrimSuffix(multi([2]string{`name="a"`, "x"}), "\r\n--XX--\r\n"), `bad_request: part 1 of the multipart body is cut off`},
		{"not multipart", mimePart, "hello", `bad_request: part 1 of the multipart body is malformed or cut off`},
		{"nameless part", mimePart, multi([2]string{`x="a"`, "x"}), `bad_request: part 1 of the multipart body has no name`},
		{"invalid UTF-8 in a part", mimePart, multi([2]string{`name="a"`, "x\xffy"}), `bad_request: part 1 of the multipart body has invalid UTF-8 at byte 1 of its content`},
	} {
		_, err := parseBody(http.Header{"Content-Type": {c.media}}, []byte(c.in), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestCompressedBodyIsRefused(t *testing.T) {
	t.Parallel()
	_, err := parseBody(http.Header{"Content-Encoding": {"gzip"}}, []byte("{}"), nil)
	if e := ledger.AsError(err); e == nil || e.Code != codeMediaType {
		t.Errorf("got %v", err)
	}
}

func FuzzParseForm(f *testing.F) {
	f.Add([]byte("a[b][]=1&a[b][]=%20&c=d;e"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := parseForm(data, nil, nil)
		if err != nil && !ledger.IsKind(err, ledger.Malformed) {
			t.Errorf("%q: %v", data, err)
		}
	})
}

func FuzzParseMultipart(f *testing.F) {
	f.Add([]byte(multi([2]string{`name="a[b]"`, "x"}, [2]string{`name="file"; filename="f"`, "y"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := parseMultipart(data, "XX", nil)
		if err != nil && !ledger.IsKind(err, ledger.Malformed) {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// fieldsOf reads a JSON object.
func fieldsOf(t *testing.T, body string) *fields {
	t.Helper()
	tree, err := parseJSON([]byte(body), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := (&request{tree: tree}).fields()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFieldsTellAbsentNullAndValue(t *testing.T) {
	t.Parallel()
	f := fieldsOf(t, `{"null":null,"blank":" ","text":"x"}`)
	if o := f.text("absent"); o.Set {
		t.Errorf("absent: %+v", o)
	}
	if o := f.text("null"); !o.Set || !o.Null {
		t.Errorf("null: %+v", o)
	}
	if o := f.text("blank"); !o.Has() || o.Value != " " {
		t.Errorf("a blank text stays a text: %+v", o)
	}
	if o := f.date("blank"); !o.Set || !o.Null {
		t.Errorf("a blank date is null: %+v", o)
	}
	if !f.has("null") || f.has("absent") {
		t.Error("has")
	}
	if err := f.err(); err != nil {
		t.Error(err)
	}
}

func TestFieldsRead(t *testing.T) {
	t.Parallel()
	const id = "0198f2a0-1234-7abc-8def-0123456789ab"
	f := fieldsOf(t, `{"n":12.50,"s":"12.50","d":"2026-02-28","id":"0198F2A0-1234-7ABC-8DEF-0123456789AB","none":[],"ids":["`+id+`",""],
		"yes":"true","one":1,"no":false,"int":-3,"word":"b","ext":42,"file":"content","rows":[{"n":1},{"n":"x"},7]}`)
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	check("number", f.decimal("n").Value.String(), "12.5")
	check("numeric text", f.decimal("s").Value.String(), "12.5")
	check("date", f.date("d").Value.String(), "2026-02-28")
	check("id", f.id("id").Value.String(), id)
	check("word", f.oneOf("word", "a", "b").Value, "b")
	check("token", f.token("ext").Value, "42")
	check("content", string(f.content("file").Value), "content")
	if ids := f.ids("ids"); len(ids.Value) != 1 || ids.Value[0].String() != id {
		t.Errorf("ids: %+v", ids)
	}
	if none := f.ids("none"); !none.Has() || len(none.Value) != 0 {
		t.Errorf("an empty list is a value: %+v", none)
	}
	if !f.boolean("yes").Value || !f.boolean("one").Value || f.boolean("no").Value || f.integer("int").Value != -3 {
		t.Error("booleans, integer")
	}
	if err := f.err(); err != nil {
		t.Error(err)
	}
	for _, row := range f.objects("rows") {
		row.integer("n")
	}
	want := []string{"rows[2] must be an object, got a number", `rows[1].n must be a whole number such as 12, got "x"`}
	compareLists(t, f.problems.Sentences(), want)
}

func TestFieldsRefuse(t *testing.T) {
	t.Parallel()
	f := fieldsOf(t, `{"a":1,"b":{},"c":[],"d":"x","e":"2026-02-30","f":"x","g":[1],"h":["x"],"i":"maybe","j":"1.5","k":99999999999999999999,"l":"c","m":true,"n":5}`)
	f.text("a")
	f.decimal("b")
	f.date("c")
	f.decimal("d")
	f.date("e")
	f.id("f")
	f.ids("g")
	f.ids("h")
	f.boolean("i")
	f.integer("j")
	f.integer("k")
	f.oneOf("l", "a", "b")
	f.text("m")
	f.ids("n")
	compareLists(t, f.problems.Sentences(), []string{
		"a must be text, got a number",
		"b must be a number, got an object",
		"c must be a calendar date such as 2026-01-31, got a list",
		`d must be a number such as 12.50, got "x"`,
		`e must be a calendar date such as 2026-01-31, got "2026-02-30"`,
		`f must be an id (a UUID), got "x"`,
		"g must be a list of ids (UUIDs), has a number at index 0",
		`h must be a list of ids (UUIDs), has "x" at index 0`,
		`i must be true or false, got "maybe"`,
		`j must be a whole number such as 12, got "1.5"`,
		`k must be a whole number within 64 bits, got "99999999999999999999"`,
		`l must be a or b, got "c"`,
		"m must be text, got true or false",
		"n must be a list of ids (UUIDs), got a number",
	})
	if e := ledger.AsError(f.err()); e == nil || e.Kind != ledger.Invalid || len(e.Fields) != 14 {
		t.Errorf("got %v", e)
	}
}

// TestWrapped holds what was decided.
//
// Decision, Transport: a missing wrapper is 400 and names the problem.
// Contract, General: creation and change of transactions, trades and tags wrap the fields in an object of that name; a
// wrapper that is missing, null or no object is refused.
func TestWrapped(t *testing.T) {
	t.Parallel()
	tree, err := parseBody(http.Header{}, []byte(`{"tag":{"name":"x"},"more":1}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := (&request{tree: tree}).wrapped("tag"); err != nil || f.text("name").Value != "x" {
		t.Errorf("got %v, %v", f, err)
	}
	for _, c := range []struct{ in, want string }{
		{``, `the body is missing: expected {"tag": {...}}`},
		{`[]`, `the body must be an object, {"tag": {...}}, got a list`},
		{`{"name":"x"}`, `the body lacks the object that holds the fields: expected {"tag": {...}}`},
		{`{"tag":null}`, `tag must be an object, got null`},
		{`{"tag":[]}`, `tag must be an object, got a list`},
	} {
		tree, err := parseBody(http.Header{}, []byte(c.in), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&request{tree: tree}).wrapped("tag")
		if e, ok := errors.AsType[*ledger.Error](err); !ok || e.Kind != ledger.Malformed || e.Message != c.want {
			t.Errorf("%s: got %v, want %s", c.in, err, c.want)
		}
	}
}

func compareLists(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing %q", want[i])
		case i >= len(want):
			t.Errorf("unexpected %q", got[i])
		case got[i] != want[i]:
			t.Errorf("got  %q\nwant %q", got[i], want[i])
		}
	}
}
