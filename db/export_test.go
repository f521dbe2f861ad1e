package db

import "io/fs"

// WithMigrations has the file brought up to date by other migrations than the program's.
func WithMigrations(files fs.FS) Option { return func(d *DB) { d.schema = files } }
