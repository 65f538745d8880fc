package balance

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// A counter counts episodes. It belongs to one goroutine.
type counter struct {
	board    *board
	source   *Source
	replayer *replay.Replayer
	sums     *sums // of the chunk
	group    *group
	game     sampledGame
	probe    env.State // for tracing legal actions
	events   []env.Event

	valuesOnly bool // see Options
}

func newCounter(b *board) *counter {
	return &counter{board: b, group: newGroup(b), game: newSampledGame(b), probe: env.NewState(b.game)}
}

// close ends a cluster.
func (c *counter) close() {
	c.sums.close(c.group)
	c.group.clear()
}

// episode counts an episode.
func (c *counter) episode(it *item) error {
	c.result(&it.Episode)
	c.group.games++
	if c.valuesOnly && !it.sampled {
		return nil
	}
	ply := 0
	if it.sampled {
		c.game.begin(it)
	}
	for m, err := range c.replayer.Moments(&it.Episode) {
		if err != nil {
			return err
		}
		if ply > it.OpeningPlies {
			c.ply(m.Events)
		}
		if it.sampled && ply >= it.OpeningPlies {
			c.sampled(it, m, ply)
		}
		ply++
	}
	if it.sampled {
		c.game.end(it, &c.sums.sample)
	}
	return nil
}

// result counts the end of an episode.
func (c *counter) result(ep *dataset.Episode) {
	s := c.sums
	s.games++
	s.plies += int64(ep.Plies())
	s.paired = s.paired || ep.Pair != dataset.NoPair
	for _, agent := range ep.Agents {
		s.agent(agent)
	}
	if ep.DecidedEarly() {
		s.early++
	}
	switch {
	case ep.Truncated:
		s.truncated++
	case !ep.Decided():
		s.failed++
	default:
		s.first.add(ep.Result)
		s.after(ep.OpeningPlies).add(ep.Result)
		s.mover.add(env.Result(ep.Result.For(ep.SideToMove())))
		s.reasons[ep.Reason].add(ep.Result)
		class := 0
		for class+1 < len(lengthEdges) && ep.Plies() >= lengthEdges[class+1] {
			class++
		}
		s.lengths[class].add(ep.Result)
	}
}

// ply counts the events of an agent's action.
func (c *counter) ply(events []env.Event) {
	g, b := c.group, c.board
	g.plies++
	c.sums.actions++
	killer, taken := 0, 0
	for i := range events {
		e := &events[i]
		t := int(e.Piece)
		switch e.Kind {
		case env.Moved, env.Sown, env.LeftBoard:
			g.moved.add(t, 0, 1)
			enemy := e.Player.Opponent()
			if e.Kind == env.Moved && b.home[enemy][e.To] && !b.home[enemy][e.From] {
				g.entries.add(t, 0, 1)
			}
		case env.Fired:
			g.shots.add(t, 0, 1)
		case env.Captured, env.Destroyed:
			amount, victim := b.amount(e), int(e.Victim)
			g.kills.add(t, victim, int(amount))
			g.killAt.add(t, b.spec.Frame(e.Player, int(e.To)), int(amount))
			g.deathAt.add(victim, b.spec.Frame(e.Player.Opponent(), int(e.To)), int(amount))
			if e.Face != env.NoFace {
				g.faces.add(victim, int(e.Face), 1)
			}
			killer = t
			taken++
		}
	}
	if taken > 0 {
		g.captures.add(killer, min(taken, 2)-1, 1)
	}
}

// sampled counts a position of a game of the sample, from the end of its opening on.
func (c *counter) sampled(it *item, m *replay.Moment, ply int) {
	game := &c.game
	game.look(m, ply-it.OpeningPlies)
	if ply == it.Plies() {
		return
	}
	for _, p := range game.pieces {
		if !p.Wreck {
			c.group.standsAt.add(int(p.Type), c.board.spec.Frame(p.Owner, int(p.Square)), 1)
		}
	}
	c.group.positions++
	if ply == game.mobilityPly && !c.valuesOnly {
		c.mobility(m)
	}
	if it.Episode.Decided() {
		game.draw(m.State.Player())
	}
}

// mobility counts the legal actions of a position by the type that they move.
func (c *counter) mobility(m *replay.Moment) {
	c.group.turns++
	tracer := c.probe.(env.Tracer)
	for _, a := range m.Legal {
		c.probe.CopyFrom(m.State)
		c.events = tracer.Trace(a, c.events[:0])
		for i := range c.events {
			if k := c.events[i].Kind; k == env.Moved || k == env.Sown || k == env.LeftBoard {
				c.group.legal.add(int(c.events[i].Piece), 0, 1)
			}
		}
	}
	for _, p := range c.game.pieces {
		if !p.Wreck && p.Owner == m.State.Player() {
			c.group.movers.add(int(p.Type), 0, 1)
		}
	}
}
