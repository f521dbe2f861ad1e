package db_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/embed"
	"finsvc/queries"

	"github.com/google/go-cmp/cmp"
)

// places are the decimals of the currencies in the files of schemas.
func places(currency string) (int, bool) {
	if currency == "JPY" {
		return 0, true
	}
	return 2, slices.Contains([]string{"EUR", "USD", "GBP"}, currency)
}

// counting is what figures are counted with; the day is 2026-04-30.
func counting() db.Counting { return db.Counting{Decimals: places, Today: 20573} }

// proof takes for the program's answers what change makes of what was counted.
func proof(change func(db.Figures)) db.Proof {
	return db.Proof{Decimals: places, Now: func() time.Time { return time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC) },
		Answers: func(ctx context.Context, d *db.DB, counted db.Figures) (answers db.Figures, err error) {
			err = d.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
				answers, err = db.CountFigures(ctx, q, counting())
				return err
			})
			if change != nil {
				change(answers)
			}
			return answers, err
		}}
}

// figuresOf counts the figures of an open file, and writes them as "household/account: end of January, ...".
func figuresOf(t *testing.T, d *db.DB) map[string]string {
	t.Helper()
	texts := map[string]string{}
	if err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		figures, err := db.CountFigures(ctx, q, counting())
		for home := int64(1); home <= 2; home++ {
			for account := int64(0); account <= 7; account++ {
				var list []string
				for _, day := range figures.Days(home) {
					if f, there := figures[db.FigureKey{Household: home, Account: account, Day: day}]; there {
						list = append(list, strings.TrimSpace(fmt.Sprint(f.Minor, " ", f.LeftOut)))
					}
				}
				if list != nil {
					texts[fmt.Sprintf("%d/%d", home, account)] = strings.Join(list, ", ")
				}
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

// wantFigures are worked out by hand from testdata/schemas/fill: the ends of January to April 2026.
func wantFigures(schema int64) map[string]string {
	want := map[string]string{
		"1/1": "230000, 200000, 205000, 204200", // 1000-200+1500; -300; 2100 stated, -50; -10 USD at 1.25
		"1/2": "-30000, 0, 0, 0",
		"1/3": "50000, 60000, 60000, 60000",
		"1/4": "100000, 101500, 103500, 105200", // 1000; 495+10*52; 495+20*27; 647+15*27
		"1/5": "7700, 7700, 7700, 7700",
		"1/0": "340000, 351500, 358500, 349400", // dollars are 400, 500, 500, 400; 1/5 is disabled
		"2/6": "10000, 7450, 7450, 7450",
		"2/7": "0, 0, 15000, 15000",
		"2/0": "10000, 7450, 19450, 19950", // yen are 15000*1.2/150 and 15000*1.5/180 dollars
	}
	switch {
	case schema == 1:
		return map[string]string{"1/0": "0", "2/0": "0"} // of April alone: there are no entries
	case schema == 2: // no rates, no entry in another currency
		want["1/1"], want["1/4"] = "230000, 200000, 205000, 205000", "100000, 100000, 100000, 100000"
		want["1/0"], want["2/0"] = "300000, 300000, 305000, 305000", "10000, 7450, 7450, 7450"
	case schema < 6: // no trades
		want["1/4"], want["1/0"] = "100000, 100000, 100000, 100000", "340000, 350000, 355000, 344200"
	}
	return want
}

// TestUpgradeOfEverySchema: the file that a program of any schema left has the same figures afterwards.
func TestUpgradeOfEverySchema(t *testing.T) {
	t.Parallel()
	for schema := int64(1); schema <= newest(t); schema++ {
		if _, err := os.Stat(fixtureName(schema)); err != nil {
			continue // of which TestEverySchemaHasAFile says what there is to say
		}
		t.Run(fmt.Sprint(schema), func(t *testing.T) {
			t.Parallel()
			path := fixture(t, schema)
			before, err := db.View(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wantFigures(schema), figuresOf(t, before)); diff != "" {
				t.Errorf("before the upgrade: wanted - got +\n%s", diff)
			}
			if err := before.Close(); err != nil {
				t.Fatal(err)
			}
			d, err := db.Open(t.Context(), path, db.WithProof(proof(nil)))
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			checkVersion(t, d, newest(t))
			checkSound(t, d)
			if diff := cmp.Diff(wantFigures(schema), figuresOf(t, d)); diff != "" {
				t.Errorf("after the upgrade: wanted - got +\n%s", diff)
			}
		})
	}
}

// spoilt are the migrations of the program and a last one.
func spoilt(t *testing.T, text string) (fs.FS, int64) {
	t.Helper()
	all := fstest.MapFS{}
	files, err := fs.Glob(embed.Schema, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := fs.ReadFile(embed.Schema, file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = &fstest.MapFile{Data: content}
	}
	next := newest(t) + 1
	all[fmt.Sprintf("%04d_spoilt.sql", next)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + text)}
	return all, next
}

// TestUpgradeThatChangesFigures: what the books say must not change, by whatever a migration does. It is undone, and
// what would have changed is said.
func TestUpgradeThatChangesFigures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, migration string
		answers         func(db.Figures)
		number          int
		changes         []string
	}{
		{name: "an amount", migration: "UPDATE transactions SET amount = amount + 1 WHERE name = 'Furniture'", number: 8, changes: []string{
			"Home, net worth, 2026-01-31: 3400.00 EUR before, 3400.01 EUR after", "Home, net worth, 2026-02-28: 3515.00 EUR before, 3515.01 EUR after",
			"Home, net worth, 2026-03-31: 3585.00 EUR before, 3585.01 EUR after", "Home, net worth, 2026-04-30: 3494.00 EUR before, 3494.01 EUR after",
			"Home, Card, 2026-01-31: -300.00 EUR before, -299.99 EUR after", "Home, Card, 2026-02-28: 0.00 EUR before, 0.01 EUR after",
			"Home, Card, 2026-03-31: 0.00 EUR before, 0.01 EUR after", "Home, Card, 2026-04-30: 0.00 EUR before, 0.01 EUR after"}},
		{name: "rates", migration: "DELETE FROM exchange_rates WHERE to_currency = 'JPY'", number: 2, changes: []string{
			"Büro, net worth, 2026-03-31: 194.50 USD before, 74.50 USD after", "Büro, net worth, 2026-04-30: 199.50 USD before, 74.50 USD after"}},
		{name: "a price", migration: "UPDATE security_prices SET price = '27.01' WHERE price = '27'", number: 4, changes: []string{
			"Home, net worth, 2026-03-31: 3585.00 EUR before, 3585.20 EUR after", "Home, net worth, 2026-04-30: 3494.00 EUR before, 3494.15 EUR after",
			"Home, Broker, 2026-03-31: 1035.00 EUR before, 1035.20 EUR after", "Home, Broker, 2026-04-30: 1052.00 EUR before, 1052.15 EUR after"}},
		{name: "a rate that an entry needs", migration: "DELETE FROM exchange_rates WHERE date = unixepoch('2026-04-01') / 86400; UPDATE exchange_rates SET date = date - 9 WHERE rate = '1.2'",
			number: 2, changes: []string{
				"Home, net worth, 2026-04-30: 3494.00 EUR before, 3493.67 EUR after", "Home, Everyday, 2026-04-30: 2042.00 EUR before, 2041.67 EUR after"}},
		{name: "all rates before an entry", migration: "DELETE FROM exchange_rates WHERE to_currency = 'USD' AND date < unixepoch('2026-04-28') / 86400",
			number: 6, changes: []string{
				"Home, net worth, 2026-01-31: 3400.00 EUR before, 3000.00 EUR after", "Home, net worth, 2026-02-28: 3515.00 EUR before, 3015.00 EUR after",
				"Home, net worth, 2026-03-31: 3585.00 EUR before, 3085.00 EUR after",
				"Home, net worth, 2026-04-30: 3494.00 EUR before, 3502.00 EUR after", "Home, Everyday, 2026-04-30: 2042.00 EUR before, 2050.00 EUR without -1000 USD in minor units after",
				"Büro, net worth, 2026-03-31: 194.50 USD before, 74.50 USD after"}},
		{name: "an account", migration: "DELETE FROM accounts WHERE id = 5", number: 4, changes: []string{
			"Home, Old, 2026-01-31: 77.00 GBP before, nothing after", "Home, Old, 2026-02-28: 77.00 GBP before, nothing after",
			"Home, Old, 2026-03-31: 77.00 GBP before, nothing after", "Home, Old, 2026-04-30: 77.00 GBP before, nothing after"}},
		{name: "another rule", migration: "SELECT 1", answers: func(f db.Figures) {
			f[db.FigureKey{Household: 2, Account: 6, Day: 20573}] = db.Figure{Minor: decimal.New(7451, 0)}
		},
			number: 1, changes: []string{"Büro, Till, 2026-04-30: the entries come to 74.50 USD, this finsvc says 74.51 USD"}},
		{name: "everything", migration: "DELETE FROM valuations; DELETE FROM transactions; DELETE FROM trades", // but the card's balance of the last day is 0 before and after
			number: 35},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := fixture(t, newest(t))
			was := content(t, path)
			files, next := spoilt(t, c.migration+";")
			d, err := db.Open(t.Context(), path, db.WithMigrations(files), db.WithProof(proof(c.answers)))
			changed, ok := errors.AsType[*db.FiguresError](err)
			if !ok {
				t.Fatalf("opened %v, want an error about figures (%v)", d, err)
			}
			if diff := cmp.Diff(c.changes, changed.Changes); changed.Number != c.number || c.changes != nil && diff != "" {
				t.Errorf("%d changes, want %d: wanted - got +\n%s", changed.Number, c.number, diff)
			}
			if changed.From != next-1 || changed.To != next || changed.Path != path {
				t.Errorf("it says %s from %d to %d", changed.Path, changed.From, changed.To)
			}
			if string(content(t, path)) != string(was) {
				t.Error("the file is not what it was")
			}
			d, err = db.Open(t.Context(), path, db.WithProof(proof(nil)))
			if err != nil {
				t.Fatal("the program before cannot go on:", err)
			}
			defer d.Close()
			checkVersion(t, d, next-1)
			checkSound(t, d)
			if diff := cmp.Diff(wantFigures(next-1), figuresOf(t, d)); diff != "" {
				t.Errorf("wanted - got +\n%s", diff)
			}
		})
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestFiguresErrorIsShort: a file in which everything changes is said in twenty lines and a number.
func TestFiguresErrorIsShort(t *testing.T) {
	t.Parallel()
	e := &db.FiguresError{Path: "/data/finance.db", From: 15, To: 16, Number: 23, Changes: []string{"Home, net worth, 2026-01-31: 1.00 EUR before, 2.00 EUR after"}}
	const want = `/data/finance.db was not upgraded from schema 15 to 16: 23 of its figures would have changed, and none may. The file is as it was.
  Home, net worth, 2026-01-31: 1.00 EUR before, 2.00 EUR after
  and 22 more
Nothing is lost. Go on with the finsvc that you had, and report these lines: it is a mistake of this one, which no switch accepts.`
	if got := e.Error(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestUpgradeThatFails: a migration in the middle of several that does not work leaves none of them.
func TestUpgradeThatFails(t *testing.T) {
	t.Parallel()
	path := fixture(t, 6)
	files, _ := spoilt(t, "INSERT INTO nothing VALUES (1);")
	if _, err := db.Open(t.Context(), path, db.WithMigrations(files), db.WithProof(proof(nil))); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("got %v, want an error about the table", err)
	}
	view, err := db.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	checkVersion(t, view, 6)
	if diff := cmp.Diff(wantFigures(6), figuresOf(t, view)); diff != "" {
		t.Errorf("wanted - got +\n%s", diff)
	}
}

// TestKilledUpgrade kills the process before, between and after the migrations: the next finds the old file, and
// upgrades it.
func TestKilledUpgrade(t *testing.T) {
	t.Parallel()
	for moment := 1; moment <= killMoments; moment++ {
		t.Run(fmt.Sprint(moment), func(t *testing.T) {
			t.Parallel()
			path := fixture(t, 6)
			if out, err := command(t, jobUpgrade, path, moment).CombinedOutput(); err == nil || len(out) > 0 {
				t.Fatalf("the child was not killed: %s", out)
			}
			view, err := db.View(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			checkVersion(t, view, 6)
			if diff := cmp.Diff(wantFigures(6), figuresOf(t, view)); diff != "" {
				t.Errorf("wanted - got +\n%s", diff)
			}
			if err := view.Close(); err != nil {
				t.Fatal(err)
			}
			d, err := db.Open(t.Context(), path, db.WithProof(proof(nil)))
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			checkVersion(t, d, newest(t))
			checkSound(t, d)
		})
	}
}

const (
	jobUpgrade  = "upgrade" // upgrades and is killed at a moment
	killMoments = 3         // before the first count, after the migrations, before the commit
)

// upgradeAndDie kills its own process in the middle of an upgrade.
func upgradeAndDie(ctx context.Context, path string, moment int) error {
	passed := func() {
		if moment--; moment == 0 {
			killMyself()
		}
	}
	p := proof(func(db.Figures) { passed() })
	now := p.Now
	p.Now = func() time.Time { // it is asked for at each count
		passed()
		return now()
	}
	_, err := db.Open(ctx, path, db.WithProof(p))
	return err
}

func killMyself() {
	if me, err := os.FindProcess(os.Getpid()); err == nil {
		_ = me.Kill()
	}
	select {} // until it is done
}
