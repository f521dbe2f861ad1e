package handlers

// shape is what kind of thing a value in a body is.
type shape uint8

// The shapes. The zero value stands for a body that is not there.
const (
	isNothing shape = iota
	isNull
	isBoolean
	isNumber
	isText
	isList
	isObject
	isFile
)

// String names the shape in a sentence, after "got".
func (s shape) String() string {
	return [...]string{"nothing", "null", "true or false", "a number", "text", "a list", "an object", "a file"}[s]
}

// value is one node of a decoded body, whatever it was written in.
type value struct {
	shape   shape
	bytes   []byte // of text and file: the content; of number: the literal; of boolean: true or false
	name    string // of a file, as the client calls it
	items   []value
	members map[string]value
}

// Limits of a body's structure. They bound what a small body can make us build; a list of [ledger.MaxBulk] transactions
// may have forty values in each.
const (
	maxDepth  = 32
	maxValues = 400_000
)
