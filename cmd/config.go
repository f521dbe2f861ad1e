package cmd

import (
	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
)

func newShowConfig(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "config", Short: "Show the settings that are in force, and where each comes from", Args: cobra.NoArgs,
		Long: "List every setting with its value and where that comes from: a flag, the environment, or nowhere, which is\n" +
			"the default. Secrets are not shown. The command takes the flags of all others, to see what they would do.",
		Example: "  finsvc config\n  FINSVC_LISTEN=:7117 finsvc config --log json",
		RunE: func(c *cobra.Command, _ []string) error {
			var rows []settingJSON
			for _, s := range a.config.Settings() {
				row := settingJSON{Setting: s.Flag, Variable: s.Variable(), Value: s.Value.String(), From: "default"}
				switch f := c.Flags().Lookup(s.Flag); {
				case f != nil && f.Changed:
					row.From = "--" + s.Flag
				case a.env[row.Variable] != "":
					row.From = "$" + row.Variable
				}
				if s.Secret && row.Value != "" {
					row.Value = "********"
				}
				rows = append(rows, row)
			}
			if asJSON {
				return a.PrintJSON(rows)
			}
			return term.PrintTable(&a.Terminal, term.Columns("setting", "value", "from"), rows,
				func(s settingJSON) []string {
					return []string{s.Setting, term.Dash(s.Value), s.From}
				})
		},
	}
	for _, s := range a.config.Settings() {
		if !s.Secret && s.Flag != "data" { // every command has --data
			s.AddTo(c.Flags())
		}
	}
	shell.JSONFlag(c, &asJSON)
	return c
}

// settingJSON is a setting as it is in force, in JSON.
type settingJSON struct {
	Setting  string `json:"setting"` // as its flag
	Variable string `json:"variable"`
	Value    string `json:"value"` // a secret: ********; blank: nothing is set
	From     string `json:"from"`  // the flag, the variable, or default
}
