package detect

import (
	"fmt"
	"strings"

	"finsvc/importer/record"
)

// Result is how a file is to be read as far as its content says: the settings that were given and those that were
// found, why they were found, and what must be asked because nothing in the file proves one of two readings.
type Result struct {
	Settings  record.Settings
	Reasons   map[string]string // by the name of the setting
	Questions []record.Question
	Rows      int64    // records after the header and before the footer
	Header    []string // nil without a header line
	Unused    []string // columns that nothing is made of
	print     [32]byte // tells files of the same make, see fingerprint
}

// Obstacle is what an import that waits for answers says.
func (d Result) Obstacle() *string {
	if len(d.Questions) == 0 {
		return nil
	}
	sentences := make([]string, 0, len(d.Questions))
	for _, q := range d.Questions {
		sentences = append(sentences, fmt.Sprintf("%s must be given: %s", q.Setting, q.Text))
	}
	return new(strings.Join(sentences, "; "))
}

// NoteMembers says of every setting that was remembered, and not given, what became of it; a reason that there is already
// is kept behind it.
func (d *Result) NoteMembers(given, old record.Settings, what string) {
	mine := given.Members()
	for name, member := range old.Members() {
		if *member == nil || *mine[name] != nil {
			continue
		}
		if before := d.Reasons[name]; before != "" {
			d.Reasons[name] = what + ": " + before
			continue
		}
		d.Reasons[name] = what
	}
}

// Fingerprint is nil for files that have no columns.
func (d Result) Fingerprint() []byte {
	if d.print == [32]byte{} {
		return nil
	}
	return d.print[:]
}
