package eval

import "github.com/sandtable-farm/sandtable/env"

// A Batcher is an Evaluator that values many positions at once faster than one
// by one, as a network does.
type Batcher interface {
	// EvaluateBatch writes what each running position is worth to its player to
	// move into dst, which is as long as states. It answers as Evaluate does.
	EvaluateBatch(states []env.State, dst []int)
}

// Batch returns an evaluator that values many positions at once: e itself where
// it is a Batcher, else one that asks e one by one.
func Batch(e Evaluator) Batcher {
	if b, ok := e.(Batcher); ok {
		return b
	}
	return oneByOne{e}
}

type oneByOne struct{ Evaluator }

func (o oneByOne) EvaluateBatch(states []env.State, dst []int) {
	for i, s := range states {
		dst[i] = o.Evaluate(s)
	}
}
