// Package db owns the database file: opening it, its one writer and its readers, migrations and copies.
// Nothing above it sees a connection; there is no way in but [DB.Write], [DB.Read] and [DB.ReadTx].
//
// SQLite has one writer anyway, so one goroutine owns it and needs no retries. Writes that wait at the same time are
// transactions of their own that share one fsync. When others have waited for a write for a while it is undone, see
// budget.go. Readers have connections of their own that cannot write; those that may take long share all but one, see
// heavy.go.
//
// To add a migration, write the next number in embed/schema, with -- +goose Up only: there is no way down. Never
// change one that was released.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"finsvc/db/disk"
	"finsvc/queries"
)

// applicationID marks the file as ours: the letters "fsvc".
const applicationID = 0x66737663

// DB is an open database file.
type DB struct {
	path   string
	real   string      // of which the last part is no link
	place  fs.FileInfo // what was there before it was opened
	places []placed    // what was there once it was open, see Displaced
	server bool        // see AsServer
	served *os.File    // whose lock is that of the server
	viewed string      // how, where it is only looked at, see View
	copies string      // folder for copies before the schema changes
	schema fs.FS       // the migrations; nil: those of the program
	pools  []*sql.DB
	driver *sqlite.Driver // with the functions of queries
	// lockServer keeps servers off while the schema changes, see WithServerLock.
	lockServer     func() (release func() error, holder string, err error)
	writer         *conn
	readers        chan *conn
	heavy          Places
	versions       versions
	uses           atomic.Int64
	jobs           chan *job
	foreground     atomic.Int64 // writes that wait, run or are to be committed, without those in the background
	foregroundRuns atomic.Bool  // the write that runs is one of them
	group          []*job
	bulks          atomic.Int64 // that are open
	budget         time.Duration
	logKnown       bool // see logIsKnown
	brief          bool // see Briefly
	written        chan struct{}
	counts         counts
	closing        sync.RWMutex
	closed         bool
}

// Open opens the file, creating it when it does not exist, and brings its schema up to date. The error
// is an [OpenError] where a person can do something about it.
func Open(ctx context.Context, path string, options ...Option) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	reserveMemory()
	lockByFile()
	made, err := preparePath(path)
	if err != nil {
		return nil, err
	}
	d := &DB{path: path, copies: CopiesBeside(path), budget: WriteBudget, jobs: make(chan *job, maxGroup),
		group: make([]*job, 0, maxGroup), written: make(chan struct{})}
	for _, option := range options {
		option(d)
	}
	d.place, err = os.Stat(path)
	if err != nil {
		return nil, err
	}
	if d.server {
		err = takeServed(d)
	}
	if err == nil {
		err = connectPatiently(ctx, d)
	}
	if err == nil {
		err = settle(d)
	}
	if err != nil {
		err = errors.Join(explain(d, err), closePools(d), endServed(d))
		if made {
			err = errors.Join(err, migrator{d}.withdraw(ctx))
		}
		return nil, err
	}
	go writeLoop(d)
	return d, nil
}

// lockByFile has SQLite's locks belong to an open file instead of the process: then reading the file elsewhere in the
// process cannot undo them. Only Linux has such locks, and only before the first one is taken; without them the rule
// not to read the file stands.
func lockByFile() { _, _ = sqlite.OFDLocking(true) }

// connectPatiently tries again for a while when the file is busy. To make a file one with a log SQLite needs all of
// it, and does not wait for that whatever busy_timeout says: processes that create a file at the same moment meet
// there.
func connectPatiently(ctx context.Context, d *DB) error {
	const patience, pause = 5 * time.Second, 50 * time.Millisecond
	for started := time.Now(); ; {
		err := connect(ctx, d)
		if !isCode(err, sqlite3.SQLITE_BUSY) || time.Since(started) > patience {
			return err
		}
		if err := closePools(d); err != nil {
			return err
		}
		d.pools = nil
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Path is the absolute path of the file.
func (d *DB) Path() string { return d.path }

// connect opens the writer first: it creates the file, switches to WAL and migrates.
func connect(ctx context.Context, d *DB) error {
	if err := (migrator{d}).refuseForeign(ctx); err != nil {
		return err
	}
	pool, err := openPools(d, writerSettings)
	if err != nil {
		return err
	}
	if err := (migrator{d}).migrate(ctx, pool); err != nil {
		return err
	}
	d.writer, err = newConn(ctx, pool, &d.counts.statements)
	if err != nil {
		return err
	}
	if err := errors.Join(d.writer.verify(ctx, writerSettings), d.writer.watch()); err != nil {
		return err
	}
	return connectReaders(ctx, d)
}

func connectReaders(ctx context.Context, d *DB) error {
	pool, err := openPools(d, readerSettings)
	if err != nil {
		return err
	}
	return fillReaders(ctx, d, pool, readerSettings)
}

func fillReaders(ctx context.Context, d *DB, pool *sql.DB, settings []setting) (err error) {
	// one may be beside another, see SecondReader; one is not for heavy reads
	count := 2 + max(2, min(4, runtime.GOMAXPROCS(0)))
	d.heavy.open(count - 1)
	d.readers = make(chan *conn, count)
	for i := range count {
		c := &conn{ran: &d.counts.statements}
		c.connect = func(ctx context.Context) (*conn, error) {
			opened, err := newConn(ctx, pool, c.ran)
			if err != nil {
				return nil, err
			}
			if err := opened.verify(ctx, settings); err != nil {
				return nil, errors.Join(err, opened.close())
			}
			return opened, nil
		}
		if !d.brief || i == 0 {
			if err := c.open(ctx, d); err != nil {
				return err
			}
		}
		d.readers <- c
	}
	// What it asks needs no schema, which is not read without the other settings: 7 ms.
	asking, err := openPools(d, settings[:1])
	if err != nil {
		return err
	}
	d.versions.c, err = newConn(ctx, asking, &d.counts.statements)
	if err != nil {
		return err
	}
	_, err = d.Version(ctx) // SQLite opens the file when it is first asked: now, while it is in its place
	return err
}

// setting is a pragma, the value to set and the value to read back.
type setting struct{ name, value, readBack string }

var (
	// busy_timeout is first: the others may have to wait for another process.
	commonSettings = []setting{
		{"busy_timeout", "5000", "5000"},
		{"foreign_keys", "1", "1"},
		{"journal_mode", "wal", "wal"},
		{"temp_store", "memory", "2"},
	}
	// FULL: a write that was acknowledged survives a power cut.
	writerSettings = append(commonSettings[:4:4], setting{"synchronous", "full", "2"},
		setting{"cache_size", "-8000", "-8000"}, setting{"journal_size_limit", "67108864", "67108864"})
	readerSettings = append(commonSettings[:4:4], setting{"query_only", "1", "1"},
		setting{"cache_size", "-4000", "-4000"})
	// The file keeps its way of journaling.
	viewerSettings = []setting{commonSettings[0], {"temp_store", "memory", "2"}, {"query_only", "1", "1"},
		{"cache_size", "-4000", "-4000"}}
)

func openPools(d *DB, settings []setting) (*sql.DB, error) {
	if d.driver == nil {
		var err error
		d.driver, err = newDriver()
		if err != nil {
			return nil, err
		}
	}
	pool := sql.OpenDB(connector{d.driver, dsn(d, settings)})
	d.pools = append(d.pools, pool)
	return pool, nil
}

// dsn carries every setting, because a pragma sent by hand would reach one connection only. _dqs=0: a
// misspelled column in double quotes is an error instead of a text.
func dsn(d *DB, settings []setting) string {
	query, path := url.Values{"_dqs": {"0"}}, d.path
	if d.place != nil {
		query.Set("mode", "rw") // a file that is gone is not made anew
	}
	if option, value, set := strings.Cut(d.viewed, "="); set {
		query.Set(option, value)
	}
	for _, s := range settings {
		query.Add("_pragma", s.name+"("+s.value+")")
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String()
}

// verify reads the settings back: the driver ignores what it does not know without a word.
func (c *conn) verify(ctx context.Context, settings []setting) error {
	for _, s := range settings {
		var got string
		if err := c.QueryRowContext(ctx, "PRAGMA "+s.name).Scan(&got); err != nil {
			return err
		}
		if got != s.readBack {
			return fmt.Errorf("the database setting %s is %s, want %s", s.name, got, s.readBack)
		}
	}
	return nil
}

// Ping asks a reader whether the database answers.
func (d *DB) Ping(ctx context.Context) error {
	return withReader(ctx, d, func(ctx context.Context, c *conn) error {
		var one int
		return c.QueryRowContext(ctx, "SELECT 1").Scan(&one)
	})
}

// Optimize refreshes the statistics that the query planner goes by, where they are out of date.
func (d *DB) Optimize(ctx context.Context) error {
	return pragmas(ctx, d, "PRAGMA optimize")
}

// mergePages is how many pages of the text index one step of TidySearch writes: some 20 ms.
const mergePages = 200

// TidySearch merges the parts of the text index that a bulk write has left, in short writes. Until it is
// done, each later write does a share of the work and searches look into more parts.
func (d *DB) TidySearch(ctx context.Context) error {
	for merged := true; merged; {
		err := d.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			before, err := q.Number(ctx, "SELECT total_changes()")
			if err != nil {
				return err
			}
			if _, err := q.Exec(ctx, "INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('merge', ?)",
				mergePages); err != nil {
				return err
			}
			after, err := q.Number(ctx, "SELECT total_changes()")
			merged = after-before >= 2 // one change is the command itself
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func pragmas(ctx context.Context, d *DB, texts ...string) error {
	return d.Write(ctx, func(ctx context.Context, _ *queries.Queries) error {
		for _, text := range texts {
			if _, err := joined(ctx).raw.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close waits for the writes that were accepted and closes the file. A second call does nothing.
func (d *DB) Close() error {
	d.closing.Lock()
	if d.closed {
		d.closing.Unlock()
		return nil
	}
	d.closed = true
	if d.jobs != nil {
		close(d.jobs)
	}
	d.closing.Unlock()
	<-d.written
	ctx := context.Background()
	for range cap(d.readers) {
		_ = (<-d.readers).close()
	}
	close(d.readers)
	if d.writer == nil {
		return errors.Join(d.versions.close(), closePools(d), endServed(d))
	}
	err := d.writer.run(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if errors.Is(err, ErrUnavailable) {
		err = nil // another process reads: it will truncate the log
	}
	return errors.Join(err, d.versions.close(), d.writer.close(), closePools(d), endServed(d))
}

func closePools(d *DB) error {
	var err error
	for _, pool := range d.pools {
		err = errors.Join(err, pool.Close())
	}
	return err
}

// leastRoom is how many bytes there must be beside the file for its log and the index of that.
const leastRoom = 1 << 20

func diskFull(d *DB) *OpenError {
	return &OpenError{d.path, "cannot be opened: the disk is full",
		"Free some space and start again; nothing was lost."}
}

// explain makes an OpenError of what SQLite says about the file itself.
func explain(d *DB, err error) error {
	switch {
	case isCode(err, sqlite3.SQLITE_NOTADB):
		return &OpenError{d.path, "is not a database", "Name another file with --data; this one was left as it is."}
	case isCode(err, sqlite3.SQLITE_CORRUPT):
		return openReason{&OpenError{d.path, "is damaged", "Restore the newest backup: finsvc restore FILE."},
			ErrDamaged}
	case isCode(err, sqlite3.SQLITE_FULL):
		return diskFull(d)
	case isCode(err, sqlite3.SQLITE_IOERR):
		if volume, other := disk.Of(filepath.Dir(d.path)); other == nil && volume.Total > 0 && volume.Free < leastRoom {
			return diskFull(d)
		}
		return &OpenError{d.path, "cannot be read or written: " + err.Error(),
			"The disk or its cable may be failing: look into the log of the system, and copy the file away while it can be read."}
	case isCode(err, sqlite3.SQLITE_READONLY), isCode(err, sqlite3.SQLITE_CANTOPEN), isCode(err, sqlite3.SQLITE_PERM):
		return NotWritable(d.path)
	case isCode(err, sqlite3.SQLITE_BUSY):
		return openReason{&OpenError{d.path, "is locked by another program",
			"Stop the other program, then start again."}, ErrLocked}
	}
	return err
}
