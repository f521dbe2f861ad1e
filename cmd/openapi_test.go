package cmd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"finsvc/embed"
)

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	want, err := embed.OpenAPI()
	if got := s.ok("openapi"); err != nil || got != string(want) || got != s.ok("openapi", "--format", "yaml") {
		t.Errorf("got %.100s", got)
	}
	var document struct{ OpenAPI string }
	got := s.ok("openapi", "--format", "json")
	if err := json.Unmarshal([]byte(got), &document); err != nil || document.OpenAPI != "3.1.0" || !strings.HasSuffix(got, "}\n") {
		t.Errorf("got %.100s, %v", got, err)
	}
	s.fails(2, []string{"openapi", "--format", "xml"}, `--format must be yaml or json, got "xml"`)
	s.fails(2, []string{"openapi", "more"}, "unknown command")
}
