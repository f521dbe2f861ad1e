package wire

// shape is what kind of thing a value in a body is.
type shape uint8

// The shapes. The zero value stands for a body that is not there.
const (
	Nothing shape = iota
	Null
	Boolean
	Number
	Text
	List
	Object
	File
)

// String names the shape in a sentence, after "got".
func (s shape) String() string {
	return [...]string{"nothing", "null", "true or false", "a number", "text", "a list", "an object", "a file"}[s]
}

// value is one node of a decoded body, whatever it was written in.
type value struct {
	Shape  shape
	Bytes  []byte  // of text and file: the content; of number: the literal; of boolean: true or false
	nested *nested // of list, object and file
}

// nested is what only some values have, apart from the others: a body may have many values.
type nested struct {
	name    string // of a file, as the client calls it
	items   []value
	members map[string]value
}

// The memory that a value takes in its list or object, and what an object takes besides, in bytes and about.
const (
	valueMemory  = 80
	objectMemory = 256
)

func newObject() value { return value{Shape: Object, nested: &nested{members: map[string]value{}}} }

// Items are those of a list; none of anything else.
func (v value) Items() []value {
	if v.nested == nil {
		return nil
	}
	return v.nested.items
}

// Members are those of an object; none of anything else.
func (v value) Members() map[string]value {
	if v.nested == nil {
		return nil
	}
	return v.nested.members
}

// fileName is the name of a file; blank of anything else.
func (v value) fileName() string {
	if v.nested == nil {
		return ""
	}
	return v.nested.name
}

// Limits of a body's structure. They bound what a small body can make us build; a list of [entry.MaxBulk] transactions
// may have forty values in each.
const (
	maxDepth  = 32
	maxValues = 400_000
)
