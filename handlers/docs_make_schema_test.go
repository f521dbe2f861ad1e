package handlers

import (
	"html"
	"slices"
	"strings"
)

// schema writes what a value may be. What a reference leads to stands elsewhere on the page.
func (d *docs) schema(t tree) {
	if words := d.words(t); words != "" {
		d.put(`<p class="type">`)
		d.WriteString(words)
		d.put("</p>")
	}
	d.about(t)
	d.facts(t)
	d.members(t)
}

// field writes a member of an object, a parameter or a header; about has its description.
func (d *docs) field(name, in string, schema tree, required bool, about tree) {
	d.put("\n<dt><code>%s</code> <span class=\"type\">", name)
	if in != "" {
		d.put("%s, ", in)
	}
	d.WriteString(d.words(schema))
	d.put("</span>")
	if required {
		d.put(` <span class="must">required</span>`)
	}
	d.put("</dt>\n<dd>")
	d.about(about)
	d.facts(schema)
	d.members(schema)
	d.put("</dd>")
}

// members writes the members of an object, of the objects of a list, or of the objects that something may be.
func (d *docs) members(t tree) {
	required := t.at("required").texts()
	if properties := t.at("properties"); properties.given() {
		d.put("<dl>")
		for name, schema := range properties.members() {
			d.field(name, "", schema, slices.Contains(required, name), schema)
		}
		d.put("\n</dl>")
	}
	for _, part := range append(t.at("oneOf").items(), t.at("items"), t.at("additionalProperties")) {
		if part.given() {
			d.members(part)
		}
	}
}

// words say of what type a value is, as HTML with links to the schemas.
func (d *docs) words(t tree) string {
	if _, name := t.follow(d.document); name != "" {
		return `<a href="#schema-` + name + `">` + name + "</a>"
	}
	var either []string
	for _, part := range t.at("oneOf").items() {
		either = append(either, d.words(part))
	}
	types := t.at("type").texts()
	for i, name := range types {
		switch {
		case name == "array":
			types[i] = "list of " + d.words(t.at("items"))
		case name == "object" && t.at("additionalProperties").given():
			types[i] = "object of " + d.words(t.at("additionalProperties"))
		case name == "string" && t.at("format").given():
			types[i] = "string (" + html.EscapeString(t.at("format").text()) + ")"
		}
	}
	return strings.Join(append(either, types...), " or ")
}

// facts writes bounds, defaults, closed sets and examples.
func (d *docs) facts(t tree) {
	if values := t.at("enum").texts(); len(values) > 0 {
		d.put("<p>one of %s</p>", strings.Join(values, ", "))
	}
	for _, fact := range []struct{ key, format string }{
		{"const", "always %s"}, {"default", "default %s"}, {"minimum", "at least %s"}, {"maximum", "at most %s"},
		{"exclusiveMinimum", "above %s"}, {"exclusiveMaximum", "below %s"},
		{"minLength", "at least %s characters"}, {"maxLength", "at most %s characters"},
		{"minItems", "at least %s elements"}, {"maxItems", "at most %s elements"}, {"pattern", "matches %s"},
	} {
		if value := t.at(fact.key); value.given() {
			d.put("<p>"+fact.format+"</p>", strings.Trim(value.json(), `"`))
		}
	}
	for _, example := range t.at("examples").items() {
		d.put("<p>such as <code>%s</code></p>", shown(example))
	}
}
