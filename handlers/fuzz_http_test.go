package handlers

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"finsvc/db"
	"finsvc/handlers/apitest"
	"finsvc/handlers/middleware"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// fuzzHouse is a furnished household's file, of which the service gets a new copy after each write: so an input does the
// same whatever came before it.
type fuzzHouse struct {
	furnished []byte
	printed   string            // what is in it
	ids       map[string]string // that are in it, by name
	key       string
	path      string // of the copy that is served
	db        *db.DB // nil: a copy is to be made
	server    *middleware.Server
	log       *apitest.Log
}

// FuzzHTTP sends whole requests, line, headers and body, through the router and everything behind it. Whatever they are: the
// server does not fail, it answers as the description of the API says, and a request that is refused, or reads, writes nothing.
func FuzzHTTP(f *testing.F) {
	fuzzed := furnishForFuzzing(f)
	for _, seed := range requestSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(fuzzed.fill(text))))
		if err != nil || r.URL.Path == "" || strings.Contains(r.URL.Path, "/events") { // net/http refuses it; streams do not end
			return
		}
		body, _ := io.ReadAll(r.Body) // of a body that is cut off what there is
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if r.Header.Get("X-Api-Key") == "key" {
			r.Header.Set("X-Api-Key", fuzzed.key)
		}
		fuzzed.send(t, r.WithContext(t.Context()))
	})
}

func (z *fuzzHouse) fill(text string) string {
	for name, id := range z.ids {
		text = strings.ReplaceAll(text, "{"+name+"}", id)
	}
	return text
}

// send sends a request, and holds the answer against what is promised.
func (z *fuzzHouse) send(t *testing.T, r *http.Request) {
	z.open(t)
	before := z.version(t)
	w := httptest.NewRecorder()
	r.Header.Del("Accept-Encoding") // what is packed cannot be read here
	z.server.ServeHTTP(w, r)
	said := fmt.Sprintf("%s %s: %d %s", r.Method, r.URL, w.Code, w.Body)
	err := (apitest.Answer{Method: r.Method, Path: r.URL.Path, Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}).Check()
	if err != nil && r.Method != http.MethodOptions { // which is not described
		t.Errorf("%s: %v", said, err)
	}
	if w.Code >= 500 {
		t.Errorf("%s: %s", said, z.log)
	}
	if z.version(t) == before {
		return
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if reads || w.Code >= 400 && dumpFile(t, z.path) != z.printed { // a file that is received is written, and then removed
		t.Errorf("%s: it changed something", said)
	}
	z.close(t)
}

func dumpFile(t testing.TB, path string) string {
	file, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return dump(t, file)
}

func (z *fuzzHouse) version(t *testing.T) int64 {
	version, err := z.db.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// open serves a copy of the file.
func (z *fuzzHouse) open(t testing.TB) {
	if z.db != nil {
		return
	}
	if err := os.WriteFile(z.path, z.furnished, 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if z.db, err = db.Open(t.Context(), z.path); err != nil {
		t.Fatal(err)
	}
	z.log = new(apitest.Log)
	log := slog.New(slog.NewJSONHandler(z.log, &slog.HandlerOptions{Level: slog.LevelError}))
	books := books.New(z.db, apitest.Noon)
	z.server = New(Options{Ledger: books, Logger: log, Now: apitest.Noon, BodyMax: houseBodyMax, Health: z.db.Ping, Assistant: newAssistant(z.db, books, apitest.Noon),
		Imports: importer.New(importer.Options{DB: z.db, Ledger: books, Logger: log, Now: apitest.Noon, Max: houseImportMax, PDFText: []string{"false"}})})
}

func (z *fuzzHouse) close(t testing.TB) {
	if z.db == nil {
		return
	}
	if err := z.db.Close(); err != nil {
		t.Error(err)
	}
	z.db = nil
}

// furnishForFuzzing makes a household in which every kind of thing is.
func furnishForFuzzing(f *testing.F) *fuzzHouse {
	f.Helper()
	h := newFixture(f)
	for _, made := range []struct{ name, path, body string }{
		{"depot", "accounts", `{"account":{"name":"Depot","account_type":"investment","currency":"EUR"}}`},
		{"transaction", "transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-08-01","amount":12.5,"name":"Shop","category_id":"{Food}","tag_ids":["{fun}"]}}`},
		{"other", "transactions", `{"transaction":{"account_id":"{Savings}","date":"2026-08-03","amount":-12.5,"name":"Move"}}`},
		{"trade", "trades", `{"trade":{"account_id":"{depot}","date":"2026-08-04","type":"buy","ticker":"ABC","qty":"3","price":"10.01"}}`},
		{"valuation", "valuations", `{"valuation":{"account_id":"{Dinars}","date":"2026-08-05","amount":"1.234"}}`},
		{"chat", "chats", `{"title":"Chat","message":"What is in Checking?"}`},
	} {
		h.ids[made.name] = h.make(f, h.key, made.path, made.body)
	}
	h.ids["rule"] = h.makeInData(f, "/rules", `{"rule":{"name":"R","conditions":[{"condition_type":"transaction_name","operator":"like","value":"x"}],"actions":[{"action_type":"set_transaction_name","value":"y"}]}}`)
	h.ids["import"] = h.makeInData(f, "/imports", `{"raw_file_content":"date,amount,name\n2026-08-09,1.50,Row\n","account_id":"{Checking}","date_format":"%Y-%m-%d"}`)
	z := &fuzzHouse{ids: h.ids, key: h.key, path: filepath.Join(f.TempDir(), "finance.db")}
	var err error
	if err = h.db.Close(); err == nil {
		z.furnished, err = os.ReadFile(h.db.Path())
		z.printed = dumpFile(f, h.db.Path())
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { z.close(f) })
	return z
}

// makeInData makes what is answered within data.
func (h *fixture) makeInData(t testing.TB, path, body string) string {
	t.Helper()
	p := h.call(t, "POST", path, body)
	var made struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(p.Text), &made); err != nil || p.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", p.StatusCode, p.Text)
	}
	return made.Data.ID
}

// requestSeeds are requests for every operation, with the examples of the description for bodies.
func requestSeeds(f *testing.F) (seeds []string) {
	f.Helper()
	doc, err := apitest.Load()
	if err != nil {
		f.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for _, body := range exampleBodies(f, operation) {
				seeds = append(seeds, fmt.Sprintf("%s %s?page=1&start_date=2026-01-01&search=x HTTP/1.1\r\nHost: h\r\nX-Api-Key: key\r\nContent-Length: %d\r\n\r\n%s",
					method, seedPath(path), len(body), body))
			}
		}
	}
	return append(seeds,
		"GET /api/v1/transactions HTTP/1.1\r\nHost: h\r\nX-Api-Key: key\r\nIf-None-Match: \"x\"\r\n\r\n",
		"DELETE /api/v1/transactions/{transaction} HTTP/1.1\r\nHost: h\r\nX-Api-Key: key\r\nIf-Match: *\r\nIdempotency-Key: a\r\n\r\n",
		"PUT /api/v1//tags/{fun}.json/ HTTP/1.1\r\nHost: h\r\nX-Api-Key: key\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\ntag[name]=a",
		"POST /api/v1/imports HTTP/1.1\r\nHost: h\r\nX-Api-Key: key\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 78\r\n\r\n--b\r\nContent-Disposition: form-data; name=file; filename=a.csv\r\n\r\na,b\r\n--b--\r\n",
		"OPTIONS /api/v1/accounts HTTP/1.1\r\nHost: h\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: PATCH\r\n\r\n")
}

// seedPath is a path of the description with what is in the house.
func seedPath(path string) string {
	return strings.NewReplacer("/accounts/{id}", "/accounts/{Checking}", "/categories/{id}", "/categories/{Food}", "/tags/{id}", "/tags/{fun}", "/merchants/{id}", "/merchants/{Kiosk}",
		"/transactions/{id}", "/transactions/{transaction}", "/trades/{id}", "/trades/{trade}", "/valuations/{id}", "/valuations/{valuation}", "/rules/{id}", "/rules/{rule}",
		"/chats/{id}", "/chats/{chat}", "/imports/{id}", "/imports/{import}", "{number}", "1").Replace(path)
}

// exampleBodies are the examples of an operation's body; one blank body where it takes none.
func exampleBodies(f *testing.F, operation *openapi3.Operation) []string {
	f.Helper()
	bodies := []string{""}
	if operation.RequestBody == nil {
		return bodies
	}
	for _, media := range operation.RequestBody.Value.Content {
		examples := []any{media.Example}
		for _, e := range media.Examples {
			examples = append(examples, e.Value.Value)
		}
		for _, e := range examples {
			text, err := json.Marshal(e)
			if err != nil {
				f.Fatal(err)
			}
			bodies = append(bodies, string(text))
		}
	}
	return bodies
}
