package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"finsvc/handlers/wire"
)

// tree is a part of the description of the API: JSON in the order in which it is written. The zero tree is what is not there.
type tree struct{ node *treeNode }

// treeNode is an object (keys and parts), a list (parts), or else the JSON of a scalar, with what it says as text.
type treeNode struct {
	shape        json.Delim // { or [; 0 of a scalar
	keys         []string
	parts        []tree
	scalar, text string
}

// plantTree reads a JSON object.
func plantTree(text []byte) (tree, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	t, err := growTree(d)
	if err == nil && t.node.shape != '{' {
		err = errors.New("it is no object")
	}
	return t, err
}

// growTree reads what comes next.
func growTree(d *json.Decoder) (tree, error) {
	token, err := d.Token()
	if err != nil {
		return tree{}, err
	}
	if shape, nested := token.(json.Delim); nested {
		n := &treeNode{shape: shape}
		return tree{n}, n.grow(d)
	}
	text := fmt.Sprint(token)
	switch token.(type) {
	case nil:
		return tree{&treeNode{scalar: "null", text: "null"}}, nil
	case string:
		return tree{&treeNode{scalar: string(wire.AppendString(nil, text)), text: text}}, nil
	}
	return tree{&treeNode{scalar: text, text: text}}, nil
}

// grow reads the parts of an object or a list, and its end.
func (n *treeNode) grow(d *json.Decoder) error {
	for d.More() {
		if n.shape == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			n.keys = append(n.keys, fmt.Sprint(key))
		}
		part, err := growTree(d)
		if err != nil {
			return err
		}
		n.parts = append(n.parts, part)
	}
	_, err := d.Token()
	return err
}

// given reports whether there is anything.
func (t tree) given() bool { return t.node != nil }

// members gives the keys of an object with what belongs to them.
func (t tree) members() iter.Seq2[string, tree] {
	return func(yield func(string, tree) bool) {
		if t.node == nil {
			return
		}
		for i, key := range t.node.keys {
			if !yield(key, t.node.parts[i]) {
				return
			}
		}
	}
}

// items gives the elements of a list.
func (t tree) items() []tree {
	if t.node == nil || t.node.shape != '[' {
		return nil
	}
	return t.node.parts
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

// text is what a scalar says; nothing else has one.
func (t tree) text() string {
	if t.node == nil {
		return ""
	}
	return t.node.text
}

// texts are the elements of a list of scalars; a scalar is a list of one.
func (t tree) texts() (list []string) {
	if t.node != nil && t.node.shape == 0 {
		return []string{t.node.text}
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
	var j wire.Writer
	switch {
	case t.node == nil:
		return "null"
	case t.node.shape == 0:
		return t.node.scalar
	case t.node.shape == '[':
		j.List("")
		for _, item := range t.node.parts {
			j.Raw("", item.json())
		}
		j.EndList()
	default:
		j.Open("")
		for key, member := range t.members() {
			j.Text("", key)
			j.Buf = append(append(j.Buf, ':'), member.json()...)
		}
		j.Close()
	}
	return string(j.Buf)
}
