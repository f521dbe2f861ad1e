package server

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of the times in /proc, which is the same on every Linux.
const clockTick = time.Second / 100

// processTime is how long processors have worked for the process, where there is a /proc.
func processTime() (time.Duration, bool) {
	// The fields are counted behind the name of the program, which may have blanks in it.
	user, okUser := field("/proc/self/stat", 11)
	system, okSystem := field("/proc/self/stat", 12)
	return time.Duration(user+system) * clockTick, okUser && okSystem
}

// field reads a number of a file of /proc, behind the closing bracket if there is one.
func field(name string, i int) (int64, bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if i >= len(fields) {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[i], 10, 64)
	return n, err == nil
}
