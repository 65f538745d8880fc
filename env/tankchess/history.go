package tankchess

import "math"

// filter is a Bloom filter over the keys of a history, with one hash: a key
// whose bit is clear is new, and the history need not be searched.
type filter [8]uint64

// visit sets the bit of a key and tells whether it was set before.
func (f *filter) visit(key uint64) bool {
	word, bit := &f[key>>61], uint64(1)<<(key>>55&63)
	was := *word&bit != 0
	*word |= bit
	return was
}

// forget drops the history before a piece was destroyed.
func (s *State) forget() {
	s.history = s.history[:0]
	s.seen = filter{}
}

// remember counts the position, which a ply has just reached.
func (s *State) remember() {
	s.times = 1
	n := len(s.history)
	if n == cap(s.history) {
		return
	}
	if s.seen.visit(s.key) {
		for i := n - 2; i >= 0; i -= 2 {
			if s.history[i] == s.key {
				s.times++
			}
		}
	}
	s.history = s.history[:n+1]
	s.history[n] = s.key
}

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) {
	if s.game.quietLimit == math.MaxInt32 {
		return math.MaxInt32, int(s.times)
	}
	return int(s.game.quietLimit - s.quiet), int(s.times)
}
