package db

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// nameStamp is an instant in the name of a copy, UTC.
const nameStamp = "20060102T150405Z"

// What stands behind the name of a copy that is no good one.
const (
	Unfinished = ".part"    // being written, or left so by a crash
	Damaged    = ".damaged" // whole, and its pages were found wrong
	// Unproved: whole and sound, as good as the file is, and the books of a household in it do not add up.
	Unproved = ".unproved"
)

// CopiesBeside is the folder in which copies of the file at path are kept unless another is named.
func CopiesBeside(path string) string { return filepath.Join(filepath.Dir(path), "backups") }

// CopyName is what a copy of the file at path is called that was made at an instant, such as
// finance-20261122T020000Z.db; a label comes behind the instant.
func CopyName(path string, at time.Time, label string) string {
	name := stem(path) + "-" + at.UTC().Format(nameStamp)
	if label != "" {
		name += "-" + label
	}
	return name + ".db"
}

// RescueLabel stands in the name of a copy of a file whose path did not lead to it any more.
const RescueLabel = "rescued"

func stem(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// CopyNamed reads the name of a copy of the file at path: when it was made, and its label. What stands behind ".db"
// is the rest; empty for a copy that was found good. Other names give false.
func CopyNamed(path, name string) (at time.Time, label, rest string, ok bool) {
	tail, ours := strings.CutPrefix(name, stem(path)+"-")
	parts := regexp.MustCompile(`^(\d{8}T\d{6}Z)(?:-(before-schema-\d+|rescued))?\.db(\.damaged|(?:\.unproved)?\.sha256|\.unproved|\.part(?:-[a-z]+)?)?$`).FindStringSubmatch(tail)
	if !ours || parts == nil {
		return time.Time{}, "", "", false
	}
	at, err := time.Parse(nameStamp, parts[1])
	return at, parts[2], parts[3], err == nil
}
