package lexicon_test

import (
	"testing"

	"finsvc/importer/lexicon"
)

func TestSides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words            []string
		in, out, neutral string
		ok               bool
	}{
		"a pair":                      {words: []string{"Credit", "Debit"}, in: "Credit", out: "Debit", ok: true},
		"a pair in German":            {words: []string{"Soll", "Haben"}, in: "Haben", out: "Soll", ok: true},
		"one word, its pair supplied": {words: []string{"DEBIT"}, in: "CREDIT", out: "DEBIT", ok: true},
		"with a mark for neither":     {words: []string{"/", "Haben", "Soll"}, in: "Haben", out: "Soll", neutral: "/", ok: true},
		"a letter alone":              {words: []string{"C"}},
		"words of two pairs":          {words: []string{"Credit", "Soll"}},
		"three words":                 {words: []string{"Credit", "Debit", "Lunch"}},
		"no word":                     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, out, neutral, ok := lexicon.Sides(counted(c.words))
			if in != c.in || out != c.out || neutral != c.neutral || ok != c.ok {
				t.Errorf("got in %q, out %q, neutral %q, %t", in, out, neutral, ok)
			}
		})
	}
}

func TestSidesOfParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words   []string
		in, out string
		ok      bool
	}{
		"said twice":       {words: []string{"Cr (credit)", "Dr (debit)"}, in: "Cr (credit)", out: "Dr (debit)", ok: true},
		"parts disagree":   {words: []string{"Cr (debit)", "Dr (credit)"}},
		"said once":        {words: []string{"Credit", "Debit"}},
		"one cell":         {words: []string{"Cr (credit)"}},
		"parts of a third": {words: []string{"Cr (lunch)", "Dr (dinner)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if in, out, ok := lexicon.SidesOfParts(counted(c.words)); in != c.in || out != c.out || ok != c.ok {
				t.Errorf("got in %q, out %q, %t", in, out, ok)
			}
		})
	}
}

func TestSideBetween(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b []string
		in   int
		ok   bool
	}{
		"second is in":      {a: []string{"debit", "amount"}, b: []string{"credit", "amount"}, in: 1, ok: true},
		"first is in":       {a: []string{"credit", "amount"}, b: []string{"debit", "amount"}, ok: true},
		"differ in two":     {a: []string{"credit", "amount"}, b: []string{"debit", "sum"}},
		"the same":          {a: []string{"credit", "amount"}, b: []string{"credit", "amount"}},
		"a word says none":  {a: []string{"net", "amount"}, b: []string{"gross", "amount"}},
		"single words only": {a: []string{"credit"}, b: []string{"debit"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if in, ok := lexicon.SideBetween(c.a, c.b); ok != c.ok || ok && in != c.in {
				t.Errorf("got %d, %t", in, ok)
			}
		})
	}
}

func counted(words []string) map[string]int {
	m := map[string]int{}
	for _, w := range words {
		m[w]++
	}
	return m
}
