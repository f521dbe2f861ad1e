package cmd

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"finsvc/cmd/config"
)

// Leaves are the names of the commands that do something, for the tests that run them all.
func Leaves() []string {
	have := map[string]*cobra.Command{}
	leaves(newRoot(&app{config: config.Default()}), have)
	return slices.Sorted(maps.Keys(have))
}

// TestHelp: every command says what it does and shows how it is called, and no line of its help is too long for a page.
func TestHelp(t *testing.T) {
	t.Parallel()
	have := map[string]*cobra.Command{}
	leaves(newRoot(&app{config: config.Default()}), have)
	for path, c := range have {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: Short is %q", path, c.Short)
		}
		if !strings.Contains(c.Example, "finsvc "+path) {
			t.Errorf("%s has no example of itself: %q", path, c.Example)
		}
		for line := range strings.Lines(c.Long) {
			if len(line) > 121 {
				t.Errorf("%s: a line of its help has %d characters: %s", path, len(line), line)
			}
		}
	}
}

// TestJSON: every command that reads prints JSON, too.
func TestJSON(t *testing.T) {
	t.Parallel()
	have := map[string]*cobra.Command{}
	leaves(newRoot(&app{config: config.Default()}), have)
	for path, c := range have {
		verb := path[strings.LastIndex(path, " ")+1:]
		reads := slices.Contains([]string{"list", "show", "config", "version", "chat", "run", "test", "import", "doctor", "verify"}, verb) || strings.HasPrefix(path, "explain ")
		if taken := path == "rates import" || path == "prices import"; reads && !taken && c.Flags().Lookup("json") == nil {
			t.Errorf("%s has no --json", path)
		}
	}
}

// TestNoSecretIsAnArgument: others see the arguments of a process, and shells keep them.
func TestNoSecretIsAnArgument(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`(?i)(^|[-_ ])(key|secret|token|password|passphrase)($|[-_ ])`)
	have := map[string]*cobra.Command{}
	leaves(newRoot(&app{config: config.Default()}), have)
	for path, c := range have {
		if secret.MatchString(arguments(c)) {
			t.Errorf("%s takes a secret as an argument: %s", path, c.Use)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			named := strings.HasSuffix(f.Name, "-file") || f.Name == "tls-key"
			read := strings.HasSuffix(f.Name, "-stdin") && f.Value.Type() == "bool"
			if secret.MatchString(f.Name) && !named && !read { // which name a file, or say where it is read from
				t.Errorf("%s takes a secret as --%s", path, f.Name)
			}
		})
	}
}

// leaves are the commands that do something, by how they are called.
func leaves(c *cobra.Command, into map[string]*cobra.Command) {
	path := strings.TrimPrefix(c.CommandPath(), "finsvc ")
	whole := path == "completion" // its commands are cobra's own
	topic := !c.Runnable() && c.Long != "" && !c.HasSubCommands()
	both := []string{"import", "chat", "backup", "balance", "income"} // do something, and hold others
	if (len(c.Commands()) == 0 || slices.Contains(both, path) || whole) && !topic {
		into[path] = c
	}
	for _, child := range c.Commands() {
		if !whole && !child.Hidden {
			leaves(child, into)
		}
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
