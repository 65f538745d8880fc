package eval

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// linear is a weighted sum of parameters, computed in units of a weight.
type linear struct {
	table    []int32      // see pieceTable
	weights  []int32      // of the game's features; nil if all are 0
	features []int32      // of the position
	spans    []int32      // see env.BriefFeatures
	cache    []cacheEntry // by the low bits of the hash
}

// A cacheEntry is the value of the position with a hash.
type cacheEntry struct {
	hash  uint64
	value int
}

// cacheSize is a power of two.
const cacheSize = 1 << 12

func newLinear(l *Layout, weights []int32) *linear {
	spec, features := l.spec, weights[:len(l.spec.Features)]
	e := &linear{cache: make([]cacheEntry, cacheSize)}
	for i := range e.cache { // an empty entry has a hash that maps to a different entry
		e.cache[i].hash = uint64(i) + 1
	}
	// The sum fits in 32 bits: a count is below 256, and a piece has at most four other terms of 1.
	e.table = pieceTable(spec, func(p *env.Piece) (sum int32) {
		for _, t := range l.terms(nil, p) {
			sum += int32(t.Value) * weights[t.Index]
		}
		return sum
	})
	if slices.ContainsFunc(features, func(weight int32) bool { return weight != 0 }) {
		e.weights, e.features, e.spans = features, make([]int32, len(features)), make([]int32, len(features))
	}
	return e
}

func (e *linear) Evaluate(s env.State) int {
	hash := s.Hash()
	c := &e.cache[hash%cacheSize]
	if c.hash != hash {
		*c = cacheEntry{hash, e.value(s)}
	}
	return c.value
}

// EvaluateWithin implements Lazy: it counts the costly features only if the others
// leave the value within the window or close to it. It asks the cache last: whether it
// returns a bound must not depend on what was evaluated before.
func (e *linear) EvaluateWithin(s env.State, alpha, beta int) (value int, exact bool) {
	brief, ok := s.(env.BriefFeatures)
	sum := sumPieces(s, e.table)
	if ok && e.weights != nil {
		brief.BriefFeatures(e.features, e.spans, s.Player())
		rough, margin := sum, 0
		for i, weight := range e.weights {
			rough += int(e.features[i]) * int(weight)
			margin += int(e.spans[i]) * int(max(weight, -weight))
		}
		if low := bounded(rounded(rough - margin)); low >= beta {
			return low, false
		}
		if high := bounded(rounded(rough + margin)); high <= alpha {
			return high, false
		}
	}
	hash := s.Hash()
	c := &e.cache[hash%cacheSize]
	if c.hash != hash {
		*c = cacheEntry{hash, e.complete(s, sum)}
	}
	return c.value, true
}

func (e *linear) value(s env.State) int { return e.complete(s, sumPieces(s, e.table)) }

// complete returns the value of a position, given the sum of its pieces.
func (e *linear) complete(s env.State, sum int) int {
	if e.weights != nil {
		s.(env.Features).Features(e.features, s.Player())
		for i, weight := range e.weights {
			sum += int(e.features[i]) * int(weight)
		}
	}
	return bounded(rounded(sum))
}

func (e *linear) QuietInvariant() bool { return false }

// rounded converts units of a weight to units of a score, rounding halves away from 0.
func rounded(sum int) int {
	if sum < 0 {
		return -rounded(-sum)
	}
	return (sum + Fraction/2) / Fraction
}
