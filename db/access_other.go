//go:build !unix

package db

import "io/fs"

// writable is known of Unix only.
func writable(string) bool { return true }

// ownerOf is known of Unix only.
func ownerOf(fs.FileInfo) (int, bool) { return 0, false }
