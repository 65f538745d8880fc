package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Unit is the value of one point of a game.
const Unit = 100

// Bound is the greatest value: every evaluator stays between −Bound and Bound.
const Bound = 900_000

// An Evaluator values positions of one game. It belongs to one goroutine.
type Evaluator interface {
	// Evaluate returns what a running position is worth to the player to move.
	// It changes nothing, allocates nothing, and depends on the position alone.
	Evaluate(s env.State) int
	// QuietInvariant reports whether only captures and shots, the actions that
	// env.Noisy lists, change the value. A search then evaluates less often.
	QuietInvariant() bool
}

// kind is one entry of the table of evaluators.
type kind struct {
	name string
	make func(env.Game) (Evaluator, error)
}

func kinds() []kind {
	return []kind{{"material", newMaterial}, {"score", newScore}}
}

// Names returns the names that New knows, sorted.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Known tells whether New knows a name.
func Known(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return fmt.Errorf("evaluator %q is unknown; known are %s", name, strings.Join(Names(), ", "))
}

// New makes the evaluator of a name for a game.
func New(name string, game env.Game) (Evaluator, error) {
	for _, k := range kinds() {
		if k.name == name {
			return k.make(game)
		}
	}
	return nil, Known(name)
}

func bounded(points int) int { return max(-Bound, min(Bound, points*Unit)) }

// score is the game's own score.
type score struct{}

func newScore(game env.Game) (Evaluator, error) {
	if _, ok := env.NewState(game).(env.Scorer); !ok {
		return nil, fmt.Errorf("%s keeps no score, which the evaluator score needs", game.Spec().Game)
	}
	return score{}, nil
}

func (score) Evaluate(s env.State) int { return bounded(env.Score(s.(env.Scorer), s.Player())) }

func (score) QuietInvariant() bool { return false }
