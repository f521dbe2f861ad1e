package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"finsvc/ledger"
)

// object is a JSON object of a body; list a JSON list.
type (
	object = map[string]any
	list   = []any
)

// client is a program with its habits: the address that its user has typed, the headers that it sends with everything.
type client struct {
	*testing.T
	server *server
	who    ledger.Actor
	name   string // of the scenario
	key    string // may read and write
	base   string
	header http.Header
	pieces bool // bodies are sent in chunks, without a length
	web    *http.Client
}

// number is a JSON number, exactly as it is written.
func number(text string) json.Number { return json.Number(text) }

// with is the client with a header that it sends with every request; without a value it sends none.
func (c *client) with(name, value string) *client {
	other := *c
	other.header = maps.Clone(c.header)
	if value == "" {
		other.header.Del(name)
	} else {
		other.header.Set(name, value)
	}
	return &other
}

// at is the client with a path behind the address that its user has typed.
func (c *client) at(path string) *client {
	other := *c
	other.base = c.server.url + path
	return &other
}

// query writes pairs of a name and a value as ?name=value&name=value.
func query(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(pairs[i]) + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

func (c *client) get(path string, pairs ...string) *answer {
	c.Helper()
	return c.send(http.MethodGet, path+query(pairs...), "", "")
}

func (c *client) delete(path string) *answer {
	c.Helper()
	return c.send(http.MethodDelete, path, "", "")
}

func (c *client) post(path string, body any) *answer {
	c.Helper()
	return c.write(http.MethodPost, path, body)
}

func (c *client) patch(path string, body any) *answer {
	c.Helper()
	return c.write(http.MethodPatch, path, body)
}

func (c *client) put(path string, body any) *answer {
	c.Helper()
	return c.write(http.MethodPut, path, body)
}

// write sends a body as JSON, none for nil.
func (c *client) write(method, path string, body any) *answer {
	c.Helper()
	if body == nil {
		return c.send(method, path, "", "")
	}
	text, err := json.Marshal(body)
	if err != nil {
		c.Fatal(err)
	}
	return c.send(method, path, "application/json", string(text))
}

// upload sends a form with fields and a part named file.
func (c *client) upload(path, fileName, content string, fields ...string) *answer {
	c.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		_ = form.WriteField(fields[i], fields[i+1]) // writing to memory does not fail
	}
	file, _ := form.CreateFormFile("file", fileName)
	_, _ = io.WriteString(file, content)
	_ = form.Close()
	return c.send(http.MethodPost, path, form.FormDataContentType(), body.String())
}

// send makes a request, reads its answer to the end and looks at what is true of every answer.
func (c *client) send(method, path, contentType, body string) *answer {
	c.Helper()
	content := io.Reader(strings.NewReader(body))
	if c.pieces && body != "" {
		content = io.MultiReader(content) // of which nobody knows the length
	}
	request, err := http.NewRequestWithContext(c.Context(), method, c.base+path, content)
	if err != nil {
		c.Fatal(err)
	}
	maps.Copy(request.Header, c.header)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.web.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	a := &answer{client: c, request: method + " " + path + " " + body, code: response.StatusCode, header: response.Header}
	a.read(response.Body)
	c.server.seen.request(c.name, method, request.URL.Path, a.code)
	a.check(method, request.URL.Path)
	return a
}

// read takes the body, unpacks it where it is packed, and decodes it where it is JSON.
func (a *answer) read(body io.Reader) {
	a.Helper()
	sent, err := io.ReadAll(body)
	if err != nil {
		a.Fatalf("%s: %v", a.request, err)
	}
	a.sent, a.body = int64(len(sent)), string(sent)
	if a.header.Get("Content-Encoding") == "gzip" {
		a.body = unpack(a, sent)
	}
	if len(sent) == 0 || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		return
	}
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.UseNumber()
	if err := decoder.Decode(&a.json); err != nil {
		a.Fatalf("%s: %v in %s", a.request, err, a.body)
	}
}

func unpack(a *answer, packed []byte) string {
	a.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		a.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		a.Fatal(err)
	}
	return string(plain)
}

// settle waits until nothing is done any more: a stream of events ends then.
func (c *client) settle(path string) {
	c.Helper()
	quiet := *c
	quiet.base, quiet.name = c.server.url, "" // no request of the program's own
	quiet.header = http.Header{"X-Api-Key": {c.key}}
	if a := quiet.get("/api/v1" + path).status(200); !strings.Contains(a.body, "event: done") {
		c.Fatalf("%s: the stream ended with %q", path, a.body)
	}
}

// awaits is a chat when its newest answer is there.
func (c *client) awaits(chatPath string) *answer {
	c.Helper()
	seen := c.get(chatPath+"?page=1&per_page=50").status(200).is("", chat()).want("pagination.per_page", 50)
	newest := seen.text(fmt.Sprintf("messages.%d.id", len(seen.items("messages"))-1))
	c.settle(strings.TrimPrefix(chatPath, "/api/v1") + "/messages/" + newest + "/stream")
	return c.get(chatPath+"?page=1&per_page=50").status(200).is("", chat()).want("error", nil)
}

// pages reads a list by pages of a hundred as long as more says so, and counts its rows.
func (c *client) pages(path, name string, more func(a *answer, page, rows int) bool, pairs ...string) (total int) {
	c.Helper()
	for page := 1; page < 10; page++ {
		a := c.get(path, append(pairs, "page", strconv.Itoa(page), "per_page", "100")...).status(200)
		rows := len(a.items(name))
		total += rows
		if !more(a, page, rows) {
			return total
		}
	}
	c.Fatalf("%s has no end", path)
	return 0
}
