package handlers

import (
	"bytes"
	"strings"

	"finsvc/embed"
)

// showOpenAPI answers GET /api/v1/openapi.json.
func (s *pages) showOpenAPI(a *answer, r *request) error {
	text, err := s.openAPI()
	_, _ = a.json.Write(s.origins.of(r.Request).describe(text, openAPIServerJSON))
	return err
}

// showOpenAPIYAML answers GET /api/v1/openapi.yaml.
func (s *pages) showOpenAPIYAML(a *answer, r *request) error {
	a.contentType = "application/yaml"
	text, err := embed.OpenAPI()
	_, _ = a.json.Write(s.origins.of(r.Request).describe(text, openAPIServerYAML))
	return err
}

// How the descriptions name the server that they come from; the path is as good as in quotes.
const (
	openAPIServerJSON = `"servers":[{"url":"/`
	openAPIServerYAML = "servers:\n  - url: /"
)

// describe puts the path below which the API is into a description.
func (o origin) describe(text []byte, server string) []byte {
	return bytes.Replace(text, []byte(server), []byte(server+strings.TrimPrefix(o.root, "/")), 1)
}
