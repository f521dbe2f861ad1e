package main_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mayFloat reports whether a file may have binary floating point: places on a page, shares, seconds, rates of requests and
// numbers of rows are no money.
func mayFloat(path string) bool {
	for _, prefix := range []string{"assistant/mcp/progress.go", "importer/pdf/", "importer/pdf_", "importer/detect/signs.go", "handlers/middleware/ratelimit.go", "handlers/wire/answer.go", "cmd/conversation/probe.go"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return strings.HasSuffix(path, "bench_test.go") || path == "db/dbtest/fill.go" // which draws at random
}

// TestMoneyIsNoFloat: no binary floating point touches money, in no room, tests included, nor in the database.
//
// Decision, Money: no binary floating point touches money, tests included.
func TestMoneyIsNoFloat(t *testing.T) {
	t.Parallel()
	float := regexp.MustCompile(`^(float32|float64|ParseFloat|NewFromFloat\w*|InexactFloat64|Float64)$`)
	for _, s := range sources(t) {
		if mayFloat(filepath.ToSlash(s.path)) {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && float.MatchString(name.Name) {
				t.Errorf("%s has %s", s.path, name.Name)
			}
			return true
		})
	}
	files, err := filepath.Glob("queries/*.sql")
	schema, _ := filepath.Glob("embed/schema/*.sql") // the pattern is good
	if err != nil || len(files) == 0 || len(schema) == 0 {
		t.Fatal(err, "no SQL")
	}
	inexact := regexp.MustCompile(`(?i)\b((REAL|FLOAT|DOUBLE)\b|(AVG|TOTAL|ROUND)\()`)
	for _, path := range append(files, schema...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			code, _, _ := strings.Cut(line, "--")
			if found := inexact.FindString(code); found != "" {
				t.Errorf("%s has %s: %s", path, found, line)
			}
		}
	}
}
