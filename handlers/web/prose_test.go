package web

import "testing"

func TestProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "",
		"One\ntwo\n\nthree":            "<p>One<br>two</p><p>three</p>",
		"A **bold** and `code` *mark*": "<p>A <strong>bold</strong> and <code>code</code> *mark*</p>",
		"** open":                      "<p>** open</p>",
		"- a\n- **b**\n\n1. c\n2) d":   "<ul><li>a</li><li><strong>b</strong></li></ul><ol><li>c</li><li>d</li></ol>",
		"-5.00 was spent":              "<p>-5.00 was spent</p>",
		"# Head\ntext":                 "<p><strong>Head</strong></p><p>text</p>",
		"```\n<x>\n**a**":              "<pre>&lt;x&gt;\n**a**</pre>",
		"<img src=x onerror=alert(1)>": "<p>&lt;img src=x onerror=alert(1)&gt;</p>",
		"**<script>**":                 "<p><strong>&lt;script&gt;</strong></p>",
		"[a](javascript:alert(1))":     "<p>[a](javascript:alert(1))</p>",
		"| not a table":                "<p>| not a table</p>",
		"| a | b |\n|---|--:|\n| <i> | 2 |": `<div class="scroll"><table class="list"><caption class="out">What was asked for</caption>` +
			"<tr><th>a</th><th>b</th></tr><tr><td>&lt;i&gt;</td><td>2</td></tr></table></div>",
	} {
		if got := string(prose(text)); got != want {
			t.Errorf("%q\ngives %s\nwant  %s", text, got, want)
		}
	}
}

func FuzzProse(f *testing.F) {
	f.Add("| a |\n|-|\n* b\n```")
	f.Fuzz(func(_ *testing.T, text string) { prose(text) })
}

func TestSearchOf(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`{}`: "",
		`{"accounts": ["Everyday account"], "categories": "Food", "type": "expense", "min_amount": 12.50, "start_date": "2026-01-01"}`: `@"Everyday account" cat:"Food" is:expense >=12.50 since:2026-01-01`,
		`{"query": "@giro >5", "accounts": ["x"], "end_date": "2026-02-01"}`:                                                           "@giro >5 until:2026-02-01",
		`{"tags": ["a\"b"]}`: "not whole",
		`nothing`:            "not whole",
	} {
		got, whole := searchOf(arguments)
		if !whole {
			got = "not whole"
		}
		if got != want {
			t.Errorf("%s gives %s, want %s", arguments, got, want)
		}
	}
}
