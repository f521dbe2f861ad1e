//go:build !unix

package db

import "io/fs"

// writable is known of Unix only.
func writable(string) bool { return true }

// ownerOf is known of Unix only.
func ownerOf(fs.FileInfo) (int, bool) { return 0, false }

// Names is known of Unix only.
func Names(fs.FileInfo) int { return 1 }

// Identity is known of Unix only; elsewhere nobody replaces a file that is open.
func Identity(fs.FileInfo) string { return "" }
