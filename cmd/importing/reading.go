package importing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"finsvc/importer"
)

// showReading prints how a file is read, setting by setting, and why: a table on standard error.
func (j *Job) showReading(out *importer.Preflight) error {
	table := tabwriter.NewWriter(j.Stderr, 0, 0, 2, ' ', 0)
	members, given := out.Settings.Members(), j.Request.Settings.Members()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, reason := members[name], out.Reasons[name]
		switch {
		case *value == nil && reason == "":
		case *value == nil:
			fmt.Fprintf(table, "  %s\t-\t%s\n", name, reason)
		default:
			fmt.Fprintf(table, "  %s\t%s\t%s\n", name, shownSetting(**value), because(reason, *given[name] != nil))
		}
	}
	if err := table.Flush(); err != nil || len(out.Unused) == 0 {
		return err
	}
	_, err := fmt.Fprintln(j.Stderr, "  Nothing is made of the columns "+strings.Join(out.Unused, ", "))
	return err
}

// shownSetting makes a separator that is a tab visible.
func shownSetting(value string) string { return strings.ReplaceAll(value, "\t", `\t`) }

// because is why a setting has its value.
func because(reason string, given bool) string {
	switch {
	case reason != "":
		return reason
	case given:
		return "given"
	}
	return "as always"
}

// answers says which flags answer the questions of a file; blank when there are none.
func answers(out *importer.Preflight) string {
	var flags []string
	for _, name := range out.Open {
		if name == "account_id" {
			flags = append(flags, "--account NAME")
			continue
		}
		flags = append(flags, "--set "+name+"=VALUE")
	}
	return strings.Join(flags, " ")
}
