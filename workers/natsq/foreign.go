package natsq

import (
	"hash/maphash"
	"sync"
)

// foreign remembers the values that were logged because no farm has written them. Roles read
// a value at every look, and it is logged once.
type foreign struct {
	seed   maphash.Seed
	mu     sync.Mutex
	logged map[string]uint64 // hash of the value by key
}

// mostForeign bounds the memory of foreign.
const mostForeign = 1 << 10

func newForeign() *foreign {
	return &foreign{seed: maphash.MakeSeed(), logged: map[string]uint64{}}
}

// isNew reports whether a key had another value, or none, at the last call.
func (f *foreign) isNew(key, value string) bool {
	hash := maphash.String(f.seed, value)
	f.mu.Lock()
	defer f.mu.Unlock()
	if before, ok := f.logged[key]; ok && before == hash {
		return false
	}
	if len(f.logged) >= mostForeign {
		clear(f.logged)
	}
	f.logged[key] = hash
	return true
}
