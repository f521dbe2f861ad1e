package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// BenchmarkBulk books the same 10,000 rows by one POST /transactions/bulk and by an import, from sending the file to its
// being complete.
func BenchmarkBulk(b *testing.B) {
	const rows = 10_000
	row := func(i int) (day, amount, name, notes string) {
		return time.Date(2020, 1, 1+i/10, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), fmt.Sprintf("-%d.%02d", 1+i%300, i%100),
			fmt.Sprintf("Shop %d", i%700), fmt.Sprintf("Card payment %d", i)
	}
	b.Run("import", func(b *testing.B) {
		var csv strings.Builder
		csv.WriteString("date,amount,name,notes\n")
		for i := range rows {
			day, amount, name, notes := row(i)
			fmt.Fprintf(&csv, "%s,%s,%s,%s\n", day, amount, name, notes)
		}
		for b.Loop() {
			b.StopTimer()
			h, account := bulkHouse(b)
			body := fmt.Sprintf(`{"account_id":%q,"publish":"true","raw_file_content":%q}`, account, csv.String())
			b.StartTimer()
			id := h.created(b, "imports", body)
			for text := ""; !strings.Contains(text, `"status":"complete"`); text = string(h.read(b, "/api/v1/imports/"+id)) {
				if strings.Contains(text, `"failed"`) {
					b.Fatal(text)
				}
			}
		}
	})
	b.Run("bulk", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			h, account := bulkHouse(b)
			list := make([]string, rows)
			for i := range list {
				day, amount, name, notes := row(i)
				list[i] = fmt.Sprintf(`{"account_id":%q,"date":%q,"amount":%q,"nature":"expense","name":%q,"notes":%q}`, account, day, amount, name, notes)
			}
			body := `{"transactions":[` + strings.Join(list, ",") + `]}`
			b.StartTimer()
			drain(b, h.client, h.post(b, "transactions/bulk", body), http.StatusCreated)
		}
	})
}

// bulkHouse is a household with one account, on a server that works on imports.
func bulkHouse(b *testing.B) (h *bench, account string) {
	b.Helper()
	imports, url, key := uploadServer(b)
	ctx, stop := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- imports.Run(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	h = &bench{url: url, key: key, client: newClient()}
	return h, h.created(b, "accounts", `{"account":{"name":"Giro","account_type":"depository","currency":"EUR"}}`)
}

func (m *bench) post(b *testing.B, path, body string) *http.Request {
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, m.url+"/api/v1/"+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("X-Api-Key", m.key)
	req.Header.Set("Content-Type", "application/json")
	return req
}

// created makes something and gives its id.
func (m *bench) created(b *testing.B, path, body string) string {
	b.Helper()
	var made struct {
		ID   string
		Data struct{ ID string }
	}
	text := drain(b, m.client, m.post(b, path, body), http.StatusCreated)
	if err := json.Unmarshal(text, &made); err != nil {
		b.Fatal(err)
	}
	return made.ID + made.Data.ID
}
