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
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/market"
	"finsvc/ledger/tenant"
)

// BenchmarkLongWrites has a neighbour book small writes, one after the other, while a household of 200,000 transactions does
// each of what may be long, and reports the longest that the neighbour waited and what the long one was answered. A file as
// large as FINSVC_LONG_WRITES says, if that is set.
func BenchmarkLongWrites(b *testing.B) {
	rows := 200_000
	if text := os.Getenv("FINSVC_LONG_WRITES"); text != "" {
		var err error
		if rows, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "long.db")
	m, neighbour := newLongBench(b, path, rows)
	account := m.created(b, "accounts", `{"account":{"name":"Giro","account_type":"depository","currency":"EUR"}}`)
	other := m.created(b, "accounts", `{"account":{"name":"Savings","account_type":"depository","currency":"EUR"}}`)
	depot := m.created(b, "accounts", `{"account":{"name":"Depot","account_type":"investment","currency":"EUR"}}`)
	rule := m.created(b, "rules", `{"rule":{"name":"all","resource_type":"transaction","active":true,"conditions":[{"condition_type":"transaction_name","operator":"like","value":"a"}],
		"actions":[{"action_type":"set_transaction_category","value":"`+m.CategoriesPublic[1].String()+`"}]}}`)
	trade := fmt.Sprintf(`{"trade":{"account_id":%q,"date":"2001-01-02","qty":"3","price":"10","ticker":"LONG","type":"buy"}}`, depot)
	m.created(b, "trades", trade)
	security := m.created(b, "securities", `{"security":{"ticker":"OTHER","name":"Other"}}`)
	m.does(b, http.MethodPost, "trades", strings.NewReplacer(`"ticker":"LONG"`, `"security_id":"`+security+`"`).Replace(trade))
	var imp, labels string
	for _, c := range []struct {
		name string
		do   func() int
	}{
		{"rename_merchant", func() int {
			return m.does(b, http.MethodPatch, "merchants/"+m.Merchants[0].String(), `{"merchant":{"name":"Other name"}}`)
		}},
		{"merge_merchant", func() int {
			return m.does(b, http.MethodPost, "merchants/"+m.Merchants[0].String()+"/merge", fmt.Sprintf(`{"target_id":%q}`, m.Merchants[1]))
		}},
		{"delete_merchant", func() int { return m.does(b, http.MethodDelete, "merchants/"+m.Merchants[1].String(), "") }},
		{"delete_category", func() int { return m.does(b, http.MethodDelete, "categories/"+m.CategoriesPublic[0].String(), "") }},
		{"delete_tag", func() int { return m.does(b, http.MethodDelete, "tags/"+m.TagsPub[0].String(), "") }},
		{"run_rule", func() int { return m.does(b, http.MethodPost, "rules/"+rule+"/run", "") }},
		{"prices", func() int { return m.does(b, http.MethodPost, "security_prices", priceBody(security)) }},
		{"backdated_trade", func() int {
			return m.does(b, http.MethodPost, "trades", strings.Replace(trade, "2001-01-02", "1950-01-02", 1))
		}},
		{"backdated_split", func() int {
			return m.does(b, http.MethodPost, "security_splits", fmt.Sprintf(`{"security_split":{"security_id":%q,"date":"1950-02-02","numerator":2,"denominator":1}}`, security))
		}},
		{"valuation", func() int {
			return m.does(b, http.MethodPost, "valuations", fmt.Sprintf(`{"valuation":{"account_id":%q,"date":"2001-01-02","amount":"5"}}`, m.Accounts[0]))
		}},
		{"bulk", func() int { return m.does(b, http.MethodPost, "transactions/bulk", bulkBody(account, 10_000)) }},
		{"bulk_pairs", func() int { return m.does(b, http.MethodPost, "transactions/bulk", bulkPairs(account, other, 5_000)) }},
		{"publish", func() int { imp = m.imported(b, account, csvRows(rows)); return http.StatusOK }},
		{"revert", func() int {
			status := m.does(b, http.MethodPost, "imports/"+imp+"/revert", `{"force":true}`)
			m.settled(b, imp)
			return status
		}},
		{"publish_labels", func() int { labels = m.importedAs(b, "CategoryImport", "", csvLabels(100_000)); return http.StatusOK }},
		{"revert_labels", func() int {
			status := m.does(b, http.MethodPost, "imports/"+labels+"/revert", `{"force":true}`)
			m.settled(b, labels)
			return status
		}},
		{"publish_named", func() int { imp = m.imported(b, account, csvNames(50_000)); return http.StatusOK }},
		{"revert_named", func() int {
			status := m.does(b, http.MethodPost, "imports/"+imp+"/revert", `{"force":true}`)
			m.settled(b, imp)
			return status
		}},
		{"reset", func() int { return m.does(b, http.MethodDelete, "users/reset", "") }},
		{"merge_account", func() int {
			return m.does(b, http.MethodPost, "accounts/"+m.Accounts[0].String()+"/merge", fmt.Sprintf(`{"target_id":%q}`, account))
		}},
		{"delete_account", func() int {
			return m.does(b, http.MethodDelete, "accounts/"+m.Accounts[3].String()+"?confirm=true", "")
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			if b.N > 1 {
				b.Skip("say -benchtime 1x: it is done once")
			}
			var longest atomic.Int64
			ctx, stop := context.WithCancel(b.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for n := 0; ctx.Err() == nil; n++ {
					started := time.Now()
					status := neighbour.does(b, http.MethodPost, "tags", fmt.Sprintf(`{"tag":{"name":"%s %d"}}`, c.name, n))
					if status != http.StatusCreated {
						b.Errorf("the neighbour's write was answered %d", status)
					}
					longest.Store(max(longest.Load(), int64(time.Since(started))))
					time.Sleep(5 * time.Millisecond) // as a person would, only quicker
				}
			}()
			started := time.Now()
			status := c.do()
			took := time.Since(started)
			stop()
			<-ended
			b.ReportMetric(float64(longest.Load())/1e6, "wait-ms")
			b.ReportMetric(float64(took)/1e6, "took-ms")
			b.ReportMetric(float64(status), "status")
		})
	}
}

// newLongBench is a server that works on imports, with a household of so many transactions and a neighbour without any.
func newLongBench(b *testing.B, path string, rows int) (m, neighbour *bench) {
	b.Helper()
	database, err := db.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = database.Close() })
	shape := dbtest.Million
	shape.Transactions, shape.Trades = rows, rows/20
	filled := dbtest.Fill(b, database, shape)
	books := books.New(database, time.Now)
	home, owner, err := books.Tenants.CreateHousehold(b.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{Name: "Neighbour",
		Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "neighbour@example.org"})
	if err != nil {
		b.Fatal(err)
	}
	quiet := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	imports := importer.New(importer.Options{DB: database, Ledger: books, Logger: quiet})
	server := httptest.NewServer(New(Options{Ledger: books, Logger: quiet, Health: database.Ping, Imports: imports}))
	b.Cleanup(server.Close)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- imports.Run(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	client := func(who ledger.Actor) *bench {
		who.Origin = ledger.OriginCLI
		key, _, err := books.Keys.CreateAPIKey(b.Context(), who, tenant.KeyInput{RateLimit: 1_000_000_000})
		if err != nil {
			b.Fatal(err)
		}
		return &bench{Filled: filled, database: database, url: server.URL, key: key, client: newClient()}
	}
	return client(ledger.Actor{HouseholdID: filled.HouseholdID, UserID: filled.UserID}), client(ledger.Actor{HouseholdID: home.ID, UserID: owner.ID})
}

// does sends a request and gives the status of its answer.
func (m *bench) does(tb testing.TB, method, path, body string) int {
	req, err := http.NewRequestWithContext(context.Background(), method, m.url+"/api/v1/"+path, strings.NewReader(body))
	if err != nil {
		tb.Error(err)
		return 0
	}
	req.Header.Set("X-Api-Key", m.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := m.client.Do(req)
	if err != nil {
		tb.Error(err)
		return 0
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode >= http.StatusBadRequest {
		tb.Logf("%s %s: %d %.300s", method, path, resp.StatusCode, text)
	}
	return resp.StatusCode
}

// imported publishes a file of transactions and gives the import.
func (m *bench) imported(b *testing.B, account, csv string) string {
	b.Helper()
	return m.importedAs(b, "TransactionImport", account, csv)
}

func (m *bench) importedAs(b *testing.B, kind, account, csv string) string {
	b.Helper()
	body := fmt.Sprintf(`{"type":%q,"publish":"true","raw_file_content":%q`, kind, csv)
	if account != "" {
		body += fmt.Sprintf(`,"account_id":%q`, account)
	}
	id := m.created(b, "imports", body+"}")
	m.settled(b, id)
	return id
}

// settled waits until nobody works on an import any more.
func (m *bench) settled(b *testing.B, id string) {
	b.Helper()
	for {
		text := string(m.read(b, "/api/v1/imports/"+id))
		if !strings.Contains(text, `"status":"importing"`) && !strings.Contains(text, `"status":"reverting"`) {
			if strings.Contains(text, "failed") {
				b.Logf("%.600s", text)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// csvRows are rows of ten years, of a few names.
func csvRows(rows int) string {
	var csv strings.Builder
	csv.WriteString("date,amount,name,notes\n")
	for i := range rows {
		day := time.Date(2016, 1, 1+i*3600/rows, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		fmt.Fprintf(&csv, "%s,-%d.%02d,Shop %d card %d,Card payment %d\n", day, 1+i%300, i%100, i%700, i%9000, i)
	}
	return csv.String()
}

// csvLabels are categories, no two alike.
func csvLabels(rows int) string {
	var csv strings.Builder
	csv.WriteString("name,color,parent_category,classification\n")
	for i := range rows {
		fmt.Fprintf(&csv, "Label %d,#123456,,expense\n", i)
	}
	return csv.String()
}

// csvNames are transactions, each with a category and tags of its own.
func csvNames(rows int) string {
	var csv strings.Builder
	csv.WriteString("date,amount,name,category,tags\n")
	for i := range rows {
		day := time.Date(2016, 1, 1+i*3600/rows, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		fmt.Fprintf(&csv, "%s,-%d.%02d,Shop %d,Category of %d,tag of %d\n", day, 1+i%300, i%100, i, i, i)
	}
	return csv.String()
}

// bulkBody are transactions of one account.
func bulkBody(account string, rows int) string {
	list := make([]string, rows)
	for i := range list {
		list[i] = fmt.Sprintf(`{"account_id":%q,"date":"%s","amount":%d,"nature":"expense","name":"Bulk %d"}`, account,
			time.Date(2020, 1, 1+i/10, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), 1+i%300, i)
	}
	return `{"transactions":[` + strings.Join(list, ",") + `]}`
}

// bulkPairs are equal opposite amounts of one day in two accounts.
func bulkPairs(one, other string, pairs int) string {
	list := make([]string, 0, 2*pairs)
	for i := range pairs {
		day := time.Date(2021, 1, 1+i/20, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		list = append(list, fmt.Sprintf(`{"account_id":%q,"date":%q,"amount":10,"nature":"expense","name":"To savings"}`, one, day),
			fmt.Sprintf(`{"account_id":%q,"date":%q,"amount":10,"nature":"income","name":"From giro"}`, other, day))
	}
	return `{"transactions":[` + strings.Join(list, ",") + `]}`
}

// priceBody are as many prices as one request may have.
func priceBody(security string) string {
	list := make([]string, market.MaxPrices)
	for i := range list {
		list[i] = fmt.Sprintf(`{"security_id":%q,"date":%q,"price":"%d","currency":"EUR"}`, security,
			time.Date(1998, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), 1+i%50)
	}
	return `{"security_prices":[` + strings.Join(list, ",") + `]}`
}
