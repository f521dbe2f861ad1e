package parse

import (
	"slices"
	"strings"
	"testing"
)

// TestPhrases: each phrase stands once in the list, each cue but that of interest has phrases, and longer phrases
// come first.
func TestPhrases(t *testing.T) {
	t.Parallel()
	v, cues := NewVocabulary(), Cue(0)
	for first, list := range v.byFirst {
		if !slices.IsSortedFunc(list, func(a, b phrase) int { return len(b.stems) - len(a.stems) }) {
			t.Errorf("phrases with %q have shorter ones first", first)
		}
		seen := map[string]bool{}
		for _, p := range list {
			text := strings.Join(p.stems, " ")
			if seen[text] {
				t.Errorf("%q stands twice", text)
			}
			seen[text], cues = true, cues|p.cue
		}
	}
	for name, cue := range cuesOf() {
		if cues&cue != cue && cue != Interest {
			t.Errorf("no phrase says %s", name)
		}
	}
}
