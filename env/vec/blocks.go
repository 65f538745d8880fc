package vec

import (
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/env"
)

// blockSlots is the number of slots that a goroutine takes at a time. It divides
// 64: at most two blocks share a cache line of flags.
const blockSlots = 32

func blockCount(n int) int { return (n + blockSlots - 1) / blockSlots }

// block is a range of slots. When a team plays, it holds the list of their legal
// actions.
type block struct {
	begin, end int // slots begin to end−1
	list       []env.Action
	offset     int // of the list in LegalActions
}

func makeBlocks(n int) []block {
	blocks := make([]block, blockCount(n))
	for b := range blocks {
		blocks[b] = block{begin: b * blockSlots, end: min(n, (b+1)*blockSlots)}
	}
	return blocks
}

// shares distributes blocks among goroutines. Each goroutine first takes the blocks
// in its share, whose states are in its cache, and then blocks of the other shares
// that no goroutine has taken.
type shares struct {
	of []share
}

type share struct {
	next  atomic.Int64 // block to take
	first int
	end   int
	_     [64]byte // keeps shares on different cache lines
}

func makeShares(blocks, goroutines int) shares {
	s := shares{of: make([]share, goroutines)}
	for g := range s.of {
		s.of[g].first, s.of[g].end = blocks*g/goroutines, blocks*(g+1)/goroutines
	}
	return s
}

// refill makes all blocks available again.
func (s *shares) refill() {
	for g := range s.of {
		s.of[g].next.Store(int64(s.of[g].first))
	}
}

// take returns a block that no goroutine has taken, or −1.
func (s *shares) take(goroutine int) int {
	for i := range s.of {
		g := goroutine + i
		if g >= len(s.of) {
			g -= len(s.of)
		}
		own := &s.of[g]
		if own.next.Load() >= int64(own.end) {
			continue
		}
		if b := int(own.next.Add(1)) - 1; b < own.end {
			return b
		}
	}
	return -1
}
