package web

import (
	"html/template"
	"strings"
)

// prose writes what a model says: paragraphs, lists, tables, headings, bold and code, as models mark them. All of its text
// is text: every piece is escaped, and no mark makes a link, a picture or an element that is not written here.
func prose(text string) template.HTML {
	var b strings.Builder
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for len(lines) > 0 {
		line := strings.TrimSpace(lines[0])
		n := 1
		switch {
		case line == "":
		case strings.HasPrefix(line, "```"):
			for n < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[n]), "```") {
				n++
			}
			b.WriteString("<pre>" + template.HTMLEscapeString(strings.Join(lines[1:n], "\n")) + "</pre>")
			n = min(n+1, len(lines))
		case len(lines) > 1 && strings.HasPrefix(line, "|") && isTableRule(lines[1]):
			for n < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n]), "|") {
				n++
			}
			writeTable(&b, lines[:n])
		case isItem(line):
			for n < len(lines) && isItem(lines[n]) {
				n++
			}
			list := "ul"
			if line[0] >= '0' && line[0] <= '9' {
				list = "ol"
			}
			b.WriteString("<" + list + ">")
			for _, item := range lines[:n] {
				text, _ := listItem(strings.TrimSpace(item))
				b.WriteString("<li>")
				writeSpan(&b, text)
				b.WriteString("</li>")
			}
			b.WriteString("</" + list + ">")
		case strings.HasPrefix(line, "#"):
			b.WriteString("<p><strong>" + template.HTMLEscapeString(strings.TrimSpace(strings.TrimLeft(line, "#"))) + "</strong></p>")
		default:
			for n < len(lines) && !startsBlock(strings.TrimSpace(lines[n])) {
				n++
			}
			b.WriteString("<p>")
			for i, part := range lines[:n] {
				if i > 0 {
					b.WriteString("<br>")
				}
				writeSpan(&b, strings.TrimSpace(part))
			}
			b.WriteString("</p>")
		}
		lines = lines[n:]
	}
	return template.HTML(b.String())
}

// listItem is what stands behind the mark of an item of a list: a dash, a star, a dot or a number.
func listItem(line string) (item string, ok bool) {
	mark, rest, spaced := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	numbered := len(number)+1 == len(mark) && len(number) > 0 && len(number) < 4 && strings.Trim(number, "0123456789") == ""
	return strings.TrimLeft(rest, " "), spaced && (mark == "-" || mark == "*" || mark == "•" || numbered)
}

func isItem(line string) bool {
	_, ok := listItem(strings.TrimSpace(line))
	return ok
}

// isTableRule reports whether a line is the one below the head of a table.
func isTableRule(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, " :|-\t") == ""
}

// startsBlock reports whether a line is not a part of the paragraph before it.
func startsBlock(line string) bool {
	return line == "" || line[0] == '#' || line[0] == '|' || strings.HasPrefix(line, "```") || isItem(line)
}

// writeTable writes lines of which the second one parts the head from the rows.
func writeTable(b *strings.Builder, lines []string) {
	b.WriteString(`<div class="scroll"><table class="list"><caption class="out">What was asked for</caption>`)
	for i, line := range lines {
		if i == 1 {
			continue
		}
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		b.WriteString("<tr>")
		for text := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|") {
			b.WriteString("<" + cell + ">")
			writeSpan(b, strings.TrimSpace(text))
			b.WriteString("</" + cell + ">")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table></div>")
}

// writeSpan writes a piece of a line with what is bold or code in it.
func writeSpan(b *strings.Builder, text string) {
	for text != "" {
		at := strings.IndexAny(text, "*`")
		if at < 0 {
			break
		}
		mark, element := "`", "code"
		if text[at] == '*' {
			mark, element = "**", "strong"
		}
		rest, marked := strings.CutPrefix(text[at:], mark)
		inner, after, closed := strings.Cut(rest, mark)
		if !marked || !closed || inner == "" {
			b.WriteString(template.HTMLEscapeString(text[:at+1]))
			text = text[at+1:]
			continue
		}
		b.WriteString(template.HTMLEscapeString(text[:at]) + "<" + element + ">" + template.HTMLEscapeString(inner) + "</" + element + ">")
		text = after
	}
	b.WriteString(template.HTMLEscapeString(text))
}
