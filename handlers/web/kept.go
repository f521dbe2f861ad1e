package web

import "sync"

// kept keeps what was made of the books for as long as nothing in the file has changed.
type kept[K comparable, V any] struct {
	mu      sync.Mutex
	version int64
	by      map[K]V
}

// mostKept bounds how much is kept.
const mostKept = 64

// get gives what was made under a key since the file has that version, else what is made now.
func (k *kept[K, V]) get(version int64, key K, make func() (V, error)) (V, error) {
	k.mu.Lock()
	if k.version != version || len(k.by) >= mostKept {
		k.version, k.by = version, map[K]V{}
	}
	v, ok := k.by[key]
	k.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := make()
	if err != nil {
		return v, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.version == version {
		k.by[key] = v
	}
	return v, nil
}
