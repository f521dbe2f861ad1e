package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/ledger"
)

// TestParseBody holds what was decided.
//
// Decision, Transport: multipart is taken as a body, for imports with a part named file; POST and DELETE without a body
// are fine whatever the content type.
// Contract, General: bodies are JSON, asked and answered, with that content type.
func TestParseBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, media, in, want string }{
		{"JSON", apitest.MimeJSON, `{"a":1}`, `{"a":1}`},
		{"JSON with parameter", "application/json; charset=utf-8", `{"a":1}`, `{"a":1}`},
		{"JSON of a vendor", "application/vnd.x+json", `"a"`, `"a"`},
		{"JSON without type", "", ` {"a":1}`, `{"a":1}`},
		{"JSON as text", "text/plain", `[1]`, `[1]`},
		{"JSON called a form", apitest.MimeForm, `{"a":"x&y=z"}`, `{"a":"x\u0026y=z"}`},
		{"broken type", "a/b/c;;", `{}`, `{}`},
		{"nothing", apitest.MimeJSON, "", `null`},
		{"white space", apitest.MimeJSON, " \r\n", `null`},
		{"nothing of a strange type", "image/png", "", `null`},
		{"empty multipart", apitest.MimePart, "", `null`},
		{"form", apitest.MimeForm, "transaction[name]=a+%C3%A4&transaction[tag_ids][]=1&transaction[tag_ids][]=2&x=;",
			`{"transaction":{"name":"a ä","tag_ids":["1","2"]},"x":";"}`},
		{"form with numbered list", apitest.MimeForm, "a[0]=x&a[1]=y", `{"a":["x","y"]}`},
		{"form clearing a list", apitest.MimeForm, "a[]=", `{"a":[""]}`},
		{"form with strange brackets", apitest.MimeForm, "a]b=1&c[=2", `{"a]b":"1","c[":"2"}`},
		{"multipart", apitest.MimePart, apitest.Multi([2]string{`name="import[type]"`, "T"}, [2]string{`name="file"; filename="a.csv"`, "d;ä\xff"}),
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
		{"text called JSON", apitest.MimeJSON, "a=b", `bad_request: the body is malformed JSON: at byte 0 expected a JSON value, got 'a'`},
		{"broken escape", apitest.MimeForm, "a=1&b=%zz", `bad_request: the form has a broken %-escape in the part that begins at byte 4`},
		{"invalid UTF-8 in a form", apitest.MimeForm, "a=1&b=%ff", `bad_request: the form has invalid UTF-8 in the part that begins at byte 4`},
		{"twice", apitest.MimeForm, "a[b]=1&a[b]=2", `bad_request: the form gives "a[b]" twice, or both as a value and as more than one`},
		{"value and list", apitest.MimeForm, "a=1&a[]=2", `bad_request: the form gives "a[]" twice, or both as a value and as more than one`},
		{"value and object", apitest.MimeForm, "a=1&a[b]=2", `bad_request: the form gives "a[b]" twice, or both as a value and as more than one`},
		{"deep", apitest.MimeForm, "a" + strings.Repeat("[b]", 32) + "=1", `bad_request: the name "a[b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b…" is nested deeper than 32 levels`},
		{"cut off", apitest.MimePart, strings.TrimSuffix(apitest.Multi([2]string{`name="a"`, "x"}), "\r\n--XX--\r\n"), `bad_request: part 1 of the multipart body is cut off`},
		{"not multipart", apitest.MimePart, "hello", `bad_request: part 1 of the multipart body is malformed or cut off`},
		{"nameless part", apitest.MimePart, apitest.Multi([2]string{`x="a"`, "x"}), `bad_request: part 1 of the multipart body has no name`},
		{"invalid UTF-8 in a part", apitest.MimePart, apitest.Multi([2]string{`name="a"`, "x\xffy"}), `bad_request: part 1 of the multipart body has invalid UTF-8 at byte 1 of its content`},
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
	f.Add([]byte(apitest.Multi([2]string{`name="a[b]"`, "x"}, [2]string{`name="file"; filename="f"`, "y"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := parseMultipart(data, "XX", nil)
		if err != nil && !ledger.IsKind(err, ledger.Malformed) {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// fieldsOf reads a JSON object.
func fieldsOf(t *testing.T, body string) *Fields {
	t.Helper()
	tree, err := ParseJSON([]byte(body), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := (&Request{Tree: tree}).Fields()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFieldsTellAbsentNullAndValue(t *testing.T) {
	t.Parallel()
	f := fieldsOf(t, `{"null":null,"blank":" ","text":"x"}`)
	if o := f.Text("absent"); o.Set {
		t.Errorf("absent: %+v", o)
	}
	if o := f.Text("null"); !o.Set || !o.Null {
		t.Errorf("null: %+v", o)
	}
	if o := f.Text("blank"); !o.Has() || o.Value != " " {
		t.Errorf("a blank text stays a text: %+v", o)
	}
	if o := f.Date("blank"); !o.Set || !o.Null {
		t.Errorf("a blank date is null: %+v", o)
	}
	if !f.Has("null") || f.Has("absent") {
		t.Error("has")
	}
	if err := f.Err(); err != nil {
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
	check("number", f.Decimal("n").Value.String(), "12.5")
	check("numeric text", f.Decimal("s").Value.String(), "12.5")
	check("date", f.Date("d").Value.String(), "2026-02-28")
	check("id", f.Id("id").Value.String(), id)
	check("word", f.OneOf("word", "a", "b").Value, "b")
	check("token", f.Token("ext").Value, "42")
	check("content", string(f.Content("file").Value), "content")
	if ids := f.Ids("ids"); len(ids.Value) != 1 || ids.Value[0].String() != id {
		t.Errorf("ids: %+v", ids)
	}
	if none := f.Ids("none"); !none.Has() || len(none.Value) != 0 {
		t.Errorf("an empty list is a value: %+v", none)
	}
	if !f.Boolean("yes").Value || !f.Boolean("one").Value || f.Boolean("no").Value || f.Integer("int").Value != -3 {
		t.Error("booleans, integer")
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
	for _, row := range f.Objects("rows") {
		row.Integer("n")
	}
	want := []string{"rows[2] must be an object, got a number", `rows[1].n must be a whole number such as 12, got "x"`}
	compareLists(t, f.Problems.Sentences(), want)
}

func TestFieldsRefuse(t *testing.T) {
	t.Parallel()
	f := fieldsOf(t, `{"a":1,"b":{},"c":[],"d":"x","e":"2026-02-30","f":"x","g":[1],"h":["x"],"i":"maybe","j":"1.5","k":99999999999999999999,"l":"c","m":true,"n":5}`)
	f.Text("a")
	f.Decimal("b")
	f.Date("c")
	f.Decimal("d")
	f.Date("e")
	f.Id("f")
	f.Ids("g")
	f.Ids("h")
	f.Boolean("i")
	f.Integer("j")
	f.Integer("k")
	f.OneOf("l", "a", "b")
	f.Text("m")
	f.Ids("n")
	compareLists(t, f.Problems.Sentences(), []string{
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
	if e := ledger.AsError(f.Err()); e == nil || e.Kind != ledger.Invalid || len(e.Fields) != 14 {
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
	if f, err := (&Request{Tree: tree}).Wrapped("tag"); err != nil || f.Text("name").Value != "x" {
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
		_, err = (&Request{Tree: tree}).Wrapped("tag")
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

func TestBodyErrors(t *testing.T) {
	t.Parallel()
	if err := BodyError(fmt.Errorf("read: %w", os.ErrDeadlineExceeded)); ledger.AsError(err) == nil || ledger.AsError(err).Message != "the body did not arrive in time; nothing was written" {
		t.Errorf("got %v", err)
	}
	if err := BodyError(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
