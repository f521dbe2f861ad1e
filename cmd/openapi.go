package cmd

import (
	"finsvc/cmd/exit"
	"finsvc/embed"

	"github.com/spf13/cobra"
)

func newOpenAPI(a *app) *cobra.Command {
	format := "yaml"
	c := &cobra.Command{
		Use: "openapi", Short: "Print the description of the HTTP API", Args: cobra.NoArgs,
		Long: "Print the description of the HTTP API, OpenAPI 3.1: what a program needs to make a client. A server shows the\n" +
			"same at /api/v1/openapi.yaml and /api/v1/openapi.json, and as a page for people at /api/docs.",
		Example: "  finsvc openapi > finsvc.yaml\n  finsvc openapi --format json | jq '.paths | keys'",
		RunE: func(*cobra.Command, []string) error {
			text, err := openAPI(format)
			if err != nil {
				return err
			}
			_, err = a.Stdout.Write(text)
			return err
		},
	}
	c.Flags().StringVar(&format, "format", format, "`FORMAT`: yaml or json")
	return c
}

// openAPI is the description in a format.
func openAPI(format string) ([]byte, error) {
	switch format {
	case "yaml":
		return embed.OpenAPI()
	case "json":
		return embed.OpenAPIJSON()
	}
	return nil, exit.Usagef("--format must be yaml or json, got %q", format)
}
