package eval

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// linear adds up weights. Everything is a whole number, in units of a weight
// until the end.
type linear struct {
	table   []int32 // see pieceTable
	weights []int32 // of the game's features; nil when all are 0
	numbers []int32 // the features of a position
	memory  []memo  // by the lowest bits of a position's hash
}

// A memo is the value of a position with a hash. Searches come to the same
// positions again and again.
type memo struct {
	hash  uint64
	value int
}

// memories is how many memos are kept, a power of two.
const memories = 1 << 12

func newLinear(l *Layout, weights []int32) *linear {
	spec, own := l.spec, weights[:len(l.spec.Features)]
	e := &linear{memory: make([]memo, memories)}
	for i := range e.memory { // no position with such a hash is looked for there
		e.memory[i].hash = uint64(i) + 1
	}
	// A sum fits: a count is below 256, and nothing else is added more than four times.
	e.table = pieceTable(spec, func(p *env.Piece) (sum int32) {
		for _, t := range l.terms(nil, p) {
			sum += int32(t.Value) * weights[t.Index]
		}
		return sum
	})
	if slices.ContainsFunc(own, func(weight int32) bool { return weight != 0 }) {
		e.weights, e.numbers = own, make([]int32, len(own))
	}
	return e
}

func (e *linear) Evaluate(s env.State) int {
	hash := s.Hash()
	m := &e.memory[hash%memories]
	if m.hash != hash {
		*m = memo{hash, e.value(s)}
	}
	return m.value
}

func (e *linear) value(s env.State) int {
	sum := added(s, e.table)
	if e.weights != nil {
		s.(env.Features).Features(e.numbers, s.Player())
		for i, weight := range e.weights {
			sum += int(e.numbers[i]) * int(weight)
		}
	}
	return max(-Bound, min(Bound, rounded(sum)))
}

func (e *linear) QuietInvariant() bool { return false }

// rounded turns units of a weight into units of a score, halves away from 0.
func rounded(sum int) int {
	if sum < 0 {
		return -rounded(-sum)
	}
	return (sum + Fraction/2) / Fraction
}
