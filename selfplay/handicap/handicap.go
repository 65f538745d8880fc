package handicap

import (
	"fmt"
	"hash/fnv"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A Handicap is a change of one side in regard to a piece type.
type Handicap struct {
	Type   string // name or symbol of the type
	Change Change
}

// String tells the handicap: "Light Tank removed", "Light Tank speed+1".
func (h Handicap) String() string { return h.Type + " " + h.Change.String() }

// Options settle how the games of an experiment are played.
type Options struct {
	OpeningPlies int // uniformly random plies at the beginning of each game
	MaxPlies     int // a game is cut off after so many plies, the opening's included; 0: never
	Seed         uint64
}

// An Arm is a run of self-play that belongs to an experiment.
type Arm struct {
	Name string // what it measures, fit for a folder: "LT-removed", "LT-speed+1-second"
	Plan *selfplay.Plan
	// Handicapped tells which player has the handicap in an episode; NoPlayer in
	// control games.
	Handicapped func(episode int64) env.Player
}

// An Agent names the agent that plays a variant's games. The variants of one
// experiment can differ by an attribute.
type Agent func(v *variant.Variant) (agent.Spec, error)

// New returns the arms that measure a handicap. The error says why the handicap
// cannot be: no such type, a piece that cannot be missing, an attribute that the
// game does not let one side have apart, or an agent that does not play the rules.
func New(v *variant.Variant, agent Agent, h Handicap, o Options) ([]Arm, error) {
	spec := v.Game.Spec()
	kind, err := spec.PieceType(h.Type)
	if err != nil {
		return nil, err
	}
	name := spec.Pieces[kind].Symbol + "-" + h.Change.String()
	if h.Change.Attribute == "" {
		starts, err := startsWithout(v, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: a %s cannot be missing: %w", v.Name, spec.Pieces[kind].Name, err)
		}
		arm, err := newArm(v, agent, name, starts, o)
		if err != nil {
			return nil, err
		}
		arm.Handicapped = func(episode int64) env.Player { return env.Player(episode & 1) }
		return []Arm{arm}, nil
	}
	var arms []Arm
	for player, seat := range []string{"first", "second"} {
		changed, err := v.WithAttribute(env.Player(player), h.Type, h.Change.Attribute, h.Change.By)
		if err != nil {
			return nil, err
		}
		arm, err := newArm(changed, agent, name+"-"+seat, nil, o)
		if err != nil {
			return nil, err
		}
		arm.Handicapped = func(int64) env.Player { return env.Player(player) }
		arms = append(arms, arm)
	}
	return arms, nil
}

// Control returns the arm of games without a handicap, played as the others are.
func Control(v *variant.Variant, agent Agent, o Options) (Arm, error) {
	arm, err := newArm(v, agent, "control", nil, o)
	arm.Handicapped = func(int64) env.Player { return env.NoPlayer }
	return arm, err
}

func newArm(v *variant.Variant, player Agent, name string, starts []string, o Options) (Arm, error) {
	spec, err := player(v)
	if err != nil {
		return Arm{}, err
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{spec, spec},
		Opening:  selfplay.Opening{Plies: o.OpeningPlies, Balanced: true, Starts: starts},
		MaxPlies: o.MaxPlies, Seed: armSeed(o.Seed, name),
	})
	if err != nil {
		return Arm{}, fmt.Errorf("%s: %w", name, err)
	}
	return Arm{Name: name, Plan: plan}, nil
}

// armSeed returns the seed of the plan of an arm.
func armSeed(seed uint64, name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return env.Derive(seed, h.Sum64())
}
