package engine

import (
	"encoding/binary"
	"fmt"
)

// History counts how often the present position has occurred, for rules that
// end a game by repetition. It holds the keys of the positions since the last
// irreversible ply; the present position is the last of them. The players must
// alternate within it, because only every other position is compared.
//
// A History never allocates. The capacity of Keys is the greatest number of
// positions between two irreversible plies; see Limits.HistorySize. A history
// without room for a key does not count it.
type History struct {
	Keys  []uint64
	seen  filter
	times int32
}

// Forget drops all positions. An engine calls it after an irreversible ply, and
// then adds the new position.
func (h *History) Forget() {
	h.Keys = h.Keys[:0]
	h.seen = filter{}
}

// Add makes the position with the given key the present one and counts it.
func (h *History) Add(key uint64) {
	h.times = 1
	n := len(h.Keys)
	if n == cap(h.Keys) {
		return
	}
	if h.seen.visit(key) {
		for i := n - 2; i >= 0; i -= 2 {
			if h.Keys[i] == key {
				h.times++
			}
		}
	}
	h.Keys = h.Keys[:n+1]
	h.Keys[n] = key
}

// Times returns how often the present position has occurred, this time included.
func (h *History) Times() int { return int(h.times) }

// keep copies the keys of o into the memory of h, which must have room for
// them, and returns them there. Nothing else of h changes.
func (h *History) keep(o *History) []uint64 {
	keys := h.Keys[:len(o.Keys)]
	copy(keys, o.Keys)
	return keys
}

// historyHead is the length of what precedes the keys of a stored history.
const historyHead = 4 + 4

// Append appends the history, little-endian: 4 bytes for the occurrences of the
// present position, 4 for the number n of keys, and 8n for the keys.
func (h *History) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(h.times))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(h.Keys)))
	for _, key := range h.Keys {
		dst = binary.LittleEndian.AppendUint64(dst, key)
	}
	return dst
}

// Restore reads what Append wrote, which must be all of data, into the memory of
// h. After an error h is unchanged.
func (h *History) Restore(data []byte) error {
	if len(data) < historyHead {
		return fmt.Errorf("the history has %d bytes, must have at least %d", len(data), historyHead)
	}
	times, n := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	keys := data[historyHead:]
	if uint64(len(keys)) != 8*uint64(n) || uint64(n) > uint64(cap(h.Keys)) {
		return fmt.Errorf("the history announces %d keys, has %d bytes of them, and at most %d keys fit", n, len(keys), cap(h.Keys))
	}
	if times < 1 || times > max(n, 1) {
		return fmt.Errorf("the position occurs %d times in a history of %d", times, n)
	}
	h.Forget()
	for ; len(keys) > 0; keys = keys[8:] {
		key := binary.LittleEndian.Uint64(keys)
		h.seen.visit(key)
		h.Keys = append(h.Keys, key)
	}
	h.times = int32(times)
	return nil
}

// filter is a Bloom filter over the keys of a history with one hash function: a
// key whose bit is clear is new, and the history need not be searched.
type filter [8]uint64

// visit sets the bit of a key and reports whether it was set before.
func (f *filter) visit(key uint64) bool {
	word, bit := &f[key>>61], uint64(1)<<(key>>55&63)
	was := *word&bit != 0
	*word |= bit
	return was
}
