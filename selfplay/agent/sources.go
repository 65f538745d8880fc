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

// Sources provide what agent strings name outside the program. A nil *Sources is the
// same as the zero value and provides nothing.
type Sources struct {
	// ReadFile reads a file that an agent string names. It is nil if the string comes
	// from another machine, so that it cannot name files of this one.
	ReadFile func(name string) ([]byte, error)
	// Files are the files that a string may name by digest.
	Files dataset.Files
	// Commands are those of external programs.
	Commands Commands
	// OpenTable opens the endgame tablebase that an agent string names. It is nil if
	// other machines play the games: a table is too large to send.
	OpenTable func(name string) (Table, error)
}

// shippedWeights is the name of the weights that the program has for a rule set.
const shippedWeights = "linear"

// evaluators lists the values of an evaluator option, for messages.
func evaluators() string {
	return strings.Join(append([]string{shippedWeights}, eval.Names()...), ", ") + " or a file of weights"
}

// evaluator is an evaluator of package eval, by name, or weights.
type evaluator struct {
	name    string
	weights *eval.Weights // nil for an evaluator by name
	file    string        // what the weights were read from
}

// resolveEvaluator finds the evaluator that an option names. Its name is the one to
// record: for weights, the digest of their file.
func resolveEvaluator(value string, v *variant.Variant, from *Sources) (evaluator, error) {
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
		return "", fmt.Errorf("evaluator %s: no weights are shipped for the rules of %s; make some with sandtable train and name their file with eval=FILE", value, v.Name)
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
		return "", fmt.Errorf("evaluator %s: the weights with this digest are not available; name their file instead", value)
	case from == nil || from.ReadFile == nil:
		return "", fmt.Errorf("evaluator %q is unknown; known are %s", value, evaluators())
	}
	content, err := from.ReadFile(value)
	if err != nil {
		return "", fmt.Errorf("evaluator %q is not one of %s: %w", value, evaluators(), err)
	}
	if !utf8.Valid(content) {
		return "", fmt.Errorf("weights %s: the file is not UTF-8 text", value)
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
