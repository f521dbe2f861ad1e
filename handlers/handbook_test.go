package handlers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"finsvc/embed"
)

// TestHandbook: every page is whole, its links lead somewhere, it loads nothing from elsewhere, and who has it need not have it again.
func TestHandbook(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "/finance"} {
		g := newRig(t)
		if base != "" {
			g = newRig(t, below(base))
		}
		ids, links := map[string]bool{}, map[string]bool{}
		at := []string{base + "/handbook"}
		for _, topic := range embed.HandbookTopics() {
			at = append(at, base+"/handbook/"+topic.Name)
		}
		for _, path := range at {
			p := g.Do(t, "GET", path, "")
			if p.StatusCode != 200 || p.Header.Get("Content-Type") != "text/html; charset=utf-8" {
				t.Fatalf("%s: %d %v", path, p.StatusCode, p.Header)
			}
			want := strings.Replace(pagePolicy(""), "; base-uri", "; script-src 'self'; connect-src 'self'; base-uri", 1)
			if policy := p.Header.Get("Content-Security-Policy"); policy != want || p.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: policy %q, want %q", path, policy, want)
			}
			if tag := p.Header.Get("ETag"); tag == "" || g.Do(t, "GET", path, "", "If-None-Match: "+tag).StatusCode != 304 {
				t.Errorf("%s: the tag %q is not known again", path, tag)
			}
			ids[path] = true
			for _, e := range elements(t, p.Text) {
				if id := e.attributes["id"]; id != "" {
					ids[path+"#"+id] = true
				}
				if link := e.attributes["href"]; link != "" {
					links[link] = true
				}
				if src := e.attributes["src"]; e.name == "script" && src != base+"/handbook/search.js" || e.name != "script" && src != "" || e.attributes["style"] != "" {
					t.Errorf("%s: an element %+v", path, e)
				}
			}
			if strings.Count(p.Text, "<script") != 1 || !strings.Contains(p.Text, "></script>") {
				t.Errorf("%s has a script within", path)
			}
		}
		for link := range links {
			if !ids[link] && link != base+"/api/docs" && !strings.HasPrefix(link, "https://") {
				t.Errorf("a link to %q", link)
			}
		}
		var sections []handbookSection
		if err := json.Unmarshal([]byte(g.Do(t, "GET", base+"/handbook/sections", "").Text), &sections); err != nil || len(sections) < 50 {
			t.Errorf("%d sections, %v", len(sections), err)
		}
		for _, s := range sections {
			if path := base + handbookAddress(s.Page, s.ID); !ids[path] || s.Text == "" && s.ID == "" {
				t.Errorf("a section %s: %+v", path, s)
			}
		}
		if p := g.Do(t, "GET", base+"/handbook/search.js", ""); p.StatusCode != 200 || p.Text != string(embed.HandbookSearch) || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/javascript") {
			t.Errorf("the search: %d %v", p.StatusCode, p.Header)
		}
	}
}

// TestHandbookUnknownPage: what is no page is not found, whatever stands in the archive.
func TestHandbookUnknownPage(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	for _, name := range []string{"nonsense", "importing.html", "importing.txt", "index.html", "search", "..", "%2e%2e%2fgo.mod", "a%2Fb"} {
		if p := g.Do(t, "GET", "/handbook/"+name, ""); p.StatusCode != 404 {
			t.Errorf("%s: %d %.60s", name, p.StatusCode, p.Text)
		}
	}
}

// TestReadmeLinks: what the README leads to is there, and in what is built for machines, too.
func TestReadmeLinks(t *testing.T) {
	t.Parallel()
	readme, errReadme := os.ReadFile("../README.md")
	script, errScript := os.ReadFile("../.ci/dist")
	if errReadme != nil || errScript != nil {
		t.Fatal(errReadme, errScript)
	}
	links := regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(string(readme), -1)
	if len(links) < len(embed.HandbookTopics()) {
		t.Errorf("the README has %d links", len(links))
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join("..", link[1])); err != nil {
			t.Error(err)
		}
		if within := filepath.Dir(link[1]); within == "." && !strings.Contains(string(script), " "+link[1]+" ") || within != "." && !strings.Contains(string(script), within) {
			t.Errorf("%s is not in what .ci/dist makes", link[1])
		}
	}
}
