package compare

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

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
