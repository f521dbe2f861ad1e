package handlers

import (
	"encoding/json"
	"errors"
	"iter"
	"strings"

	"go.yaml.in/yaml/v4"
)

// tree is a part of the description of the API: YAML in the order in which it is written. The zero tree is what is not there.
type tree struct{ node *yaml.Node }

// plantTree reads YAML.
func plantTree(text []byte) (tree, error) {
	var document yaml.Node
	if err := yaml.Load(text, &document); err != nil {
		return tree{}, err
	}
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return tree{}, errors.New("it is no mapping")
	}
	return tree{document.Content[0]}, nil
}

// given says whether there is anything.
func (t tree) given() bool { return t.node != nil }

// members gives the keys of a mapping with what belongs to them.
func (t tree) members() iter.Seq2[string, tree] {
	return func(yield func(string, tree) bool) {
		if t.node == nil || t.node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(t.node.Content); i += 2 {
			if !yield(t.node.Content[i].Value, tree{t.node.Content[i+1]}) {
				return
			}
		}
	}
}

// items gives the elements of a list.
func (t tree) items() (list []tree) {
	if t.node != nil && t.node.Kind == yaml.SequenceNode {
		for _, n := range t.node.Content {
			list = append(list, tree{n})
		}
	}
	return list
}

// at follows keys.
func (t tree) at(keys ...string) tree {
	for _, key := range keys {
		next := tree{}
		for name, member := range t.members() {
			if name == key {
				next = member
			}
		}
		t = next
	}
	return t
}

// text is a scalar as it is written; nothing else has one.
func (t tree) text() string {
	if t.node == nil || t.node.Kind != yaml.ScalarNode {
		return ""
	}
	return t.node.Value
}

// texts are the elements of a list of scalars; a scalar is a list of one.
func (t tree) texts() (list []string) {
	if t.node != nil && t.node.Kind == yaml.ScalarNode {
		return []string{t.node.Value}
	}
	for _, item := range t.items() {
		list = append(list, item.text())
	}
	return list
}

// follow is what a reference leads to within the document; what is none is itself. The name is the reference's last part.
func (t tree) follow(document tree) (target tree, name string) {
	path, ok := strings.CutPrefix(t.at("$ref").text(), "#/")
	if !ok {
		return t, ""
	}
	keys := strings.Split(path, "/")
	return document.at(keys...), keys[len(keys)-1]
}

// json is the tree as JSON.
func (t tree) json() string {
	var j jsonWriter
	switch {
	case t.node == nil:
		return "null"
	case t.node.Kind == yaml.ScalarNode:
		return t.scalar()
	case t.node.Kind == yaml.SequenceNode:
		j.list("")
		for _, item := range t.items() {
			j.raw("", item.json())
		}
		j.endList()
	default:
		j.open("")
		for key, member := range t.members() {
			j.text("", key)
			j.buf = append(append(j.buf, ':'), member.json()...)
		}
		j.close()
	}
	return string(j.buf)
}

// scalar is a scalar as JSON. Numbers keep their spelling; what JSON has no kind for, such as a day, is a text.
func (t tree) scalar() string {
	value := t.node.Value
	switch t.node.ShortTag() {
	case "!!null":
		return "null"
	case "!!bool", "!!int", "!!float":
		if json.Valid([]byte(value)) {
			return value
		}
	}
	return string(appendString(nil, value))
}
