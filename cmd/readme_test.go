package cmd

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// readmeTable gives the rows of the table below a heading of the README, cell by cell.
func readmeTable(t *testing.T, heading string) [][]string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows [][]string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") {
			rows = append(rows, strings.Split(line, "|")[1:])
		}
	}
	if len(rows) < 3 {
		t.Fatalf("the README has no table under %s", heading)
	}
	return rows[1:]
}

// quoted are the words between backquotes in a cell.
func quoted(cell string) []string {
	var words []string
	for _, found := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cell, -1) {
		words = append(words, found[1])
	}
	return words
}

// leaves are the commands that do something, by how they are called.
func leaves(c *cobra.Command, into map[string]*cobra.Command) {
	path := strings.TrimPrefix(c.CommandPath(), "finsvc ")
	whole := path == "completion" // its commands are cobra's own
	if len(c.Commands()) == 0 || path == "import" || path == "chat" || whole {
		into[path] = c
	}
	for _, child := range c.Commands() {
		if !whole && !child.Hidden {
			leaves(child, into)
		}
	}
}

func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	have := map[string]*cobra.Command{}
	leaves(newRoot(&app{config: newConfig()}), have)
	var want, got []string
	for _, row := range readmeTable(t, "Commands") {
		flags := quoted(row[1])
		slices.Sort(flags)
		for _, use := range quoted(row[0]) {
			got = append(got, strings.TrimSpace(use+" "+strings.Join(flags, " ")))
		}
	}
	for path, c := range have {
		line := strings.TrimSpace(path + " " + arguments(c))
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				line += " --" + f.Name
			}
		})
		want = append(want, line)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the README's commands (+) are not those that there are (-):\n%s", diff)
	}
}

// arguments are what follows a command's name in its use, without flags.
func arguments(c *cobra.Command) string {
	words := strings.Fields(c.Use)[1:]
	if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") }); i >= 0 {
		words = words[:i]
	}
	return strings.Join(words, " ")
}

func TestReadmeSettings(t *testing.T) {
	t.Parallel()
	config := newConfig()
	variables := config.variables()
	root := newRoot(&app{config: newConfig()})
	for _, row := range readmeTable(t, "Settings") {
		for _, name := range quoted(row[1]) {
			if variables[name] == nil {
				t.Errorf("the README names %s, which means nothing", name)
			}
			delete(variables, name)
		}
		for _, flag := range quoted(row[0]) {
			f := findFlag(root, strings.TrimPrefix(flag, "--"))
			if f == nil {
				t.Errorf("the README names %s, which no command has", flag)
				continue
			}
			if want := strings.Join(quoted(row[2]), ""); f.DefValue != want {
				t.Errorf("the default of %s is %q, not %q", flag, f.DefValue, want)
			}
			if !strings.Contains(f.Usage, "$"+quoted(row[1])[0]) {
				t.Errorf("%s does not name its variable: %s", flag, f.Usage)
			}
		}
	}
	for name := range variables {
		t.Errorf("the README does not name %s", name)
	}
}

// findFlag is the flag that names a variable, of whichever command.
func findFlag(c *cobra.Command, name string) *pflag.Flag {
	for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		if f := set.Lookup(name); f != nil && strings.Contains(f.Usage, envPrefix) {
			return f
		}
	}
	for _, child := range c.Commands() {
		if f := findFlag(child, name); f != nil {
			return f
		}
	}
	return nil
}
