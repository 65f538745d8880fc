package selfplay

import (
	"errors"
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A Player plays episodes of one plan, one after the other, in memory that it reuses. It
// belongs to one goroutine and must be closed.
type Player struct {
	plan     *Plan
	state    env.State
	agents   [2]agent.Agent  // by agent of the plan, not by seat
	watchers []agent.Watcher // among the agents
	closers  []io.Closer
	starts   []env.State
	legal    []env.Action
	rand     env.Rand
}

// TryPlayer checks that NewPlayer succeeds for a plan.
func TryPlayer(plan *Plan) error {
	player, err := NewPlayer(plan)
	if err != nil {
		return err
	}
	return player.Close()
}

// NewPlayer makes a player of a plan.
func NewPlayer(plan *Plan) (*Player, error) {
	game := plan.config.Variant.Game
	p := &Player{plan: plan, legal: game.Spec().NewActions()}
	states := game.NewStates(1 + len(plan.starts))
	p.state, p.starts = states[0], states[1:]
	for i, start := range plan.starts {
		p.starts[i].CopyFrom(start)
	}
	for i, spec := range plan.config.Agents {
		a, err := spec.New(game)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.seat(i, a)
	}
	return p, nil
}

// seat uses a as agent i of the plan.
func (p *Player) seat(i int, a agent.Agent) {
	p.agents[i] = a
	if w, ok := a.(agent.Watcher); ok {
		p.watchers = append(p.watchers, w)
	}
	if c, ok := a.(io.Closer); ok {
		p.closers = append(p.closers, c)
	}
}

// Close closes the agents. The player must not be used afterwards.
func (p *Player) Close() error {
	var faults []error
	for _, c := range p.closers {
		faults = append(faults, c.Close())
	}
	return errors.Join(faults...)
}

// Streams of random numbers under an episode's seed.
const (
	openingStream = 1
	agentStream   = 2
)

// Play plays the episode of the given number into ep, overwriting all fields except Run.
func (p *Player) Play(number int64, ep *dataset.Episode) error {
	run := ep.Run
	ep.Reset()
	ep.Run, ep.Number = run, number

	assigned := p.plan.settings.Assign(number)
	ep.Pair, ep.Seed, ep.Agents, ep.Start = assigned.Pair, assigned.Seed, assigned.Agents, assigned.Start
	if ep.Start == "" {
		ep.Start = p.plan.config.Variant.Game.Spec().StartText
	}
	start := p.starts[assigned.Group%int64(len(p.starts))]
	if err := p.open(start, ep); err != nil {
		return fmt.Errorf("episode %d: %w", number, err)
	}
	seats, game := p.agents, uint64(0)
	if assigned.Swapped {
		seats[0], seats[1], game = seats[1], seats[0], 1
	}
	for seat, a := range seats {
		a.Begin(env.Derive(ep.Seed, agentStream, game, uint64(seat)))
	}
	if err := p.watch(start, ep); err != nil {
		return fmt.Errorf("episode %d: %w", number, err)
	}
	detail := p.run(seats, assigned.PlayOn, ep)
	ep.FinalHash = p.state.Hash()
	if scorer, ok := p.state.(env.Scorer); ok {
		ep.Points = [2]int{scorer.Points(env.First), scorer.Points(env.Second)}
	}
	if detail != "" && p.plan.Forfeited != nil {
		p.plan.Forfeited(ep, detail)
	}
	return nil
}

// watch passes the start and the opening to the watchers.
func (p *Player) watch(start env.State, ep *dataset.Episode) error {
	for _, w := range p.watchers {
		if err := w.Watch(start); err != nil {
			return err
		}
		for i := range ep.Steps {
			w.Played(ep.Steps[i].Action)
		}
	}
	return nil
}

// run plays the agents' plies to the end of the episode. detail describes what happened
// if an agent gave up.
func (p *Player) run(seats [2]agent.Agent, playOn bool, ep *dataset.Episode) (detail string) {
	for {
		mover := p.state.Player()
		switch {
		case mover == env.NoPlayer:
			ep.Terminated = true
			ep.Result, ep.Reason = p.state.Result()
			return ""
		case p.plan.config.MaxPlies > 0 && ep.Plies() >= p.plan.config.MaxPlies:
			ep.Truncated = true
			return ""
		case ep.ResignPly == dataset.NoPly && p.plan.config.Resign.Holds(ep.Steps, mover):
			if ep.ResignPly = ep.Plies(); !playOn {
				forfeit(ep, mover, env.Resigned)
				return ""
			}
		}
		step := p.step(ep, mover, dataset.FromAgent)
		step.Action = seats[mover].Choose(p.state, p.legal, &step.Search)
		if step.Action == env.NoAction {
			ep.Steps = ep.Steps[:len(ep.Steps)-1]
			reason, detail := env.ForfeitOf(seats[mover])
			forfeit(ep, mover, reason)
			return detail
		}
		p.state.Apply(step.Action)
		for _, w := range p.watchers {
			w.Played(step.Action)
		}
	}
}

// forfeit ends an episode as lost by the player to move.
func forfeit(ep *dataset.Episode, mover env.Player, reason env.Reason) {
	ep.Terminated = true
	ep.Result, ep.Reason = env.WinFor(mover.Opponent()), reason
}

// open sets the start position and plays the random opening. It draws an opening again
// if it ends the game or is not balanced although the plan requires it.
func (p *Player) open(start env.State, ep *dataset.Episode) error {
	const attempts = 1000
	for attempt := range uint64(attempts) {
		p.state.CopyFrom(start)
		ep.Steps = ep.Steps[:0]
		p.rand.Seed(env.Derive(ep.Seed, openingStream, attempt))
		for len(ep.Steps) < p.plan.config.Opening.Plies && p.state.Player() != env.NoPlayer {
			step := p.step(ep, p.state.Player(), dataset.FromOpening)
			step.Action = p.legal[p.rand.IntN(len(p.legal))]
			p.state.Apply(step.Action)
		}
		if p.state.Player() != env.NoPlayer && (!p.plan.config.Opening.Balanced || p.balanced(start, ep)) {
			ep.OpeningPlies = p.plan.config.Opening.Plies
			return nil
		}
	}
	fault := "ended the game"
	if p.plan.config.Opening.Balanced {
		fault = "ended the game, put a side ahead or repeated a position"
	}
	return fmt.Errorf("%d random openings of %d plies from %s all %s; use fewer opening plies",
		attempts, p.plan.config.Opening.Plies, ep.Start, fault)
}

// balanced reports whether the opening just played kept the score of the start and
// reached no position twice.
func (p *Player) balanced(start env.State, ep *dataset.Episode) bool {
	if before, ok := start.(env.Scorer); ok && env.Score(before, env.First) != env.Score(p.state.(env.Scorer), env.First) {
		return false
	}
	for i := range ep.Steps {
		next := p.state.Hash()
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
func (p *Player) step(ep *dataset.Episode, mover env.Player, source dataset.Source) *dataset.Step {
	p.legal = p.state.Legal(p.legal[:0])
	step := ep.AddStep()
	step.Player, step.Source = mover, source
	step.LegalCount = int32(len(p.legal))
	step.Hash = p.state.Hash()
	return step
}
