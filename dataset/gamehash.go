package dataset

import (
	"hash/maphash"

	"github.com/sandtable-farm/sandtable/env"
)

// A GameHasher tells games apart by their start and their actions. Its hashes mean
// something to itself alone.
type GameHasher struct {
	start     string
	startHash uint64
	seed      maphash.Seed
}

// NewGameHasher returns a GameHasher.
func NewGameHasher() *GameHasher { return &GameHasher{seed: maphash.MakeSeed()} }

// Hash returns the hash of a game: the same for another one with a probability of
// about 2⁻⁶⁴.
func (g *GameHasher) Hash(ep *Episode) uint64 {
	if ep.Start != g.start || g.startHash == 0 {
		g.start, g.startHash = ep.Start, maphash.String(g.seed, ep.Start)
	}
	h := g.startHash
	for i := range ep.Steps {
		h = env.Derive(h ^ uint64(ep.Steps[i].Action))
	}
	return h
}
