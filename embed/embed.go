// Package embed holds the files that travel inside the binary, and nothing else.
package embed

import "embed"

// Schema is the database's migrations, numbered and forward only; the folder is schema.
//
//go:embed schema/*.sql
var Schema embed.FS

// CLDR is how the world's locales print money, reduced from Unicode's data, and the licence of that
// data; the folder is cldr.
//
//go:embed cldr/money.json.gz cldr/LICENSE
var CLDR embed.FS

// Categories is the set that a new household begins with: a JSON list of name, color, icon and
// classification.
//
//go:embed categories.json
var Categories []byte

// Prompt is what the assistant tells a model about its work. It names {today}, {weekday} and {currency}.
//
//go:embed prompt.md
var Prompt string

// OpenAPI describes the HTTP API: OpenAPI 3.1, in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// DocsStyle is how the page looks that shows [OpenAPI] to people: CSS.
//
//go:embed docs.css
var DocsStyle string
