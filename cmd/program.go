package cmd

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/embed"
	"finsvc/importer/pdf/extract"
)

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "version", Short: "Print which version this is", Args: cobra.NoArgs,
		Example: "  finsvc version",
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return a.PrintJSON(versionJSON{version(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
			}
			return a.Print(versionLine())
		},
	}
	shell.JSONFlag(c, &asJSON)
	return c
}

// versionJSON is the version in JSON.
type versionJSON struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func versionLine() string {
	return fmt.Sprintf("finsvc %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is what the build noted: the tag, or time and commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "unreleased"
	}
	return info.Main.Version
}

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

// pdfTextCommand is the name of the command that a process which reads a PDF is started with.
const pdfTextCommand = "pdf-text"

// statusOutOfMemory is how a reader of a PDF ends that takes too much memory. Nobody sees it but its parent.
const statusOutOfMemory = 3

// newPDFText is the process that reads a PDF for another one, see [extract.Text].
func newPDFText(a *app) *cobra.Command {
	return &cobra.Command{
		Use: pdfTextCommand, Short: "Print the words of a PDF, for the program itself", Args: cobra.NoArgs,
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			extract.Limit(func() { os.Exit(statusOutOfMemory) })
			return extract.Text(a.Stdin, a.Stdout)
		},
	}
}

// pdfReader is the command line of that process.
func pdfReader() []string { return ownCommand(pdfTextCommand) }

// ownCommand is the command line of another process of this program; nil where the program does not know its own file.
// Nothing else in the module may ask for that file: what must be run is given to it. In a test it is the test's, which
// runs its tests all over again unless its TestMain knows the command, see TestMain.
func ownCommand(words ...string) []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return append([]string{self}, words...)
}
