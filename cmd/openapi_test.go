package cmd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/embed"
)

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	want, err := embed.OpenAPI()
	if got := s.OK("openapi"); err != nil || got != string(want) || got != s.OK("openapi", "--format", "yaml") {
		t.Errorf("got %.100s", got)
	}
	var document struct{ OpenAPI string }
	got := s.OK("openapi", "--format", "json")
	if err := json.Unmarshal([]byte(got), &document); err != nil || document.OpenAPI != "3.1.0" || !strings.HasSuffix(got, "}\n") {
		t.Errorf("got %.100s, %v", got, err)
	}
	s.Fails(2, []string{"openapi", "--format", "xml"}, `--format must be yaml or json, got "xml"`)
	s.Fails(2, []string{"openapi", "more"}, "unknown command")
}
