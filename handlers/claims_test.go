package handlers

import (
	"cmp"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// claim is one line of a document that the program is held to, in words of our own, with the tests that prove it.
type claim struct {
	where string   // the section, resource or operation
	says  string   // what the line promises
	proof []string // room.TestName, or room.TestName/text, where the text stands in the file of the test; without a room it is this one
}

// line makes a claim.
func line(where, says string, proof ...string) claim { return claim{where, says, proof} }

// suite is the tests of the module: by room and name, the texts that stand in the file of each.
type suite map[string]map[string]bool

// readSuite reads every test file below the root of the module.
func readSuite(t *testing.T) suite {
	t.Helper()
	all := suite{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		return all.readFile(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (s suite) readFile(name string) error {
	file, err := goparser.ParseFile(token.NewFileSet(), name, nil, goparser.SkipObjectResolution)
	if err != nil {
		return err
	}
	room := strings.TrimPrefix(path.Dir(filepath.ToSlash(name)), "../")
	if room == ".." {
		room = "finsvc"
	}
	texts := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
			if plain, err := strconv.Unquote(text.Value); err == nil {
				texts[plain] = true
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && isTest(f.Name.Name) {
			s[room+"."+f.Name.Name] = texts
		}
	}
	return nil
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Fuzz")
}

// has says whether there is a test as a claim names it.
func (s suite) has(proof string) bool {
	part := regexp.MustCompile(`^(?:([\w/]+)\.)?(\w+)(?:/(.+))?$`).FindStringSubmatch(proof)
	if part == nil {
		return false
	}
	texts, found := s[cmp.Or(part[1], "handlers")+"."+part[2]]
	return found && (part[3] == "" || texts[part[3]])
}

// check finds claims without a proof, and proofs that do not exist.
func (s suite) check(t *testing.T, claims []claim) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range claims {
		if len(c.proof) == 0 {
			t.Errorf("%s: %s: nothing proves it", c.where, c.says)
		}
		if seen[c.where+c.says] {
			t.Errorf("%s: %s: stands there twice", c.where, c.says)
		}
		seen[c.where+c.says] = true
		for _, proof := range c.proof {
			if !s.has(proof) {
				t.Errorf("%s: %s: there is no test %s", c.where, c.says, proof)
			}
		}
	}
}

// TestClaimsAreProved holds the two tables against the tests that there are, and the contract's operations against the
// table of routes: each of them has its lines and its handler.
func TestClaimsAreProved(t *testing.T) {
	t.Parallel()
	tests := readSuite(t)
	tests.check(t, contractClaims())
	tests.check(t, decisionClaims())
	table := map[string]bool{}
	for _, r := range newRig(t).routes() {
		table[r.method+" "+regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.path, "{$1}")] = true
	}
	said := map[string]bool{}
	for _, c := range contractClaims() {
		said[c.where] = true
	}
	for _, operation := range contractOperations() {
		if !said[operation] {
			t.Errorf("%s: the table has no line", operation)
		}
		if !table[operation] {
			t.Errorf("%s: there is no such route", operation)
		}
	}
	if tests.has("TestClaims") || tests.has("TestClaimsAreProved/no such case") || tests.has("ledger.TestClaimsAreProved") {
		t.Error("what does not exist is found")
	}
}
