// Package importer is the import as a job: a file is received and kept, looked at for how it is to be read and what it
// would do, published as transactions, trades and whatever else its records make, read back, and reverted as if it had
// never been.
//
// What a format is, its own package knows; a new one is one more such package and one line in formatNamed. What a
// record becomes in the books is decided in one place, package apply.
package importer

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"finsvc/db"
	"finsvc/db/watch"
	"finsvc/importer/pdf/extract"
	"finsvc/ledger/books"
	"finsvc/queries"
)

// Importer receives files, keeps them, and publishes what they hold as transactions. An import's row in
// the database is its place in the queue; any process that has the file open may do the work.
//
// It owns the queue. What is done with one import has its own type: its file is read by a fileReader, looked at by an
// analyser, made ready by a reviewer, published by a publisher, and taken back by a reverter.
type Importer struct {
	db      *db.DB
	ledger  *books.Books
	log     *slog.Logger
	now     func() time.Time
	max     int64
	wake    chan struct{}
	watches *watch.Hub[int64, queries.Import]

	server bool // see Options

	reader     *fileReader
	analyser   *analyser
	reviewer   *reviewer
	comparer   *rowComparer
	duplicates *duplicates
	reverter   *reverter
}

// Options are what an [Importer] is made of; all are required but Now, which is time.Now when nil, and
// Max, the longest file in bytes, which is [DefaultMax] when 0. PDFText is the command line of a process that calls
// [extract.Text] with its standard input and output; without it no PDF can be read. It may run for PDFTime; 0: 20
// seconds. Server says that this is the server of the file and that there is no other: what an earlier one held is
// nobody's.
type Options struct {
	DB     *db.DB
	Ledger *books.Books
	Logger *slog.Logger
	Now    func() time.Time
	Max    int64
	Server bool

	PDFText []string
	PDFTime time.Duration
}

// DefaultMax is the longest file that is taken when nobody says otherwise: 64 MiB.
const DefaultMax = 64 << 20

// How long a worker may be silent before its work counts as abandoned, how often a worker looks for
// abandoned work, and how long it waits after something failed that may pass.
const (
	lease     = 30 * time.Second
	lookAgain = 5 * time.Second
)

// filePatience is how long a preflight, or a look at the rows of an import, waits while others read files.
const filePatience = 20 * time.Second

// longestUpload is how long a file may take to come in; what is older was cut off with the process that received it.
const longestUpload = time.Hour

// maxAttempts is how often the work on an import is begun that does not come to its end: a file must not end the
// service for ever.
const maxAttempts = 3

// New makes an importer. Nothing happens until [Importer.Run] is called.
func New(o Options) *Importer {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Max == 0 {
		o.Max = DefaultMax
	}
	if o.PDFTime == 0 {
		o.PDFTime = extract.DefaultTime
	}
	reader := &fileReader{db: o.DB, ledger: o.Ledger, max: o.Max,
		places:  db.NewPlaces(max(2, runtime.GOMAXPROCS(0)), filePatience),
		pdfText: o.PDFText, pdfTime: o.PDFTime, pdfReaders: make(chan struct{}, extract.MaxPDFReaders)}
	a := &analyser{db: o.DB, ledger: o.Ledger, reader: reader}
	return &Importer{db: o.DB, ledger: o.Ledger, log: o.Logger, now: o.Now, max: o.Max, wake: make(chan struct{}, 1),
		watches: newHub(), server: o.Server,
		reader: reader, analyser: a,
		reviewer:   &reviewer{db: o.DB, ledger: o.Ledger, now: o.Now, reader: reader, analyser: a},
		comparer:   &rowComparer{db: o.DB, reader: reader, analyser: a},
		duplicates: &duplicates{db: o.DB, now: o.Now, reader: reader, analyser: a},
		reverter:   &reverter{db: o.DB, ledger: o.Ledger, now: o.Now}}
}

// Max is the longest file in bytes that is taken.
func (im *Importer) Max() int64 { return im.max }

// Run publishes and reverts what is asked for until ctx ends; then it lets go of its work, which the next start
// takes up again from the beginning.
func (im *Importer) Run(ctx context.Context) error {
	im.watches.Begin()
	defer im.watches.End() // who listens would hold up the stop
	before := im.now().Add(-longestUpload).UnixMilli()
	if err := im.db.WriteUntilDone(ctx, func(ctx context.Context,
		q *queries.Queries) error {
		return q.DeleteStaleUploads(ctx, before)
	}); err != nil {
		return err
	}
	if im.server {
		if err := im.db.WriteUntilDone(ctx, func(ctx context.Context,
			q *queries.Queries) error {
			return q.FreeImports(ctx)
		}); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		version, _ := im.db.Version(ctx) // 0, which is none, where the file cannot be read
		worked, err := im.Work(ctx)
		if err != nil && ctx.Err() == nil {
			im.log.LogAttrs(ctx, slog.LevelError, "import worker", slog.String("error", err.Error()))
		}
		if worked && err == nil {
			continue
		}
		if err != nil {
			version = 0 // what failed may pass without a commit
		}
		im.db.Await(ctx, im.wake, version, lookAgain)
	}
	return nil
}

// notify tells the worker that there is something to do.
func (im *Importer) notify() {
	select {
	case im.wake <- struct{}{}:
	default: // it knows already
	}
}

// Work publishes or reverts the oldest import that waits; worked is false when none does.
func (im *Importer) Work(ctx context.Context) (worked bool, err error) {
	imp, work, err := im.claim(ctx)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer im.kick(imp.ID)
	p := newPublisher(im, imp)
	p.leaseUntil, p.attempts = work.LeaseUntil, work.Attempts
	defer p.holdOn(ctx)()
	defer useBulk(ctx, p)()
	if imp.Status == StatusReverting {
		return true, finishRevert(ctx, p)
	}
	err = db.Recovered("panic", func() error { return p.publish(ctx) })
	switch {
	case err == nil:
		im.log.LogAttrs(ctx, slog.LevelInfo, "import published", slog.Int64("import", imp.ID),
			slog.Int64("rows", p.done))
		im.tidy(ctx, imp)
		return true, nil
	case ctx.Err() != nil:
		return true, p.release(context.WithoutCancel(ctx))
	}
	if undo := p.fail(context.WithoutCancel(ctx), err); undo != nil {
		return true, errors.Join(undo, p.release(context.WithoutCancel(ctx)))
	}
	return true, nil
}

// tidy makes up for a bulk write. What it does is for speed only, so it may fail or be cut short.
func (im *Importer) tidy(ctx context.Context, imp queries.Import) {
	im.kick(imp.ID) // tidying takes its time
	if imp.RowsCount < bigImport {
		return
	}
	if err := errors.Join(im.db.TidySearch(ctx), im.db.Optimize(ctx)); err != nil && ctx.Err() == nil {
		im.log.LogAttrs(ctx, slog.LevelWarn, "tidying after an import", slog.String("error", err.Error()))
	}
}

// claim takes the lease of the import whose turn it is.
func (im *Importer) claim(ctx context.Context) (imp queries.Import, work queries.ImportWork, err error) {
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		now := im.now()
		work, err = q.ClaimImport(ctx, queries.ClaimImportParams{LeaseUntil: now.Add(lease).UnixMilli(),
			HeldByServer: im.server, Now: now.UnixMilli()})
		if err != nil {
			return err
		}
		started := now.UnixMilli()
		imp, err = q.StartImport(ctx, queries.StartImportParams{StartedAt: &started, ID: work.ImportID,
			HouseholdID: work.HouseholdID})
		return err
	})
	return imp, work, err
}
