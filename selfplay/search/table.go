package search

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// A bound describes how the score of an entry relates to the true score.
type bound uint8

const (
	upperBound bound = iota + 1 // the true score is at most this
	lowerBound                  // the true score is at least this
	exact
)

// An entry stores what the table knows about a position, packed into 16 bytes.
type entry struct {
	key  uint64
	data uint64
}

// Fields of entry.data from the low end: score, action + 1, whether the action is
// tactical, depth, bound, generation.
const (
	scoreBits      = 21
	actionBits     = 23
	tacticalBits   = 1
	depthBits      = 7
	boundBits      = 2
	generationBits = 10

	actionShift     = scoreBits
	tacticalShift   = actionShift + actionBits
	depthShift      = tacticalShift + tacticalBits
	boundShift      = depthShift + depthBits
	generationShift = boundShift + boundBits

	scoreOffset = 1 << (scoreBits - 1) // scores are stored without a sign
	generations = 1 << generationBits
)

// pack packs an entry without its action.
func pack(score, depth int, b bound, generation uint64) uint64 {
	return uint64(score+scoreOffset) | uint64(depth)<<depthShift | uint64(b)<<boundShift | generation<<generationShift
}

// packMove packs the action of an entry.
func packMove(a env.Action, tactical bool) uint64 {
	packed := uint64(a+1) << actionShift
	if tactical {
		packed |= 1 << tacticalShift
	}
	return packed
}

// moveMask are the bits of packMove.
const moveMask = (1<<(actionBits+tacticalBits) - 1) << actionShift

func (e *entry) score() int         { return int(e.data&(1<<scoreBits-1)) - scoreOffset }
func (e *entry) action() env.Action { return env.Action(e.data>>actionShift&(1<<actionBits-1)) - 1 }
func (e *entry) tactical() bool     { return e.data>>tacticalShift&1 != 0 }
func (e *entry) depth() int         { return int(e.data >> depthShift & (1<<depthBits - 1)) }
func (e *entry) bound() bound       { return bound(e.data >> boundShift & (1<<boundBits - 1)) }
func (e *entry) generation() uint64 { return e.data >> generationShift }

// cutsOff reports whether the score of this entry is enough for a search with the given window.
func (e *entry) cutsOff(score, alpha, beta int) bool {
	switch e.bound() {
	case lowerBound:
		return score >= beta
	case upperBound:
		return score <= alpha
	}
	return true
}

// bucketSize entries share a cache line of 64 bytes.
const bucketSize = 4

type bucket [bucketSize]entry

// table is a transposition table. Each entry has the generation of the search that stored
// it. Entries from earlier episodes count as empty, so a new episode need not clear the
// memory.
type table struct {
	buckets    []bucket // a power of two of them; none if the table is disabled
	shift      int
	first, now uint64 // generations of the episode's first search and of the current one
}

func newTable(mebibytes int) table {
	if mebibytes <= 0 {
		return table{}
	}
	log := bits.Len(uint(mebibytes)<<20/uint(bucketSize*16)) - 1
	return table{buckets: make([]bucket, 1<<log), shift: 64 - log}
}

// An episode begins at a generation from 1 to lastFirst. The generation rises by 1 with
// each search, at most maxAge times, and then stays the same. So the number of
// searches before it stops rising does not depend on earlier episodes.
const (
	lastFirst = generations / 2
	maxAge    = generations - 1 - lastFirst
)

// begin empties the table for an episode.
func (t *table) begin() {
	if t.first = t.now + 1; t.first > lastFirst {
		clear(t.buckets)
		t.first = 1
	}
	t.now = t.first
}

// age begins another search of the same episode.
func (t *table) age() { t.now = min(t.now+1, t.first+maxAge) }

func (t *table) bucket(key uint64) *bucket { return &t.buckets[key*0x9e3779b97f4a7c15>>t.shift] }

// find returns the entry of a key, or nil.
func (t *table) find(key uint64) *entry {
	if len(t.buckets) == 0 {
		return nil
	}
	b := t.bucket(key)
	for i := range b {
		if e := &b[i]; e.key == key && e.generation() >= t.first {
			return e
		}
	}
	return nil
}

// store replaces the old entry of the position or else, in this order, an entry of an
// earlier episode, or the entry with the least depth. Each search since an entry was
// stored lowers its depth by four plies in this comparison.
func (t *table) store(key uint64, score int, best move, depth int, b bound) {
	if len(t.buckets) == 0 {
		return
	}
	entries := t.bucket(key)
	victim, least, packed := &entries[0], 1<<30, packMove(best.action, best.tactical)
	for i := range entries {
		e := &entries[i]
		if e.generation() < t.first {
			victim, least = e, -1<<30
			continue
		}
		if e.key == key {
			if best.action == env.NoAction {
				packed = e.data & moveMask
			}
			victim = e
			break
		}
		if value := e.depth() - 4*int(t.now-e.generation()); value < least {
			victim, least = e, value
		}
	}
	victim.key = key
	victim.data = pack(score, depth, b, t.now) | packed
}
