package db

import "io/fs"

// WithMigrations has the file brought up to date by other migrations than the program's.
func WithMigrations(files fs.FS) Option { return func(d *DB) { d.schema = files } }

// ReserveMemory does what the first Open does, for tests that open files without this package first: shuffled, any can.
func ReserveMemory() { reserveMemory() }
