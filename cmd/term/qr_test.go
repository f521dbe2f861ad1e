package term

import (
	"strings"
	"testing"
)

// TestQR: each line is as wide as the others and says its own colours; the first corner of a code is always the same.
func TestQR(t *testing.T) {
	t.Parallel()
	code, err := QR("http://192.168.1.20:7117/link/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(code, "\n"), "\n")
	width := len([]rune(lines[0]))
	for i, line := range lines {
		if len([]rune(line)) != width || !strings.HasPrefix(line, "\x1b[30;107m") || !strings.HasSuffix(line, "\x1b[0m") {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if columns := width - len("\x1b[30;107m") - len("\x1b[0m"); columns > 80 || len(lines) > 24 {
		t.Errorf("%d columns, %d lines", columns, len(lines))
	}
	if !strings.Contains(lines[1], "  █▀▀▀▀▀█") || !strings.Contains(lines[2], "  █ ███ █") {
		t.Errorf("the corner is\n%s", code)
	}
}
