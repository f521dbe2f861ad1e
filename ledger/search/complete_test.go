package search_test

import (
	"strings"
	"testing"
)

// TestComplete: the last word goes on to names and to words of the grammar, and what stands before it stays.
func TestComplete(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	for text, want := range map[string]string{
		"":             "@|cat:|by:|#|last month|this month|last 30 days|this year",
		"rewe >50 is:": "rewe >50 is:income|rewe >50 is:expense|rewe >50 is:transfer",
		"-no:t":        "-no:tag",
		"LAST":         "last month|last 30 days|last year",
		"@nothing":     "",
		`cat:"whole" `: "cat:\"whole\" @|cat:\"whole\" cat:|cat:\"whole\" by:|cat:\"whole\" #|cat:\"whole\" last month|cat:\"whole\" this month|cat:\"whole\" last 30 days|cat:\"whole\" this year",
		`cat:"whole"`:  "",
	} {
		list, err := b.Searches.Complete(t.Context(), b.Who, text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range list {
			got = append(got, c.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q goes on as %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
	for _, mark := range []string{"@", "cat:", "by:", "#"} {
		list, err := b.Searches.Complete(t.Context(), b.Who, "coffee "+mark)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v %v", mark, list, err)
		}
		for _, c := range list {
			q := b.parse(t, c.Text)
			if q.Err("q") != nil || len(q.Words) != 2 || !strings.HasPrefix(c.Text, "coffee "+mark) {
				t.Errorf("%q is not understood: %v", c.Text, q.Words)
			}
		}
	}
}
