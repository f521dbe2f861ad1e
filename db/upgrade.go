package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	sqlite3 "modernc.org/sqlite/lib"
)

// Proof says how an upgrade is proved: no figure may be another afterwards, neither as counted from the rows nor as the
// program answers it.
type Proof struct {
	Decimals func(currency string) (places int, known bool) // of a currency's amounts
	Now      func() time.Time
	// Answers are the figures that were counted as the program answers them. The database is to be read with ctx.
	Answers func(ctx context.Context, d *DB, counted Figures) (Figures, error)
	// Unproved is told of a household whose figures could not be counted: it keeps no other household from its upgrade. It
	// may be nil.
	Unproved func(household, problem string)
}

// WithProof has upgrades proved before they count.
func WithProof(p Proof) Option { return func(d *DB) { d.proof = &p } }

// maxDifferences is how many differences a [FiguresError] tells.
const maxDifferences = 20

// FiguresError says that an upgrade would have changed figures; it was undone.
type FiguresError struct {
	Path     string
	From, To int64    // schemas
	Changes  []string // at most twenty, a line each
	Number   int      // of all
}

// Error is what was to change and what to do, on several lines.
func (e *FiguresError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s was not upgraded from schema %d to %d: %d of its figures would have changed, and none may. The file is as it was.\n", e.Path, e.From, e.To, e.Number)
	for _, line := range e.Changes {
		text.WriteString("  " + line + "\n")
	}
	if more := e.Number - len(e.Changes); more > 0 {
		fmt.Fprintf(&text, "  and %d more\n", more)
	}
	text.WriteString("Nothing is lost. Go on with the finsvc that you had, and report these lines: it is a mistake of this one, which no switch accepts.")
	return text.String()
}

// oneConnection makes one connection and never another, so that no statement of a transaction can end up outside of it.
type oneConnection struct {
	driver driver.Driver
	dsn    string
	made   bool
}

// Connect makes the connection.
func (o *oneConnection) Connect(context.Context) (driver.Conn, error) {
	if o.made {
		return nil, errors.New("the connection of the upgrade was lost")
	}
	o.made = true
	return o.driver.Open(o.dsn)
}

// Driver is that of the connection.
func (o *oneConnection) Driver() driver.Driver { return o.driver }

// upgrade is the upgrade of a file with data.
type upgrade struct {
	*DB
	pool  *sql.DB // of one connection, which is in a transaction
	names map[FigureKey]figureName
	// unproved are the households whose figures could not be counted, and why.
	unproved map[int64]string
}

// figureName is a household or an account, by a key without a day.
type figureName struct{ name, currency string }

// upgradeWhole runs all migrations that are pending, and the proof, in one transaction: a crash leaves the old file or
// the new one, what does not hold is undone, and nobody writes meanwhile. Keep keeps a copy of the file, which another
// connection sees as it was: only of an upgrade that is going to count, so that one that is tried again and again, as a
// service manager does, leaves none.
func (d *DB) upgradeWhole(ctx context.Context, keep func() (kept string, err error)) (err error) {
	u := upgrade{d, sql.OpenDB(&oneConnection{driver: d.pools[0].Driver(), dsn: d.dsn(writerSettings)}), map[FigureKey]figureName{}, map[int64]string{}}
	defer func() { err = errors.Join(err, u.pool.Close()) }()
	if _, err := u.pool.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	end, kept := "COMMIT", ""
	if err = u.run(ctx); err == nil {
		kept, err = keep()
	}
	if err != nil {
		end = "ROLLBACK"
	}
	_, errEnd := u.pool.ExecContext(context.WithoutCancel(ctx), end)
	if kept != "" && isCode(errEnd, sqlite3.SQLITE_FULL) {
		errEnd = errors.Join(errEnd, Discard(kept)) // it does not count, and the copy would take the room of the next one
	}
	return errors.Join(err, errEnd)
}

func (u *upgrade) run(ctx context.Context) error {
	from, err := schemaVersion(ctx, u.pool)
	if err != nil {
		return err
	}
	before, err := u.figures(ctx)
	if err != nil {
		return err
	}
	// The transaction is ours: goose is to make none.
	provider, err := u.migrations(u.pool, goose.WithIsolateDDL(true))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return err
	}
	if u.fill != nil {
		if err := u.reading(ctx, func(ctx context.Context, c *conn) error { return u.fill(ctx, c.queries, from) }); err != nil {
			return fmt.Errorf("fill in what schema %d left out: %w", from, err)
		}
	}
	if u.proof == nil {
		return nil
	}
	return u.prove(ctx, before, &FiguresError{Path: u.path, From: from, To: newestVersion(provider)})
}

// prove compares the figures of before with those of now, counted in the same way, and these with what the program says.
func (u *upgrade) prove(ctx context.Context, before Figures, changed *FiguresError) error {
	after, err := u.figures(ctx)
	if err != nil {
		return err
	}
	before, after = u.proved(before), u.proved(after)
	u.note(changed, before.Differences(after), "%s before, %s after")
	if changed.Number == 0 {
		if err := u.reading(ctx, func(ctx context.Context, _ *conn) error { return u.compareAnswers(ctx, after, changed) }); err != nil {
			return err
		}
	}
	if changed.Number > 0 {
		return changed
	}
	if u.proof.Unproved != nil {
		for _, id := range slices.Sorted(maps.Keys(u.unproved)) {
			u.proof.Unproved(u.names[FigureKey{Household: id}].name, u.unproved[id])
		}
	}
	return nil
}

// compareAnswers compares what was counted with what the program says, household by household.
func (u *upgrade) compareAnswers(ctx context.Context, counted Figures, changed *FiguresError) error {
	parts := map[int64]Figures{}
	for key, figure := range counted {
		if parts[key.Household] == nil {
			parts[key.Household] = Figures{}
		}
		parts[key.Household][key] = figure
	}
	for _, id := range slices.Sorted(maps.Keys(parts)) {
		answers, err := u.proof.Answers(ctx, u.DB, parts[id])
		if err = u.leaveOut(ctx, id, err); err != nil {
			return err
		}
		maps.DeleteFunc(answers, func(key FigureKey, _ Figure) bool { return key.Household != id })
		if _, left := u.unproved[id]; !left {
			u.note(changed, parts[id].Differences(answers), "the entries come to %s, this finsvc says %s")
		}
	}
	return nil
}

// proved are the figures of the households that could be counted each time.
func (u *upgrade) proved(all Figures) Figures {
	all = maps.Clone(all)
	maps.DeleteFunc(all, func(key FigureKey, _ Figure) bool { _, left := u.unproved[key.Household]; return left })
	return all
}

// leaveOut notes that the figures of a household could not be counted, when it is the books that err speaks of; else it
// passes err on.
func (u *upgrade) leaveOut(ctx context.Context, household int64, err error) error {
	if err == nil || ctx.Err() != nil || ended(err) || errors.Is(translate(err), ErrUnavailable) || IsDamage(err) {
		return err
	}
	if u.unproved[household] == "" {
		u.unproved[household] = err.Error()
	}
	return nil
}

// figures counts the file as it is, and notes what things are called.
func (u *upgrade) figures(ctx context.Context) (all Figures, err error) {
	if u.proof == nil {
		return nil, nil
	}
	err = u.reading(ctx, func(ctx context.Context, c *conn) error {
		today := u.proof.Now().Unix() / (24 * 60 * 60)
		if err := u.readNames(rowReader{ctx, c.queries}); err != nil {
			return err
		}
		all = Figures{}
		for key := range u.names {
			if key.Account != 0 {
				continue
			}
			some, err := CountFigures(ctx, c.queries, Counting{Decimals: u.proof.Decimals, Today: today, Only: key.Household})
			if err := u.leaveOut(ctx, key.Household, err); err != nil {
				return err
			}
			maps.Copy(all, some)
		}
		return nil
	})
	return all, err
}

// reading lends the connection to what reads by queries.
func (u *upgrade) reading(ctx context.Context, read func(context.Context, *conn) error) error {
	c, err := newConn(ctx, u.pool)
	if err != nil {
		return err
	}
	return errors.Join(read(context.WithValue(ctx, joinKey{}, c), c), c.close())
}

func (u *upgrade) readNames(r rowReader) error {
	schema, err := r.schema()
	if err != nil {
		return err
	}
	text := "SELECT id, 0, name, currency FROM households"
	if schema >= schemaOfAccounts {
		text += " UNION ALL SELECT household_id, id, name, currency FROM accounts"
	}
	return r.each(func(scan func(...any) error) error {
		var key FigureKey
		var n figureName
		err := scan(&key.Household, &key.Account, &n.name, &n.currency)
		u.names[key] = n
		return err
	}, text)
}

// note puts differences into words.
func (u *upgrade) note(changed *FiguresError, list []Difference, format string) {
	changed.Number += len(list)
	for _, d := range list[:min(len(list), maxDifferences)] {
		home, account := u.names[FigureKey{Household: d.Household}], u.names[FigureKey{Household: d.Household, Account: d.Account}]
		where := home.name + ", net worth"
		if d.Account != 0 {
			where = home.name + ", " + account.name
		}
		changed.Changes = append(changed.Changes, fmt.Sprintf("%s, %s: "+format, where, time.Unix(d.Day*24*60*60, 0).UTC().Format(time.DateOnly),
			u.text(d.Before, account.currency), u.text(d.After, account.currency)))
	}
}

func (u *upgrade) text(f *Figure, currency string) string {
	if f == nil {
		return "nothing"
	}
	text := Counting{Decimals: u.proof.Decimals}.amount(f.Minor, currency)
	if f.LeftOut != "" {
		text += " without " + f.LeftOut + " in minor units"
	}
	return text
}
