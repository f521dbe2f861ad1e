package handlers

import (
	"bytes"
	"encoding/json"
	"strings"

	"finsvc/handlers/middleware"
)

// curl is a command line that asks for an operation, with the values of the examples.
func (d *docs) curl(o docsOperation) string {
	words := []string{"curl"}
	if o.method != "GET" {
		words = append(words, "-X "+o.method)
	}
	if o.key() != "no key" {
		words = append(words, `-H "X-Api-Key: $KEY"`)
	}
	if body := d.exampleBody(o); body != "" {
		words = append(words, "-H 'Content-Type: application/json'", "-d "+quoteShell(body))
	}
	return strings.Join(append(words, quoteShell(middleware.DefaultOrigin+d.examplePath(o))), " ")
}

// examplePath is the path with examples in the place of parameters, and with the parameters that must be there.
func (d *docs) examplePath(o docsOperation) string {
	var query []string
	path := o.path
	for _, p := range o.at("parameters").items() {
		p, _ = p.follow(d.document)
		name, value := p.at("name").text(), d.exampleOf(p)
		switch {
		case p.at("in").text() == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", value)
		case p.at("in").text() == "query" && p.at("required").text() == "true":
			query = append(query, name+"="+value)
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	return path
}

// exampleOf is an example of a parameter; one that has none is its name.
func (d *docs) exampleOf(p tree) string {
	schema, _ := p.at("schema").follow(d.document)
	for _, t := range []tree{p.at("example"), schema.at("examples"), schema.at("enum"), schema.at("default")} {
		if texts := t.texts(); len(texts) > 0 {
			return texts[0]
		}
	}
	return strings.ToUpper(p.at("name").text())
}

// exampleBody is the first example of a JSON body, in one line.
func (d *docs) exampleBody(o docsOperation) string {
	body, _ := o.at("requestBody").follow(d.document)
	media := body.at("content", "application/json")
	value := media.at("example")
	for _, example := range media.at("examples").members() {
		example, _ = example.follow(d.document)
		value = example.at("value")
		break
	}
	if !value.given() {
		return ""
	}
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(value.json())); err != nil {
		return ""
	}
	return out.String()
}

// quoteShell makes a text one word for a shell.
func quoteShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
