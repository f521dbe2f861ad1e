package term

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		mark  string
		want  string
	}{
		{"short", 5, "…", "short"}, {"longer", 5, "…", "long…"}, {"longer", 5, "...", "lo..."},
		{"電話帳簿", 6, "…", "電話…"}, {"e\u0301e\u0301e\u0301e\u0301", 3, "…", "e\u0301e\u0301…"}, {"", 3, "…", ""},
	} {
		if got := cut(c.text, c.width, c.mark); got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestCutFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, width := rapid.String().Draw(t, "text"), rapid.IntRange(3, 20).Draw(t, "width")
		if got := cut(text, width, "…"); uniseg.StringWidth(got) > width {
			t.Errorf("%q is %q, which is wider than %d", text, got, width)
		}
	})
}

func TestNarrowTable(t *testing.T) {
	t.Parallel()
	const id = "01a200bb-6d18-7430-8a84-9f7d0f782d01"
	for room, want := range map[int]string{
		0:  "NAME                               #  ID\nA rather long name of something   12  " + id + "\n",
		66: "NAME                     #  ID\nA rather long name of s…  12  " + id + "\n",
		20: "NAME                #  ID\nA rather long n…   12  " + id + "\n", // as narrow as it gets
	} {
		tab := table{columns: Columns("name", "##", "id"), rows: [][]string{{"A rather long name of something ", "12", id}}, room: room, mark: "…"}
		var b bytes.Buffer
		if err := tab.print(&b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); squeezed(got) != squeezed(want) || room > 60 && uniseg.StringWidth(strings.Split(got, "\n")[1]) > room {
			t.Errorf("in %d columns:\n%s\nwant\n%s", room, got, want)
		}
	}
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestPlainCharacters(t *testing.T) {
	t.Parallel()
	for want, envs := range map[bool][]map[string]string{
		false: {{"LANG": "de_DE.UTF-8"}, {"LC_ALL": "C.utf8", "LANG": "C"}, {"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}},
		true:  {{"LANG": "C"}, {"LC_ALL": "de_DE@euro", "LANG": "de_DE.UTF-8"}, {"LC_CTYPE": "POSIX", "LANG": "en_US.UTF-8"}},
	} {
		for _, env := range envs {
			if got := New(nil, nil, nil, env).Plain; got != want {
				t.Errorf("%v: got %v", env, got)
			}
		}
	}
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	a := New(nil, nil, file, map[string]string{"LANG": "C"})
	a.Say("a → b…")
	said, err := os.ReadFile(file.Name())
	if err != nil || string(said) != "a → b…\n" || a.Animates() || Width(file) != 0 {
		t.Errorf("a file is taken for a terminal: %q, %v", said, err)
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"y\n": true, " YES \n": true, "y": true, "n\n": false, "\n": false, "": false, "yep\n": false} {
		terminal := New(strings.NewReader(text), nil, io.Discard, nil)
		if got, err := terminal.Confirm(t.Context(), "Really?"); got != want || err != nil {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	silent, write := io.Pipe()
	defer write.Close()
	terminal := New(silent, nil, io.Discard, nil)
	if yes, err := terminal.Confirm(ctx, "Really?"); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: got %v, %v", yes, err)
	}
}
