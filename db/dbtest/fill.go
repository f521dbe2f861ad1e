package dbtest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// Shape is the size of a generated household. Each account has a currency of its own as long as there are
// Currencies, at most twelve, then they come again; the first is the household's. The last Investments of the
// accounts hold the Securities.
type Shape struct {
	Transactions, Accounts, Categories, Merchants, Tags, Days int
	Currencies, Investments, Trades, Securities               int
}

// Million is what the measurements are made on: ten years of a million transactions and 50,000 trades, in
// twelve accounts of as many currencies.
var Million = Shape{Transactions: 1_000_000, Accounts: 12, Categories: 60, Merchants: 2_000, Tags: 30, Days: 3652,
	Currencies: 12, Investments: 4, Trades: 50_000, Securities: 200}

// Filled is what Fill made: the keys of its rows, so that a test can name common and rare ones. The last
// category, merchant and tag are rare: a handful of transactions have them.
type Filled struct {
	HouseholdID, UserID                            int64
	AccountIDs, CategoryIDs, MerchantIDs, TagIDs   []int64
	Accounts, CategoriesPublic, Merchants, TagsPub []uuid.UUID
	FirstDay, LastDay                              int64 // days since 1970-01-01
}

// RareWord stands in the name of exactly seven generated transactions.
const RareWord = "Zwetschgenröster"

// batch is how many rows are written in one transaction.
const batch = 10_000

// filler holds what generation needs from row to row.
type filler struct {
	Filled
	shape Shape
	rng   *rand.Rand
	stamp int64
}

// Fill writes a household with realistic transactions into the database, straight to the tables, and
// computes the rollups from the rows. The same shape gives the same rows, but for their public ids.
func Fill(tb testing.TB, d *db.DB, shape Shape) Filled {
	tb.Helper()
	f := &filler{shape: shape, rng: rand.New(rand.NewPCG(7, 117)),
		stamp: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()}
	f.LastDay = time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC).Unix() / 86400
	f.FirstDay = f.LastDay - int64(shape.Days) + 1
	bulk, err := d.Bulk(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	defer bulk.Close()
	write := func(work db.Work) {
		tb.Helper()
		if err := bulk.Write(context.Background(), work); err != nil {
			tb.Fatal(err)
		}
	}
	write(f.people)
	write(f.makeLabels)
	for first := 0; first < shape.Transactions; first += batch {
		write(func(ctx context.Context, q *queries.Queries) error {
			// Write the rows with numbers from first to last, in order of days.
			last := min(first+batch, shape.Transactions)
			for i := first; i < last; i++ {
				row := f.transaction(i)
				if err := q.InsertTransaction(ctx, row); err != nil {
					return err
				}
				merchant, notes := "", ""
				if row.MerchantID != nil {
					merchant = merchantName(int(*row.MerchantID - f.MerchantIDs[0]))
				}
				if row.Notes != nil {
					notes = *row.Notes
				}
				if err := q.InsertSearchText(ctx, row.ID, row.Name, notes, merchant); err != nil {
					return err
				}
				if err := f.tags(ctx, q, row.ID, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	write(f.rates)
	write(f.investments)
	write(f.rollups)
	if err := d.TidySearch(context.Background()); err != nil {
		tb.Fatal(err)
	}
	if err := d.Optimize(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return f.Filled
}

func (f *filler) exec(ctx context.Context, q *queries.Queries, text string, args ...any) error {
	_, err := q.Exec(ctx, text, args...)
	return err
}

func (f *filler) people(ctx context.Context, q *queries.Queries) error {
	id, err := q.Exec(ctx, `INSERT INTO households (public_id, name, currency, locale, timezone, created_at, updated_at)
		VALUES (?, 'Generated', 'EUR', 'de-DE', 'Europe/Berlin', ?, ?)`, publicID(), f.stamp, f.stamp)
	if err != nil {
		return err
	}
	f.HouseholdID = id
	f.UserID, err = q.Exec(ctx, `INSERT INTO users (public_id, household_id, email, role, created_at, updated_at)
		VALUES (?, ?, 'owner@generated.example', 'admin', ?, ?)`, publicID(), id, f.stamp, f.stamp)
	return err
}

// makeLabels makes accounts, categories, merchants and tags.
func (f *filler) makeLabels(ctx context.Context, q *queries.Queries) error {
	kinds := []string{"depository", "depository", "credit_card", "depository", "credit_card", "depository", "loan",
		"depository"}
	for i := range f.shape.Accounts {
		name := fmt.Sprintf("Account %02d", i+1)
		kind := kinds[i%len(kinds)]
		if i >= f.shape.Accounts-f.shape.Investments {
			kind = "investment"
		}
		if err := f.label(ctx, q, &f.AccountIDs, &f.Accounts, `INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency,
			created_at, updated_at) VALUES (?, ?, ?, lower(?3), ?4, '`+f.currency(i)+`', ?5, ?5)`, name, kind); err != nil {
			return err
		}
	}
	for i := range f.shape.Categories {
		if err := f.label(ctx, q, &f.CategoryIDs, &f.CategoriesPublic, `INSERT INTO categories (public_id, household_id, name, name_key, classification,
			color, icon, created_at, updated_at) VALUES (?, ?, ?, lower(?3), ?4, '#6172f3', 'shapes', ?5, ?5)`, fmt.Sprintf("Category %02d", i+1), "expense"); err != nil {
			return err
		}
	}
	for i := range f.shape.Merchants {
		if err := f.label(ctx, q, &f.MerchantIDs, &f.Merchants, `INSERT INTO merchants (public_id, household_id, name, name_key, created_at, updated_at)
			VALUES (?, ?, ?, lower(?3), ?5, ?5)`, merchantName(i), ""); err != nil {
			return err
		}
	}
	for i := range f.shape.Tags {
		if err := f.label(ctx, q, &f.TagIDs, &f.TagsPub, `INSERT INTO tags (public_id, household_id, name, name_key, color, created_at, updated_at)
			VALUES (?, ?, ?, lower(?3), ?4, ?5, ?5)`, fmt.Sprintf("tag %02d", i+1), "#e99537"); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) label(ctx context.Context, q *queries.Queries, keys *[]int64, ids *[]uuid.UUID, text, name,
	extra string) error {
	id := publicID()
	key, err := q.Exec(ctx, text, id, f.HouseholdID, name, extra, f.stamp)
	*keys, *ids = append(*keys, key), append(*ids, uuid.UUID(id))
	return err
}

func (f *filler) transaction(i int) queries.InsertTransactionParams {
	day := f.FirstDay + int64(i)*int64(f.shape.Days)/int64(f.shape.Transactions)
	merchant := f.skewed(len(f.MerchantIDs) - 1)
	name := fmt.Sprintf("%s %d %s", merchantName(merchant), 1000+f.rng.IntN(9000), cities()[f.rng.IntN(len(cities()))])
	amount := -int64(f.rng.ExpFloat64() * 4500)
	account := f.skewed(len(f.AccountIDs))
	row := queries.InsertTransactionParams{
		ID:       f.HouseholdID<<43 | (day+25567)<<26 | int64(i+1),
		PublicID: publicID(), HouseholdID: f.HouseholdID, AccountID: f.AccountIDs[account], Date: day,
		Currency: f.currency(account), MerchantID: &f.MerchantIDs[merchant],
		CategoryID: &f.CategoryIDs[merchant%(len(f.CategoryIDs)-1)],
		CreatedAt:  f.stamp + int64(i), UpdatedAt: f.stamp + int64(i),
	}
	switch {
	case f.rng.IntN(20) == 0:
		amount, name, row.MerchantID = 100_000+int64(f.rng.IntN(400_000)), fmt.Sprintf("Salary %d", i), nil
	case rare(i, f.shape.Transactions):
		row.MerchantID, row.CategoryID = &f.MerchantIDs[len(f.MerchantIDs)-1], &f.CategoryIDs[len(f.CategoryIDs)-1]
		name, amount = RareWord+" "+name, -7_777_777
	}
	if f.rng.IntN(3) == 0 {
		notes := fmt.Sprintf("card payment, reference %08d", f.rng.IntN(100_000_000))
		row.Notes = &notes
	}
	row.Name, row.Amount = name, amount
	return row
}

// rare picks seven rows spread over the whole range.
func rare(i, n int) bool { return i%(n/7+1) == n/14 }

// skewed picks an index such that the first ones are much more frequent, as in a real household.
func (f *filler) skewed(n int) int {
	return min(int(f.rng.ExpFloat64()*float64(n)/6), n-1)
}

func (f *filler) tags(ctx context.Context, q *queries.Queries, id int64, i int) error {
	common := len(f.TagIDs) - 1
	for chance := 5; f.rng.IntN(chance) == 0; chance *= 2 {
		if err := q.InsertTransactionTag(ctx, queries.InsertTransactionTagParams{TransactionID: id,
			TagID: f.TagIDs[f.skewed(common)]}); err != nil {
			return err
		}
	}
	if rare(i, f.shape.Transactions) {
		return q.InsertTransactionTag(ctx, queries.InsertTransactionTagParams{TransactionID: id,
			TagID: f.TagIDs[common]})
	}
	return nil
}

// rollups computes from the rows what the ledger would have kept beside them.
func (f *filler) rollups(ctx context.Context, q *queries.Queries) error {
	for _, text := range []string{
		fmt.Sprint(`UPDATE households SET entry_sequence = `, f.shape.Transactions+f.shape.Trades, ` WHERE id = ?1`),
		`INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, other_currency)
			SELECT t.account_id, t.date, t.currency, t.household_id, sum(t.amount), count(*), sum(t.amount > 0), t.currency <> a.currency
			FROM transactions t JOIN accounts a ON a.id = t.account_id WHERE t.household_id = ?1 GROUP BY t.account_id, t.date, t.currency`,
		`INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
			SELECT t.account_id, t.date, t.currency, t.household_id, sum(t.amount), 0, 0, count(*), t.currency <> a.currency
			FROM trades t JOIN accounts a ON a.id = t.account_id WHERE t.household_id = ?1 GROUP BY t.account_id, t.date, t.currency
			ON CONFLICT DO UPDATE SET amount = amount + excluded.amount, trades = excluded.trades`,
		`INSERT INTO amount_bands (household_id, currency, band, transactions)
			SELECT household_id, currency, amount / 100 - (amount < 0 AND amount % 100 <> 0), count(*) FROM transactions
			WHERE household_id = ?1 GROUP BY 1, 2, 3`,
		`UPDATE accounts SET transaction_count = (SELECT count(*) FROM transactions t WHERE t.account_id = accounts.id) WHERE household_id = ?1`,
	} {
		if err := f.exec(ctx, q, text, f.HouseholdID); err != nil {
			return err
		}
	}
	return nil
}

func publicID() queries.PublicID { return queries.PublicID(uuid.Must(uuid.NewV7())) }

// merchantName makes up a distinct name for the merchant with that index.
func merchantName(i int) string {
	first := []string{"Aldo", "Berta", "Corvin", "Dora", "Emil", "Frieda", "Gustav", "Hanna", "Igor", "Jule", "Karl",
		"Lena", "Moritz", "Nele", "Otto",
		"Paula", "Quirin", "Rosa", "Simon", "Thea"}
	second := []string{"Market", "Bakery", "Books", "Fuel", "Pharmacy", "Cinema", "Garden", "Shoes", "Travel", "Café"}
	return fmt.Sprintf("%s %s %d", first[i%len(first)], second[i/len(first)%len(second)], i)
}

func cities() []string {
	return []string{"Berlin", "Hamburg", "München", "Köln", "Leipzig", "Graz", "Basel", "Utrecht", "Gent", "Aarhus"}
}

// Known finds again what Fill has made in the database.
func Known(tb testing.TB, d *db.DB) Filled {
	tb.Helper()
	var f Filled
	err := d.Read(context.Background(), func(ctx context.Context, q *queries.Queries) (err error) {
		f.HouseholdID, err = q.Number(ctx, "SELECT id FROM households WHERE name = 'Generated'")
		if err != nil {
			return err
		}
		f.UserID, err = q.Number(ctx, "SELECT id FROM users WHERE household_id = ?", f.HouseholdID)
		if err != nil {
			return err
		}
		f.FirstDay, err = q.Number(ctx, "SELECT min(date) FROM account_days WHERE household_id = ?", f.HouseholdID)
		if err != nil {
			return err
		}
		f.LastDay, err = q.Number(ctx, "SELECT max(date) FROM account_days WHERE household_id = ?", f.HouseholdID)
		if err != nil {
			return err
		}
		return f.labels(ctx, q)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// labels reads the keys and ids of accounts, categories, merchants and tags in the order they were made.
func (f *Filled) labels(ctx context.Context, q *queries.Queries) error {
	accounts, err := q.ListAccountLabels(ctx, f.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range accounts {
		f.AccountIDs, f.Accounts = append(f.AccountIDs, r.ID), append(f.Accounts, uuid.UUID(r.PublicID))
	}
	categories, err := q.ListCategoryLabels(ctx, f.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range categories {
		f.CategoryIDs, f.CategoriesPublic = append(f.CategoryIDs, r.ID),
			append(f.CategoriesPublic, uuid.UUID(r.PublicID))
	}
	merchants, err := q.ListMerchantLabels(ctx, f.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range merchants {
		f.MerchantIDs, f.Merchants = append(f.MerchantIDs, r.ID), append(f.Merchants, uuid.UUID(r.PublicID))
	}
	tags, err := q.ListTagLabels(ctx, f.HouseholdID)
	for _, r := range tags {
		f.TagIDs, f.TagsPub = append(f.TagIDs, r.ID), append(f.TagsPub, uuid.UUID(r.PublicID))
	}
	// Sort keys and ids: both rise with time.
	for _, keys := range [][]int64{f.AccountIDs, f.CategoryIDs, f.MerchantIDs, f.TagIDs} {
		slices.Sort(keys)
	}
	for _, ids := range [][]uuid.UUID{f.Accounts, f.CategoriesPublic, f.Merchants, f.TagsPub} {
		slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	}
	return err
}
