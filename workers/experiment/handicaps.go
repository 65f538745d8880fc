package experiment

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/workers"
)

// Handicaps is an experiment with handicaps, with everything needed to play it.
type Handicaps struct {
	Local
	Plan *handicap.Plan
	// Control are data sets of the unchanged rules to compare the handicaps with. Without
	// them it is the control of the plan.
	Control []balance.Source
	Unit    string // name or symbol of the piece type whose removal is worth 1; empty for the default

	variant *variant.Variant
	arms    []Arm // of the handicaps in order, then the control; without folders
}

// NewHandicaps plans the games of an experiment. It takes the numbers and the handicaps
// from the plan, and completes the plan. Its errors are those of the plan, and say why a
// handicap is not possible: an unknown type, a piece that cannot be missing, an attribute
// that one side cannot have alone, or an agent that does not play the rules.
func NewHandicaps(v *variant.Variant, agent Agent, plan handicap.Plan) (*Handicaps, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	spec, err := agent(v)
	if err != nil {
		return nil, err
	}
	plan.Experiment, plan.Variant, plan.Digest, plan.Rules, plan.Agent = handicap.ExperimentName, v.Name, v.Digest, v.Rules, spec.String()
	h := &Handicaps{Plan: &plan, variant: v}
	for _, of := range plan.Handicaps {
		arms, err := handicapArms(v, agent, of, &plan)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(h.arms, func(a Arm) bool { return a.Name == arms[0].Name }) {
			return nil, fmt.Errorf("handicap %s is given twice", of)
		}
		h.arms = append(h.arms, arms...)
	}
	if plan.Control > 0 {
		arm, err := newHandicapArm(v, agent, controlName, nil, &plan)
		if err != nil {
			return nil, err
		}
		arm.Episodes = plan.Control
		h.arms = append(h.arms, arm)
	}
	plan.Arms = nil
	for i := range h.arms {
		settings := Settings(h.arms[i].Plan)
		plan.Arms = append(plan.Arms, handicap.PlannedArm{Name: h.arms[i].Name, Run: settings.Run(), Episodes: h.arms[i].Episodes})
	}
	return h, nil
}

// Arms returns the arms in the experiment's folder: those of the handicaps in order, then
// the control.
func (h *Handicaps) Arms() []Arm { return inFolder(h.Dir, h.arms) }

// Play keeps the plan as KeepPlan does, plays the missing games, and returns the
// report. Its other errors are those of the package's Play, of balance.Analyze and of
// handicap.Analyze. The error wraps balance.ErrSources if the control has other rules,
// or has games of the experiment's handicaps.
func (h *Handicaps) Play(ctx context.Context, farm *workers.Farm) (*handicap.Report, error) {
	if err := h.checkControl(); err != nil {
		return nil, err
	}
	if err := KeepPlan(h.Dir, h.Plan); err != nil {
		return nil, err
	}
	if err := h.play(ctx, farm, h.Arms()); err != nil {
		return nil, err
	}
	return h.report(ctx)
}

func (h *Handicaps) checkControl() error {
	for i := range h.Control {
		s := &h.Control[i]
		if s.Settings.Digest != h.Plan.Digest {
			return fmt.Errorf("%w: the rules of %s are %s (%s), must be %s (%s)",
				balance.ErrSources, s.Name, s.Settings.Variant, s.Settings.Digest, h.Plan.Variant, h.Plan.Digest)
		}
		for _, arm := range h.Plan.Arms {
			if arm.Name != controlName && arm.Run == s.Settings.Run() {
				return fmt.Errorf("%w: %s has games with a handicap of this experiment, must have others", balance.ErrSources, s.Name)
			}
		}
	}
	return nil
}

// report measures the games and makes the report.
func (h *Handicaps) report(ctx context.Context) (*handicap.Report, error) {
	e := &handicap.Experiment{Variant: h.variant, Agent: h.Plan.Agent, Unit: h.Unit}
	spec, arms := h.variant.Game.Spec(), h.Arms()
	total := h.Plan.Episodes()
	control := h.Control
	for i := range control {
		total += control[i].Count
	}
	progress, done := h.begin(Measuring, total), int64(0)
	for _, of := range h.Plan.Handicaps {
		kind, err := spec.PieceType(of.Type)
		if err != nil {
			return nil, err
		}
		of.Type = spec.Pieces[kind].Name
		var games []handicap.Games
		for seat := range armsOf(of) {
			g := handicap.Games{Episodes: arms[0].Episodes, Handicapped: handicappedPlayer(of, seat)}
			if g.Source, err = openArm(&arms[0]); err != nil {
				return nil, err
			}
			games, arms, done = append(games, g), arms[1:], done+arms[0].Episodes
		}
		m, err := handicap.Measure(ctx, games...)
		if err != nil {
			return nil, err
		}
		progress(done, 0)
		e.Played = append(e.Played, handicap.Played{Handicap: of, Measures: m})
	}
	if len(control) == 0 && len(arms) > 0 {
		source, err := openArm(&arms[0])
		if err != nil {
			return nil, err
		}
		control = []balance.Source{source.First(arms[0].Episodes)}
	}
	if len(control) > 0 {
		e.SameOpenings = !slices.ContainsFunc(control, func(s balance.Source) bool {
			return s.Settings.OpeningPlies != h.Plan.OpeningPlies || s.Settings.OpeningPolicy != h.Plan.OpeningPolicy ||
				s.Settings.OpeningBalanced != balanced(h.Plan) || len(s.Settings.Starts) > 0
		})
		var err error
		e.Control, err = balance.Analyze(ctx, control, balance.Options{
			Unit: h.Unit, Goroutines: h.Goroutines, Progress: func(n, plies int64) { progress(done+n, plies) },
		})
		if err != nil {
			return nil, err
		}
	}
	return handicap.Analyze(e)
}

// openArm opens the data set of an arm. The error wraps dataset.ErrSettings if the
// data set belongs to another run.
func openArm(arm *Arm) (balance.Source, error) {
	source, err := balance.Open(arm.Dir)
	if err != nil {
		return balance.Source{}, err
	}
	settings := Settings(arm.Plan)
	if err := settings.Differs(source.Settings); err != nil {
		return balance.Source{}, fmt.Errorf("%s: %w", arm.Dir, err)
	}
	return source, nil
}

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
// The opening of the plan starts each game. Without a policy its plies are drawn until the
// score is that of the start.
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

// balanced reports whether openings are drawn until the score is that of the start.
func balanced(plan *handicap.Plan) bool { return !plan.OpeningPolicy.Alternates() }

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
		Opening:  selfplay.Opening{Plies: plan.OpeningPlies, Policy: plan.OpeningPolicy, Balanced: balanced(plan), Starts: starts},
		MaxPlies: plan.MaxPlies, Seed: env.Derive(plan.Seed, hash.Sum64()),
	})
	if err != nil {
		return Arm{}, fmt.Errorf("%s: %w", name, err)
	}
	return Arm{Name: name, Plan: games, Episodes: 2 * plan.Pairs}, nil
}
