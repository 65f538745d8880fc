package search

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// bound says what the score of an entry is.
type bound uint8

const (
	none  bound = iota
	upper       // the true score is at most this
	lower       // at least
	exact
)

// An entry is what the table knows of a position, packed into 16 bytes.
type entry struct {
	key  uint64
	data uint64
}

// Fields of entry.data from the low end: score, action + 1, depth, bound, generation.
const (
	scoreBits      = 21
	actionBits     = 24
	depthBits      = 7
	boundBits      = 2
	generationBits = 10

	actionShift     = scoreBits
	depthShift      = actionShift + actionBits
	boundShift      = depthShift + depthBits
	generationShift = boundShift + boundBits

	scoreOffset = 1 << (scoreBits - 1) // scores are stored without a sign
	generations = 1 << generationBits
)

func pack(score int, a env.Action, depth int, b bound, generation uint64) uint64 {
	return uint64(score+scoreOffset) | uint64(a+1)<<actionShift | uint64(depth)<<depthShift |
		uint64(b)<<boundShift | generation<<generationShift
}

func (e *entry) score() int         { return int(e.data&(1<<scoreBits-1)) - scoreOffset }
func (e *entry) action() env.Action { return env.Action(e.data>>actionShift&(1<<actionBits-1)) - 1 }
func (e *entry) depth() int         { return int(e.data >> depthShift & (1<<depthBits - 1)) }
func (e *entry) bound() bound       { return bound(e.data >> boundShift & (1<<boundBits - 1)) }
func (e *entry) generation() uint64 { return e.data >> generationShift }

// bucketSize entries share a cache line of 64 bytes.
const bucketSize = 4

type bucket [bucketSize]entry

// table is a transposition table. Entries carry the number of the search that
// made them, so that it is emptied for an episode without touching its memory:
// what is older than the episode counts as empty.
type table struct {
	buckets    []bucket // a power of two of them; none at all switches the table off
	shift      int
	first, now uint64 // generation of the episode's first search, and of the present one
}

func newTable(mebibytes int) table {
	if mebibytes <= 0 {
		return table{}
	}
	log := bits.Len(uint(mebibytes)<<20/uint(bucketSize*16)) - 1
	return table{buckets: make([]bucket, 1<<log), shift: 64 - log}
}

// Generations 1 to lastFirst may begin an episode. It goes on for as many
// searches as are left above it, and stays at the last: where it stops does not
// depend on what was played before.
const (
	lastFirst = generations / 2
	mostAge   = generations - 1 - lastFirst
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
func (t *table) age() { t.now = min(t.now+1, t.first+mostAge) }

// find returns the entry of a key, nil for none.
func (t *table) find(key uint64) *entry {
	if len(t.buckets) == 0 {
		return nil
	}
	b := &t.buckets[key*0x9e3779b97f4a7c15>>t.shift]
	for i := range b {
		if e := &b[i]; e.key == key && e.generation() >= t.first {
			return e
		}
	}
	return nil
}

// store keeps what was found of a position in place of its old entry, else of
// the least valuable one: of an earlier episode, else of the least depth, each
// search ago counting as four plies less.
func (t *table) store(key uint64, score int, a env.Action, depth int, b bound) {
	if len(t.buckets) == 0 {
		return
	}
	line := &t.buckets[key*0x9e3779b97f4a7c15>>t.shift]
	victim, least := &line[0], 1<<30
	for i := range line {
		e := &line[i]
		if e.generation() < t.first {
			victim, least = e, -1<<30
			continue
		}
		if e.key == key {
			if a == env.NoAction {
				a = e.action()
			}
			victim = e
			break
		}
		if worth := e.depth() - 4*int(t.now-e.generation()); worth < least {
			victim, least = e, worth
		}
	}
	victim.key = key
	victim.data = pack(score, a, depth, b, t.now)
}
