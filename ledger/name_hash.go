package ledger

import (
	"hash/fnv"
	"unicode/utf8"
)

// NameHash is a hash of a name, the same for names that differ in case and white space only. It is stored with a
// transaction when that is born, so it must never change: FNV-1a of 32 bits over the folded name in UTF-8.
func NameHash(name string) uint32 {
	if key, ok := asciiNameHash(name); ok {
		return key
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(Fold(name))) // never fails
	return h.Sum32()
}

func NameHashColumn(name string) *int64 {
	key := int64(NameHash(name))
	return &key
}

// asciiNameHash is the quick way for the names that most rows have: no copy of the name is made.
func asciiNameHash(name string) (uint32, bool) {
	const offset, prime = 2166136261, 16777619
	key, gap := uint32(offset), false
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= utf8.RuneSelf:
			return 0, false
		case c == ' ' || c >= '\t' && c <= '\r':
			gap = key != offset
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		if gap {
			key, gap = (key^' ')*prime, false
		}
		key = (key ^ uint32(c)) * prime
	}
	return key, true
}
