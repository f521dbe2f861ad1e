package db

import "io/fs"

// Option is how [Open] opens a file otherwise than is usual.
type Option func(*DB)

// WithCopies names the folder for the copies that are made before the schema changes. Without a name it is
// [CopiesBeside] the file.
func WithCopies(folder string) Option {
	return func(d *DB) {
		if folder != "" {
			d.copies = folder
		}
	}
}

// WithMigrations has the schema changed by other migrations than the program's, so that tests can have some to run.
func WithMigrations(files fs.FS) Option { return func(d *DB) { d.schema = files } }

// WithoutCopy lets the schema change without a copy: for a file that is a copy itself.
func WithoutCopy() Option { return func(d *DB) { d.copies = "" } }

// WithServerLock says how the lock is taken that the server of a file has: for whoever is not that server. Without it
// the schema changes under a server that runs. Where somebody has it, lock gives who that is, and no release.
func WithServerLock(lock func() (release func() error, holder string, err error)) Option {
	return func(d *DB) { d.lockServer = lock }
}
