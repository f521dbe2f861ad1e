package handlers

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/handlers/apitest"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// BenchmarkUpload receives a file of 60 MiB and reports the most memory that is held meanwhile.
func BenchmarkUpload(b *testing.B) {
	const line, lines = "2026-01-31,-12.50,A name of medium length,and some \"\"notes\"\" that go with it\r\n", 60 << 20 / 78
	escaped := strings.NewReplacer(`"`, `\"`, "\r\n", `\r\n`).Replace(line)
	for name, c := range map[string]struct{ head, line, tail, contentType string }{
		"json":      {`{"raw_file_content":"date,amount,name,notes\r\n`, escaped, `"}`, "application/json"},
		"multipart": {"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\ndate,amount,name,notes\r\n", line, "\r\n--XX--\r\n", "multipart/form-data; boundary=XX"},
	} {
		b.Run(name, func(b *testing.B) {
			_, url, key := uploadServer(b)
			for b.Loop() {
				body := io.MultiReader(strings.NewReader(c.head), &apitest.Repeated{Text: c.line, Left: lines * len(c.line)}, strings.NewReader(c.tail))
				req, err := http.NewRequestWithContext(b.Context(), "POST", url+"/api/v1/imports", body)
				if err != nil {
					b.Fatal(err)
				}
				req.ContentLength = int64(len(c.head) + lines*len(c.line) + len(c.tail))
				req.Header.Set("X-Api-Key", key)
				req.Header.Set("Content-Type", c.contentType)
				peak := watchHeap()
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					b.Fatal(err)
				}
				said, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				b.ReportMetric(float64(peak())/(1<<20), "peak-MiB")
				if resp.StatusCode != 201 {
					b.Fatal(resp.StatusCode, string(said))
				}
			}
		})
	}
}

func uploadServer(b *testing.B) (imports *importer.Importer, url, key string) {
	b.Helper()
	database := dbtest.New(b)
	books := books.New(database, time.Now)
	quiet := slog.New(slog.DiscardHandler)
	key, _ = openHousehold(b, books, "Home")
	imports = importer.New(importer.Options{DB: database, Ledger: books, Logger: quiet})
	server := httptest.NewServer(New(Options{Ledger: books, Logger: quiet, Health: database.Ping, Imports: imports}))
	b.Cleanup(server.Close)
	return imports, server.URL, key
}

// watchHeap looks at the memory in use until asked for the most it has seen.
func watchHeap() (peak func() uint64) {
	runtime.GC()
	var most uint64
	var watch sync.WaitGroup
	stop := make(chan bool)
	watch.Go(func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	})
	return func() uint64 {
		close(stop)
		watch.Wait()
		return most
	}
}
