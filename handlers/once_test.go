package handlers

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
	"finsvc/queries"
)

const onceBody = `{"transaction":{"account_id":"{Checking}","date":"2026-01-31","amount":5,"name":"once"}}`

func (h *fixture) exec(t *testing.T, text string) {
	t.Helper()
	err := h.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWorkAndAnswerAreOneWrite: where the answer cannot be kept, the work is undone.
func TestWorkAndAnswerAreOneWrite(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":5`)
	const key = "Idempotency-Key: k"
	h.exec(t, `CREATE TRIGGER no_answers BEFORE INSERT ON idempotent_answers BEGIN SELECT RAISE(ABORT, 'for the test'); END`)
	before := h.print(t)
	h.call(t, "POST", "/transactions", onceBody, key).Is(t, 500, "")
	h.call(t, "POST", "/transactions/bulk", `{"transactions":[`+strings.TrimSuffix(strings.TrimPrefix(onceBody, `{"transaction":`), "}")+`]}`, key).Is(t, 500, "")
	h.call(t, "POST", "/accounts", `{"account":{"name":"A","account_type":"depository"}}`, key).Is(t, 500, "")
	h.call(t, "POST", "/categories", `{"category":{"name":"C"}}`, key).Is(t, 500, "")
	h.call(t, "POST", "/tags", `{"tag":{"name":"T"}}`, key).Is(t, 500, "")
	if h.print(t) != before {
		t.Error("the answer was not kept, but the work was")
	}
	if got := h.list(t, ""); got.names() != "Old" || h.balance(t, "Checking") != -500 {
		t.Errorf("got %s and a balance of %d", got.names(), h.balance(t, "Checking"))
	}
	h.call(t, "POST", "/transactions", onceBody).Is(t, 201, "")
	h.exec(t, `DROP TRIGGER no_answers`)
	made := h.call(t, "POST", "/transactions", onceBody, key)
	made.Is(t, 201, "")
	h.call(t, "POST", "/transactions", onceBody, key).Is(t, 201, made.Text)
	if got := h.list(t, ""); got.names() != "once once Old" {
		t.Errorf("got %s", got.names())
	}
}

// TestAnswersAreKeptForADay holds what was decided.
//
// Decision, Transactions: Idempotency-Key: the stored answer is given again for 24 hours.
func TestAnswersAreKeptForADay(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const key = "Idempotency-Key: k"
	first := h.call(t, "POST", "/transactions", onceBody, key)
	first.Is(t, 201, "")
	h.clock.pass(24*time.Hour - time.Second)
	again := h.call(t, "POST", "/transactions", onceBody, key)
	again.Is(t, 201, first.Text)
	apitest.CheckHeaders(t, again, map[string]string{"Idempotency-Replayed": "true"})
	h.clock.pass(2 * time.Second)
	later := h.call(t, "POST", "/transactions", onceBody, key)
	later.Is(t, 201, "")
	apitest.CheckHeaders(t, later, map[string]string{"Idempotency-Replayed": ""})
	if idOf(t, later) == idOf(t, first) || h.list(t, "").Pagination.TotalCount != 2 {
		t.Errorf("after a day: got %s", later.Text)
	}
	h.call(t, "POST", "/transactions", onceBody, key).Is(t, 201, later.Text)
	h.as(t, h.neighbour, "POST", "/transactions", strings.ReplaceAll(onceBody, "{Checking}", "{their Checking}"), key).Is(t, 201, "")
}

func TestIdempotencyKeyOfImports(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file, key = "date,amount,name\n2026-01-31,+1,a\n", "Idempotency-Key: k"
	h.call(t, "POST", "/imports", importBody(file, `"type":"Nonsense"`), key).Is(t, 422, "")
	body := importBody(file, `"account_id":"{Checking}"`)
	made := h.call(t, "POST", "/imports", body, key)
	h.ids["import"] = importOf(t, made, 201).ID
	before := h.print(t)
	h.call(t, "POST", "/imports", body, key).Is(t, 201, strings.TrimSpace(made.Text))
	h.call(t, "POST", "/imports", importBody(file), key).Is(t, 409, "")
	form, contentType := importForm(t, [2]string{"file", file})
	h.call(t, "POST", "/imports", form, contentType, key).Is(t, 409, "")
	if h.print(t) != before {
		t.Error("a repeat changed something")
	}
	formed := h.call(t, "POST", "/imports", form, contentType, "Idempotency-Key: form")
	formed.Is(t, 201, "")
	form, contentType = importForm(t, [2]string{"file", file})
	h.call(t, "POST", "/imports", form, contentType, "Idempotency-Key: form").Is(t, 201, strings.TrimSpace(formed.Text))
	if got := h.importList(t, "").Meta.Count; got != 2 {
		t.Errorf("%d imports", got)
	}
	published := h.call(t, "POST", "/imports/{import}/publish", "", "Idempotency-Key: publish")
	published.Is(t, 202, "")
	h.call(t, "POST", "/imports/{import}/publish", "", "Idempotency-Key: publish").Is(t, 202, strings.TrimSpace(published.Text))
	h.call(t, "POST", "/imports/{import}/publish", "").Is(t, 409, "")
}

// TestImportAndAnswerAreOneWrite: so are what is asked of imports and its answer, though the file is received and read
// before that write.
func TestImportAndAnswerAreOneWrite(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file, key = "date,amount,name\n2026-01-31,+1,a\n", "Idempotency-Key: k"
	complete := h.published(t, file, `"account_id":"{Checking}"`)
	pending := importOf(t, h.call(t, "POST", "/imports", importBody(file, `"account_id":"{Savings}"`)), 201).ID
	form, contentType := importForm(t, [2]string{"file", file})
	requests := []struct {
		method, path, body, contentType string
		status                          int
	}{
		{"POST", "/imports", importBody(file, `"account_id":"{Checking}"`), "Content-Type: application/json", 201},
		{"POST", "/imports", importBody(file, `"account_id":"{Savings}","publish":true`), "Content-Type: application/json", 201},
		{"POST", "/imports", form, contentType, 201},
		{"PATCH", "/imports/" + pending, `{"date_format":"%Y-%m-%d"}`, "Content-Type: application/json", 200},
		{"POST", "/imports/" + pending + "/publish", "", "Content-Type: application/json", 202},
		{"POST", "/imports/" + complete + "/revert", "", "Content-Type: application/json", 202},
	}
	for _, c := range requests {
		h.exec(t, `CREATE TRIGGER no_answers BEFORE INSERT ON idempotent_answers BEGIN SELECT RAISE(ABORT, 'for the test'); END`)
		before := h.print(t)
		h.call(t, c.method, c.path, c.body, c.contentType, key).Is(t, 500, "")
		if h.print(t) != before {
			t.Errorf("%s %s: the answer was not kept, but the work was", c.method, c.path)
		}
		h.exec(t, `DROP TRIGGER no_answers`)
	}
	if got := h.importList(t, "").Meta.Count; got != 2 {
		t.Fatalf("%d imports, want 2", got)
	}
	for i, c := range requests[2:] { // only one import is published or reverted at a time
		if i == 3 {
			h.settle(t, pending)
		}
		own := fmt.Sprint("Idempotency-Key: ", i)
		first := h.call(t, c.method, c.path, c.body, c.contentType, own)
		first.Is(t, c.status, "")
		again := h.call(t, c.method, c.path, c.body, c.contentType, own)
		again.Is(t, c.status, strings.TrimSpace(first.Text))
		apitest.CheckHeaders(t, again, map[string]string{"Idempotency-Replayed": "true"})
	}
	if got := h.importList(t, "").Meta.Count; got != 3 {
		t.Errorf("%d imports, want 3", got)
	}
}

// TestUploadHoldsUpNobody: while the end of a form is awaited, be it after its last part, others write.
func TestUploadHoldsUpNobody(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	form, contentType := importForm(t, [2]string{"file", "date,amount,name\n2026-01-31,+1,a\n"})
	for n, sent := range []int{len(form) / 2, len(form)} {
		body, pipe := io.Pipe()
		req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/api/v1/imports", body)
		if err != nil {
			t.Fatal(err)
		}
		for _, header := range []string{contentType, "X-Api-Key: " + h.key, fmt.Sprint("Idempotency-Key: ", n)} {
			name, value, _ := strings.Cut(header, ": ")
			req.Header.Set(name, value)
		}
		status := make(chan int, 1)
		go func() {
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				status <- 0
				return
			}
			resp.Body.Close()
			status <- resp.StatusCode
		}()
		if _, err := io.WriteString(pipe, form[:sent]); err != nil {
			t.Fatal(err)
		}
		for column(t, h.file, "SELECT count(*) FROM imports WHERE status = 'receiving'")[0] == "0" { // until it has begun
		}
		h.call(t, "POST", "/tags", fmt.Sprintf(`{"tag":{"name":"meanwhile %d"}}`, n)).Is(t, 201, "")
		if _, err := io.WriteString(pipe, form[sent:]+"\r\nwhat follows"); err != nil {
			t.Fatal(err)
		}
		pipe.Close()
		if got := <-status; got != 201 {
			t.Errorf("answered %d", got)
		}
		if kept := column(t, h.file, fmt.Sprintf("SELECT count(*) FROM idempotent_answers WHERE idempotency_key = '%d'", n))[0]; kept != "1" {
			t.Errorf("%s answers are kept", kept)
		}
	}
}

// settle lets the worker end what is asked of an import.
func (h *fixture) settle(t *testing.T, id string) {
	t.Helper()
	stop := h.work(t)
	defer stop()
	h.settled(t, id)
}

// TestBodiesWithoutLength: a body whose length nobody has announced meets the same limits.
func TestBodiesWithoutLength(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	send := func(path, body, contentType string) apitest.Reply {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/api/v1"+path, struct{ io.Reader }{strings.NewReader(h.fill(body))})
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Api-Key", h.key)
		req.Header.Set("Content-Type", contentType)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return apitest.Reply{Response: resp, Text: string(data)}
	}
	const json = "application/json"
	long := strings.Repeat("x", houseImportMax+1)
	before := h.print(t)
	form, contentType := importForm(t, [2]string{"file", long})
	longer, longerType := importForm(t, [2]string{"file", strings.Repeat("x", importMargin+houseImportMax)})
	for _, p := range []apitest.Reply{
		send("/imports", importBody(long), json),
		send("/imports", importBody(strings.Repeat(long, 200)), json),
		send("/imports", form, strings.TrimPrefix(contentType, "Content-Type: ")),
		send("/imports", longer, strings.TrimPrefix(longerType, "Content-Type: ")),
		send("/transactions", strings.Replace(onceBody, "once", strings.Repeat("x", houseBodyMax), 1), json),
	} {
		if p.StatusCode != 422 || p.Code() != "content_too_large" {
			t.Errorf("got %d %s", p.StatusCode, p.Text)
		}
	}
	if h.print(t) != before {
		t.Error("refused, but something changed")
	}
	send("/transactions", onceBody, json).Is(t, 201, "")
	send("/imports", importBody("date,amount,name\n2026-01-31,+1,a\n", `"account_id":"{Checking}"`), json).Is(t, 201, "")
}

// TestFullDisk: when nothing more can be stored, the answer says so, and nothing is stored in part.
//
// Decision, Errors: 503 unavailable: shutting down, disk full; nothing was written.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":5`)
	h.pragma(t, "PRAGMA max_page_count = 1") // which SQLite takes for as many as there are
	long := strings.Replace(onceBody, `"once"`, `"once","notes":"`+strings.Repeat("x", 10_000)+`"`, 1)
	noise := make([]byte, 30_000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	form, contentType := importForm(t, [2]string{"file", string(noise)})
	full := false
	for range 100 {
		before := h.print(t)
		p := h.call(t, "POST", "/transactions", long)
		if p.StatusCode == 201 {
			continue
		}
		p.Is(t, 503, `{"error":"unavailable","message":"the database cannot be written at present, such as when the disk is full; nothing was written","details":null}`)
		h.call(t, "POST", "/transactions", long, "Idempotency-Key: k").Is(t, 503, "")
		h.call(t, "POST", "/imports", form, contentType).Is(t, 503, "")
		if h.print(t) != before {
			t.Error("something was stored in part")
		}
		full = true
		break
	}
	if !full {
		t.Fatal("the disk does not fill up")
	}
	h.call(t, "GET", "/transactions", "").Is(t, 200, "")
	h.pragma(t, "PRAGMA max_page_count = 1000000")
	h.call(t, "POST", "/transactions", long, "Idempotency-Key: k").Is(t, 201, "")
}

func (h *fixture) pragma(t *testing.T, text string) {
	t.Helper()
	err := h.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Number(ctx, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
