package db

// Disk is the file system that a folder lies on, as far as the system tells.
type Disk struct {
	Kind        string // such as ext4; empty when it is not known
	Network     bool   // it is another machine's: SQLite cannot lock safely there
	ReadOnly    bool   // it is mounted so, or the system has stopped writing to it after an error
	Free, Total int64  // bytes, Free those that this user may still write; Total is 0 when they are not known
}
