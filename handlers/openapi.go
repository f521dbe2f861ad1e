package handlers

import (
	"finsvc/embed"
)

// OpenAPIJSON is the description of the API as JSON, made from the YAML in which it is kept, in its order.
func OpenAPIJSON() ([]byte, error) {
	document, err := plantTree(embed.OpenAPI)
	if err != nil {
		return nil, err
	}
	return []byte(document.json() + "\n"), nil
}

// showOpenAPI answers GET /api/v1/openapi.json.
func (s *Server) showOpenAPI(a *answer, _ *request) error {
	text, err := s.openAPI()
	a.json.buf = append(a.json.buf, text...)
	return err
}

// showOpenAPIYAML answers GET /api/v1/openapi.yaml.
func (s *Server) showOpenAPIYAML(a *answer, _ *request) error {
	a.contentType = "application/yaml"
	a.json.buf = append(a.json.buf, embed.OpenAPI...)
	return nil
}
