package loader

import (
	"context"
	"math"
	"sync"

	"github.com/sandtable-farm/sandtable/env"
)

// A block holds the rows of consecutive draws in a random order.
type block struct {
	number     uint64
	view       *view
	first, end uint64 // numbers of its draws, of this rank
	exhausted  bool   // the draws end with it
	draws      []draw
	rows       int
	places     []int32 // place of each row in the order of draws

	// By place.
	bits    []uint64
	scalars []uint8
	meta    []row

	lists chunks
	*outcome
}

// An outcome is how the filling of a block ended. A block gets another one each time.
type outcome struct {
	done chan struct{} // closed at the end, after which the other fields are valid
	err  error
	draw uint64 // the first draw of the next block
	last bool   // the stream ends with the block
}

// wait waits until the block is filled.
func (o *outcome) wait(ctx context.Context) error {
	select {
	case <-o.done:
		return o.err
	default:
	}
	select {
	case <-o.done:
		return o.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A row is what a block holds of a position beside its observation.
type row struct {
	episode              int64
	set, ply             int32
	chunk, at            int32 // of its lists
	legal, policy, reply int32 // lengths of its lists
	score, search        float32
	weight               float32
	value                int8
	ended                bool // the game has a result
	symmetry             uint8
}

// allot makes room for the rows.
func (b *block) allot(words, scalars int) {
	b.bits = resized(b.bits, b.rows*words)
	b.scalars = resized(b.scalars, b.rows*scalars)
	b.meta = resized(b.meta, b.rows)
	b.lists.reset()
}

// resized returns s with n elements. It allocates with some slack, because blocks of one
// stream differ a little in size.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/8)
	}
	return s[:n]
}

// chunks hold the lists of the rows: for each row the legal actions, the policy target as
// pairs of an index into them and the bits of a weight, and the reply as pairs of an
// action and the bits of a weight. Goroutines take whole chunks, so that they seldom wait.
type chunks struct {
	mu   sync.Mutex
	all  [][]env.Action
	used int
}

func (c *chunks) reset() { c.used = 0 }

// take returns an empty chunk with room for size elements and usually many more.
func (c *chunks) take(size int) (index int32, chunk []env.Action) {
	const usual = 1 << 17
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used == len(c.all) {
		c.all = append(c.all, make([]env.Action, max(usual, 16*size)))
	}
	c.used++
	return int32(c.used - 1), c.all[c.used-1]
}

// copyTo writes the rows from place first on to rows at to … of a batch.
func (b *block) copyTo(batch *Batch, to, first, rows int, sizes *Sizes, spec *shape) {
	copy(batch.Bits[to*spec.words:], b.bits[first*spec.words:(first+rows)*spec.words])
	copy(batch.Scalars[to*spec.scalars:], b.scalars[first*spec.scalars:(first+rows)*spec.scalars])
	for i := range rows {
		r := &b.meta[first+i]
		out := to + i
		list := b.lists.all[r.chunk][r.at:]
		legal, next := batch.LegalActions[sizes.Legal:][:r.legal], batch.NextActions[sizes.Next:][:r.reply]
		policy, reply := batch.Policy[sizes.Legal:][:r.legal], batch.NextPolicy[sizes.Next:][:r.reply]
		copy(legal, list[:r.legal])
		list = list[r.legal:]
		clear(policy)
		for range r.policy {
			policy[list[0]] = math.Float32frombits(uint32(list[1]))
			list = list[2:]
		}
		for j := range next {
			next[j], reply[j] = list[0], math.Float32frombits(uint32(list[1]))
			list = list[2:]
		}
		sizes.Legal += int(r.legal)
		sizes.Next += int(r.reply)
		batch.LegalOffsets[out+1], batch.NextOffsets[out+1] = int32(sizes.Legal), int32(sizes.Next)
		batch.PolicyWeight[out] = float32(min(1, r.policy))
		batch.Value[out], batch.ValueWeight[out], batch.WDL[out] = float32(r.value), 0, uint8(1-r.value)
		if r.ended {
			batch.ValueWeight[out] = 1
		}
		batch.Score[out], batch.SearchValue[out], batch.Weight[out] = r.score, r.search, r.weight
		batch.Episode[out], batch.Set[out], batch.Ply[out], batch.Symmetry[out] = r.episode, r.set, r.ply, r.symmetry
	}
}

// add adds the lengths of the lists of rows to sizes.
func (b *block) add(sizes *Sizes, first, rows int) {
	for i := range rows {
		r := &b.meta[first+i]
		sizes.Legal += int(r.legal)
		sizes.Next += int(r.reply)
	}
	sizes.Rows += rows
}

// A shape is what the rows of a rule set have in common.
type shape struct {
	words, scalars int
	spec           *env.Spec
}
