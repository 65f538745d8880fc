package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

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
	// Commands are what the names of external programs stand for.
	Commands Commands
	// OpenTable opens a table of endgames that an agent string names. It is nil
	// where games are played elsewhere: a table is too large to go with them.
	OpenTable func(name string) (Table, error)
}

// shippedWeights is the name of the weights that the program has for a rule set.
const shippedWeights = "linear"

// evaluators is what an evaluator option may say, for people.
func evaluators() string {
	return strings.Join(append([]string{shippedWeights}, eval.Names()...), ", ") + " or a file of weights"
}

// evaluator is what values positions: an evaluator of package eval by name, or weights.
type evaluator struct {
	name    string
	weights *eval.Weights // nil: the one of the name
	file    string        // what the weights were read from
}

// settleEvaluator finds the evaluator that an option names and returns how it is
// recorded: weights by the digest of their file.
func settleEvaluator(value string, v *variant.Variant, from *Sources) (evaluator, error) {
	if eval.Known(value) == nil {
		return evaluator{name: value}, nil
	}
	content, err := weightsFile(value, v, from)
	if err != nil {
		return evaluator{}, err
	}
	weights, err := eval.ReadWeights([]byte(content))
	if err != nil {
		return evaluator{}, fmt.Errorf("weights %s: %w", value, err)
	}
	if _, err := weights.New(v.Game); err != nil {
		return evaluator{}, fmt.Errorf("weights %s: %w", value, err)
	}
	return evaluator{name: dataset.FileDigest(content), weights: weights, file: content}, nil
}

// weightsFile returns the content of the weights that an option names.
func weightsFile(value string, v *variant.Variant, from *Sources) (string, error) {
	shipped, ok := eval.Shipped(v.Digest)
	switch {
	case value == shippedWeights && !ok:
		return "", fmt.Errorf("evaluator %s: no weights are shipped for the rules of %s; sandtable train makes them, and eval=FILE names them", value, v.Name)
	case ok && (value == shippedWeights || value == dataset.FileDigest(string(shipped))):
		return string(shipped), nil
	}
	if from != nil {
		if content, ok := from.Files[value]; ok {
			return content, nil
		}
	}
	switch {
	case strings.HasPrefix(value, dataset.FileDigestPrefix):
		return "", fmt.Errorf("evaluator %s: the weights of this digest are not at hand; name their file", value)
	case from == nil || from.ReadFile == nil:
		return "", fmt.Errorf("evaluator %q is unknown; known are %s", value, evaluators())
	}
	content, err := from.ReadFile(value)
	if err != nil {
		return "", fmt.Errorf("evaluator %q is not one of %s: %w", value, evaluators(), err)
	}
	if !utf8.Valid(content) {
		return "", fmt.Errorf("weights %s: not a text in UTF-8", value)
	}
	return string(content), nil
}

// make makes the evaluator for a game.
func (e *evaluator) make(game env.Game) (eval.Evaluator, error) {
	if e.weights != nil {
		return e.weights.New(game)
	}
	return eval.New(e.name, game)
}
