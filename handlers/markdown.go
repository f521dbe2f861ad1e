package handlers

import (
	"html"
	"regexp"
	"strings"
)

// inline finds what may stand within a line of Markdown: code, strong words, and links within the page and the server; none of
// them within another.
type inline struct{ *regexp.Regexp }

func newInline() inline {
	return inline{regexp.MustCompile(`\x60([^\x60]+)\x60|\*{1,2}([^*\s\x60][^*\x60]*)\*{1,2}|\[([^\]*\x60]+)\]\((#[^)\s*\x60]*|/|/[^/)\s*\x60][^)\s*\x60]*)\)`)}
}

// markdown is the HTML of the Markdown that the description is written in: paragraphs, lists of one level, tables, code, strong
// words, links within the page and the server. Everything else is shown as it is.
func (in inline) markdown(text string) string {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		block = strings.TrimSpace(block)
		if strings.HasPrefix(block, "|") {
			in.table(&out, block)
			continue
		}
		in.block(&out, block)
	}
	return out.String()
}

// table writes a table whose first row is its head; the second row has lines.
func (in inline) table(out *strings.Builder, block string) {
	out.WriteString("<table>")
	tag := "th"
	for row := range strings.SplitSeq(block, "\n") {
		row = strings.Trim(strings.TrimSpace(row), "|")
		if strings.Trim(row, "-|: ") == "" {
			tag = "td"
			continue
		}
		out.WriteString("<tr>")
		for cell := range strings.SplitSeq(row, "|") {
			out.WriteString("<" + tag + ">" + in.line(strings.TrimSpace(cell)) + "</" + tag + ">")
		}
		out.WriteString("</tr>")
	}
	out.WriteString("</table>")
}

// block writes a paragraph, or the list that a block is or ends in.
func (in inline) block(out *strings.Builder, block string) {
	list := false
	for _, part := range parts(block) {
		item, isItem := strings.CutPrefix(part, "- ")
		switch {
		case part == "":
			continue
		case isItem && !list:
			out.WriteString("<ul>")
		}
		list = list || isItem
		tag := "p"
		if list {
			tag = "li"
		}
		out.WriteString("<" + tag + ">" + in.line(item) + "</" + tag + ">")
	}
	if list {
		out.WriteString("</ul>")
	}
}

// parts are a paragraph and the items behind it, each in one line.
func parts(block string) []string {
	list := []string{""}
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "- ") {
			list = append(list, line)
			continue
		}
		last := &list[len(list)-1]
		*last = strings.TrimSpace(*last + " " + line)
	}
	return list
}

// line writes a line. What is found is the first, second or third group of the expression.
func (in inline) line(text string) string {
	var out strings.Builder
	text = html.EscapeString(text)
	for at := in.FindStringSubmatchIndex(text); at != nil; at = in.FindStringSubmatchIndex(text) {
		out.WriteString(text[:at[0]])
		switch {
		case at[2] >= 0:
			out.WriteString("<code>" + text[at[2]:at[3]] + "</code>")
		case at[4] >= 0:
			out.WriteString("<strong>" + text[at[4]:at[5]] + "</strong>")
		default:
			out.WriteString(`<a href="` + text[at[8]:at[9]] + `">` + text[at[6]:at[7]] + "</a>")
		}
		text = text[at[1]:]
	}
	return out.String() + text
}
