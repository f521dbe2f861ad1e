// Package embed holds the files that travel inside the binary, and nothing else.
package embed

import "embed"

// Schema is the database's migrations, numbered and forward only; the folder is schema.
//
//go:embed schema/*.sql
var Schema embed.FS
