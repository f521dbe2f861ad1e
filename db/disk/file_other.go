//go:build !unix

package disk

import "io/fs"

// Writable is known of Unix only.
func Writable(string) bool { return true }

// OwnerOf is known of Unix only.
func OwnerOf(fs.FileInfo) (int, bool) { return 0, false }

// Names is known of Unix only.
func Names(fs.FileInfo) int { return 1 }

// Identity is known of Unix only; elsewhere nobody replaces a file that is open.
func Identity(fs.FileInfo) string { return "" }
