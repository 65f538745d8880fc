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
	played := make([]handicap.Played, len(h.Plan.Handicaps))
	looks := h.Plan.Looks()
	ended := make([]bool, len(played))
	for look, pairs := range looks {
		if err := h.play(ctx, farm, h.armsAt(look, pairs, ended)); err != nil {
			return nil, err
		}
		running := int64(0)
		for i := range ended {
			if !ended[i] {
				running++
			}
		}
		progress, done := h.begin(Measuring, 2*pairs*running), int64(0)
		for i := range played {
			if ended[i] {
				continue
			}
			var err error
			if played[i], err = h.measure(ctx, i, look, pairs); err != nil {
				return nil, err
			}
			done += 2 * pairs
			progress(done, 0)
		}
		if h.Plan.Until == nil || look == len(looks)-1 {
			break
		}
		if all, err := h.end(played, ended); err != nil || all {
			if err != nil {
				return nil, err
			}
			break
		}
	}
	return h.report(ctx, played)
}

// armsAt returns the arms with a number of pairs of games of each handicap that has not
// ended. The first look includes the control.
func (h *Handicaps) armsAt(look int, pairs int64, ended []bool) []Arm {
	var list []Arm
	arms := h.Arms()
	for i, of := range h.Plan.Handicaps {
		n := armsOf(of)
		for k := range arms[:n] {
			arms[k].Episodes = 2 * pairs / int64(n)
		}
		if !ended[i] {
			list = append(list, arms[:n]...)
		}
		arms = arms[n:]
	}
	if look == 0 {
		list = append(list, arms...)
	}
	return list
}

// end marks the handicaps with the precision of the plan as ended, and reports whether no
// games are missing. The unit goes on as long as any other handicap needs it.
func (h *Handicaps) end(played []handicap.Played, ended []bool) (all bool, err error) {
	r, err := handicap.Analyze(&handicap.Experiment{Variant: h.variant, Agent: h.Plan.Agent, Unit: h.Unit, Played: played})
	if err != nil {
		return false, err
	}
	all = true
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		reached := ended[i] || h.Plan.Until.Reached(e)
		unit := !h.Plan.Until.Points && e.Type == r.Unit && played[i].Change.Removal()
		ended[i] = reached && !unit
		all = all && reached
	}
	return all, nil
}

// measure measures the games of handicap i at a look.
func (h *Handicaps) measure(ctx context.Context, i, look int, pairs int64) (handicap.Played, error) {
	of, arms := h.Plan.Handicaps[i], h.Arms()
	for _, before := range h.Plan.Handicaps[:i] {
		arms = arms[armsOf(before):]
	}
	spec := h.variant.Game.Spec()
	kind, err := spec.PieceType(of.Type)
	if err != nil {
		return handicap.Played{}, err
	}
	of.Type = spec.Pieces[kind].Name
	n := armsOf(of)
	var games []handicap.Games
	for seat := range n {
		g := handicap.Games{Episodes: 2 * pairs / int64(n), Handicapped: handicappedPlayer(of, seat)}
		if g.Source, err = openArm(&arms[seat]); err != nil {
			return handicap.Played{}, err
		}
		games = append(games, g)
	}
	p := handicap.Played{Handicap: of}
	if p.Measures, err = handicap.Measure(ctx, games...); err != nil {
		return p, err
	}
	if h.Plan.Until != nil {
		p.Levels, err = h.Plan.Levels(look)
	}
	return p, err
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

// report measures the control and makes the report. Values by regression are in the unit
// of the experiment.
func (h *Handicaps) report(ctx context.Context, played []handicap.Played) (*handicap.Report, error) {
	e := &handicap.Experiment{Variant: h.variant, Agent: h.Plan.Agent, Unit: h.Unit, Until: h.Plan.Until, Played: played}
	control := h.Control
	if len(control) == 0 && h.Plan.Control > 0 {
		arms := h.Arms()
		source, err := openArm(&arms[len(arms)-1])
		if err != nil {
			return nil, err
		}
		control = []balance.Source{source.First(h.Plan.Control)}
	}
	if len(control) > 0 {
		var err error
		if e.Unit, err = handicap.UnitOf(e); err != nil {
			return nil, err
		}
		total := int64(0)
		for i := range control {
			total += control[i].Count
		}
		progress := h.begin(Valuing, total)
		e.SameOpenings = !slices.ContainsFunc(control, func(s balance.Source) bool {
			return s.Settings.OpeningPlies != h.Plan.OpeningPlies || s.Settings.OpeningPolicy != h.Plan.OpeningPolicy ||
				s.Settings.OpeningBalanced != balanced(h.Plan) || len(s.Settings.Starts) > 0
		})
		e.Control, err = balance.Analyze(ctx, control, balance.Options{
			Unit: e.Unit, Goroutines: h.Goroutines, Progress: progress,
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
	if h.Change.Missing() {
		return 1
	}
	return 2
}

// armSeats are the ends of the names of both arms of an attribute.
func armSeats() []string { return []string{"first", "second"} }

// handicappedPlayer returns the handicapped player of each episode of an arm.
func handicappedPlayer(h handicap.Handicap, arm int) func(episode int64) env.Player {
	if h.Change.Missing() {
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
	if h.Change.Missing() {
		without := openings.Without
		if h.Change.Last {
			without = openings.WithoutLast
		}
		starts, err := without(v, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: a %s cannot be removed: %w", v.Name, spec.Pieces[kind].Name, err)
		}
		arm, err := newHandicapArm(v, player, name, starts, plan)
		return []Arm{arm}, err
	}
	var arms []Arm
	for p, seat := range armSeats() {
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
