package web_test

import (
	"bytes"
	"log/slog"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"finsvc/importer"
	"finsvc/ledger/ledgertest"
)

// upload sends a file by the form for that.
func (h *house) upload(t *testing.T, name, content string, fields ...string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		key, value, _ := strings.Cut(f, "=")
		if err := form.WriteField(key, value); err != nil {
			t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = file.Write([]byte(content))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, h.url+"/imports", &body)
	if err == nil {
		r.Header.Set("Content-Type", form.FormDataContentType())
	}
	return h.send(t, r, err)
}

// read uploads a file that can be taken, and gives the path of its page.
func (h *house) read(t *testing.T, name, content string, fields ...string) string {
	t.Helper()
	a := h.upload(t, name, content, fields...)
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s: %s\n%s", name, a.Status, a.words())
	}
	return a.Header.Get("Location")
}

// publish publishes what a page shows, and does the work.
func (h *house) publish(t *testing.T, at string, fields ...string) answer {
	t.Helper()
	plan := regexp.MustCompile(`name="plan" value="([0-9a-f]+)"`).FindStringSubmatch(h.get(t, at).text)
	if plan == nil {
		t.Fatalf("%s cannot be published", at)
	}
	h.done(t, at+"/publish", append(fields, "plan="+plan[1])...)
	running := h.sound(t, at)
	running.shows(t, "Running", "0 of", "It goes on without this page")
	if !strings.Contains(running.text, `<noscript><meta http-equiv="refresh"`) {
		t.Error("a page of what is running does not come again by itself")
	}
	h.work(t)
	return h.sound(t, at)
}

// sound gets a page of imports, and reports what is wrong with how it is written.
func (h *house) sound(t *testing.T, path string) answer {
	t.Helper()
	page := h.get(t, path)
	for _, problem := range problemsOf(page.text) {
		t.Errorf("%s: %s", path, problem)
	}
	return page
}

// work does what waits for a worker.
func (h *house) work(t *testing.T) {
	t.Helper()
	imports := importer.New(importer.Options{DB: h.DB, Ledger: h.Books, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return h.Tick }})
	for {
		worked, err := imports.Work(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !worked {
			return
		}
	}
}

// TestImportFromFileToUndo: a file is uploaded, what it leaves open is asked and answered, what it would do is shown and
// done, and undone, with no script anywhere.
func TestImportFromFileToUndo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	h.sound(t, "/imports").shows(t, "Nothing was imported yet", "A file of your bank, at most 64 MiB")
	const file = "Date,Amount,Name,Category\n02/01/2026,-4.80,Bakery <b>Bold</b>,Food\n03/02/2026,-640.00,Rent,\n04/02/2026,1500.00,Salary,\n"
	at := h.read(t, "february <i>.csv", file, "account_id="+giro.String(), "type=")
	asked := h.sound(t, at)
	asked.shows(t, "Waits for an answer", "To be answered first", "Days are written", "31/10/2026 (day first)", "10/31/2026 (month first)", "Rent", "-640.00")
	if strings.Contains(asked.text, "<i>") || strings.Contains(asked.text, "<b>Bold") {
		t.Error("what a file says is taken for HTML")
	}
	if strings.Contains(asked.text, `name="plan"`) {
		t.Error("what is not understood can be published")
	}
	number := regexp.MustCompile(`name="answer_date_format" value="(\d)" required> 31/10/2026`).FindStringSubmatch(asked.text)[1]
	answered := h.done(t, at+"/settings", "answer_date_format="+number)
	answered.shows(t, "Waits to be published", "What it would do", "3 new", "+€1,500.00 in, €644.80 out, from Jan 2, 2026 to Feb 4, 2026",
		"Giro €0.00 €855.20", "Makes 1 category Food", "Date → Day", "Amount → Amount", "02/01/2026 Jan 2, 2026", "-640.00 −€640.00", "Numbers are written")
	h.sound(t, "/imports").shows(t, "february <i>.csv Waits to be published Giro 3")

	done := h.publish(t, at)
	done.shows(t, "Complete", "It made 3 transactions, 1 category", "Jan 2, 2026 to Feb 4, 2026 €0.00 €855.20 3 transactions", "booked")
	link := regexp.MustCompile(`href="(/transactions\?q=[^"]*)"`).FindStringSubmatch(done.text)[1]
	h.get(t, strings.ReplaceAll(link, "&amp;", "&")).shows(t, "3 transactions, +€1,500.00 in", "Salary", "Bakery <b>Bold</b>")
	events := h.get(t, at+"/events")
	if !strings.Contains(events.text, "event: done\ndata: {") || events.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("the stream of what is done says %q", events.text)
	}
	h.done(t, at+"/revert").shows(t, "Undoing")
	h.work(t)
	h.get(t, at).shows(t, "Waits to be published", "3 new")
	h.get(t, "/transactions").shows(t, "There are no transactions yet")
	h.done(t, at+"/delete").shows(t, "Nothing was imported yet")
}

// TestImportDuplicates: rows that may be there already are held back until it is said what they are, one by one or all at
// once, before and after the rest is published; what was changed since is in the way of an undo.
func TestImportDuplicates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	first := h.read(t, "first.csv", "date,amount,name\n2026-01-28,-5.00,Cinema\n2026-01-29,-8.00,Lunch\n2026-01-30,-3.00,Espresso\n2026-01-31,-10.00,Novel\n", "account_id="+giro.String())
	h.publish(t, first)
	at := h.read(t, "second.csv", "date,amount,name\n2026-01-28,-5.00,Film\n2026-01-29,-8.00,Lunch\n2026-01-30,-3.00,Coffee\n2026-01-31,-10.00,Book\n2026-02-01,-7.00,Bus\n", "account_id="+giro.String())
	page := h.sound(t, at)
	page.shows(t, "1 new", "1 already there, left out", "3 may be there already , held back until you decide", "name Espresso, not Coffee", "name Novel, not Book")
	h.done(t, at+"/rows/1", "decision=same").shows(t, "2 already there", "2 may be there already", "Take back what you said")
	h.done(t, at+"/rows/1", "decision=").shows(t, "3 may be there already")
	h.done(t, at+"/rows/3", "decision=new").shows(t, "2 new", "2 may be there already")
	done := h.publish(t, at)
	done.shows(t, "Complete, 2 rows to decide", "2 rows may have been there already and are held back")
	h.done(t, at+"/rows/4", "decision=same").shows(t, "Complete, 1 row to decide", "1 row may have been there already and is held back")
	h.done(t, at+"/rows", "decision=new").shows(t, "It made 3 transactions")
	if a := h.post(t, at+"/rows/1", "decision=perhaps"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a decision that is none: %s", a.Status)
	}

	inWay := h.post(t, first+"/revert")
	if inWay.StatusCode != http.StatusConflict {
		t.Errorf("what others rely on is undone: %s", inWay.Status)
	}
	if problems := problemsOf(inWay.text); len(problems) > 0 {
		t.Error(problems)
	}
	inWay.shows(t, "In the way of undoing it", "second.csv", "left out rows that were there", "Undo it all the same")
	h.done(t, first+"/revert", "force=true").shows(t, "Undoing")
	h.work(t)
	h.get(t, first).shows(t, "Waits to be published")
}

// TestImportWrongFiles: rows that cannot be read are listed with why and can be left out; what cannot be read at all says
// what to do instead, and what is too long or missing says so beside the form.
func TestImportWrongFiles(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	savings := h.Account(h.Who, "Savings", "EUR")
	at := h.read(t, "bad.csv", "date,amount,name\n2026-01-28,-5.00,Cinema\n2026-01-29,12x,Lunch\n", "account_id="+giro.String())
	page := h.sound(t, at)
	page.shows(t, "1 cannot be read", "2 3 amount 12x", "Leave out 1 row that cannot be read")
	plan := regexp.MustCompile(`name="plan" value="([0-9a-f]+)"`).FindStringSubmatch(page.text)[1]
	refused := h.post(t, at+"/publish", "plan="+plan)
	if refused.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("published with a row that is wrong: %s", refused.Status)
	}
	refused.shows(t, "This is not right yet", "1 of 2 rows cannot be imported")
	if a := h.post(t, at+"/publish", "skip_invalid_rows=true", "plan=0123"); a.StatusCode != http.StatusConflict {
		t.Errorf("another plan than was seen: %s", a.Status)
	}
	wrong := h.post(t, at+"/settings", "date_format=%q", "was_date_format=%Y-%m-%d")
	if wrong.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a format that is none: %s", wrong.Status)
	}
	wrong.shows(t, "date_format")
	h.done(t, at+"/settings", "account_id="+savings.String(), "was_account_id="+giro.String()).shows(t, "into Savings")
	h.publish(t, at, "skip_invalid_rows=true").shows(t, "It made 1 transaction")

	picture := h.read(t, "scan.png", "\x89PNG\r\n\x1a\n....", "account_id="+giro.String())
	h.sound(t, picture).shows(t, "Failed", "is a picture (PNG)", "Try again", "Remove")
	h.done(t, picture+"/settings").shows(t, "Failed")
	h.sound(t, "/imports").shows(t, "scan.png Failed")
	h.get(t, h.read(t, "quicken.txt", "!Type:Bank\nD01/31'26\nT-5.00\nPCinema\n^\n", "account_id="+giro.String())).shows(t, "Quicken (QIF)")
	h.get(t, h.read(t, "trees.csv", "name,parent\nBread,Food\n", "account_id="+giro.String())).shows(t, "Categories (CSV)", "Makes")

	for name, tt := range map[string]struct {
		file, content string
		fields        []string
		says          string
	}{
		"nothing":      {"", "", nil, "file must be chosen first"},
		"an account":   {"a.csv", "date,amount\n2026-01-01,1\n", []string{"account_id=nobody"}, "account must be one of the list"},
		"a type":       {"a.csv", "date,amount\n2026-01-01,1\n", []string{"type=Poem"}, "type must be one of"},
		"far too long": {"a.csv", strings.Repeat("0123456789abcde\n", 64<<16+1), nil, "the file is longer than 64 MiB"},
	} {
		a := h.upload(t, tt.file, tt.content, tt.fields...)
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.words(), tt.says) {
			t.Errorf("%s: %s, does not say %q:\n%s", name, a.Status, tt.says, a.words())
		}
	}
	if a := h.post(t, "/imports", "file=none"); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a form without a file: %s", a.Status)
	}
}

// TestImportHiddenAmounts: with amounts hidden no digit of one in a file is in its pages, and changing a setting still
// changes what it should.
func TestImportHiddenAmounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	h.Create(ledgertest.Entry(giro, "2026-01-30", "7654.32", "Espresso"))
	at := h.read(t, "hidden.csv", "date,amount,name,balance\n2026-01-30,-7654.32,Coffee of 7654.32,\n2026-01-31,7654.32 oops,Book,\n2026-02-01,-7654.32,Bus 7654,7654.32\n", "account_id="+giro.String())
	if page := h.get(t, at); !strings.Contains(page.text, "7,654.32") {
		t.Fatalf("the amount is not shown:\n%s", page.words())
	}
	h.done(t, "/hide", "hide=true", "back=/imports")
	hides := func(page answer) {
		t.Helper()
		if strings.Contains(page.text, "654") {
			t.Errorf("%s shows the amount:\n%s", page.Request.URL.Path, page.words())
		}
	}
	hides(h.get(t, at))
	hides(h.get(t, "/imports"))
	hides(h.post(t, at+"/publish"))
	hides(h.done(t, at+"/settings", "name_col_label=balance", "was_name_col_label=name"))
	h.done(t, at+"/settings", "name_col_label=name", "was_name_col_label=balance")
	done := h.publish(t, at, "skip_invalid_rows=true")
	hides(done)
	done.shows(t, "Complete")
	asked := h.read(t, "asked.csv", "date,amount,name\n02/01/2026,\"7,654\",Coffee\n", "account_id="+giro.String())
	hides(h.get(t, asked))
}

// TestImportWithoutHeader: columns without names are known and chosen by their numbers.
func TestImportWithoutHeader(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	at := h.read(t, "bare.csv", "2026-01-28;Cinema;-5,50\n2026-01-29;Lunch;-8,00\n", "account_id="+giro.String())
	h.get(t, at).shows(t, "Column 1 → Day", "Column 3 → Amount", "-5,50 −€5.50", "2 new")
	h.done(t, at+"/settings", "notes_col_label=2", "was_notes_col_label=").shows(t, "Column 2")
	plan := regexp.MustCompile(`name="plan" value="([0-9a-f]+)"`).FindStringSubmatch(h.get(t, at).text)[1]
	h.done(t, at+"/publish", "plan="+plan).shows(t, "Running", "Give it up")
	h.done(t, at+"/cancel").shows(t, "Waits to be published", "2 new")
}

// TestImportNastyNames: names that are markup, or that no search can have, are texts on every page.
func TestImportNastyNames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const script = `</script><script>alert("1")</script>`
	account := h.Account(h.Who, script, "JPY")
	at := h.read(t, strings.ReplaceAll(script, "/", "")+".csv", "date,amount,name,"+`"</th>"`+"\n2026-01-28,-999999999999,<script>x</script>,<b>\n2026-01-29,<i>,حس\x01اب,\n", "account_id="+account.String())
	h.sound(t, at).shows(t, "<script>x</script>", "−¥999,999,999,999", "<i>", "حس\ufffdاب", "</th>")
	done := h.publish(t, at, "skip_invalid_rows=true")
	if !strings.Contains(done.text, `href="/accounts/`+account.String()+`">1 transaction</a>`) {
		t.Errorf("what was booked is not linked to:\n%s", done.words())
	}
	h.sound(t, "/imports")
}

// TestImportPages: a long file is shown page by page, and so is it beside what is wrong with a form.
func TestImportPages(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	at := h.read(t, "long.csv", "date,amount,name\n"+strings.Repeat("2026-01-28,-1.00,Early\n", 20)+"2026-02-28,-1.00,Late\n", "account_id="+giro.String())
	next := `href="` + at + `?page=2"`
	wrong := h.post(t, at+"/settings", "date_format=%q", "was_date_format=%Y-%m-%d")
	for _, page := range []answer{h.get(t, at), wrong} {
		if !strings.Contains(page.text, next) || strings.Contains(page.words(), "Late") {
			t.Errorf("%s does not lead to the rest of the rows", page.Request.URL)
		}
	}
	h.sound(t, at+"?page=2").shows(t, "Late", "21 to 21 of 21")
}
