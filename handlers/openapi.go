package handlers

import (
	"finsvc/embed"
	"finsvc/handlers/wire"
)

// showOpenAPI answers GET /api/v1/openapi.json.
func (s *pages) showOpenAPI(a *wire.Answer, r *wire.Request) error {
	text, err := s.openAPI()
	_, _ = a.Json.Write(s.origins.Of(r.Request).Describe(text, openAPIServerJSON))
	return err
}

// showOpenAPIYAML answers GET /api/v1/openapi.yaml.
func (s *pages) showOpenAPIYAML(a *wire.Answer, r *wire.Request) error {
	a.ContentType = "application/yaml"
	text, err := embed.OpenAPI()
	_, _ = a.Json.Write(s.origins.Of(r.Request).Describe(text, openAPIServerYAML))
	return err
}

// How the descriptions name the server that they come from; the path is as good as in quotes.
const (
	openAPIServerJSON = `"servers":[{"url":"/`
	openAPIServerYAML = "servers:\n  - url: /"
)
