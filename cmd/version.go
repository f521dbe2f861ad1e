package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
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
	jsonFlag(c, &asJSON)
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
