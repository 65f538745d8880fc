package engine

import "github.com/sandtable-farm/sandtable/env"

// NewStates allocates n states side by side, with so many words of memory for
// each, and returns what start makes of each of them: start keeps the words, which
// are empty and have that capacity, and puts the state at the start position.
func NewStates[S any](n, words int, start func(s *S, words []uint64) env.State) []env.State {
	states := make([]S, n)
	memory := make([]uint64, n*words)
	out := make([]env.State, n)
	for i := range states {
		out[i] = start(&states[i], memory[:0:words])
		memory = memory[words:]
	}
	return out
}
