package handlers

import (
	"bytes"
	"encoding/json"
	"strings"
)

// docsOperation is an operation of the description.
type docsOperation struct {
	tree
	method, path string
}

// operations are those of a tag, in the order of the document.
func (d *docs) operations(tag string) (list []docsOperation) {
	for path, item := range d.document.at("paths").members() {
		for method, t := range item.members() {
			if tags := t.at("tags").texts(); len(tags) > 0 && tags[0] == tag {
				list = append(list, docsOperation{t, strings.ToUpper(method), path})
			}
		}
	}
	return list
}

// key says what an operation needs: a key may not be enough to write where 403 is an answer.
func (o docsOperation) key() string {
	security := o.at("security")
	switch {
	case security.given() && len(security.items()) == 0:
		return "no key"
	case o.method != "GET" && o.at("responses", "403").given():
		return "a key of scope read_write"
	}
	return "any key"
}

func (d *docs) method(name string) {
	d.put(`<span class="method %s">%s</span>`, strings.ToLower(name), name)
}

func (d *docs) operation(o docsOperation) {
	d.put("<article>\n<h3 id=\"%s\">%s</h3>\n<p>", o.at("operationId").text(), o.at("summary").text())
	d.method(o.method)
	d.put(" <code>%s</code> <span class=\"type\">needs %s</span></p>\n", o.path, o.key())
	d.about(o.tree)
	d.parameters(o.at("parameters").items())
	if body, _ := o.at("requestBody").follow(d.document); body.given() {
		d.put("<h4>Body</h4>\n")
		d.content(body.at("content"))
	}
	d.put("<h4>Answers</h4>\n")
	d.answers(o.at("responses"))
	d.put("<pre>%s</pre>\n</article>\n", d.curl(o))
}

func (d *docs) parameters(list []tree) {
	if len(list) == 0 {
		return
	}
	d.put("<h4>Parameters</h4>\n<dl>")
	for _, p := range list {
		p, _ = p.follow(d.document)
		d.field(p.at("name").text(), p.at("in").text(), p.at("schema"), p.at("required").text() == "true", p)
	}
	d.put("</dl>\n")
}

// answers writes the answers of an operation, and of those that are shared, which stand elsewhere on the page, the names.
func (d *docs) answers(all tree) {
	var shared []string
	for status, t := range all.members() {
		if _, name := t.follow(d.document); name != "" {
			shared = append(shared, status+` <a href="#answer-`+name+`">`+name+"</a>")
			continue
		}
		d.put("<section><h5>%s</h5>", status)
		d.answer(t)
		d.put("</section>\n")
	}
	d.WriteString("<p>" + strings.Join(shared, " · ") + "</p>\n")
}

func (d *docs) answer(t tree) {
	d.about(t)
	if headers := t.at("headers"); headers.given() {
		d.put("<h5>Headers</h5><dl>")
		for name, header := range headers.members() {
			header, _ = header.follow(d.document)
			d.field(name, "", header.at("schema"), false, header)
		}
		d.put("</dl>")
	}
	d.content(t.at("content"))
}

// content writes a body in each of its types, with examples.
func (d *docs) content(t tree) {
	for name, media := range t.members() {
		d.put(`<p class="type">%s</p>`, name)
		d.schema(media.at("schema"))
		for name, example := range media.at("examples").members() {
			example, _ = example.follow(d.document)
			d.example(name, example.at("value"))
		}
		if example := media.at("example"); example.given() {
			d.example("example", example)
		}
	}
}

func (d *docs) example(name string, value tree) {
	d.put("<details><summary>Example: %s</summary><pre>%s</pre></details>", name, shown(value))
}

// shown is a value for people: a text as it is, anything else as indented JSON.
func shown(t tree) string {
	if text := t.json(); !strings.HasPrefix(text, `"`) {
		var out bytes.Buffer
		if json.Indent(&out, []byte(text), "", "  ") == nil { // it is JSON
			return out.String()
		}
	}
	return t.text()
}
