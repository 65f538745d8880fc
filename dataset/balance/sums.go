package balance

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// sums holds the counts of consecutive episodes.
type sums struct {
	board             *board
	games, plies      int64
	truncated, failed int64 // games without a decided result
	early             int64 // games that ended within two plies of the agents' taking over
	actions           int64 // plies by agents
	agents            []string
	paired            bool
	opened            map[int]*results // of the first player, by plies of the opening
	first, mover      results          // mover is the side to move when the agents take over
	lengths           [len(lengthEdges)]results
	reasons           [env.Crashed + 1]results
	types             []typeSums
	sample            sample
	shots, clusters   int64 // clusters are pairs of games, or games
}

// lengthEdges are the lower bounds, in plies, of the classes of length.
var lengthEdges = [...]int{0, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000}

func newSums(b *board) *sums {
	s := &sums{board: b, opened: map[int]*results{}}
	for range b.spec.Pieces {
		s.types = append(s.types, newTypeSums(b))
	}
	s.sample = newSample(b)
	return s
}

// close ends a cluster.
func (s *sums) close(g *group) {
	s.clusters++
	all := s.first.pending()
	s.first.close(all)
	s.mover.close(all)
	for _, r := range s.opened {
		r.close(all)
	}
	for i := range s.lengths {
		s.lengths[i].close(all)
	}
	for i := range s.reasons {
		s.reasons[i].close(all)
	}
	for t := range s.types {
		s.types[t].add(g, t)
		s.shots += g.shots.total(t)
	}
}

// merge adds the sums of the episodes that follow.
func (s *sums) merge(o *sums) error {
	s.games += o.games
	s.plies += o.plies
	s.truncated += o.truncated
	s.failed += o.failed
	s.early += o.early
	s.actions += o.actions
	s.shots += o.shots
	s.clusters += o.clusters
	s.paired = s.paired || o.paired
	for _, agent := range o.agents {
		s.agent(agent)
	}
	s.first.merge(&o.first)
	s.mover.merge(&o.mover)
	for plies, r := range o.opened {
		s.after(plies).merge(r)
	}
	for i := range s.lengths {
		s.lengths[i].merge(&o.lengths[i])
	}
	for i := range s.reasons {
		s.reasons[i].merge(&o.reasons[i])
	}
	for t := range s.types {
		s.types[t].merge(&o.types[t])
	}
	return s.sample.merge(&o.sample)
}

// after returns the results after openings of a number of plies.
func (s *sums) after(plies int) *results {
	r := s.opened[plies]
	if r == nil {
		r = new(results)
		s.opened[plies] = r
	}
	return r
}

func (s *sums) agent(name string) {
	if !slices.Contains(s.agents, name) {
		s.agents = append(s.agents, name)
	}
}

// A sample holds the data of the games of the sample, in their order.
type sample struct {
	games     int64
	rows      []row
	trades    []trade
	different map[uint64]struct{} // keys of distinct games
	openings  map[uint64]struct{} // hashes of positions after the opening
	contact   span                // of the game: until the first capture
	contacts  []span              // by type: until a piece of it first takes or is taken
	lives     []span              // by type: lifetimes of its pieces
}

// A row is a position of a game with a result.
type row struct {
	game    int64 // counted over all sources
	group   int64
	opening uint64    // hash of the position after the opening
	agents  [2]string // by player
	phase   phase
	outcome int8    // −1, 0 or 1 for the first player
	turn    int8    // 1 if the first player is to move, −1 if the second
	ahead   []int16 // by type: pieces or seeds, the first player's minus the second's
}

// A trade is the number of pieces of one type that another took in a group.
type trade struct {
	group          int64
	killer, victim int16
	amount         int32
}

// A span collects lifetimes: the sums of a chunk in ended, the sums of all in all.
type span struct {
	ended []ending
	all   stats.Lifetimes
}

type ending struct {
	group int64
	plies int
	died  bool
}

func (s *span) add(group int64, plies int, died bool) {
	s.ended = append(s.ended, ending{group, plies, died})
}

func (s *span) merge(o *span) error {
	for _, e := range o.ended {
		if err := s.all.Add(e.group, e.plies, e.died); err != nil {
			return fmt.Errorf("an episode: %w", err)
		}
	}
	return nil
}

func newSample(b *board) sample {
	k := len(b.spec.Pieces)
	return sample{different: map[uint64]struct{}{}, openings: map[uint64]struct{}{}, contacts: make([]span, k), lives: make([]span, k)}
}

func (s *sample) merge(o *sample) error {
	s.games += o.games
	s.rows = append(s.rows, o.rows...)
	s.trades = append(s.trades, o.trades...)
	for key := range o.different {
		s.different[key] = struct{}{}
	}
	for key := range o.openings {
		s.openings[key] = struct{}{}
	}
	if err := s.contact.merge(&o.contact); err != nil {
		return err
	}
	for t := range s.lives {
		if err := s.contacts[t].merge(&o.contacts[t]); err != nil {
			return err
		}
		if err := s.lives[t].merge(&o.lives[t]); err != nil {
			return err
		}
	}
	return nil
}
