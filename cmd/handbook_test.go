package cmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"finsvc/cmd/config"
	"finsvc/cmd/term"
	"finsvc/embed"
)

// pagesForPeople are the README and the pages of the handbook, by name.
func pagesForPeople(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, topic := range embed.HandbookTopics() {
		all[topic.Name] = "../embed/handbook/" + topic.Name + ".md"
	}
	all["README"] = "../README.md"
	for name, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// TestHandbookTopics: every page can be asked for, and no command has its name, which would be shown instead.
func TestHandbookTopics(t *testing.T) {
	t.Parallel()
	root := newRoot(&app{config: config.Default()})
	named := map[string]int{}
	for _, c := range root.Commands() {
		named[c.Name()]++
	}
	for _, topic := range embed.HandbookTopics() {
		if named[topic.Name] != 1 {
			t.Errorf("%s is the name of %d commands and pages", topic.Name, named[topic.Name])
		}
	}
}

// TestHandbookNamesWhatThereIs: commands, their flags and variables that a page names exist.
func TestHandbookNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	root := newRoot(&app{config: config.Default()})
	root.AddCommand(newHelp())
	variables := []string{}
	config := config.Default()
	for _, s := range config.Settings() {
		variables = append(variables, s.Variable())
	}
	// In a text: between backquotes, or behind the words of another command. Between fences also what begins a line.
	inText := regexp.MustCompile("(?:[`(]|\\$ |sudo -u finsvc |/usr/bin/|: +)finsvc ([a-z][^`\n)#|]*)")
	inBlock := regexp.MustCompile("(?m)^finsvc ([a-z][^\n>#|]*)")
	variable := regexp.MustCompile(`\bFINSVC_[A-Z_]+`)
	for name, text := range pagesForPeople(t) {
		for i, part := range strings.Split(text, "```") {
			found := inText.FindAllStringSubmatch(part, -1)
			if i%2 == 1 {
				found = append(found, inBlock.FindAllStringSubmatch(part, -1)...)
			}
			for _, line := range found {
				checkCommandLine(t, root, name, line[1])
			}
		}
		for _, found := range variable.FindAllString(text, -1) {
			if !slices.Contains(variables, found) && found != "FINSVC_" && name != "README" {
				t.Errorf("%s: there is no variable %s", name, found)
			}
		}
	}
}

// checkCommandLine looks for the command and the flags of a line.
func checkCommandLine(t *testing.T, root *cobra.Command, page, line string) {
	t.Helper()
	words := strings.Fields(line)
	c, rest, err := root.Find(words)
	if err != nil || c == root {
		t.Errorf("%s: there is no command finsvc %s", page, line)
		return
	}
	c.InitDefaultHelpFlag()
	for _, word := range rest {
		if word == "--" { // what follows are no flags
			break
		}
		flag, isFlag := strings.CutPrefix(strings.Trim(word, ",;.'\""), "--")
		flag, _, _ = strings.Cut(flag, "=")
		if isFlag && c.Flag(flag) == nil {
			t.Errorf("%s: finsvc %s has no flag --%s", page, c.Name(), flag)
		}
	}
}

// TestHandbookMessages: the messages that troubleshooting names are those that the program has, and no code of an error is missing.
func TestHandbookMessages(t *testing.T) {
	t.Parallel()
	text := pagesForPeople(t)["troubleshooting"]
	said := literals(t)
	var parts []string
	messages, codes, _ := strings.Cut(text, "\n## Error codes of the API\n")
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?[^\\]) \| `).FindAllStringSubmatch(messages, -1) {
		for _, message := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			// What is asked for stands before the same words.
			for part := range strings.SplitSeq(strings.Replace(message[1], " must be given", "... must be given", 1), "...") {
				if part = strings.TrimSpace(part); part != "" && !said.has(part) {
					t.Errorf("nothing says %q of %q", part, message[1])
				}
				if len(part) >= shortestRefusal {
					parts = append(parts, part)
				}
			}
		}
	}
	for _, refusal := range said.refusals {
		if !slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(refusal, part) }) {
			t.Errorf("troubleshooting lacks %q", refusal)
		}
	}
	for _, code := range said.codes {
		if !strings.Contains(codes, "`"+code+"`") {
			t.Errorf("troubleshooting lacks the code %s", code)
		}
	}
}

// saidTexts are the texts that stand in the program.
type saidTexts struct {
	all   string
	codes []string // of errors

	refusals []string // why a database file is not opened, and a file not imported
}

// has reports whether a text stands in the program, whatever stands in it for what differs.
func (s saidTexts) has(text string) bool { return strings.Contains(s.all, text) }

// literals reads the texts of the program from its source.
func literals(t *testing.T) (said saidTexts) {
	t.Helper()
	var all strings.Builder
	for _, folder := range []string{"cmd", "handlers", "importer", "assistant", "ledger", "db"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					all.WriteString(literal(n) + "\n")
				case *ast.KeyValueExpr: // Code: "not_found"
					key, named := n.Key.(*ast.Ident)
					if value, is := n.Value.(*ast.BasicLit); is && named && key.Name == "Code" {
						said.codes = append(said.codes, literal(value))
					}
				case *ast.CompositeLit:
					said.refusals = append(said.refusals, refusalOf(n)...)
				case *ast.CallExpr: // brokenAt(line, "...")
					if f, is := n.Fun.(*ast.Ident); is && f.Name == "brokenAt" && len(n.Args) > 1 {
						said.refusals = append(said.refusals, firstLiteral(n.Args[1])...)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	said.all = all.String()
	return said
}

// refusalOf is the text of a db.OpenError{path, problem, cure} or an importer.FileError{Message: problem}, as far as it stands there.
func refusalOf(n *ast.CompositeLit) []string {
	name, is := n.Type.(*ast.Ident)
	switch {
	case !is:
	case name.Name == "OpenError" && len(n.Elts) > 1:
		return firstLiteral(n.Elts[1])
	case name.Name == "FileError":
		for _, element := range n.Elts {
			if pair, is := element.(*ast.KeyValueExpr); is {
				if key, is := pair.Key.(*ast.Ident); is && key.Name == "Message" {
					return firstLiteral(pair.Value)
				}
			}
		}
	}
	return nil
}

// shortestRefusal is how long a text must be to tell a refusal from others: that of "is damaged".
const shortestRefusal = 10

// firstLiteral is the first text in an expression, unless it is too short to tell anything.
func firstLiteral(e ast.Expr) (found []string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if text, is := n.(*ast.BasicLit); is && text.Kind == token.STRING && len(found) == 0 && len(literal(text)) >= shortestRefusal {
			found = append(found, literal(text))
		}
		return true
	})
	return found
}

func literal(n *ast.BasicLit) string {
	text, err := strconv.Unquote(n.Value)
	if err != nil {
		return ""
	}
	return text
}

// TestHandbookFitsTheTerminal: no line that may be broken is wider than the page, and what goes on stands below its text.
func TestHandbookFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"one two three four":    "one two\nthree four\n",
		"- one two three":       "- one two\n  three\n",
		"10. one two three":     "10. one\n    two\n    three\n",
		"  one two three":       "  one two\n  three\n",
		"\t$ one two three  ":   "    $ one two three\n",
		"averylongword shorter": "averylongword\nshorter\n",
		"":                      "\n",
		"\t":                    "\n",
	} {
		var b strings.Builder
		wrapLine(&b, line, 10)
		if b.String() != want {
			t.Errorf("%q: got %q, want %q", line, b.String(), want)
		}
	}
	for _, topic := range embed.HandbookTopics() {
		var out strings.Builder
		a := &app{config: config.Default(), Terminal: term.Terminal{Stdout: &out}}
		if err := printHandbook(a, topic.Name); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), topic.Title+"\n===") {
			t.Errorf("%s begins with %.40q", topic.Name, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); uniseg.StringWidth(line) > plainPage && !strings.HasPrefix(line, "    ") && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s has a line of %d columns: %s", topic.Name, uniseg.StringWidth(line), line)
			}
		}
	}
}

// TestHandbookGlossary: the words that the project has agreed upon are explained, each once.
func TestHandbookGlossary(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \| `).FindAllStringSubmatch(pagesForPeople(t)["glossary"], -1) {
		for word := range strings.SplitSeq(strings.ToLower(row[1]), ", ") {
			count[strings.Trim(word, "`")]++
		}
	}
	for word := range strings.SplitSeq("transaction, trade, valuation, entry, transfer, leg, candidate, split line, balance, running balance, position, holding, "+
		"cost basis, price, quote, exchange rate, statement, reconciliation, duplicate, possible duplicate, preview, dry run, analysis, batch, rollback, lease, "+
		"cache, cursor, actor, household, scope", ", ") {
		if count[word] == 0 {
			t.Errorf("the glossary lacks %s", word)
		}
	}
	for word, n := range count {
		if n > 1 {
			t.Errorf("the glossary has %s %d times", word, n)
		}
	}
}
