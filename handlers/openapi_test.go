package handlers

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"finsvc/handlers/apitest"
	"finsvc/handlers/middleware"
)

// operations gives what the description has by method and path, as the table of routes spells it.
func operations(t *testing.T) map[string]*openapi3.Operation {
	t.Helper()
	doc, err := apitest.Load()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			all[method+" "+path] = operation
		}
	}
	return all
}

// TestDescriptionIsValid: it is OpenAPI, and its examples are as its schemas say.
func TestDescriptionIsValid(t *testing.T) {
	t.Parallel()
	doc, err := apitest.Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableMultiError()); err != nil {
		t.Error(err)
	}
}

// TestRoutesAreDescribed compares the table of routes with the description both ways: operations, and what key they need.
//
// Contract, Versioning: the version stands in the path.
func TestRoutesAreDescribed(t *testing.T) {
	t.Parallel()
	parameter := regexp.MustCompile(`:(\w+)`)
	access := map[middleware.Access]string{middleware.Public: "no key", middleware.Read: "any key", middleware.Write: "a key that may write"}
	var want, got []string
	for _, r := range newRig(t).routes() {
		want = append(want, r.Method+" "+parameter.ReplaceAllString(r.Path, "{$1}")+": "+access[r.Access])
	}
	for name, o := range operations(t) {
		key := access[middleware.Read]
		switch {
		case o.Security != nil && len(*o.Security) == 0:
			key = access[middleware.Public]
		case o.Responses.Value("403") != nil && !strings.HasPrefix(name, "GET "): // a GET is refused where the assistant is switched off
			key = access[middleware.Write]
		}
		got = append(got, name+": "+key)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is described (+) is not what there is (-):\n%s", diff)
	}
}

// described is an operation with what follows from its kind.
type described struct {
	*openapi3.Operation
	method, path string
	changes      bool // what can be read at the same path
	live         bool // its answer is another one each time
}

// TestOperationsAreWhole: each has a summary, a tag, examples, and the parameters, headers and errors of its kind.
func TestOperationsAreWhole(t *testing.T) {
	t.Parallel()
	all, live := operations(t), map[string]bool{}
	for _, r := range newRig(t).routes() {
		live[r.Method+" "+r.Path] = r.Live
	}
	for name, o := range all {
		method, path, _ := strings.Cut(name, " ")
		d := described{Operation: o, method: method, path: path, live: live[name]}
		d.changes = all["GET "+path] != nil && method != http.MethodGet
		for _, missing := range slices.Concat(d.texts(), d.examples(), d.polling(), d.errors()) {
			t.Errorf("%s has no %s", name, missing)
		}
	}
}

func (d described) texts() (missing []string) {
	if d.Summary == "" || strings.HasSuffix(d.Summary, ".") {
		missing = append(missing, "summary without a full stop")
	}
	if len(d.Tags) != 1 {
		missing = append(missing, "one tag")
	}
	if !regexp.MustCompile(`^[a-z]+[A-Za-z]+$`).MatchString(d.OperationID) {
		missing = append(missing, "operationId")
	}
	for _, p := range d.Parameters {
		if p.Value.Description == "" {
			missing = append(missing, "description of "+p.Value.Name)
		}
	}
	return missing
}

func (d described) examples() (missing []string) {
	for status, response := range d.Responses.Map() {
		if response.Ref == "" && !exemplified(response.Value.Content) {
			missing = append(missing, "example of "+status)
		}
	}
	if d.RequestBody != nil && !exemplified(d.RequestBody.Value.Content) {
		missing = append(missing, "example of the body")
	}
	return missing
}

// exemplified reports whether each JSON body has an example, or if there is none, any body has.
func exemplified(content openapi3.Content) bool {
	for name, media := range content {
		if name == "application/json" && len(media.Examples) == 0 && media.Example == nil {
			return false
		}
	}
	return true
}

// polling is what makes asking and writing again cheap and safe.
func (d described) polling() (missing []string) {
	want := map[string]bool{
		"If-None-Match":   d.tagged(),
		"If-Match":        d.changes,
		"Idempotency-Key": d.method != http.MethodGet,
	}
	for header, needed := range want {
		if !needed && d.Parameters.GetByInAndName("header", header) != nil {
			missing = append(missing, "use for the parameter "+header)
		}
		if needed && d.Parameters.GetByInAndName("header", header) == nil {
			missing = append(missing, "parameter "+header)
		}
	}
	if ok := d.Responses.Value("200"); want["If-None-Match"] && ok != nil && ok.Value.Headers["ETag"] == nil {
		missing = append(missing, "header ETag")
	}
	return missing
}

func (d described) keyed() bool { return d.Security == nil || len(*d.Security) > 0 }

// tagged reports whether it answers with an ETag.
func (d described) tagged() bool { return d.method == http.MethodGet && !d.streams() && !d.live }

func (d described) streams() bool {
	ok := d.Responses.Value("200")
	return ok != nil && ok.Value.Content["text/event-stream"] != nil
}

func (d described) errors() (missing []string) {
	for _, kind := range []struct {
		statuses []int
		is       bool
	}{
		{[]int{500, 503}, true},
		{[]int{401, 429}, d.keyed()},
		{[]int{304}, d.tagged()},
		{[]int{400, 409, 412}, d.method != http.MethodGet},
		{[]int{404}, strings.Contains(d.path, "{")},
		{[]int{400, 415, 422}, d.RequestBody != nil},
	} {
		for _, status := range kind.statuses {
			if kind.is && d.Responses.Status(status) == nil {
				missing = append(missing, "answer "+strconv.Itoa(status))
			}
		}
	}
	return missing
}

// sometimes are the members that are not always there, and for "*" the objects of which only some members are, by the end of
// where they stand.
func sometimes() []string {
	return []string{
		"/conditions/items sub_conditions", // of compound conditions
		" changes",                         // of previews
		"/entries/items *",                 // each kind of entry has its own
		"/properties/fields *",             // each type of import has its own
	}
}

// TestResponsesAreWhole: an object that is answered names each of its members as always there.
func TestResponsesAreWhole(t *testing.T) {
	t.Parallel()
	for name, o := range operations(t) {
		for status, response := range o.Responses.Map() {
			for _, media := range response.Value.Content {
				if response.Ref != "" || media.Schema == nil {
					continue
				}
				err := media.Schema.WalkSubtree(func(at string, s *openapi3.SchemaRef) error {
					for member := range s.Value.Properties {
						if !slices.Contains(s.Value.Required, member) && !isSometimes(at, member) {
							t.Errorf("%s %s %s: %s is not required", name, status, at, member)
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func isSometimes(at, member string) bool {
	return slices.ContainsFunc(sometimes(), func(known string) bool {
		return strings.HasSuffix(at+" "+member, known) || strings.HasSuffix(at+" *", known)
	})
}

// TestOpenAPIIsServed: as it is written, and the same as JSON, without a key.
func TestOpenAPIIsServed(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	written := writtenOpenAPI(t)
	if p := g.Do(t, "GET", "/api/v1/openapi.yaml", ""); p.StatusCode != 200 || p.Text != string(written) || p.Header.Get("Content-Type") != "application/yaml" {
		t.Errorf("got %d %v %.200s", p.StatusCode, p.Header, p.Text)
	}
	var want, got any
	if err := yaml.Load(written, &want); err != nil {
		t.Fatal(err)
	}
	p := g.Do(t, "GET", "/api/v1/openapi.json", "")
	if err := json.Unmarshal([]byte(p.Text), &got); err != nil {
		t.Fatal(err)
	}
	if apitest.Plain(t, want) != apitest.Plain(t, got) {
		t.Error("the JSON is not the YAML")
	}
	if !strings.HasPrefix(p.Text, `{"openapi":"3.1.0","info":{"title":"finsvc"`) {
		t.Errorf("the order is lost: %.100s", p.Text)
	}
}
