package wire

import (
	"bytes"
	"io"
	"mime/multipart"
	"strings"
	"unicode/utf8"

	"finsvc/ledger"
)

// parseForm reads name=value&name=value, where names may have brackets: transaction[name],
// transaction[tag_ids][].
func parseForm(data []byte, cuts cuts, share *Share) (value, error) {
	if err := share.Take(int64(len(data))); err != nil { // all of it is copied
		return value{}, err
	}
	pairs, err := parsePairs(string(data), cuts)
	if err != nil {
		return value{}, ledger.NewMalformed("the form has %s", err)
	}
	root := newObject()
	for i, p := range pairs {
		if err := root.insert(i, p.name, value{Shape: Text, Bytes: []byte(p.value)}, share); err != nil {
			return value{}, err
		}
	}
	return root, nil
}

// parseMultipart reads the parts of a form, whose names may have brackets too. Parts that are files
// stay bytes; all others are text.
func parseMultipart(data []byte, boundary string, share *Share) (value, error) {
	if err := share.Take(int64(len(data))); err != nil { // all of it is copied
		return value{}, err
	}
	root := newObject()
	parts := multipart.NewReader(bytes.NewReader(data), boundary)
	for i := 0; ; i++ {
		part, err := parts.NextPart()
		// bare: wrapped, it is a body without its last boundary
		if err == io.EOF && bytes.Contains(data, []byte("--"+boundary+"--")) {
			return root, nil
		}
		if err != nil {
			return value{}, ledger.NewMalformed("part %d of the multipart body is malformed or cut off", i+1)
		}
		leaf, err := readPart(part, i+1)
		if err != nil {
			return value{}, err
		}
		if err := root.insert(i, part.FormName(), leaf, share); err != nil {
			return value{}, err
		}
	}
}

func readPart(part *multipart.Part, number int) (value, error) {
	content, err := io.ReadAll(part)
	switch {
	case err != nil:
		return value{}, ledger.NewMalformed("part %d of the multipart body is cut off", number)
	case part.FormName() == "":
		return value{}, ledger.NewMalformed("part %d of the multipart body has no name", number)
	case part.FileName() != "":
		return value{Shape: File, Bytes: content, nested: &nested{name: part.FileName()}}, nil
	case !utf8.Valid(content):
		return value{}, ledger.NewMalformed("part %d of the multipart body has invalid UTF-8 at byte %d of its content",
			number, firstInvalid(content))
	}
	return value{Shape: Text, Bytes: content}, nil
}

// insert puts a leaf of a form under its bracketed name; count is how many came before.
func (v *value) insert(count int, name string, leaf value, share *Share) error {
	path := splitName(name)
	switch {
	case count >= maxValues:
		return ledger.NewMalformed("the body has more than %d values", maxValues)
	case len(path) > maxDepth:
		return ledger.NewMalformed("the name %s is nested deeper than %d levels", ledger.Quote(name), maxDepth)
	}
	if err := share.Take(int64(len(path)) * (valueMemory + objectMemory)); err != nil {
		return err
	}
	if !put(v.Members(), path, leaf) {
		return ledger.NewMalformed("the form gives %s twice, or both as a value and as more than one",
			ledger.Quote(name))
	}
	return nil
}

// splitName takes a[b][] apart into a, b and the empty word.
func splitName(name string) []string {
	head, rest, bracketed := strings.Cut(name, "[")
	if !bracketed || !strings.HasSuffix(rest, "]") {
		return []string{name}
	}
	return append([]string{head}, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
}

// put sets the leaf at a path below members. It says no when something else is there.
func put(members map[string]value, path []string, leaf value) bool {
	have, taken := members[path[0]]
	switch {
	case len(path) == 1:
		members[path[0]] = leaf
		return !taken
	case len(path) == 2 && isIndex(path[1]):
		members[path[0]] = value{Shape: List, nested: &nested{items: append(have.Items(), leaf)}}
		return !taken || have.Shape == List
	case !taken:
		have = newObject()
		members[path[0]] = have
	}
	return have.Shape == Object && put(have.Members(), path[1:], leaf)
}
