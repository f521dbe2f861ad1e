package handlers

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadmeRoutes compares the README's table of operations with the table of routes.
func TestReadmeRoutes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\| (\\w+) \\|").FindAllStringSubmatch(string(text), -1) {
		got = append(got, row[1]+" "+row[2])
	}
	parameter := regexp.MustCompile(`:(\w+)`)
	access := map[access]string{public: "none", read: "read", write: "write"}
	for _, r := range newRig(t).routes() {
		want = append(want, strings.Join([]string{r.method, parameter.ReplaceAllString(r.path, "{$1}"), access[r.access]}, " "))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the README's operations (+) are not those that there are (-):\n%s", diff)
	}
}
