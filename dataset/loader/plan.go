package loader

import (
	"math"
	"sort"

	"github.com/sandtable-farm/sandtable/env"
)

// Random streams under the seed.
const (
	drawStream  = iota // which episode a draw takes
	rowStream          // which positions of it, and under which symmetry
	epochStream        // the order of an epoch
	placeStream        // where the rows of a block go
)

// A draw is one replay of a game.
type draw struct {
	candidate
	seed   uint64
	weight float32
	first  int32 // index of its first row in the order of draws
	rows   int32
}

// plan fills the list of draws of a block, from draw number b.first of this rank on, and
// draws the places of the rows.
func (p *pool) plan(b *block, o *Options, rand *env.Rand) {
	b.draws, b.rows, b.exhausted = b.draws[:0], 0, false
	n := uint64(len(p.games))
	number := b.first
	for ; b.rows < o.Shuffle; number++ {
		global := number*uint64(o.World) + uint64(o.Rank)
		if o.Epochs > 0 && global >= n*uint64(o.Epochs) {
			b.exhausted = true
			break
		}
		i := p.choose(global, o, rand)
		d := draw{candidate: p.games[i], seed: env.Derive(o.Seed, rowStream, global), weight: p.correction(i, o), first: int32(b.rows)}
		d.rows = d.eligible
		if o.Positions > 0 {
			d.rows = min(d.rows, int32(o.Positions))
		}
		b.draws = append(b.draws, d)
		b.rows += int(d.rows)
	}
	b.end = number
	rand.Seed(env.Derive(o.Seed, placeStream, b.number))
	b.places = b.places[:0]
	for i := range b.rows {
		j := rand.IntN(i + 1)
		b.places = append(b.places, int32(i))
		b.places[i], b.places[j] = b.places[j], int32(i)
	}
}

// choose returns the game of a draw.
func (p *pool) choose(number uint64, o *Options, rand *env.Rand) int {
	n := len(p.games)
	if o.Epochs > 0 {
		return p.inEpoch(number, o, rand)
	}
	rand.Seed(env.Derive(o.Seed, drawStream, number))
	if len(p.bounds) == 0 {
		return rand.IntN(n)
	}
	x := rand.Float64() * p.bounds[n-1]
	return min(n-1, sort.Search(n, func(i int) bool { return p.bounds[i] > x }))
}

// inEpoch returns the game of a draw in the random order of its epoch.
func (p *pool) inEpoch(number uint64, o *Options, rand *env.Rand) int {
	n := uint64(len(p.games))
	if epoch := number / n; epoch != p.epoch {
		p.epoch = epoch
		rand.Seed(env.Derive(o.Seed, epochStream, epoch))
		p.order = p.order[:0]
		for i := range len(p.games) {
			j := rand.IntN(i + 1)
			p.order = append(p.order, int32(i))
			p.order[i], p.order[j] = p.order[j], int32(i)
		}
	}
	return int(p.order[number%n])
}

// correction returns the importance weight of a game.
func (p *pool) correction(i int, o *Options) float32 {
	if o.Correction == 0 || o.Epochs > 0 || len(p.bounds) == 0 {
		return 1
	}
	weight := p.bounds[i]
	if i > 0 {
		weight -= p.bounds[i-1]
	}
	mean := p.bounds[len(p.bounds)-1] / float64(len(p.bounds))
	return float32(math.Pow(mean/weight, o.Correction))
}
