//go:build !linux

package db

// networkFileSystem is known on Linux only; elsewhere SQLite's own errors have to do.
func networkFileSystem(string) string { return "" }

func isReadOnlyDisk(error) bool { return false }
