package cmd_test

import (
	"bytes"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// browser keeps cookies and says where its forms are, as browsers do.
type browser struct {
	*testing.T
	url    string
	client *http.Client
}

func (b *browser) answer(r *http.Request, err error) (int, string) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Origin", b.url)
	resp, err := b.client.Do(r.WithContext(b.Context()))
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	return resp.StatusCode, html.UnescapeString(string(body))
}

func (b *browser) get(path string) (int, string) {
	b.Helper()
	return b.answer(http.NewRequest(http.MethodGet, b.url+path, nil))
}

func (b *browser) post(path string, fields url.Values) (int, string) {
	b.Helper()
	r, err := http.NewRequest(http.MethodPost, b.url+path, strings.NewReader(fields.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return b.answer(r, err)
}

// TestPagesOfTheMachine: at set-up a backup is brought along and proved, and the command that is said then restores it; or
// made-up books are loaded. An admin makes, proves and downloads backups, and has everything examined.
func TestPagesOfTheMachine(t *testing.T) {
	t.Parallel()
	before := cmdtest.NewCommandLine(t)
	before.Home()
	before.Book("12.50", 3)
	backup := before.Read(strings.TrimSpace(before.OK("backup")))

	s := cmdtest.NewCommandLine(t)
	r := s.Serve()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t, r.URL, &http.Client{Jar: jar}}
	if status, page := b.get("/setup/restore"); status != http.StatusUnauthorized {
		t.Errorf("without the code: %d %s", status, page)
	}
	b.get("/setup?code=" + strings.TrimSpace(s.OK("setup-code")))
	bring := func(content []byte) (int, string) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", "finance.db")
		if err == nil {
			_, err = part.Write(content)
		}
		if err != nil || form.Close() != nil {
			t.Fatal(err)
		}
		post, err := http.NewRequest(http.MethodPost, b.url+"/setup/restore", &body)
		if err == nil {
			post.Header.Set("Content-Type", form.FormDataContentType())
		}
		return b.answer(post, err)
	}
	if status, page := bring([]byte("no database")); status != http.StatusUnprocessableEntity || !strings.Contains(page, "file is no backup that can be read") {
		t.Errorf("what is no backup: %d %s", status, page)
	}
	status, page := bring(backup)
	command := regexp.MustCompile(`finsvc restore '?([^' ]*)'? --data`).FindStringSubmatch(page)
	if status != http.StatusOK || command == nil || !strings.Contains(page, "The backup is good") || !strings.Contains(page, "3 transactions") {
		t.Fatalf("%d %s", status, page)
	}
	restored := filepath.Join(t.TempDir(), "restored.db")
	s.OK("restore", command[1], "--data", restored)

	status, page = b.post("/setup", url.Values{"screen": {"you"}, "household": {"Ours"}, "currency": {"EUR"}, "locale": {"en-IE"},
		"timezone": {"UTC"}, "name": {"ana"}, "links_only": {"true"}, "then": {"demo"}})
	if status != http.StatusOK || !strings.Contains(page, "Demo data: these books are made up.") || !strings.Contains(page, "Bitcoin wallet") ||
		!strings.Contains(page, "1 import waits to be published.") || !strings.Contains(page, "No backup yet") {
		t.Fatalf("%d %s", status, page)
	}
	status, page = b.post("/settings/backup", nil)
	name := regexp.MustCompile(`/settings/backup/(finance-\d{8}T\d{6}Z\.db)/verify`).FindStringSubmatch(page)
	if status != http.StatusOK || name == nil || !strings.Contains(page, "and its books add up") {
		t.Fatalf("%d %s", status, page)
	}
	if status, page := b.post("/settings/backup/"+name[1]+"/verify", nil); status != http.StatusOK || !strings.Contains(page, "was verified") {
		t.Errorf("%d %s", status, page)
	}
	made, err := os.ReadFile(filepath.Join(s.Backups(), name[1]))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := b.client.Get(b.url + "/settings/backup/" + name[1])
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if sent, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(sent, made) {
		t.Errorf("the download is not the backup: %d bytes, %v", len(sent), err)
	}
	for _, path := range []string{"/settings/backup/finance.db", "/settings/backup/..%2Ffinance.db", "/settings/backup/" + name[1] + ".sha256"} {
		if status, _ := b.get(path); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	if status, page := b.post("/settings/doctor", nil); status != http.StatusOK || !strings.Contains(page, "integrity ok") || !strings.Contains(page, "one runs on the file") {
		t.Errorf("%d %s", status, page)
	}
	s.OK("household", "create", "Neighbours", "--owner", "bo@example.org")
	for _, path := range []string{"/settings/backup", "/settings/backup/" + name[1]} {
		if status, _ := b.get(path); status != http.StatusForbidden {
			t.Errorf("%s where there are several households: %d", path, status)
		}
	}
	r.End()
}
