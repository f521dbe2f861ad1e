package cmd

import (
	"testing"
	"time"
)

func TestLifetime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"90d": 2160 * time.Hour, "12h": 12 * time.Hour, "2w": 336 * time.Hour, "1y": 8760 * time.Hour} {
		var l lifetime
		if err := l.Set(text); err != nil || time.Duration(l) != want {
			t.Errorf("%s: got %v, %v, want %v", text, time.Duration(l), err, want)
		}
	}
	for _, text := range []string{"", "d", "90", "0d", "-1d", "1.5d", "101y", "99999999999999999999h", "5m"} {
		var l lifetime
		if err := l.Set(text); err == nil {
			t.Errorf("%q was taken as %v", text, time.Duration(l))
		}
	}
}

func FuzzLifetime(f *testing.F) {
	for _, text := range []string{"90d", "12h", "0w", "100y", "999999999999999d", "é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var l lifetime
		if l.Set(text) == nil && (l < lifetime(time.Hour) || l > lifetime(maxLifetime*time.Hour)) {
			t.Errorf("%q is %s", text, l.String())
		}
	})
}
