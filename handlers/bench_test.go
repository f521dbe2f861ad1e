package handlers

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// The benchmarks run over the real HTTP stack on a file with a million transactions. It is made once and
// kept at the path in FINSVC_BENCH, if that is set.

// connections is how many clients ask at once.
const connections = 8

// bench is a server on the million rows.
type bench struct {
	dbtest.Filled
	database *db.DB
	url, key string
	client   *http.Client
	asked    atomic.Int64
}

func newBench(b *testing.B) *bench {
	b.Helper()
	path, fresh := benchFile(b)
	database, err := db.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = database.Close() })
	var filled dbtest.Filled
	if fresh {
		filled = dbtest.Fill(b, database, dbtest.Million)
	} else {
		filled = dbtest.Known(b, database)
	}
	books := books.New(database, time.Now)
	who := ledger.Actor{HouseholdID: filled.HouseholdID, UserID: filled.UserID, Origin: ledger.OriginCLI}
	key, _, err := books.Keys.CreateAPIKey(b.Context(), who, tenant.KeyInput{RateLimit: 1_000_000_000})
	if err != nil {
		b.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	s := New(Options{Ledger: books, Logger: quiet, Health: database.Ping,
		Imports: importer.New(importer.Options{DB: database, Ledger: books, Logger: quiet})})
	server := httptest.NewServer(s)
	b.Cleanup(server.Close)
	return &bench{Filled: filled, database: database, url: server.URL, key: key, client: newClient()}
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
}

func benchFile(b *testing.B) (path string, fresh bool) {
	path = os.Getenv("FINSVC_BENCH")
	if path == "" {
		return filepath.Join(b.TempDir(), "million.db"), true
	}
	_, err := os.Stat(path)
	return path, os.IsNotExist(err)
}

// get asks once and gives the length of the answer.
func (m *bench) get(tb testing.TB, path string) int64 {
	return int64(len(m.read(tb, path)))
}

func (m *bench) read(tb testing.TB, path string) []byte { return m.ask(tb, path, http.StatusOK) }

// ask asks once, with headers by name and value.
func (m *bench) ask(tb testing.TB, path string, status int, headers ...string) []byte {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, m.url+path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("X-Api-Key", m.key)
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	return drain(tb, m.client, req, status)
}

func drain(tb testing.TB, client *http.Client, req *http.Request, status int) []byte {
	resp, err := client.Do(req)
	if err != nil {
		tb.Error(err)
		return nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		tb.Error(resp.Status, err)
	}
	return body
}

// anew asks what was not asked before, so that no kept answer is given.
func (m *bench) anew(tb testing.TB, path string) {
	m.get(tb, path+strconv.FormatInt(m.asked.Add(1), 10))
}

// BenchmarkFirstPage compares the first page of the list with a handler that gives as many bytes from
// memory, both asked by eight clients: the same again, by clients that have it already, and anew each time.
func BenchmarkFirstPage(b *testing.B) {
	const page = "/api/v1/transactions"
	m := newBench(b)
	length := m.get(b, page)
	body := []byte(strings.Repeat("x", int(length)))
	memory := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", wire.TypeJSON)
		_, _ = w.Write(body)
	}))
	b.Cleanup(memory.Close)
	inMemory := &bench{url: memory.URL, key: m.key, client: m.client}
	b.Run("memory", func(b *testing.B) { inMemory.parallel(b, func() { inMemory.get(b, page) }) })
	b.Run("again", func(b *testing.B) { m.parallel(b, func() { m.get(b, page) }) })
	etag := wire.EtagOf(m.read(b, page))
	b.Run("unchanged", func(b *testing.B) {
		m.parallel(b, func() { m.ask(b, page, http.StatusNotModified, "If-None-Match", etag) })
	})
	b.Run("anew", func(b *testing.B) { m.parallel(b, func() { m.anew(b, page+"?x=") }) })
}

func (m *bench) parallel(b *testing.B, ask func()) {
	b.SetParallelism(connections / 2)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ask()
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkFilters asks for the page and its total with one filter at a time, common and rare values.
func BenchmarkFilters(b *testing.B) {
	m := newBench(b)
	last := func(n int) int { return n - 1 }
	for _, c := range []struct{ name, query string }{
		{"none", ""}, {"page_20000", "page=20000"},
		{"account", "account_id=" + m.Accounts[0].String()}, {"account_rare", "account_id=" + m.Accounts[last(len(m.Accounts))].String()},
		{"account_page_10000", "page=10000&account_id=" + m.Accounts[0].String()},
		{"accounts", fmt.Sprintf("account_ids=%s,%s", m.Accounts[2], m.Accounts[5])},
		{"category", "category_id=" + m.CategoriesPublic[0].String()}, {"category_rare", "category_id=" + m.CategoriesPublic[last(len(m.CategoriesPublic))].String()},
		{"categories", fmt.Sprintf("category_ids=%s,%s,%s", m.CategoriesPublic[0], m.CategoriesPublic[1], m.CategoriesPublic[59])},
		{"merchant", "merchant_id=" + m.Merchants[0].String()}, {"merchant_rare", "merchant_id=" + m.Merchants[last(len(m.Merchants))].String()},
		{"merchants", fmt.Sprintf("merchant_ids=%s,%s", m.Merchants[0], m.Merchants[1])},
		{"tag", "tag_ids=" + m.TagsPub[0].String()}, {"tag_rare", "tag_ids=" + m.TagsPub[last(len(m.TagsPub))].String()},
		{"tags", fmt.Sprintf("tag_ids=%s,%s", m.TagsPub[0], m.TagsPub[1])},
		{"start_date", "start_date=2020-06-01"}, {"end_date", "end_date=2020-06-01"}, {"one_month", "start_date=2019-03-01&end_date=2019-03-31"},
		{"min_amount", "min_amount=50"}, {"min_amount_rare", "min_amount=77777"}, {"max_amount", "max_amount=20"}, {"max_amount_income", "max_amount=-4999"},
		{"type_income", "type=income"}, {"type_expense", "type=expense"},
		{"search_rare", "search=" + "zwetschgenr%C3%B6ster"}, {"search_common", "search=berlin"}, {"search_none", "search=qqqqqq"}, {"search_short", "search=ka"},
		{"five_at_once", "type=expense&start_date=2020-01-01&min_amount=20&account_id=" + m.Accounts[0].String() + "&search=berlin"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m.anew(b, "/api/v1/transactions?"+c.query+"&x=")
			}
		})
	}
}

// BenchmarkAccounts asks for every account with its balance.
func BenchmarkAccounts(b *testing.B) {
	m := newBench(b)
	for b.Loop() {
		m.anew(b, "/api/v1/accounts?x=")
	}
}

// BenchmarkCreate stores transactions durably, with one client and with sixteen, beside what the file
// takes at the most: commits of a single row.
func BenchmarkCreate(b *testing.B) {
	m := newBench(b)
	b.Run("commit", func(b *testing.B) {
		for b.Loop() {
			err := m.database.Write(b.Context(), func(ctx context.Context, q *queries.Queries) error {
				_, err := q.Exec(ctx, "INSERT INTO exchange_rates VALUES ('AAA', 'BBB', abs(random()), '1', 'benchmark')")
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	})
	var serial atomic.Int64
	create := func(tb testing.TB) {
		body := fmt.Sprintf(`{"transaction":{"account_id":"%s","date":"2026-10-%02d","amount":"12.50","name":"created %d"}}`,
			m.Accounts[0], 1+serial.Add(1)%31, serial.Load())
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, m.url+"/api/v1/transactions", strings.NewReader(body))
		if err != nil {
			tb.Fatal(err)
		}
		req.Header.Set("X-Api-Key", m.key)
		req.Header.Set("Content-Type", "application/json")
		drain(tb, m.client, req, http.StatusCreated)
	}
	b.Run("1_client", func(b *testing.B) {
		for b.Loop() {
			create(b)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	})
	b.Run("16_clients", func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				create(b)
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	})
}
