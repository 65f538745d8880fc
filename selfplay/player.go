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
	*opener
	agents   [2]agent.Agent  // by agent of the plan, not by seat
	watchers []agent.Watcher // among the agents
	closers  []io.Closer
	stop     <-chan struct{} // closed when episodes must end; may be nil
	plied    func()          // called after each ply of an agent; may be nil
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
	opener, err := newOpener(plan)
	if err != nil {
		return nil, err
	}
	p := &Player{opener: opener}
	for i, spec := range plan.config.Agents {
		a, err := spec.New(plan.config.Variant.Game)
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

// OnPly has f called after each ply that an agent has played, so that its caller sees that
// a long game progresses. f must be quick.
func (p *Player) OnPly(f func()) { p.plied = f }

// StopWhen has the episode that is being played end soon, truncated, when done is closed.
// Searches in progress are interrupted.
func (p *Player) StopWhen(done <-chan struct{}) {
	p.stop = done
	for _, a := range p.agents {
		if s, ok := a.(agent.Stopper); ok {
			s.StopWhen(done)
		}
	}
}

func (p *Player) stopped() bool {
	select {
	case <-p.stop:
		return true
	default:
		return false
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
	assigned, _, err := p.open(number, ep)
	if err != nil {
		return err
	}
	seats, game := p.agents, uint64(0)
	if assigned.Swapped {
		seats[0], seats[1], game = seats[1], seats[0], 1
	}
	for seat, a := range seats {
		a.Begin(env.Derive(ep.Seed, agentStream, game, uint64(seat)))
	}
	if err := p.watch(p.start(&assigned), ep); err != nil {
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
		case p.plan.config.MaxPlies > 0 && ep.Plies() >= p.plan.config.MaxPlies || p.stopped():
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
		if p.plied != nil {
			p.plied()
		}
	}
}

// forfeit ends an episode as lost by the player to move.
func forfeit(ep *dataset.Episode, mover env.Player, reason env.Reason) {
	ep.Terminated = true
	ep.Result, ep.Reason = env.WinFor(mover.Opponent()), reason
}
