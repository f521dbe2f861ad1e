package cmdtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Usage is what a process has and has used up, as Linux tells.
type Usage struct {
	Memory, Private int64 // KiB: resident, and of that what is not of files
	Threads, Files  int64
	Goroutines      int64 // where metrics are served
	WAL             int64 // bytes of the log beside the database
	Written         int64 // bytes to the disk so far
	Ticks           int64 // of the processor so far, hundredths of a second
}

// Usage asks Linux about a process that serves the file; the test is skipped elsewhere.
func (s *CommandLine) Usage(pid int) (u Usage) {
	s.Helper()
	if runtime.GOOS != "linux" {
		s.Skip("only Linux tells what a process uses")
	}
	proc := fmt.Sprintf("/proc/%d/", pid)
	status, io := s.proc(proc+"status"), s.proc(proc+"io")
	u.Memory, u.Private, u.Threads, u.Written = status["VmRSS"], status["RssAnon"], status["Threads"], io["write_bytes"]
	files, err := os.ReadDir(proc + "fd")
	if err != nil {
		s.Fatal(err)
	}
	u.Files = int64(len(files))
	stat, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		s.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ") // the name may have blanks
	fields := strings.Fields(after)
	for _, n := range fields[11:13] {
		ticks, _ := strconv.ParseInt(n, 10, 64) // a number always
		u.Ticks += ticks
	}
	if wal, err := os.Stat(s.File + "-wal"); err == nil {
		u.WAL = wal.Size()
	}
	return u
}

// proc reads a file of names and numbers.
func (s *CommandLine) proc(path string) map[string]int64 {
	s.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	out := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		if fields := strings.Fields(rest); len(fields) > 0 {
			out[name], _ = strconv.ParseInt(fields[0], 10, 64) // others are texts
		}
	}
	return out
}
