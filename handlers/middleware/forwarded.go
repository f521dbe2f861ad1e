package middleware

import (
	"iter"
	"strings"
)

// parseForwarded reads the header Forwarded (RFC 7239): the parameters of each hop, in lower case, the hop nearest to
// the client first. A hop that is written in a wrong way has none: what stands there cannot be told.
func parseForwarded(values []string) []map[string]string {
	var hops []map[string]string
	for element := range pieces(strings.Join(values, ","), ',') {
		hops = append(hops, parseHop(element))
	}
	return hops
}

func parseHop(element string) map[string]string {
	hop := map[string]string{}
	for pair := range pieces(element, ';') {
		name, value, found := strings.Cut(pair, "=")
		value, ok := unquoted(value)
		if !found || !ok {
			return nil
		}
		hop[strings.ToLower(strings.TrimSpace(name))] = value
	}
	return hop
}

// pieces are the parts of a text between separators that are not within quotes, without blank ones and without blanks
// around.
func pieces(text string, separator byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			end := pieceEnd(text, separator)
			piece := strings.TrimSpace(text[:end])
			text = text[min(end+1, len(text)):]
			if piece != "" && !yield(piece) {
				return
			}
		}
	}
}

// pieceEnd is where the first piece of a text ends.
func pieceEnd(text string, separator byte) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == separator && !quoted:
			return i
		}
	}
	return len(text)
}

// unquoted is the text of a value, which is a word or a text in quotes; false for anything else.
func unquoted(value string) (string, bool) {
	inside, isQuoted := strings.CutPrefix(value, `"`)
	if !isQuoted {
		return value, value != "" && !strings.ContainsAny(value, "\"\\ \t")
	}
	var text strings.Builder
	for i := 0; i < len(inside); i++ {
		switch c := inside[i]; {
		case c == '"':
			return text.String(), i == len(inside)-1
		case c == '\\' && i+1 < len(inside):
			i++
			text.WriteByte(inside[i])
		default:
			text.WriteByte(c)
		}
	}
	return "", false
}
