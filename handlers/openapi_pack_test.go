package handlers

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"finsvc/embed"
	"finsvc/handlers/wire"
)

// TestOpenAPIIsPacked: what is packed is the description that is written, as it is, as JSON, and as a page for people; with -update
// it is packed anew.
func TestOpenAPIIsPacked(t *testing.T) {
	t.Parallel()
	written := writtenOpenAPI(t)
	asJSON := []byte(jsonOf(t, string(written)) + "\n")
	asPage, err := makeDocs(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	yamlNow, errYAML := embed.OpenAPI()
	jsonNow, errJSON := embed.OpenAPIJSON()
	pageNow, errPage := embed.Docs()
	if errors.Join(errYAML, errJSON, errPage) == nil && bytes.Equal(yamlNow, written) && bytes.Equal(jsonNow, asJSON) && bytes.Equal(pageNow, asPage) {
		return
	}
	if !*update {
		t.Fatal("embed/openapi.yaml, or what a page is made of, was changed since it was packed: go test ./handlers -run Packed -update")
	}
	pack(t, "../embed/openapi.yaml.gz", written)
	pack(t, "../embed/openapi.json.gz", asJSON)
	pack(t, "../embed/docs.html.gz", asPage)
}

func pack(t *testing.T, path string, content []byte) {
	t.Helper()
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level exists
	if _, err := z.Write(content); errors.Join(err, z.Close(), os.WriteFile(path, packed.Bytes(), 0o644)) != nil {
		t.Fatal(err)
	}
}

func writtenOpenAPI(t *testing.T) []byte {
	t.Helper()
	written, err := os.ReadFile("../embed/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// jsonOf is YAML as JSON, in its order.
func jsonOf(t *testing.T, text string) string {
	t.Helper()
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil || len(document.Content) != 1 {
		t.Fatalf("%.40q: %v", text, err)
	}
	return nodeJSON(document.Content[0])
}

func nodeJSON(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.ScalarNode:
		return scalarJSON(n)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			parts = append(parts, nodeJSON(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		parts = append(parts, string(wire.AppendString(nil, n.Content[i].Value))+":"+nodeJSON(n.Content[i+1]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// scalarJSON keeps the spelling of numbers; what JSON has no kind for, such as a day, is a text.
func scalarJSON(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!null":
		return "null"
	case "!!bool", "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return n.Value
		}
	}
	return string(wire.AppendString(nil, n.Value))
}

func TestJSONOfYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"b: 1\na: [x, 1.50, null, true, ~, {}]": `{"b":1,"a":["x",1.50,null,true,null,{}]}`,
		`a: 2026-01-31`:                         `{"a":"2026-01-31"}`,
		`a: "1"`:                                `{"a":"1"}`,
		"a: |\n  x\n  \"y\"":                    `{"a":"x\n\"y\""}`,
		"a: .5":                                 `{"a":".5"}`,
		"{}":                                    `{}`,
	} {
		if got := jsonOf(t, text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
