package extract

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// limitProcess has the kernel refuse memory far beyond the limit and end the process when it computes for too long.
// It goes by the writable memory that the process has already: the race detector has a lot. Where the kernel takes
// no limits the process is still watched from inside and from outside, so errors mean nothing.
func limitProcess(memory uint64, processor time.Duration) {
	most := writableMemory() + 2*memory
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most})
	seconds := uint64(processor / time.Second)
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds + 1})
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}

// writableMemory is the sixth number of statm, in pages.
func writableMemory() uint64 {
	text, _ := os.ReadFile("/proc/self/statm")
	numbers := bytes.Fields(text)
	if len(numbers) < 6 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(numbers[5]), 10, 64)
	return pages * uint64(os.Getpagesize())
}
