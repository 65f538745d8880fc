package dataset

import (
	"hash/maphash"

	"github.com/sandtable-farm/sandtable/env"
)

// A GameHasher hashes games by their start and their actions. Hashes of different
// GameHashers cannot be compared.
type GameHasher struct {
	start     string
	startHash uint64
	seed      maphash.Seed
}

// NewGameHasher returns a GameHasher.
func NewGameHasher() *GameHasher { return &GameHasher{seed: maphash.MakeSeed()} }

// Hash returns the hash of a game. Different games have equal hashes with probability of
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
