package engine

import "github.com/sandtable-farm/sandtable/env"

// NewStates allocates n states side by side and returns what start makes of each of
// them. Start puts the state at the start position and keeps memory, an empty slice
// with the given capacity, for its history.
func NewStates[S any](n, capacity int, start func(s *S, memory []uint64) env.State) []env.State {
	states := make([]S, n)
	memory := make([]uint64, n*capacity)
	out := make([]env.State, n)
	for i := range states {
		out[i] = start(&states[i], memory[:0:capacity])
		memory = memory[capacity:]
	}
	return out
}
