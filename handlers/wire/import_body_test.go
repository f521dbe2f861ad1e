package wire

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

// bothWays reads a body as a whole and while it arrives; what comes of it must be the same.
func bothWays(t *testing.T, media, body string) {
	t.Helper()
	h := http.Header{"Content-Type": {media}}
	whole, errWhole := parseBody(h, []byte(body), nil)
	wantFile := bytes.Clone(whole.Members()[nameOfContent].Bytes)
	req := httptest.NewRequest("POST", "/", strings.NewReader(body))
	req.Header = h
	var file bytes.Buffer
	s := &Share{of: NewMemory(BodyMemory)}
	tree, err := receiveContent(&Request{Request: req, Share: s}, &file)
	about := body
	if len(about) > 200 {
		about = about[:100] + " … " + about[len(about)-100:]
	}
	if (err == nil) != (errWhole == nil) || err != nil && err.Error() != errWhole.Error() {
		t.Fatalf("%s\ngot  %v\nwant %v", about, err, errWhole)
	}
	if err != nil {
		return
	}
	if rest := tree.Members()[nameOfContent].Bytes; whole.Members()[nameOfContent].Shape == Text && len(rest) == 0 {
		rest = file.Bytes()
		if !bytes.Equal(rest, wantFile) {
			t.Fatalf("%s: another file, %d bytes, want %d", about, len(rest), len(wantFile))
		}
	} else if file.Len() > 0 {
		t.Fatalf("%s: %d bytes of what is no file", about, file.Len())
	}
	for _, v := range []value{tree, whole} {
		delete(v.Members(), nameOfContent)
	}
	if got, want := apitest.Plain(t, tree.plain()), apitest.Plain(t, whole.plain()); got != want {
		t.Fatalf("%s\ngot  %s\nwant %s", about, got, want)
	}
}

// TestBodyWithFile: taken apart while it arrives, a body means what it means as a whole, and what is wrong with it is said in
// the same words, with the same offsets.
func TestBodyWithFile(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		``, ` `, `{}`, `[]`, `7`, `"raw_file_content"`, `["raw_file_content",":","x"]`, `{"raw_file_content":"a,b\n1,2"}`, ` {"type" : "T" , "raw_file_content" : "x" , "publish":true} `,
		`{"raw_file_content":""}`, `{"raw_file_content":null}`, `{"raw_file_content":7}`, `{"raw_file_content":{"raw_file_content":"x"}}`, `{"raw_file_content":["x"]}`,
		`{"import":{"raw_file_content":"x"}}`, `{"a":"raw_file_content","b":"x"}`, `{"a":"raw_file_content","raw_file_content":"x"}`, `{"raw_file\u005fcontent":"x"}`,
		`{"raw_file_content":"x","raw_file_content":"y"}`, `{"raw_file_content" "x"}`, `{"raw_file_content":7 "x"}`, `{"raw_file_content"::"x"}`, `{"raw_file_content":,"x"}`, `{"raw_file_content":"x" "y"}`,
		`{"raw_file_content":"x`, `{"raw_file_content":"x\`, `{"raw_file_content":"x\u12`, `{"raw_file_content":"`, `{"raw_file_content":`, `{"raw_file_content`, `{"raw_file_content":"x"`, `{"raw_file_content":"x"}}`,
		`{"raw_file_content":"\ud834\udd1e\ud834"}`, `{"raw_file_content":"\ud834\udd1e"}`, `{"raw_file_content":"a\qb"}`, `{"raw_file_content":"a\u12x4"}`, "{\"raw_file_content\":\"a\nb\"}", "{\"raw_file_content\":\"a\xffb\"}",
		`{"raw_file_content":"x","a":1,"a":2}`, `{"raw_file_content":"x\"y","a":"\ud834"}`, `{"raw_file_content":"x","a":"`, `{"raw_file_content":"x","a":` + strings.Repeat("[", 40),
		"{\"raw_file_content\":\"x\",\"a\":\"\xff\"}", `{"a":"\"","raw_file_content":"\\"}`, `[{"raw_file_content":"x"}]`, `{"a"{:"raw_file_content":"x"}`,
	} {
		bothWays(t, "application/json", body)
		bothWays(t, "", body)
	}
	for _, body := range []string{
		``, `raw_file_content=a%2Cb%0A1+2`, `type=T&raw_file_content=x&publish=true`, `raw_file_content=`, `raw_file_content`, `raw%5Ffile_content=x`, `a=raw_file_content&b==x`, `raw_file_content=x=y;z`,
		`raw_file_content=x&raw_file_content=y`, `raw_file_content=%zz&a=b`, `raw_file_content=%2`, `raw_file_content=%ff`, `raw_file_content=x%c3%a4%25&a=%zz`, `a=%ff&raw_file_content=x`, `%zz=1&raw_file_content=x`,
		`&&raw_file_content=x&&`, `raw_file_content=x&`, `raw_file_content[a]=x`,
	} {
		bothWays(t, mediaForm, body)
	}
	bothWays(t, "text/plain", "a=b")
	bothWays(t, mediaMultipart, "--XX")
}

// TestLongBodyWithFile tries files that are longer than what is decoded at a time, whole, cut off, and with a byte that is
// wrong.
func TestLongBodyWithFile(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", `\n`, `\\`, `\"`, "ä", "€", "𝄞", `\u00e4`, `\ud834\udd1e`, "012345678901234567890123456789"}
	for range 60 {
		var text strings.Builder
		for length := contentPiece + random.IntN(3*contentPiece); text.Len() < length; {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		body := `{"type":"T","raw_file_content":"` + text.String() + `","name_col_label":"n"}`
		bothWays(t, mediaJSON, body)
		bothWays(t, mediaJSON, body[:random.IntN(len(body))])
		wrong := []byte(body)
		wrong[random.IntN(len(wrong))] = []byte{0xff, '\\', '"', '\n', 'u', 0x80}[random.IntN(6)]
		bothWays(t, mediaJSON, string(wrong))
		form := "type=T&raw_file_content=" + url.QueryEscape(text.String()) + "&x=%20"
		bothWays(t, mediaForm, form)
		bothWays(t, mediaForm, form[:random.IntN(len(form))])
		wrong = []byte(form)
		wrong[random.IntN(len(wrong))] = []byte{0xff, '%', '&', '+', '=', 0x80}[random.IntN(6)]
		bothWays(t, mediaForm, string(wrong))
	}
}

// TestFilesInBodiesTakeNoMemory, however long they are.
func TestFilesInBodiesTakeNoMemory(t *testing.T) {
	t.Parallel()
	const length = 20 << 20
	for media, ends := range map[string][2]string{mediaJSON: {`{"raw_file_content":"`, `"}`}, mediaForm: {"raw_file_content=", "&a=b"}} {
		s := &Share{of: NewMemory(BodyMemory)}
		req := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(ends[0]), &apitest.Repeated{Text: "0123456789", Left: length}, strings.NewReader(ends[1])))
		req.Header.Set("Content-Type", media)
		var file counter
		if _, err := receiveContent(&Request{Request: req, Share: s}, &file); err != nil || file != length || s.held > 2*firstPiece {
			t.Errorf("%s: %d bytes, %d held, %v", media, file, s.held, err)
		}
		beside := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(`{"raw_file_contents":"`), &apitest.Repeated{Text: "0123456789", Left: length}))
		beside.Header.Set("Content-Type", media)
		if _, err := receiveContent(&Request{Request: beside, Share: s}, &file); err == nil || !strings.Contains(err.Error(), "longer than 4.0 MiB beside raw_file_content") {
			t.Errorf("%s: %v", media, err)
		}
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
