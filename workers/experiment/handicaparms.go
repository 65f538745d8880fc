package experiment

import (
	"fmt"
	"hash/fnv"

	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// An Agent returns the agent that plays a variant. The variants of one experiment with
// handicaps can differ by an attribute. Weights belong to the digest of a rule set, so an
// agent with weights does not play changed attributes.
type Agent func(v *variant.Variant) (agent.Spec, error)

// controlName is the name of the arm without a handicap.
const controlName = "control"

// armsOf returns the number of arms of a handicap: one for a removal, whose start
// positions handicap the players in turn, and one for each player with an attribute.
func armsOf(h handicap.Handicap) int {
	if h.Change.Removal() {
		return 1
	}
	return 2
}

// handicappedPlayer returns the handicapped player of each episode of an arm.
func handicappedPlayer(h handicap.Handicap, arm int) func(episode int64) env.Player {
	if h.Change.Removal() {
		return func(episode int64) env.Player { return env.Player(episode & 1) }
	}
	return func(int64) env.Player { return env.Player(arm) }
}

// handicapArms plans the games of a handicap. The same agent plays both sides, and each
// side has the handicap equally often.
//
// A removal is one arm. It starts from the position without a piece of the first player
// and the position without the corresponding piece of the second player in turn: in
// episodes 2k and 2k+1 the corresponding piece is missing, first from one side and then
// from the other. With an even number of episodes, both seats have the handicap equally
// often; with a multiple of the number of starts, so do the pieces. A changed attribute
// is a rule set for each side that has it, so it has two arms.
//
// Random plies start each game, so that a deterministic agent does not repeat games. They
// are drawn until the score is that of the start.
func handicapArms(v *variant.Variant, player Agent, h handicap.Handicap, plan *handicap.Plan) ([]Arm, error) {
	spec := v.Game.Spec()
	kind, err := spec.PieceType(h.Type)
	if err != nil {
		return nil, err
	}
	name := spec.Pieces[kind].Symbol + "-" + h.Change.String()
	if h.Change.Removal() {
		starts, err := openings.Without(v, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: a %s cannot be removed: %w", v.Name, spec.Pieces[kind].Name, err)
		}
		arm, err := newHandicapArm(v, player, name, starts, plan)
		return []Arm{arm}, err
	}
	var arms []Arm
	for p, seat := range []string{"first", "second"} {
		changed, err := v.WithAttribute(env.Player(p), h.Type, h.Change.Attribute, h.Change.By)
		if err != nil {
			return nil, err
		}
		arm, err := newHandicapArm(changed, player, name+"-"+seat, nil, plan)
		if err != nil {
			return nil, err
		}
		arm.Episodes /= 2
		arms = append(arms, arm)
	}
	return arms, nil
}

// newHandicapArm plans an arm. Its seed is env.Derive(plan seed, 64-bit FNV-1a hash of its
// name), so arms are independent of each other, and adding one changes no other.
func newHandicapArm(v *variant.Variant, player Agent, name string, starts []string, plan *handicap.Plan) (Arm, error) {
	spec, err := player(v)
	if err != nil {
		return Arm{}, err
	}
	hash := fnv.New64a()
	hash.Write([]byte(name))
	games, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{spec, spec},
		Opening:  selfplay.Opening{Plies: plan.OpeningPlies, Balanced: true, Starts: starts},
		MaxPlies: plan.MaxPlies, Seed: env.Derive(plan.Seed, hash.Sum64()),
	})
	if err != nil {
		return Arm{}, fmt.Errorf("%s: %w", name, err)
	}
	return Arm{Name: name, Plan: games, Episodes: 2 * plan.Pairs}, nil
}
