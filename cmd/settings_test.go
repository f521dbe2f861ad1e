package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
