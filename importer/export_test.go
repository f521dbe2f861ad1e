package importer

import "io"

// Detect gives what detection finds to tests outside of the package: the settings, and those that are asked for.
func Detect(open func() (io.Reader, error), s Settings, d Defaults) (Settings, []string, error) {
	found, err := detect(open, s, d)
	var names []string
	for _, q := range found.questions {
		names = append(names, q.Setting)
	}
	return found.settings, names, err
}

// Reused says whether the import that was queued last was judged by what a preflight had seen.
func Reused(im *Importer, out *Outcome) bool { return im.foresight.outlook == out.seen.outlook }

// Reasons gives why the settings that were found have their values.
func Reasons(open func() (io.Reader, error), d Defaults) map[string]string {
	found, _ := detect(open, Settings{}, d)
	return found.reasons
}
