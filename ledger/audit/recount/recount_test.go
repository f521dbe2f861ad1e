package recount_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger/audit/recount"
	"finsvc/queries"
)

// places are the decimals of the currencies of [dbtest.Books].
func places(currency string) (int, bool) {
	if currency == "JPY" {
		return 0, true
	}
	return 2, slices.Contains([]string{"EUR", "USD", "GBP"}, currency)
}

// TestCount: the figures are those that were worked out by hand from the rows of books.sql, at the ends of January to
// April 2026, as "household/account".
func TestCount(t *testing.T) {
	t.Parallel()
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
	checkFigures(t, "", want)
}

// TestCountSeesEveryRow: whatever a figure is made of changes it, and none but it.
func TestCountSeesEveryRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, spoil string
		want        map[string]string
	}{
		{"an amount", "UPDATE transactions SET amount = amount + 1 WHERE name = 'Furniture'",
			map[string]string{"1/2": "-29999, 1, 1, 1", "1/0": "340001, 351501, 358501, 349401"}},
		{"rates", "DELETE FROM exchange_rates WHERE to_currency = 'JPY'", map[string]string{"2/0": "10000, 7450, 7450, 7450"}},
		{"a price", "UPDATE security_prices SET price = '27.01' WHERE price = '27'",
			map[string]string{"1/4": "100000, 101500, 103520, 105215", "1/0": "340000, 351500, 358520, 349415"}},
		{"a rate that an entry needs", `DELETE FROM exchange_rates WHERE date = unixepoch('2026-04-01') / 86400;
			UPDATE exchange_rates SET date = date - 9 WHERE rate = '1.2'`,
			map[string]string{"1/1": "230000, 200000, 205000, 204167", "1/0": "340000, 351500, 358500, 349367"}},
		{"all rates before an entry", "DELETE FROM exchange_rates WHERE to_currency = 'USD' AND date < unixepoch('2026-04-28') / 86400",
			map[string]string{"1/1": "230000, 200000, 205000, 205000 -1000 USD", "1/0": "300000, 301500, 308500, 350200", "2/0": "10000, 7450, 7450, 19950"}},
		{"an account", "DELETE FROM accounts WHERE id = 5", map[string]string{"1/5": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkFigures(t, c.spoil, c.want)
		})
	}
}

// checkFigures counts the figures of the books after they were spoilt, and compares those that want has.
func checkFigures(t *testing.T, spoil string, want map[string]string) {
	t.Helper()
	path := dbtest.Books(t)
	dbtest.Exec(t, path, spoil)
	got := map[string]string{}
	d, err := db.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		figures, err := recount.Count(ctx, q, recount.Options{Decimals: places, Today: 20573}) // 2026-04-30
		for home := int64(1); home <= 2; home++ {
			for account := int64(0); account <= 7; account++ {
				var list []string
				for _, day := range figures.Days(home) {
					if f, there := figures[recount.Key{Household: home, Account: account, Day: day}]; there {
						list = append(list, strings.TrimSpace(fmt.Sprint(f.Minor, " ", f.LeftOut)))
					}
				}
				key := fmt.Sprintf("%d/%d", home, account)
				if _, wanted := want[key]; wanted || list != nil && spoil == "" {
					got[key] = strings.Join(list, ", ")
				}
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wanted - got +\n%s", diff)
	}
}
