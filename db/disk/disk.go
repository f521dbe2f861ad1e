// Package disk asks the system what a folder lies on and whose a file is. It promises to answer on every system: what
// one cannot tell is left empty. It must not know what the files are for.
package disk

// Info is the file system that a folder lies on, as far as the system tells.
type Info struct {
	Kind        string // such as ext4; empty when it is not known
	Network     bool   // it is another machine's: SQLite cannot lock safely there
	ReadOnly    bool   // it is mounted so, or the system has stopped writing to it after an error
	Free, Total int64  // bytes, Free those that this user may still write; Total is 0 when they are not known
}
