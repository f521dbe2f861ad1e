package middleware

import (
	"strings"
	"testing"
)

func TestCleanBasePath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "/": "", "/finance": "/finance", "/finance/": "/finance", "/home/my-books_1.0~": "/home/my-books_1.0~"} {
		if got, err := CleanBasePath(text); got != want || err != nil {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"finance", "//", "/a//b", "/..", "/a/../b", "/.", "/a b", "/a?b", "/a#", "/%41", "http://nas/finance", `/"`, "/é", "/a\n"} {
		if got, err := CleanBasePath(text); err == nil || !strings.Contains(err.Error(), "must be a path such as /finance") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}
