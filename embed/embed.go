// Package embed holds the files that travel inside the binary, and nothing else.
package embed

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
)

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

// CommonPasswords are long passwords, in small letters, that are the first to be guessed: words, parted by white space.
//
//go:embed passwords.txt
var CommonPasswords string

// Prompt is what the assistant tells a model about its work. It names {today}, {weekday} and {currency}.
//
//go:embed prompt.md
var Prompt string

// What is packed is made of openapi.yaml, which is seven times as long, by TestOpenAPIIsPacked of the handlers.
//
//go:embed openapi.yaml.gz openapi.json.gz docs.html.gz
var packed embed.FS

// OpenAPI describes the HTTP API: OpenAPI 3.1, in YAML, as it is written.
func OpenAPI() ([]byte, error) { return unpack("openapi.yaml.gz") }

// OpenAPIJSON is the same in JSON, in the same order.
func OpenAPIJSON() ([]byte, error) { return unpack("openapi.json.gz") }

// Docs is the page that shows [OpenAPI] to people: HTML.
func Docs() ([]byte, error) { return unpack("docs.html.gz") }

func unpack(name string) ([]byte, error) {
	content, err := packed.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(file)
}

// DocsStyle is how the page looks that shows [OpenAPI] to people: CSS.
//
//go:embed docs.css
var DocsStyle string

// DocsSearch finds what is on that page: JavaScript, which may stand in XML as it is.
//
//go:embed docs.js
var DocsSearch string

// BashCompletion takes the place of what cobra's script for bash needs of the package bash-completion, where a shell
// does not have that: what the words of the line are, and which files there are.
//
//go:embed completion.bash
var BashCompletion string

// Lexicon is the words of statements and exports in the languages of their banks; its head says how it is written.
//
//go:embed lexicon.txt
var Lexicon string

// Questions is what the phrases of questions say that the engine reads which is built in; its head says how it is
// written.
//
//go:embed questions.txt
var Questions string

// Web is what the pages for people are made of: templates, and static files that are sent as they are.
//
//go:embed web
var Web embed.FS
