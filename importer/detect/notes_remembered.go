package detect

import "finsvc/importer/record"

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
