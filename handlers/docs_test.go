package handlers

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"finsvc/embed"
	"finsvc/handlers/apitest"
)

// element is one of a page with its attributes.
type element struct {
	name       string
	attributes map[string]string
}

// elements reads a page; one that is not nested as it should be fails the test.
func elements(t *testing.T, page string) (list []element) {
	t.Helper()
	read := xml.NewDecoder(strings.NewReader(page))
	read.Entity = xml.HTMLEntity
	for {
		token, err := read.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			e := element{start.Name.Local, map[string]string{}}
			for _, a := range start.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			list = append(list, e)
		}
	}
}

// TestDocs: the page is whole, every link on it leads somewhere, and it loads nothing.
func TestDocs(t *testing.T) {
	t.Parallel()
	p := newRig(t).Do(t, "GET", "/api/docs", "")
	p.Is(t, 200, "")
	checkPolicy(t, p)
	if !strings.Contains(p.Text, "<script>"+embed.DocsSearch+"</script>") || strings.ContainsAny(embed.DocsSearch, "&<") {
		t.Error("the search is not on the page, or not so that it is XML")
	}
	ids, links := map[string]bool{}, map[string]bool{}
	for _, e := range elements(t, p.Text) {
		if id := e.attributes["id"]; id != "" {
			if ids[id] {
				t.Errorf("two elements are called %s", id)
			}
			ids[id] = true
		}
		links[e.attributes["href"]] = true
		if e.name == "link" || e.name == "img" || e.attributes["src"] != "" || e.attributes["style"] != "" {
			t.Errorf("an element %+v", e)
		}
	}
	for link := range links {
		if fragment, ok := strings.CutPrefix(link, "#"); ok && !ids[fragment] || !ok && link != "" && link != "/handbook" && !strings.HasPrefix(link, "/api/v1/openapi.") {
			t.Errorf("a link to %q", link)
		}
	}
	doc, err := apitest.Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range operations(t) {
		_, path, _ := strings.Cut(name, " ")
		if !ids[o.OperationID] || !strings.Contains(p.Text, "<code>"+path+"</code>") {
			t.Errorf("%s is not on the page", name)
		}
	}
	for name := range doc.Components.Schemas {
		if !ids["schema-"+name] {
			t.Errorf("the schema %s is not on the page", name)
		}
	}
}

// checkPolicy holds the policy of a page against what is on it: its style, its scripts, and nothing else.
func checkPolicy(t *testing.T, p apitest.Reply) {
	t.Helper()
	want := "default-src 'none'"
	for _, kind := range []string{"style", "script"} {
		_, rest, found := strings.Cut(p.Text, "<"+kind+">")
		content, _, _ := strings.Cut(rest, "</"+kind+">")
		if sum := sha256.Sum256([]byte(content)); found {
			want += "; " + kind + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
	}
	want += "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	if policy := p.Header.Get("Content-Security-Policy"); policy != want {
		t.Errorf("policy %q, want %q", policy, want)
	}
}

// TestHome: / leads a browser to the page about the API, and a program to its description.
func TestHome(t *testing.T) {
	t.Parallel()
	const browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for base, at := range map[string]string{"": "/", "/finance": "/finance"} {
		g := newRig(t)
		if base != "" {
			g = newRig(t, below(base))
		}
		p := g.Do(t, "GET", at, "", browser)
		if p.StatusCode != 200 || p.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(p.Header.Get("Vary"), "Accept") {
			t.Fatalf("%s: %d %v %s", at, p.StatusCode, p.Header, p.Text)
		}
		checkPolicy(t, p)
		links := []string{}
		for _, e := range elements(t, p.Text) {
			if link := e.attributes["href"]; link != "" {
				links = append(links, link)
			}
		}
		if want := []string{base + "/handbook", base + "/api/docs", base + "/api/v1/openapi.yaml", base + "/api/v1/openapi.json"}; !slices.Equal(links, want) {
			t.Errorf("links %v, want %v", links, want)
		}
		for _, link := range links {
			if got := g.Do(t, "GET", link, ""); got.StatusCode != 200 {
				t.Errorf("%s: %d", link, got.StatusCode)
			}
		}
		for _, want := range []string{g.URL + base + "/api/v1/balance_sheet", "finsvc apikey create", "finsvc import"} {
			if !strings.Contains(p.Text, want) {
				t.Errorf("the page does not say %s", want)
			}
		}
		for _, accept := range []string{"", "Accept: */*", "Accept: application/json"} {
			headers := []string{}
			if accept != "" {
				headers = append(headers, accept)
			}
			g.Do(t, "GET", at, "", headers...).Is(t, 200, `{"name":"finsvc","version":"`+g.options.Version+`","docs":"`+g.URL+base+`/api/docs","openapi":"`+g.URL+base+`/api/v1/openapi.json"}`)
		}
		if head := g.Do(t, "HEAD", at, "", browser); head.StatusCode != 200 || head.Text != "" || head.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("HEAD: %d %v %q", head.StatusCode, head.Header, head.Text)
		}
	}
}

// tinyDescription has one of everything that the page makes something of.
const tinyDescription = `
info: {title: Tiny, version: "1"}
tags: [{name: things}]
paths:
  /things/{id}:
    patch:
      operationId: updateThing
      tags: [things]
      parameters:
        - {name: id, in: path, required: true, schema: {$ref: "#/components/schemas/Id"}}
        - {name: force, in: query, required: true, schema: {type: boolean, default: false}}
        - {name: page, in: query, schema: {type: integer, minimum: 1}}
      requestBody: {content: {application/json: {schema: {type: object}, examples: {one: {value: {name: "Bob's"}}}}}}
      responses: {"403": {$ref: "#/components/responses/No"}}
components:
  schemas:
    Id: {type: string, format: uuid, examples: [a-b]}
`

func TestDocsCurl(t *testing.T) {
	t.Parallel()
	document, err := plantTree([]byte(jsonOf(t, tinyDescription)))
	if err != nil {
		t.Fatal(err)
	}
	d := docs{document: document}
	o := d.operations("things")[0]
	const want = `curl -X PATCH -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' -d '{"name":"Bob'\''s"}' 'http://localhost:7117/things/a-b?force=false'`
	if got := d.curl(o); got != want || o.key() != "a key of scope read_write" {
		t.Errorf("got %s, %s\nwant %s", o.key(), got, want)
	}
}

func TestDocsWords(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		"{}":                                "",
		"{type: string, format: date}":      "string (date)",
		"{type: [integer, 'null']}":         "integer or null",
		"{$ref: '#/components/schemas/Id'}": "Id",
		"{oneOf: [{$ref: '#/components/schemas/Id'}, {type: 'null'}]}":         "Id or null",
		"{type: [array, 'null'], items: {type: string}}":                       "list of string or null",
		"{type: object, additionalProperties: {type: integer}}":                "object of integer",
		"{type: object, properties: {a: {type: string}}}":                      "object",
		"{type: array, items: {type: array, items: {$ref: '#/x/schemas/Id'}}}": "list of list of Id",
	} {
		part, err := plantTree([]byte(jsonOf(t, schema)))
		if err != nil {
			t.Fatal(schema, err)
		}
		want = strings.ReplaceAll(want, "Id", `<a href="#schema-Id">Id</a>`)
		if got := (&docs{document: part}).words(part); got != want {
			t.Errorf("%s: got %s, want %s", schema, got, want)
		}
	}
}

func TestTreeJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"b":1,"a":["x",1.50,null,true,{},[]]}`, `{"a":"x\n\"y\"","b":{"c":{"d":-1e3}}}`, `{}`} {
		document, err := plantTree([]byte(text))
		if err != nil || document.json() != text {
			t.Errorf("%s: got %s, %v", text, document.json(), err)
		}
	}
	for _, text := range []string{"", "[]", `{"a":[`, `{"a":1`, `{"a"`, `{"a":[1}`, "1", "null"} {
		if _, err := plantTree([]byte(text)); err == nil {
			t.Errorf("%q is taken for a description", text)
		}
	}
}
