package text

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
)

func TestDecoder(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ascii ", 40_000) // longer than the sample
	tests := []struct {
		name, bytes, told string
		want, charset     string
		lossy             bool
	}{
		{"empty", "", "", "", "us-ascii", false},
		{"ascii", "a,b\n", "", "a,b\n", "us-ascii", false},
		{"utf-8", "Caf\xC3\xA9", "", "Café", "utf-8", false},
		{"utf-8 mark", "\xEF\xBB\xBFDate", "", "Date", "utf-8", false},
		{"mark wins over told", "\xEF\xBB\xBFCaf\xC3\xA9", "windows-1252", "Café", "utf-8", false},
		{"utf-16 little", "\xFF\xFED\x00\xE9\x00", "", "Dé", "utf-16le", true},
		{"utf-16 big", "\xFE\xFF\x00D\x00\xE9", "", "Dé", "utf-16be", true},
		{"utf-16 without mark", "D\x00a\x00t\x00e\x00,\x00\xE9\x00", "", "Date,é", "utf-16le", true},
		{"told 1252", "Caf\xE9 \x80", "windows-1252", "Café €", "windows-1252", true},
		{"told latin-1 is 1252", "\x80", "iso-8859-1", "€", "windows-1252", true},
		{"told gb18030", "\xB1\xB1\xBE\xA9", "GB18030", "北京", "gb18030", true},
		{"told euc-jp", "\xC5\xEC\xB5\xFE", "euc-jp", "東京", "euc-jp", true},
		{"told utf-8 keeps the broken byte", "Caf\xE9", "utf-8", "Caf\xE9", "utf-8", false},
		{"told, undecodable", "a\xFFb", "gb18030", "a\uFFFDb", "gb18030", true},
		{"found 1252", "Fran\xE7ois, Ma\xEEtre, d\xE9j\xE0 vu \xE0 la caf\xE9t\xE9ria", "", "François, Maître, déjà vu à la cafétéria", "windows-1252", true},
		{"found 1250", "\xAFabka, \xA3\xF3d\x9F, zakupy spo\xBFywcze, p\xB3atno\x9C\xE6 kart\xB9, przelew w\xB3asny", "", "Żabka, Łódź, zakupy spożywcze, płatność kartą, przelew własny", "windows-1250", true},
		{"found after much ascii", long + "d\xE9j\xE0 vu \xE0 la caf\xE9t\xE9ria", "", long + "déjà vu à la cafétéria", "windows-1252", true},
		{"utf-8 after much ascii", long + "é", "", long + "é", "utf-8", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var told encoding.Encoding
			if test.told != "" {
				var err error
				if told, err = LookupEncoding(test.told); err != nil {
					t.Fatal(err)
				}
			}
			for _, r := range []io.Reader{strings.NewReader(test.bytes), iotest.HalfReader(strings.NewReader(test.bytes))} {
				d := NewDecoder(r, told)
				got, err := io.ReadAll(d)
				if err != nil || string(got) != test.want {
					t.Fatalf("got %.60q (%v), want %.60q", got, err, test.want)
				}
				if d.Name != test.charset || d.Lossy != test.lossy {
					t.Errorf("got %s, lossy %v; want %s, %v", d.Name, d.Lossy, test.charset, test.lossy)
				}
			}
		})
	}
}

// A character that the end of the sample cuts does not make UTF-8 look broken.
func TestDecoderCutSample(t *testing.T) {
	t.Parallel()
	for shift := range 4 {
		text := strings.Repeat("a", shift) + strings.Repeat("€", SampleSize)
		got, err := io.ReadAll(NewDecoder(strings.NewReader(text), nil))
		if err != nil || string(got) != text {
			t.Errorf("shifted by %d: changed (%v)", shift, err)
		}
	}
}

func TestDecoderReadError(t *testing.T) {
	t.Parallel()
	r := io.MultiReader(bytes.NewReader([]byte("abc")), iotest.ErrReader(io.ErrUnexpectedEOF))
	got, err := io.ReadAll(NewDecoder(r, nil))
	if string(got) != "abc" || err != io.ErrUnexpectedEOF {
		t.Errorf("got %q and %v, want abc and the reader's error", got, err)
	}
}
