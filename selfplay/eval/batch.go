package eval

import "github.com/sandtable-farm/sandtable/env"

// A Batcher is an Evaluator that evaluates many positions together faster than one by
// one, as a neural network does.
type Batcher interface {
	// EvaluateBatch writes the evaluation of each running position to dst, which is
	// as long as states. The values are those of Evaluate.
	EvaluateBatch(states []env.State, dst []int)
}

// Batch returns e if it is a Batcher, or else a Batcher that calls Evaluate for each
// position.
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
