package selfplay

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// An Opening describes how episodes begin.
type Opening struct {
	// Plies is the number of plies at the start of every game or pair that do not count
	// as play of the agents. An opening that ends the game is drawn again. Under a Policy,
	// every second game or pair has one ply more.
	Plies int
	// Policy says how the plies are drawn and which openings are refused. Under the zero
	// value they are uniformly random.
	Policy dataset.OpeningPolicy
	// Balanced also draws an opening again if it changes the score of a game that
	// keeps one, or reaches a position twice.
	Balanced bool
	// Starts are the texts of start positions, used in turn. If there are none, episodes
	// begin at the start of the variant.
	Starts []string
}

// longest returns the greatest number of plies of an opening.
func (o *Opening) longest() int {
	if o.Policy.Alternates() {
		return o.Plies + 1
	}
	return o.Plies
}

// maxDraws is the number of times that an opening is drawn before a player gives up.
const maxDraws = 1000

// judgeDepth is the depth in plies, without quiescence, of the search that refuses openings.
const judgeDepth = 2

// An opener plays openings of a plan, in memory that it reuses.
type opener struct {
	plan     *Plan
	state    env.State
	starts   []env.State
	legal    []env.Action
	rand     env.Rand
	samplers [2]*search.Sampler // by agent of the plan; nil for uniformly random plies
	judge    *search.AlphaBeta  // nil without a policy
	static   eval.Evaluator     // of the judge
}

func newOpener(plan *Plan) (*opener, error) {
	game := plan.config.Variant.Game
	o := &opener{plan: plan, legal: game.Spec().NewActions()}
	states := game.NewStates(1 + len(plan.starts))
	o.state, o.starts = states[0], states[1:]
	for i, start := range plan.starts {
		o.starts[i].CopyFrom(start)
	}
	policy := &plan.config.Opening.Policy
	if !policy.Alternates() {
		return o, nil
	}
	o.static = eval.Score(game)
	var err error
	if o.judge, err = search.New(game, o.static, search.Options{Version: 1, MaxDepth: judgeDepth}); err != nil {
		return nil, err
	}
	for i := range plan.config.Agents {
		if policy.Name != dataset.SampledOpenings {
			break
		}
		evaluator, err := plan.config.Agents[i].OpeningEvaluator(game)
		if err != nil {
			return nil, err
		}
		if evaluator != nil {
			o.samplers[i] = search.NewSampler(game, evaluator)
		}
	}
	return o, nil
}

// open begins the episode of a number: it sets what follows from the number, plays the
// opening, and returns how many openings it drew. It draws again when an opening ends the
// game or is refused.
func (o *opener) open(number int64, ep *dataset.Episode) (assigned dataset.Assignment, drawn int, err error) {
	run := ep.Run
	ep.Reset()
	assigned = o.plan.settings.Assign(number)
	ep.Run, ep.Number = run, number
	ep.Pair, ep.Seed, ep.Agents, ep.Start = assigned.Pair, assigned.Seed, assigned.Agents, assigned.Start
	if ep.Start == "" {
		ep.Start = o.plan.config.Variant.Game.Spec().StartText
	}
	for drawn < maxDraws {
		o.draw(&assigned, uint64(drawn), ep)
		drawn++
		if o.state.Player() != env.NoPlayer && (!o.plan.config.Opening.Balanced || o.balanced(o.start(&assigned), ep)) && o.quiet() {
			ep.OpeningPlies = assigned.OpeningPlies
			return assigned, drawn, nil
		}
	}
	what, fault := "random openings", "ended the game"
	switch {
	case o.judge != nil:
		what, fault = "openings", "ended the game, left a forced result or a large swing of the score"
	case o.plan.config.Opening.Balanced:
		fault = "ended the game, put a side ahead or repeated a position"
	}
	return assigned, drawn, fmt.Errorf("episode %d: %d %s of %d plies from %s all %s; use fewer opening plies", number, drawn, what, assigned.OpeningPlies, ep.Start, fault)
}

// start returns the start position of an assignment.
func (o *opener) start(assigned *dataset.Assignment) env.State {
	return o.starts[assigned.Group%int64(len(o.starts))]
}

// draw draws an opening. The agents of the plan draw the plies in turn, whatever their
// seats; the second agent draws the first ply of every second pair.
func (o *opener) draw(assigned *dataset.Assignment, attempt uint64, ep *dataset.Episode) {
	o.state.CopyFrom(o.start(assigned))
	ep.Steps = ep.Steps[:0]
	o.rand.Seed(env.Derive(ep.Seed, openingStream, attempt))
	for len(ep.Steps) < assigned.OpeningPlies && o.state.Player() != env.NoPlayer {
		step := o.step(ep, o.state.Player(), dataset.FromOpening)
		if sampler := o.samplers[(len(ep.Steps)-1+int(assigned.Group&1))%2]; sampler != nil {
			step.Action = sampler.Sample(o.state, o.legal, o.plan.temperature(), &o.rand)
		} else {
			step.Action = o.legal[o.rand.IntN(len(o.legal))]
		}
		o.state.Apply(step.Action)
	}
}

// temperature returns the temperature of sampled openings, in thousandths.
func (p *Plan) temperature() int {
	const thousandths = 1000
	return int(math.Round(p.config.Opening.Policy.Temperature * thousandths))
}

// quiet reports whether the policy accepts the position after an opening.
func (o *opener) quiet() bool {
	if o.judge == nil {
		return true
	}
	o.judge.Begin(0)
	found := o.judge.Search(o.state, search.Limits{Depth: judgeDepth}, 1).Best().Score
	_, forced := search.Forced(found)
	swing := found - o.static.Evaluate(o.state)
	return !forced && max(swing, -swing) <= o.plan.config.Opening.Policy.Swing
}

// balanced reports whether the opening just played kept the score of the start and
// reached no position twice.
func (o *opener) balanced(start env.State, ep *dataset.Episode) bool {
	if before, ok := start.(env.Scorer); ok && env.Score(before, env.First) != env.Score(o.state.(env.Scorer), env.First) {
		return false
	}
	for i := range ep.Steps {
		next := o.state.Hash()
		if i+1 < len(ep.Steps) {
			next = ep.Steps[i+1].Hash
		}
		for j := range i + 1 {
			if ep.Steps[j].Hash == next {
				return false
			}
		}
	}
	return true
}

// step records the facts that precede an action and lists the legal actions.
func (o *opener) step(ep *dataset.Episode, mover env.Player, source dataset.Source) *dataset.Step {
	o.legal = o.state.Legal(o.legal[:0])
	step := ep.AddStep()
	step.Player, step.Source = mover, source
	step.LegalCount = int32(len(o.legal))
	step.Hash = o.state.Hash()
	return step
}

// Drawn says how many openings a policy drew for some games or pairs, and how many of them
// it refused.
type Drawn struct {
	Openings int64 `json:"openings"`
	Refused  int64 `json:"refused"`
}

// Share returns the share of openings that were refused; 0 if none were drawn.
func (d Drawn) Share() float64 {
	if d.Openings == 0 {
		return 0
	}
	return float64(d.Refused) / float64(d.Openings)
}

// Drawn draws the openings of the first games or pairs again and counts those that the
// policy refuses. Without a policy it draws none.
func (p *Plan) Drawn(groups int64) (d Drawn, err error) {
	if !p.config.Opening.Policy.Alternates() {
		return d, nil
	}
	o, err := newOpener(p)
	if err != nil {
		return d, err
	}
	var ep dataset.Episode
	step := int64(1)
	if p.Paired() {
		step = 2
	}
	for group := range groups {
		_, drawn, err := o.open(group*step, &ep)
		if err != nil {
			return d, err
		}
		d.Openings += int64(drawn)
		d.Refused += int64(drawn - 1)
	}
	return d, nil
}
