package server

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"finsvc/handlers/middleware"
)

// clockTick is the unit of the times in /proc, which is the same on every Linux.
const clockTick = time.Second / 100

// writeProcess writes what the process takes of the machine. The names are those that all programs in Go have.
func writeProcess(page *middleware.Exposition, started time.Time) {
	writeRuntime(page)
	page.Family("process_start_time_seconds", middleware.Gauge, "When the server was started, in seconds since 1970.")
	page.Int(started.Unix())
	if cpu, ok := processTime(); ok {
		page.Family("process_cpu_seconds_total", middleware.Counter, "Time of processors that the process has used.")
		page.Seconds(cpu)
	}
	if pages, ok := field("/proc/self/statm", 1); ok {
		page.Family("process_resident_memory_bytes", middleware.Gauge, "Memory of the machine that the process takes.")
		page.Int(pages * int64(os.Getpagesize()))
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		page.Family("process_open_fds", middleware.Gauge, "Files and connections that are open.")
		page.Int(int64(len(files)) - 1) // that folder itself
	}
}

// writeRuntime writes how Go's runtime is, as far as that can be told without stopping it.
func writeRuntime(page *middleware.Exposition) {
	for _, f := range []struct{ source, name, kind, help string }{
		{"/sched/goroutines:goroutines", "go_goroutines", middleware.Gauge, "Goroutines."},
		{"/memory/classes/heap/objects:bytes", "go_memstats_heap_alloc_bytes", middleware.Gauge,
			"Go's memory that is in use, garbage included. What SQLite takes comes on top."},
		{"/memory/classes/total:bytes", "go_memstats_sys_bytes", middleware.Gauge,
			"Memory that Go has from the system."},
		{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total", middleware.Counter, "Collections of garbage."},
	} {
		sample := []metrics.Sample{{Name: f.source}}
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 {
			page.Family(f.name, f.kind, f.help)
			page.Int(int64(sample[0].Value.Uint64()))
		}
	}
}

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
