// Package apitest holds every answer of a test against the description of the API, embed/openapi.yaml: the operation,
// its statuses, the headers, and each member of the body.
package apitest

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"finsvc/embed"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// resource is the name under which the schemas of the document are compiled.
const resource = "finsvc:openapi"

// description is the document, with what bodies must be like ready for use.
type description struct {
	paths   map[int][]path // by number of parts, those with fewest parameters first, as the router looks for them
	bodies  map[*openapi3.MediaType]*jsonschema.Schema
	failure *jsonschema.Schema // what every error is like
}

// path is one of the document's paths.
type path struct {
	parts      []string
	parameters int
	operations map[string]*openapi3.Operation // by method
}

// described is read once in a process: compiling takes longer than most tests.
var described = sync.OnceValues(func() (*description, error) {
	doc, err := Load()
	if err != nil {
		return nil, err
	}
	return compile(doc)
})

// Load reads the description. Objects that name their members are closed: they can have no others. (In the document
// they are open, as clients must expect members that come later.)
func Load() (*openapi3.T, error) {
	text, err := embed.OpenAPI()
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	closed := false
	err = doc.WalkSchemas(func(_ string, schema *openapi3.SchemaRef) error {
		if s := schema.Value; len(s.Properties) > 0 && s.AdditionalProperties.Schema == nil {
			s.AdditionalProperties.Has = &closed
		}
		return nil
	})
	return doc, err
}

// compile makes the schemas of all bodies ready. They keep their references to each other, so each is compiled once.
func compile(doc *openapi3.T) (*description, error) {
	schemas, err := newCompiler(doc)
	if err != nil {
		return nil, err
	}
	d := &description{paths: map[int][]path{}, bodies: map[*openapi3.MediaType]*jsonschema.Schema{}}
	d.failure, err = schemas.Compile(resource + "#/components/schemas/Error")
	if err != nil {
		return nil, err
	}
	for template, item := range doc.Paths.Map() {
		parts := strings.Split(tidy(template), "/")
		d.paths[len(parts)] = append(d.paths[len(parts)], path{parts, strings.Count(template, "{"), item.Operations()})
		for method, operation := range item.Operations() {
			at := "#/paths/" + escape(template) + "/" + strings.ToLower(method) + "/responses/"
			if err := d.compileBodies(schemas, at, operation); err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, template, err)
			}
		}
	}
	for _, alike := range d.paths {
		slices.SortFunc(alike, func(a, b path) int { return a.parameters - b.parameters })
	}
	return d, nil
}

func newCompiler(doc *openapi3.T) (*jsonschema.Compiler, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat() // date, date-time and uuid, among others
	return c, c.AddResource(resource, tree)
}

func (d *description) compileBodies(schemas *jsonschema.Compiler, at string, operation *openapi3.Operation) error {
	for status, response := range operation.Responses.Map() {
		base := at + status
		if response.Ref != "" {
			base = response.Ref
		}
		for name, media := range response.Value.Content {
			if media.Schema == nil || d.bodies[media] != nil {
				continue
			}
			schema, err := schemas.Compile(resource + base + "/content/" + escape(name) + "/schema")
			if err != nil {
				return err
			}
			d.bodies[media] = schema
		}
	}
	return nil
}

// escape makes a key a part of a pointer in a fragment.
func escape(key string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
}

// find gives the path's operations by method; nil when the document does not know the path.
func (d *description) find(asked string) map[string]*openapi3.Operation {
	parts := strings.Split(tidy(asked), "/")
	for _, p := range d.paths[len(parts)] {
		if p.matches(parts) {
			return p.operations
		}
	}
	return nil
}

func (p path) matches(parts []string) bool {
	for i, part := range p.parts {
		if !strings.HasPrefix(part, "{") && part != parts[i] {
			return false
		}
	}
	return true
}

// tidy takes away what the router ignores in a path: doubled slashes, one at the end, a suffix .json.
func tidy(asked string) string {
	for strings.Contains(asked, "//") {
		asked = strings.ReplaceAll(asked, "//", "/")
	}
	if len(asked) > 1 {
		asked = strings.TrimSuffix(asked, "/")
	}
	return strings.TrimSuffix(asked, ".json")
}
