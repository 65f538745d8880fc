package selfplay

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// Sources say where agent strings find what is not in the program. A nil pointer
// is the same as the zero value: nowhere.
type Sources struct {
	// ReadFile reads a file that an agent string names. It is nil where strings
	// come from elsewhere, so that they cannot name files of this machine.
	ReadFile func(name string) ([]byte, error)
	// Files are what a string may name by digest.
	Files dataset.Files
}

// evaluators is what an evaluator option may say, for people.
func evaluators() string { return strings.Join(eval.Names(), ", ") }

// evaluator is what values positions.
type evaluator struct {
	name string
}

// settleEvaluator finds the evaluator that an option names.
func settleEvaluator(value string, _ *variant.Variant, _ *Sources) (evaluator, error) {
	if err := eval.Known(value); err != nil {
		return evaluator{}, fmt.Errorf("option %s: %w", evalOption, err)
	}
	return evaluator{name: value}, nil
}

// make makes the evaluator for a game.
func (e *evaluator) make(game env.Game) (eval.Evaluator, error) { return eval.New(e.name, game) }
