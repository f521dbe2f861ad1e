package wire

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"finsvc/ledger"
)

func queryOf(raw string) *Query {
	return (&Request{Request: &http.Request{URL: &url.URL{RawQuery: raw}}}).Query()
}

// TestPageIsNeverRejected holds what was decided.
//
// Decision, Transport: page and per_page are never refused; what makes no sense is the default, what is too much the
// maximum.
func TestPageIsNeverRejected(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw          string
		number, size int
	}{
		{"", 1, 25},
		{"page=3&per_page=100", 3, 100},
		{"page=0&per_page=0", 1, 25},
		{"page=-2&per_page=-1", 1, 25},
		{"page=abc&per_page=1.5", 1, 25},
		{"page=&per_page=", 1, 25},
		{"per_page=101", 1, 100},
		{"page=99999999999999999999&per_page=99999999999999999999", 2147483647, 100},
		{"page=-99999999999999999999", 1, 25},
		{"page=1&page=2", 2, 25},
		{"page=+4", 4, 25},
	} {
		q := queryOf(c.raw)
		if got := q.Page(); got.Number != c.number || got.Size != c.size || q.Err() != nil {
			t.Errorf("%q: got %+v, %v", c.raw, got, q.Err())
		}
	}
}

// TestQueryLists holds what was decided.
//
// Decision, Transport: x[]=a&x[]=b, x=a&x=b and x=a,b are the same.
func TestQueryLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, want string }{
		{"x[]=a&x[]=b", "a|b"},
		{"x%5B%5D=a&x%5B%5D=b", "a|b"},
		{"x=a&x=b", "a|b"},
		{"x=a,b", "a|b"},
		{"x=a%2C+b", "a|b"},
		{"x[0]=a&x[1]=b", "a|b"},
		{"x[]=&x=", ""},
		{"y=a&xx=b&x[k]=c", ""},
		{"x=;", ";"},
	} {
		if got := strings.Join(queryOf(c.raw).List("x"), "|"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.raw, got, c.want)
		}
	}
}

func TestQueryReads(t *testing.T) {
	t.Parallel()
	const id = "0198f2a0-1234-7abc-8def-0123456789ab"
	q := queryOf("d=2026-01-31&n=-1.50&id=0198F2A0-1234-7ABC-8DEF-0123456789AB&w=income&f=1&s=+caf%C3%A9+100%25+;&blank=+&ids=" + id + "," + id)
	switch {
	case q.Date("d").Value.String() != "2026-01-31",
		q.Decimal("n").Value.String() != "-1.5",
		q.Id("id").Value.String() != id,
		q.OneOf("w", "income", "expense") != "income",
		!q.Flag("f").Value,
		q.Text("s") != "café 100% ;",
		q.Text("absent") != "" || q.Date("absent").Set || q.Date("blank").Set || q.Id("blank").Set || q.OneOf("blank", "a") != "",
		len(q.Ids("ids")) != 2 || q.Ids("absent") != nil || q.Ids("blank") != nil:
		t.Error("a value was misread")
	}
	if err := q.Err(); err != nil {
		t.Error(err)
	}
}

func TestQueryCollectsProblems(t *testing.T) {
	t.Parallel()
	q := queryOf("d=30.01.2026&n=x&id=1&ids=a&w=Income&f=maybe&twice=2026-01-01&twice=2026-01-02&before=+2026-01-01&behind=2026-01-01%09&long=" + strings.Repeat("a", 256))
	q.Date("d")
	q.Decimal("n")
	q.Id("id")
	q.Ids("ids")
	q.OneOf("w", "income", "expense")
	q.Flag("f")
	q.Date("twice")
	q.Text("long")
	q.Date("before")
	q.Date("behind")
	compareLists(t, q.Problems.Sentences(), []string{
		`d must be a calendar date such as 2026-01-31, got "30.01.2026"`,
		`n must be a number such as 12.50, got "x"`,
		`id must be an id (a UUID), got "1"`,
		`ids must be a list of ids (UUIDs), has "a"`,
		`w must be income or expense, got "Income"`,
		`f must be true or false, got "maybe"`,
		"twice must be given once, got 2 values",
		"long must have at most 255 characters, has 256",
		`before must be a calendar date such as 2026-01-31, got " 2026-01-01"`,
		`behind must be a calendar date such as 2026-01-31, got "2026-01-01\t"`,
	})
}

func TestMalformedQuery(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, want string }{
		{"a=1&search=%f", "the query has a broken %-escape in the part that begins at byte 4"},
		{"search=%ff", "the query has invalid UTF-8 in the part that begins at byte 0"},
	} {
		e := ledger.AsError(queryOf(c.raw).Err())
		if e == nil || e.Kind != ledger.Malformed || e.Message != c.want {
			t.Errorf("%s: got %v, want %s", c.raw, e, c.want)
		}
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("x[]=a&x=b,c&page=2&d=2026-01-01;%41")
	f.Fuzz(func(t *testing.T, raw string) {
		q := queryOf(raw)
		p := q.Page()
		if p.Number < 1 || p.Size < 1 || p.Size > 100 || p.Offset() < 0 {
			t.Errorf("%q: page %+v", raw, p)
		}
		q.Date("d")
		q.Ids("x")
		q.Decimal("n")
		if err := q.Err(); err != nil && ledger.AsError(err) == nil {
			t.Errorf("%q: %v", raw, err)
		}
	})
}
