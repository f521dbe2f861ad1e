package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"time"

	"finsvc/cmd/copies"
	"finsvc/handlers/middleware"
	"finsvc/queries"
)

// metricsTimeout is how long the database may take to say how it is.
const metricsTimeout = 5 * time.Second

// MetricsPage serves a page of figures about the server, at an address of its own.
type MetricsPage struct {
	*Service
	Listener net.Listener
	API      *middleware.Server
	Version  string // of the program
	Now      func() time.Time
	Started  time.Time
	Copies   copies.Folder
}

// Run serves the page until ctx ends.
func (m *MetricsPage) Run(ctx context.Context) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", m.show)
	connections := middleware.NewConnections(middleware.DefaultConnectionLimits(), nil, m.Log)
	server := middleware.NewHTTPServer(ctx, mux, m.Listener.Addr().String(), m.Log, connections)
	server.WriteTimeout = drainTimeout
	// whose error is that of a connection that is cut anyway
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(connections.Limit(m.Listener)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (m *MetricsPage) show(w http.ResponseWriter, r *http.Request) {
	page := &middleware.Exposition{}
	page.Family("finsvc_build_info", middleware.Gauge, "The version of the program; always 1.")
	page.Int(1, "version", m.Version, "go", runtime.Version())
	m.API.WriteMetrics(page)
	m.writeDatabase(r.Context(), page)
	page.Family("finsvc_worker_running", middleware.Gauge, "Whether a worker runs.")
	for _, w := range m.status.all() {
		page.Int(oneIf(w.runs), "worker", w.name)
	}
	if at, ok := m.Copies.LastProved(); ok {
		page.Family("finsvc_backup_age_seconds", middleware.Gauge,
			"How old the newest backup is; missing where there is none.")
		page.Seconds(m.Now().Sub(at).Truncate(time.Second))
	}
	page.Family("finsvc_backup_unproved", middleware.Gauge, "Whether the newest backup is one in which the books of a household could not be proved.")
	page.Int(oneIf(m.Copies.NewestUnproved()))
	// Write what the process takes of the machine. The names are those that all programs in Go have.
	// Write how Go's runtime is, as far as that can be told without stopping it.
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
	page.Family("process_start_time_seconds", middleware.Gauge, "When the server was started, in seconds since 1970.")
	page.Int(m.Started.Unix())
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
	w.Header().Set("Content-Type", middleware.TypeExposition)
	w.Header().Set("Content-Length", strconv.Itoa(len(page.Text())))
	_, _ = w.Write(page.Text()) // a client that is gone cannot be told
}

func oneIf(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// writeDatabase writes how the database is and what waits in it; without the rest where it does not say.
func (m *MetricsPage) writeDatabase(ctx context.Context, page *middleware.Exposition) {
	ctx, cancel := context.WithTimeout(ctx, metricsTimeout)
	defer cancel()
	stats, err := m.Database.Stats(ctx)
	var work queue
	if err == nil {
		err = m.Database.ReadTx(ctx, work.count)
	}
	page.Family("finsvc_database_up", middleware.Gauge, "Whether the database answers.")
	page.Int(oneIf(err == nil))
	if err != nil {
		m.Log.LogAttrs(ctx, slog.LevelWarn, "the metrics lack the database", slog.String("error", err.Error()))
		return
	}
	page.Family("finsvc_database_in_place", middleware.Gauge,
		"Whether the path leads to the open file; 0 when that was removed, moved or replaced, and nothing is written.")
	page.Int(oneIf(m.Database.Displaced() == nil))
	s := &stats
	for _, f := range []struct {
		name, kind, help string
		value            int64
	}{
		{"finsvc_database_size_bytes", middleware.Gauge, "Size of the database file.", s.Size},
		{"finsvc_database_free_bytes", middleware.Gauge, "What of the database file holds nothing.", s.Free},
		{"finsvc_database_wal_bytes", middleware.Gauge, "Size of the write-ahead log beside the database file.", s.Log},
		{"finsvc_database_readers", middleware.Gauge, "Connections that read.", int64(s.Readers)},
		{"finsvc_database_readers_busy", middleware.Gauge, "Connections that read something now.", int64(s.Reading)},
		{"finsvc_database_writes_waiting", middleware.Gauge, "Writes that wait for their turn.", int64(s.Waiting)},
		{"finsvc_database_commits_total", middleware.Counter, "Commits; writes that wait at the same time share one.",
			s.Commits},
	} {
		page.Family(f.name, f.kind, f.help)
		page.Int(f.value)
	}
	page.Family("finsvc_database_write_seconds_total", middleware.Counter,
		"Time spent in transactions that write, commits included.")
	page.Seconds(s.Writing)
	counts := map[string]int64{}
	for _, row := range work.imports {
		counts[row.Status] = row.Imports
	}
	page.Family("finsvc_imports", middleware.Gauge, "Imports by state.")
	for _, status := range []string{"pending", "importing", "complete", "reverting", "revert_failed", "failed"} {
		page.Int(counts[status], "status", status)
	}
	page.Family("finsvc_answers_pending", middleware.Gauge, "Answers of the assistant that are still to be written.")
	page.Int(work.answers)
}

// queue is what waits in the database, of all households together.
type queue struct {
	imports []queries.CountImportsByStatusRow
	answers int64
}

func (w *queue) count(ctx context.Context, q *queries.Queries) (err error) {
	w.imports, err = q.CountImportsByStatus(ctx)
	if err != nil {
		return err
	}
	w.answers, err = q.CountPendingAnswers(ctx)
	return err
}
