package cmd

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// update has the tests write what they would compare.
var update = flag.Bool("update", false, "write the README's table of settings")

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
	topic := !c.Runnable() && c.Long != "" && !c.HasSubCommands()
	if (len(c.Commands()) == 0 || path == "import" || path == "chat" || path == "backup" || whole) && !topic {
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
			if f.Name != "help" && (path != "config" || f.Name == "json") { // config has all flags that are settings
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

// TestReadmeSettings holds the README's table against the settings; -update writes it.
func TestReadmeSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "\n## Settings\n")
	section, after, _ := strings.Cut(rest, "\n## ")
	start, end := strings.Index(section, "| Flag |"), strings.LastIndex(section, "|\n")+2
	if start < 0 || end < start {
		t.Fatal("the README has no table of settings")
	}
	config := newConfig()
	want := config.table()
	if *update {
		whole := before + "\n## Settings\n" + section[:start] + want + section[end:] + "\n## " + after
		if err := os.WriteFile("../README.md", []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, section[start:end]); diff != "" {
		t.Errorf("the README's settings (+) are not those that there are (-); go test ./cmd -run ReadmeSettings -update writes them:\n%s", diff)
	}
}

// table is the README's table of the settings.
func (c *config) table() string {
	var b strings.Builder
	b.WriteString("| Flag | Variable | Default | Meaning |\n|---|---|---|---|\n")
	for _, s := range c.settings() {
		flag, usual := "`--"+s.flag+"`", s.value.String()
		if s.secret {
			flag = ""
		}
		if usual != "" {
			usual = "`" + usual + "`"
		}
		meaning := s.meaning
		if s.usual != "" {
			meaning += "; default: " + s.usual
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", flag, s.variable(), usual, meaning)
	}
	return b.String()
}

// TestSettings holds for every setting: some command has its flag, a secret has none, but a file beside it.
func TestSettings(t *testing.T) {
	t.Parallel()
	config := newConfig()
	root := newRoot(&app{config: newConfig()})
	seen := map[string]bool{}
	for _, s := range config.settings() {
		if seen[s.flag] {
			t.Errorf("%s is there twice", s.flag)
		}
		seen[s.flag] = true
		f := findFlag(root, s)
		switch {
		case s.secret && f != nil:
			t.Errorf("the secret %s has a flag, which others see", s.flag)
		case s.secret && !slices.ContainsFunc(config.settings(), func(o setting) bool { return o.flag == s.flag+"-file" }):
			t.Errorf("the secret %s cannot be read from a file", s.flag)
		case !s.secret && f == nil:
			t.Errorf("no command has --%s", s.flag)
		}
		if strings.HasSuffix(s.meaning, ".") || s.meaning == "" {
			t.Errorf("the meaning of %s is %q", s.flag, s.meaning)
		}
	}
}

// findFlag is the flag of a setting, of whichever command but config, which has all.
func findFlag(c *cobra.Command, s setting) *pflag.Flag {
	for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		if f := set.Lookup(s.flag); f != nil && c.Name() != "config" && strings.Contains(f.Usage, s.variable()) {
			return f
		}
	}
	for _, child := range c.Commands() {
		if f := findFlag(child, s); f != nil {
			return f
		}
	}
	return nil
}
