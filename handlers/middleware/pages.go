package middleware

import (
	"bytes"
	"strings"
)

// Link makes the links of a page lead to where its reader has it from.
func (o Origin) Link(page []byte) []byte {
	for _, start := range []string{`href="/api/`, `href="/handbook`, `src="/handbook`} {
		page = bytes.ReplaceAll(page, []byte(start), []byte(strings.Replace(start, `"/`, `"`+o.Root+"/", 1)))
	}
	return page
}
