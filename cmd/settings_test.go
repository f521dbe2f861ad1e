package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"finsvc/cmd/config"
)

// TestSettings holds for every setting: some command has its flag, a secret has none, but a file beside it.
//
// Decision, Imports: 64 MiB by default, --import-max, 422 beyond, before it is read.
func TestSettings(t *testing.T) {
	t.Parallel()
	all := config.Default()
	root := newRoot(&app{config: config.Default()})
	seen := map[string]bool{}
	for _, s := range all.Settings() {
		if seen[s.Flag] {
			t.Errorf("%s is there twice", s.Flag)
		}
		seen[s.Flag] = true
		f := findFlag(root, s)
		switch {
		case s.Secret && f != nil:
			t.Errorf("the secret %s has a flag, which others see", s.Flag)
		case s.Secret && !slices.ContainsFunc(all.Settings(), func(o config.Setting) bool { return o.Flag == s.Flag+"-file" }):
			t.Errorf("the secret %s cannot be read from a file", s.Flag)
		case !s.Secret && f == nil:
			t.Errorf("no command has --%s", s.Flag)
		}
		if strings.HasSuffix(s.Meaning, ".") || s.Meaning == "" {
			t.Errorf("the meaning of %s is %q", s.Flag, s.Meaning)
		}
	}
}

// findFlag is the flag of a setting, of whichever command but config, which has all.
func findFlag(c *cobra.Command, s config.Setting) *pflag.Flag {
	for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		if f := set.Lookup(s.Flag); f != nil && c.Name() != "config" && strings.Contains(f.Usage, s.Variable()) {
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
