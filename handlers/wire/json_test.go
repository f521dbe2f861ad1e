package wire

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// marshalled is what encoding/json makes of a text without HTML escaping.
func marshalled(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestStringsMatchEncodingJSON(t *testing.T) {
	t.Parallel()
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, s := range []string{"", "plain", `q"b\`, "<a href='x'>&", "ümläut €", "𝄞", "\u2028\u2029", "\xff\xc3", "\u007f", string(all)} {
		if got, want := string(AppendString(nil, s)), marshalled(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func FuzzString(f *testing.F) {
	f.Add("a\x00\"\\\u2028\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(AppendString([]byte("x"), s)), "x"+marshalled(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	})
}

func TestJSONWriter(t *testing.T) {
	t.Parallel()
	some := "x"
	var j Writer
	j.List("")
	j.Open("")
	j.Text("text", "[{")
	j.TextOrNull("none", nil)
	j.TextOrNull("some", &some)
	j.Int("int", -9007199254740993)
	j.Bool("bool", true)
	j.Raw("qty", "0.12345678")
	j.Id("id", uuid.MustParse("0198F2A0-1234-7ABC-8DEF-0123456789AB"))
	j.Date("date", ledger.NewDate(2026, 2, 28))
	j.Time("time", time.Date(2026, 8, 22, 23, 52, 35, 123_999_999, time.FixedZone("", 7200)))
	j.TimeOrNull("never", time.Time{})
	j.Stamp("stamp", 0)
	j.Close()
	j.Open("")
	j.Close()
	j.List("")
	j.EndList()
	j.EndList()
	const want = `[{"text":"[{","none":null,"some":"x","int":-9007199254740993,"bool":true,` +
		`"qty":0.12345678,"id":"0198f2a0-1234-7abc-8def-0123456789ab","date":"2026-02-28","time":"2026-08-22T21:52:35.123Z",` +
		`"never":null,"stamp":"1970-01-01T00:00:00.000Z"},{},[]]`
	if got := string(j.Buf); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPagination(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page  ledger.Page
		total int64
		want  string
	}{
		{ledger.Page{Number: 1, Size: 25}, 0, `{"pagination":{"page":1,"per_page":25,"total_count":0,"total_pages":1},"meta":{"current_page":1,"total_pages":1,"total_count":0,"per_page":25,"next_page":null,"prev_page":null}}`},
		{ledger.Page{Number: 1, Size: 25}, 26, `{"pagination":{"page":1,"per_page":25,"total_count":26,"total_pages":2},"meta":{"current_page":1,"total_pages":2,"total_count":26,"per_page":25,"next_page":2,"prev_page":null}}`},
		{ledger.Page{Number: 2, Size: 25}, 50, `{"pagination":{"page":2,"per_page":25,"total_count":50,"total_pages":2},"meta":{"current_page":2,"total_pages":2,"total_count":50,"per_page":25,"next_page":null,"prev_page":1}}`},
		{ledger.Page{Number: 9, Size: 10}, 15, `{"pagination":{"page":9,"per_page":10,"total_count":15,"total_pages":2},"meta":{"current_page":9,"total_pages":2,"total_count":15,"per_page":10,"next_page":null,"prev_page":2}}`},
	} {
		var j Writer
		j.Open("")
		Pagination(&j, c.page, c.total)
		ImportMeta(&j, c.page, c.total)
		j.Close()
		if got := string(j.Buf); got != c.want {
			t.Errorf("%+v of %d:\ngot  %s\nwant %s", c.page, c.total, got, c.want)
		}
	}
}
