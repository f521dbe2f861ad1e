package cmd

import (
	"context"
	"io"
	"io/fs"

	"finsvc/db"
)

// MainWith is [Main] of a program with other migrations.
func MainWith(ctx context.Context, migrations fs.FS, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newApp(environ, stdin, stdout, stderr)
	a.migrations = []db.Option{db.WithMigrations(migrations)}
	return a.main(ctx, args)
}
