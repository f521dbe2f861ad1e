package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/embed"
)

// page is a text for people: the README, or a page of the handbook.
type page struct {
	name   string
	text   string
	blocks []block
}

// block is what stands between fences.
type block struct {
	language string
	lines    []string
}

// example is a command with what the page shows that it prints.
type example struct {
	text  string
	shown []string
}

// handbookPages reads the README and all pages of the handbook.
func handbookPages(t *testing.T) []page {
	t.Helper()
	files, err := filepath.Glob("../embed/handbook/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("the handbook has no pages", err)
	}
	var all []page
	for _, file := range append(files, "../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, readPage(filepath.Base(file), string(text)))
	}
	return all
}

func readPage(name, text string) page {
	p := page{name: name, text: text}
	var open *block
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{language: language}
		case fence:
			p.blocks, open = append(p.blocks, *open), nil
		case open != nil:
			open.lines = append(open.lines, line)
		}
	}
	return p
}

// commands are what a reader would type: what follows a $, up to the line that no backslash, quote or document leaves open.
func (p page) commands() (all []example) {
	for _, b := range p.blocks {
		if b.language != "console" {
			continue
		}
		var now *example
		for _, line := range b.lines {
			text, begins := strings.CutPrefix(line, "$ ")
			switch {
			case begins:
				all = append(all, example{text: text})
				now = &all[len(all)-1]
			case now != nil && now.open():
				now.text += "\n" + line
			case now != nil:
				now.shown = append(now.shown, line)
			}
		}
	}
	return all
}

// open reports whether a command goes on in the next line.
func (e *example) open() bool {
	if _, document, is := strings.Cut(e.text, "<<'EOF'\n"); is || strings.HasSuffix(e.text, "<<'EOF'") {
		return !strings.HasSuffix(document, "\nEOF")
	}
	return strings.HasSuffix(e.text, `\`) || strings.Count(strings.ReplaceAll(e.text, `\'`, ""), "'")%2 == 1
}

// TestHandbookBlocks names all that stands between fences and is not run, so that nothing escapes by itself: what is typed at other
// programs, or needs another machine, and what other programs are configured with.
func TestHandbookBlocks(t *testing.T) {
	t.Parallel()
	want := map[string]map[string]int{
		"README.md":    {"text": 4},                      // from source, the arrows, those of the ledger, how to develop
		"api.md":       {"text": 1},                      // generators of clients
		"assistant.md": {"json": 1},                      // settings of desktop programs
		"backups.md":   {"text": 3},                      // restic, restore on another machine, Litestream
		"exporting.md": {"text": 1},                      // hledger and Beancount
		"recipes.md":   {"ini": 2, "yaml": 2, "text": 2}, // units, Home Assistant, proxies
		"server.md":    {"text": 2, "yaml": 1},           // systemd, Docker, Prometheus
	}
	got := map[string]map[string]int{}
	for _, p := range handbookPages(t) {
		for _, b := range p.blocks {
			if b.language == "console" {
				if len(b.lines) == 0 || !strings.HasPrefix(b.lines[0], "$ ") {
					t.Errorf("%s: a block of commands begins with %q", p.name, b.lines)
				}
				continue
			}
			if got[p.name] == nil {
				got[p.name] = map[string]int{}
			}
			got[p.name][b.language]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks that are not run (+) are not those that are named here (-):\n%s", diff)
	}
}

// TestHandbookSize: the README says what this is, and no more; the handbook can be read.
func TestHandbookSize(t *testing.T) {
	t.Parallel()
	whole := 0
	for _, p := range handbookPages(t) {
		if p.name != "README.md" {
			whole += len(p.text)
		} else if len(p.text) > 12<<10 {
			t.Errorf("the README has %d bytes, more than 12 KiB", len(p.text))
		}
	}
	if whole > 96<<10 {
		t.Errorf("the handbook has %d bytes, more than 96 KiB", whole)
	}
}

// TestHandbookRequests: every request that a page names is one of the API.
func TestHandbookRequests(t *testing.T) {
	t.Parallel()
	text, err := embed.OpenAPIJSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	request := regexp.MustCompile("`(GET|POST|PATCH|PUT|DELETE) (/[^`? ]*)[^`]*`")
	for _, p := range handbookPages(t) {
		for _, found := range request.FindAllStringSubmatch(p.text, -1) {
			if document.Paths[found[2]][strings.ToLower(found[1])] == nil {
				t.Errorf("%s: there is no %s %s", p.name, found[1], found[2])
			}
		}
	}
}
