package middleware

import (
	"bytes"
	"strings"
)

// Describe puts the path below which the API is into a description.
func (o Origin) Describe(text []byte, server string) []byte {
	return bytes.Replace(text, []byte(server), []byte(server+strings.TrimPrefix(o.Root, "/")), 1)
}
