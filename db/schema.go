package db

import (
	"io/fs"
	"strconv"
	"strings"

	"finsvc/embed"
)

// NewestSchema is the number of the newest migration that this program knows.
func NewestSchema() (newest int64) {
	names, _ := fs.Glob(embed.Schema, "schema/*.sql") // the pattern is good
	for _, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "schema/"), "_")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			newest = max(newest, n)
		}
	}
	return newest
}
