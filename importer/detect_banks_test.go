package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDetectBanks reads made-up files in the layouts of real banks and programs with nothing told but the currency of
// the account. Each stands in testdata/banks_*.txt below a line "### NAME | CURRENCY | WANT"; want are the dates and
// amounts, worked out by hand, or "asked SETTING" where the file leaves something open.
func TestDetectBanks(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/banks_*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of cases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n### ")[1:] {
			title, content, _ := strings.Cut(part, "\n")
			say := strings.Split(title, " | ")
			if len(say) != 3 {
				t.Errorf("%s: %q must have a name, a currency and what is wanted", file, title)
				continue
			}
			t.Run(say[0], func(t *testing.T) {
				t.Parallel()
				if got := figures(readDetected(t, content+"\n", say[1])); got != say[2] {
					t.Errorf("got  %s\nwant %s", got, say[2])
				}
			})
		}
	}
}

// figures leaves the names of the rows out.
func figures(read string) string {
	rows := strings.Split(read, "; ")
	for i, row := range rows {
		if words := strings.SplitN(row, " ", 3); len(words) == 3 && row[0] >= '0' && row[0] <= '9' {
			rows[i] = words[0] + " " + words[1]
		}
	}
	return strings.Join(rows, "; ")
}
