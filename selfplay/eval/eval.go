package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Unit is the value of one point of a game.
const Unit = 100

// Bound is the greatest absolute value that an evaluator returns.
const Bound = 900_000

// An Evaluator evaluates positions of one game. It is not used concurrently.
type Evaluator interface {
	// Evaluate returns the value of a running position from the view of the player
	// to move. It depends only on the position, does not change it and does not
	// allocate.
	Evaluate(s env.State) int
	// QuietInvariant reports whether only captures and shots, the actions that
	// env.Noisy lists, change the value. A search then evaluates less often.
	QuietInvariant() bool
}

// A Lazy is an Evaluator that often needs only a part of its work to find that a value
// lies outside a window.
type Lazy interface {
	Evaluator
	// EvaluateWithin returns the value of a running position and true, or a bound and
	// false: a number of at most alpha if the value is hardly above it, or of at least
	// beta if the value is hardly below it.
	EvaluateWithin(s env.State, alpha, beta int) (value int, exact bool)
}

// A kind is an entry in the table of evaluators.
type kind struct {
	name string
	make func(env.Game) (Evaluator, error)
}

func kinds() []kind {
	return []kind{{"material", newMaterial}, {"score", newScore}}
}

// Names returns the names that New accepts, sorted.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Known returns an error if New does not accept the name.
func Known(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return fmt.Errorf("evaluator %q is unknown; known are %s", name, strings.Join(Names(), ", "))
}

// New returns the evaluator of the given name for a game. It returns an error if the
// name is unknown or the game lacks what the evaluator needs.
func New(name string, game env.Game) (Evaluator, error) {
	for _, k := range kinds() {
		if k.name == name {
			return k.make(game)
		}
	}
	return nil, Known(name)
}

// bounded limits a value to ±Bound.
func bounded(value int) int { return max(-Bound, min(Bound, value)) }

// score evaluates by the game's own score.
type score struct{}

func newScore(game env.Game) (Evaluator, error) {
	if _, ok := env.NewState(game).(env.Scorer); !ok {
		return nil, fmt.Errorf("%s has no score (env.Scorer), which the evaluator score needs", game.Spec().Game)
	}
	return score{}, nil
}

// Score returns the evaluator "score", or for a game without a score an evaluator that
// values every position at 0.
func Score(game env.Game) Evaluator {
	if evaluator, err := newScore(game); err == nil {
		return evaluator
	}
	return level{}
}

// level values every position at 0.
type level struct{}

func (level) Evaluate(env.State) int { return 0 }

func (level) QuietInvariant() bool { return true }

func (score) Evaluate(s env.State) int { return bounded(env.Score(s.(env.Scorer), s.Player()) * Unit) }

func (score) QuietInvariant() bool { return false }
