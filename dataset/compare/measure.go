package compare

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// Measures holds sums over the self-play games of a variant with a budget, and counts of
// lengths and first actions. It takes about 40 bytes for each distinct game, whatever
// its length.
type Measures struct {
	settings *dataset.Settings
	played   int64

	truncated, resigned, failed int64
	distinct, openings          int64 // distinct games, and distinct positions after the opening
	early                       int64 // games that ended within two plies of the agents' taking over
	valued                      int64 // games with enough search values

	means    [openingDiversity]stats.Clusters
	lengths  map[int]int64
	firsts   map[env.Action]int64 // first actions of agents
	reasons  map[env.Reason]*reason
	eventful bool // the game reports events
}

// A reason counts the games that ended for it.
type reason struct {
	games, draws int64
	score        stats.Clusters // the first player's
}

// coverageGames bounds the games that are replayed for coverage.
const coverageGames = 1000

// coverageStride returns the s for which every s-th game of n is replayed.
func coverageStride(n int64) int64 { return max(1, (n+coverageGames-1)/coverageGames) }

// Measure counts at most the given number of episodes from the start of a data set of
// self-play. The error wraps balance.ErrSources if two agents played the games, and a
// *dataset.Fault if the data are damaged. Unknown rules are an error too.
func Measure(ctx context.Context, source balance.Source, games int64) (*Measures, error) {
	if source.Settings.Paired() {
		return nil, fmt.Errorf("%s: %w: games are %s against %s, must be self-play of one agent", source.Name, balance.ErrSources,
			source.Settings.Agents[0], source.Settings.Agents[1])
	}
	m := &Measures{
		settings: source.Settings,
		lengths:  map[int]int64{}, firsts: map[env.Action]int64{}, reasons: map[env.Reason]*reason{},
	}
	c := counter{Measures: m, hasher: dataset.NewGameHasher(), distinct: map[uint64]struct{}{}, openings: map[uint64]struct{}{}, seen: map[uint64]struct{}{}}
	if err := c.prepareReplay(); err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	c.stride = coverageStride(min(games, source.Count))
	for ep, err := range source.Episodes {
		if m.played >= games {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = c.episode(ep)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.Name, err)
		}
	}
	m.distinct, m.openings = int64(len(c.distinct)), int64(len(c.openings))
	return m, nil
}

// A counter counts episodes into Measures.
type counter struct {
	*Measures
	hasher             *dataset.GameHasher
	distinct, openings map[uint64]struct{}
	seen               map[uint64]struct{} // positions of the current episode
	leads              leads               // of the current episode

	replayer *replay.Replayer
	touched  []bool // by square, in the current episode
	stride   int64  // every stride-th game is replayed
}

func (c *counter) prepareReplay() error {
	replayer, err := replay.New(c.settings)
	if err != nil {
		return err
	}
	spec := replayer.Game().Spec()
	_, c.eventful = env.NewState(replayer.Game()).(env.Tracer)
	c.replayer, c.touched = replayer, make([]bool, spec.Width*spec.Height)
	return nil
}

func (c *counter) episode(ep *dataset.Episode) error {
	c.played++
	c.distinct[c.hasher.Hash(ep)] = struct{}{}
	c.openings[ep.Opened()] = struct{}{}
	if ep.DecidedEarly() {
		c.early++
	}
	switch {
	case ep.Truncated:
		c.truncated++
	case !ep.Decided():
		c.failed++
		return nil
	case ep.Reason == env.Resigned:
		c.resigned++
	}
	c.means[completion].Add(indicator(!ep.Truncated), 1)
	c.means[length].Add(float64(ep.Plies()), 1)
	c.lengths[ep.Plies()]++
	if !ep.Truncated {
		c.result(ep)
	}
	c.choices(ep)
	c.repeats(ep)
	c.searches(ep)
	if (c.played-1)%c.stride == 0 && c.eventful {
		return c.squares(ep)
	}
	return nil
}

// result counts the result of a game.
func (c *counter) result(ep *dataset.Episode) {
	score := float64(ep.Result+1) / 2
	c.means[firstScore].Add(score, 1)
	c.means[moverScore].Add(float64(ep.Result.For(ep.SideToMove())+1)/2, 1)
	c.means[draws].Add(indicator(ep.Result == 0), 1)
	c.means[decisive].Add(indicator(ep.Result != 0), 1)
	c.means[firstWins].Add(indicator(ep.Result > 0), 1)
	c.means[secondWins].Add(indicator(ep.Result < 0), 1)
	r := c.reasons[ep.Reason]
	if r == nil {
		r = new(reason)
		c.reasons[ep.Reason] = r
	}
	r.games++
	if ep.Result == 0 {
		r.draws++
	}
	r.score.Add(score, 1)
}

// choices counts the agents' legal actions, and their first action.
func (c *counter) choices(ep *dataset.Episode) {
	legal, plies := int64(0), int64(0)
	for i := range ep.Steps {
		s := &ep.Steps[i]
		if s.Source != dataset.FromAgent {
			continue
		}
		if plies == 0 {
			c.firsts[s.Action]++
		}
		legal += int64(s.LegalCount)
		plies++
	}
	c.means[branching].Add(float64(legal), plies)
}

// repeats counts the positions after the opening that occurred before in the game.
func (c *counter) repeats(ep *dataset.Episode) {
	clear(c.seen)
	again, positions := int64(0), int64(0)
	for ply := range len(ep.Steps) + 1 {
		hash := ep.FinalHash
		if ply < len(ep.Steps) {
			hash = ep.Steps[ply].Hash
		}
		if ply >= ep.OpeningPlies {
			positions++
			if _, before := c.seen[hash]; before {
				again++
			}
		}
		c.seen[hash] = struct{}{}
	}
	c.means[repetition].Add(float64(again), positions)
}

// squares counts the squares that the agents' plies touched.
func (c *counter) squares(ep *dataset.Episode) error {
	clear(c.touched)
	ply := 0
	for moment, err := range c.replayer.Moments(ep) {
		if err != nil {
			return err
		}
		if ply > ep.OpeningPlies {
			for i := range moment.Events {
				e := &moment.Events[i]
				if e.To != env.None {
					c.touched[e.To] = true
				}
				if e.Kind == env.Sown {
					c.touched[e.From] = true
				}
			}
		}
		ply++
	}
	n := 0.0
	for _, touched := range c.touched {
		n += indicator(touched)
	}
	c.means[coverage].Add(n/float64(len(c.touched)), 1)
	return nil
}

// indicator returns 1 for true and 0 for false.
func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// leads holds the search values that agents reported in a game, from the first player's
// view.
type leads struct {
	values []float64
	plies  int // plies of agents, with or without a value
}

// read replaces the values with those of an episode.
func (l *leads) read(ep *dataset.Episode) {
	l.values, l.plies = l.values[:0], 0
	for i := range ep.Steps {
		s := &ep.Steps[i]
		if s.Source != dataset.FromAgent {
			continue
		}
		l.plies++
		if s.Search.Has&dataset.HasValue == 0 {
			continue
		}
		value := float64(s.Search.Value)
		if s.Player == env.Second {
			value = -value
		}
		l.values = append(l.values, value)
	}
}

// enough reports whether half of the agents' plies or more have a value.
func (l *leads) enough() bool { return len(l.values) > 0 && 2*len(l.values) >= l.plies }

// changes returns how often the lead changed sides.
func (l *leads) changes() int {
	changes, leader := 0, 0
	for _, v := range l.values {
		now := leader
		switch {
		case v > leadBand:
			now = 1
		case v < -leadBand:
			now = -1
		}
		if leader != 0 && now != leader {
			changes++
		}
		leader = now
	}
	return changes
}

// deficit returns how far behind the winner was on average over the plies at which it
// was behind, or 0 if it never was. winner is 1 for the first player and −1 for the
// second.
func (l *leads) deficit(winner float64) float64 {
	sum, behind := 0.0, 0.0
	for _, v := range l.values {
		if winner*v < 0 {
			sum -= winner * v
			behind++
		}
	}
	if behind == 0 {
		return 0
	}
	return min(1, sum/behind)
}

// decided returns the share of the plies up to the last one at which the winner did not
// lead.
func (l *leads) decided(winner float64) float64 {
	last := 0
	for i, v := range l.values {
		if winner*v <= 0 {
			last = i + 1
		}
	}
	return float64(last) / float64(len(l.values))
}

// searches counts the search values of a game.
func (c *counter) searches(ep *dataset.Episode) {
	l := &c.leads
	l.read(ep)
	if !l.enough() {
		return
	}
	c.valued++
	c.means[leadChanges].Add(float64(l.changes()), 1)
	if ep.Truncated || ep.Result == 0 {
		return
	}
	winner := float64(ep.Result)
	c.means[drama].Add(l.deficit(winner), 1)
	c.means[decidedAt].Add(l.decided(winner), 1)
}
