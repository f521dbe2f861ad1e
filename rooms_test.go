// Tests of the whole stand here, at the top: which package may import which, and that no float touches money. They read
// every file of the project, so they belong to none of its packages.
package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms says what each directory may import of this module; tests may import what testsAlso adds.
func rooms() map[string][]string {
	return map[string][]string{
		".": {"cmd"},
		"cmd": {"cmd/booking", "cmd/config", "cmd/conversation", "cmd/copies", "cmd/demo", "cmd/doctor", "cmd/exit", "cmd/history", "cmd/importing", "cmd/label", "cmd/listen", "cmd/lock", "cmd/output", "cmd/reconcile", "cmd/report", "cmd/server",
			"cmd/shell", "cmd/term", "cmd/transaction", "handlers", "handlers/machine", "importer", "importer/feed", "importer/pdf/extract", "importer/record", "importer/source", "assistant", "assistant/engine", "assistant/mcp", "assistant/model", "assistant/provider", "ledger/...", "db", "db/filelock", "queries", "embed"},
		"handlers": {"handlers/machine", "handlers/middleware", "handlers/web", "handlers/wire", "importer", "importer/match", "importer/record", "importer/source", "importer/table", "assistant", "assistant/mcp", "assistant/model", "ledger/...", "queries", "embed"}, // of queries row types only, see TestHandlersHoldNoDatabase
		"importer": {"importer/apply", "importer/backup", "importer/detect", "importer/lexicon", "importer/match", "importer/pdf", "importer/pdf/extract", "importer/qif", "importer/record", "importer/sniff", "importer/source",
			"importer/table", "importer/text", "ledger/...", "db", "db/watch", "queries"},
		"assistant":   {"assistant/model", "assistant/tools", "ledger/...", "db", "db/watch", "queries", "embed"},
		"db":          {"db/disk", "db/filelock", "queries", "embed"},
		"db/dbtest":   {"db", "embed", "queries"},
		"db/watch":    {},
		"db/disk":     {},
		"db/filelock": {},

		"cmd/demo":         {"cmd/conversation", "cmd/importing", "cmd/term", "importer", "assistant", "assistant/engine", "ledger/...", "db"},
		"cmd/doctor":       {"cmd/config", "cmd/copies", "cmd/exit", "cmd/listen", "cmd/lock", "cmd/term", "assistant/engine", "ledger/...", "db", "db/disk"},
		"cmd/server":       {"cmd/copies", "cmd/listen", "cmd/lock", "cmd/term", "handlers/middleware", "importer", "assistant", "ledger/...", "db", "queries"},
		"cmd/listen":       {"cmd/config", "cmd/exit", "cmd/term", "handlers/middleware", "ledger/..."},
		"cmd/conversation": {"cmd/exit", "cmd/term", "assistant", "assistant/model", "assistant/provider", "ledger/...", "queries"},
		"cmd/importing":    {"cmd/exit", "cmd/term", "importer", "importer/match", "importer/record", "importer/source", "ledger/...", "db", "queries"}, // which says that work is in the background
		"cmd/reconcile":    {"cmd/term", "ledger/..."},
		"cmd/copies":       {"cmd/lock", "cmd/term", "ledger/...", "db"},
		"cmd/config":       {"cmd/exit", "handlers/middleware", "importer", "importer/feed", "assistant", "assistant/engine", "assistant/provider", "ledger/..."},
		"cmd/output":       {"cmd/exit", "cmd/term", "ledger/...", "db"},
		"cmd/lock":         {"cmd/term", "ledger/...", "db", "db/disk", "db/filelock"},
		"cmd/exit":         {"ledger/...", "db"},
		"cmd/shell":        {"cmd/exit", "cmd/term", "ledger/..."},
		"cmd/booking":      {"cmd/exit", "cmd/shell", "cmd/term", "ledger/..."},
		"cmd/report":       {"cmd/shell", "cmd/term", "ledger/..."},
		"cmd/history":      {"cmd/exit", "cmd/shell", "cmd/term", "ledger/..."},
		"cmd/label":        {"cmd/exit", "cmd/shell", "cmd/term", "ledger/..."},
		"cmd/transaction":  {"cmd/exit", "cmd/shell", "cmd/term", "ledger/..."},
		"cmd/term":         {"ledger/..."},

		"cmd/listen/listentest": {}, // certificates for tests

		// The ledger: its vocabulary, then each subject on those above it. "ledger/..." is all of them.
		"ledger/money":    {"embed"},
		"ledger":          {"ledger/money", "db", "queries"},
		"ledger/fx":       {"ledger/money", "ledger", "queries"},
		"ledger/calendar": {"ledger"},
		"ledger/names":    {"ledger"},
		"ledger/search":   {"ledger", "ledger/calendar", "ledger/entry", "ledger/names"},
		"ledger/balance":  {"ledger/money", "ledger", "ledger/fx", "queries"},
		"ledger/rollup":   {"ledger/money", "ledger", "ledger/balance", "db", "queries"},
		"ledger/rule":     {"ledger/money", "ledger", "ledger/names", "queries"},
		"ledger/position": {"ledger/money", "ledger", "ledger/fx", "ledger/balance", "ledger/rollup", "queries"},
		"ledger/transfer": {"ledger/money", "ledger", "ledger/fx", "ledger/rollup", "db", "queries"},
		"ledger/market":   {"ledger/money", "ledger", "ledger/fx", "ledger/position", "db", "queries"},
		"ledger/catalog":  {"ledger/money", "ledger", "ledger/history", "ledger/fx", "ledger/balance", "ledger/rollup", "ledger/rule", "ledger/entry", "ledger/trade", "db", "embed", "queries"}, // a label that goes leaves entries and rules by their own writes
		"ledger/history":  {"ledger", "db", "queries"},
		"ledger/entry":    {"ledger/money", "ledger", "ledger/history", "ledger/rollup", "ledger/rule", "ledger/transfer", "db", "queries"},
		"ledger/trade":    {"ledger/money", "ledger", "ledger/fx", "ledger/rollup", "ledger/position", "ledger/transfer", "ledger/market", "ledger/entry", "db", "queries"},
		"ledger/closing":  {"ledger/money", "ledger", "ledger/balance", "ledger/history", "ledger/position", "ledger/entry", "ledger/trade", "db", "queries"},
		"ledger/intake":   {"ledger/money", "ledger", "ledger/balance", "ledger/rollup", "ledger/rule", "ledger/transfer", "ledger/market", "ledger/catalog", "ledger/entry", "ledger/trade", "db", "queries"},
		"ledger/tenant":   {"ledger/money", "ledger", "ledger/catalog", "ledger/entry", "db", "queries"},
		"ledger/signin":   {"ledger", "ledger/tenant", "db", "embed", "queries"},
		"ledger/report":   {"ledger/money", "ledger", "ledger/fx", "ledger/balance", "ledger/position", "ledger/transfer", "ledger/entry", "ledger/trade", "db", "queries"},
		"ledger/export":   {"ledger/money", "ledger", "ledger/fx", "ledger/balance", "ledger/rollup", "ledger/rule", "ledger/position", "ledger/market", "ledger/catalog", "ledger/trade", "queries"},
		"ledger/audit":    {"ledger/audit/recount", "ledger/money", "ledger", "ledger/fx", "ledger/balance", "ledger/rollup", "ledger/position", "ledger/catalog", "ledger/intake", "ledger/tenant", "ledger/report", "db", "queries"},
		"ledger/books":    {"ledger", "ledger/history", "ledger/names", "ledger/search", "ledger/fx", "ledger/balance", "ledger/rollup", "ledger/rule", "ledger/position", "ledger/transfer", "ledger/market", "ledger/catalog", "ledger/entry", "ledger/trade", "ledger/closing", "ledger/intake", "ledger/tenant", "ledger/signin", "ledger/report", "ledger/export", "ledger/audit", "db"},

		// What proves the ledger shares none of its code.
		"ledger/audit/recount": {"queries"},

		"ledger/ledgertest": {"ledger/...", "db", "db/dbtest", "queries"}, // a household for tests

		// The built-in engine: words, periods and names, then what a question says, what it means, and what answers it.
		"assistant/engine/token":     {"ledger/calendar", "ledger/money"},
		"assistant/engine/dates":     {"ledger/calendar", "assistant/engine/token", "ledger"},
		"assistant/engine/household": {"assistant/engine/token", "ledger", "ledger/books", "ledger/catalog"},
		"assistant/engine/prose":     {"ledger/calendar", "ledger", "ledger/money"},
		"assistant/engine/parse":     {"ledger/calendar", "assistant/engine/dates", "assistant/engine/household", "assistant/engine/token", "ledger", "ledger/money", "embed"},
		"assistant/engine/intent":    {"ledger/calendar", "assistant/engine/dates", "assistant/engine/household", "assistant/engine/parse", "assistant/engine/prose", "ledger"},
		"assistant/engine/answer":    {"ledger/calendar", "assistant/engine/household", "assistant/engine/intent", "assistant/engine/parse", "assistant/engine/prose", "assistant/model", "assistant/tools", "ledger", "ledger/money"},
		"assistant/engine":           {"assistant/engine/answer", "assistant/engine/household", "assistant/engine/intent", "assistant/engine/parse", "assistant/engine/prose", "assistant/model", "assistant/tools", "ledger", "ledger/books", "ledger/money", "ledger/trade"},

		"assistant/aitest":    {},
		"assistant/model":     {"ledger/..."},
		"assistant/mcp":       {"assistant/model", "assistant/tools", "importer", "importer/record", "ledger/...", "queries"}, // it imports for a model
		"assistant/provider":  {"assistant/engine", "assistant/model"},
		"assistant/tools":     {"assistant/model", "ledger/...", "queries"},
		"handlers/apitest":    {"ledger/...", "embed"},
		"cmd/cmdtest":         {"cmd", "handlers/apitest", "ledger/...", "db", "db/dbtest"},
		"handlers/web":        {"handlers/machine", "handlers/middleware", "handlers/web/chart", "handlers/wire", "importer", "importer/match", "importer/record", "importer/sniff", "importer/source", "importer/table", "assistant", "assistant/model", "ledger/...", "queries", "embed"},
		"handlers/machine":    {"ledger"}, // what pages ask of files and processes; cmd gives it
		"handlers/middleware": {"handlers/wire", "ledger", "ledger/tenant"},
		"handlers/web/chart":  {}, // values, texts and links in, markup out
		"handlers/wire":       {"ledger", "ledger/entry", "ledger/money", "ledger/tenant"},
		"importer/feed":       {"ledger/..."},

		"importer/apply":       {"importer/record", "importer/table", "importer/text", "ledger", "ledger/books", "ledger/catalog", "ledger/entry", "ledger/intake", "ledger/market", "ledger/rule", "ledger/trade", "db", "queries"},
		"importer/backup":      {"importer/record", "importer/source", "importer/text", "ledger/..."},
		"importer/detect":      {"importer/lexicon", "importer/notation", "importer/record", "importer/source", "importer/table", "importer/text", "ledger/..."},
		"importer/lexicon":     {"importer/text", "ledger/...", "embed"},
		"importer/match":       {"importer/record", "importer/table", "importer/text", "ledger", "ledger/intake", "ledger/money", "db", "queries"},
		"importer/notation":    {"importer/lexicon", "importer/text", "ledger/..."},
		"importer/pdf":         {"importer/lexicon", "importer/notation", "importer/pdf/extract", "importer/record", "importer/source", "importer/text", "ledger/..."},
		"importer/pdf/extract": {"importer/text"},
		"importer/qif":         {"importer/lexicon", "importer/notation", "importer/record", "importer/source", "importer/table", "importer/text", "ledger/..."},
		"importer/record":      {"importer/lexicon", "importer/notation", "importer/text", "ledger/..."},
		"importer/sniff":       {"importer/record", "importer/source", "importer/text"},
		"importer/source":      {"ledger/...", "db", "queries"},
		"importer/table":       {"importer/lexicon", "importer/notation", "importer/record", "importer/source", "importer/text", "ledger/..."},
		"importer/text":        {"ledger/..."},

		// Only tests: the program in hard times, and programs of others, replayed.
		"cmd/scenario":         {},
		"handlers/conformance": {"handlers", "handlers/middleware", "importer", "assistant", "assistant/model", "ledger/..."},
		"queries":              {},
		"embed":                {},
	}
}

// testsAlso is what tests of every room may import besides: the room itself, a database file, its tables.
func testsAlso() []string {
	return []string{"ledger/...", "db", "db/dbtest", "queries", "embed", "assistant/aitest", "assistant/engine", "assistant/provider", "handlers/apitest", "cmd/cmdtest", "cmd/listen/listentest"}
}

// source is a Go file of this module.
type source struct {
	path, room string
	isTest     bool
	tree       *ast.File
}

// sources reads every Go file; what a dot or "testdata" hides is no part of the module.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		s, err := readSource(path)
		all = append(all, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readSource(path string) (source, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), path, content, parser.ParseComments)
	slashed := filepath.ToSlash(path)
	return source{
		path: slashed, room: filepath.ToSlash(filepath.Dir(path)), isTest: strings.HasSuffix(slashed, "_test.go"),
		tree: tree,
	}, err
}

// imports gives the paths that a file imports.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.tree.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		paths = append(paths, path)
	}
	return paths
}

// calls reports whether the file mentions a function of an imported standard package.
func (s source) calls(pkg, name string) bool {
	if !slices.Contains(s.imports(), pkg) {
		return false
	}
	found := false
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			ident, isIdent := selector.X.(*ast.Ident)
			found = found || isIdent && ident.Name == pkg && strings.HasPrefix(selector.Sel.Name, name)
		}
		return true
	})
	return found
}

// TestRoomsImportOnlyDownwards keeps the direction main -> cmd -> handlers -> importer, assistant ->
// ledger -> db -> queries; a file or folder outside the table is an error too.
func TestRoomsImportOnlyDownwards(t *testing.T) {
	t.Parallel()
	table := rooms()
	for _, s := range sources(t) {
		allowed, known := table[s.room]
		if !known {
			t.Errorf("%s: the folder %s is no room of the design", s.path, s.room)
			continue
		}
		if s.isTest {
			allowed = slices.Concat(allowed, testsAlso(), []string{s.room})
		}
		for _, path := range s.imports() {
			room, ours := strings.CutPrefix(path, "finsvc/")
			if ours && !allows(allowed, room) {
				t.Errorf("%s imports %s, which %s may not", s.path, path, s.room)
			}
		}
	}
}

// allows reports whether a list has a room, by its own name or by that of the tree of rooms that it is in.
func allows(list []string, room string) bool {
	return slices.Contains(list, room) || slices.Contains(list, tree(room)+"/...")
}

// tree is the first folder of a room.
func tree(room string) string {
	first, _, _ := strings.Cut(room, "/")
	return first
}

// TestRoomsKeepToTheirSubject forbids what would blur a room: HTTP below the handlers, files embedded
// elsewhere than in embed, test code in the program.
func TestRoomsKeepToTheirSubject(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, path := range s.imports() {
			switch {
			case path == "net/http" && slices.Contains([]string{"ledger", "db", "queries", "embed"}, tree(s.room)):
				t.Errorf("%s imports net/http, which begins at the handlers", s.path)
			case path == "embed" && s.room != "embed" && !s.isTest && !strings.HasSuffix(s.room, "test"):
				t.Errorf("%s embeds files; they belong to the room embed", s.path)
			case path == "testing" && !s.isTest && !strings.HasSuffix(s.room, "test"):
				t.Errorf("%s imports testing into the program", s.path)
			}
		}
	}
}

// TestHandlersHoldNoDatabase: handlers may name the rows of queries, and nothing that runs one.
func TestHandlersHoldNoDatabase(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if tree(s.room) != "handlers" || s.isTest {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			ident, isIdent := selector.X.(*ast.Ident)
			if isIdent && ident.Name == "queries" && slices.Contains([]string{"Queries", "New", "DBTX"}, selector.Sel.Name) {
				t.Errorf("%s uses queries.%s; only ledger and below run queries", s.path, selector.Sel.Name)
			}
			return true
		})
	}
}

// TestNothingHappensByItself: no code runs at start, none ends the process but main, every context comes
// from a caller, and the ledger has no clock but the one it is given.
func TestNothingHappensByItself(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, declaration := range s.tree.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", s.path)
			}
		}
		if s.isTest {
			continue
		}
		starts := s.room == "." || s.room == "cmd" || s.room == "cmd/server" || s.room == "cmd/lock" || strings.HasPrefix(s.room, "db")
		switch {
		case s.path == "cmd/program.go": // a process of its own, which ends itself when it takes too much memory
		case s.calls("log", "Fatal"), s.room != "." && s.calls("os", "Exit"):
			t.Errorf("%s ends the process; errors are returned to main", s.path)
		case !starts && s.room != "ledger/ledgertest" && (s.calls("context", "Background") || s.calls("context", "TODO")):
			t.Errorf("%s makes a context of its own instead of taking its caller's", s.path)
		case tree(s.room) == "ledger" && s.room != "ledger/ledgertest" && s.calls("time", "Now"):
			t.Errorf("%s asks the system for the time; the ledger has a clock", s.path)
		}
	}
}
