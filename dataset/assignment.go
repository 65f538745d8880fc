package dataset

import (
	"iter"

	"github.com/sandtable-farm/sandtable/env"
)

// An Assignment holds the facts about an episode that follow from the settings and its
// number.
type Assignment struct {
	Group   int64     // number of the pair, or of the episode in unpaired self-play
	Pair    int64     // number of the pair, or NoPair in unpaired self-play
	Swapped bool      // it is the second game of a pair, in which the agents swap seats
	Seed    uint64    // shared by the group
	Agents  [2]string // by player
	Start   string    // position text; empty for the variant's own start
	// OpeningPlies is the number of plies of the opening. Under an OpeningPolicy it is that
	// of the settings in the first group of each start position, one more in the second, and
	// so on in turn.
	OpeningPlies int
	// PlayOn says that the game is played on if the resignation rule applies. It is drawn
	// for each game with probability Resign.PlayOn, by the seed Derive(Seed, 3, game in the
	// pair).
	PlayOn bool
}

// playOnStream is the stream of random numbers, derived from an episode's seed, that draws
// PlayOn. Package selfplay uses streams 1 and 2.
const playOnStream = 3

// Assign returns the assignment of an episode.
func (s *Settings) Assign(number int64) Assignment {
	a := Assignment{Group: number, Pair: NoPair, Agents: s.Agents}
	if s.Paired() {
		a.Group, a.Swapped = number/2, number%2 == 1
		a.Pair = a.Group
	}
	game := uint64(0)
	if a.Swapped {
		a.Agents[0], a.Agents[1] = a.Agents[1], a.Agents[0]
		game = 1
	}
	a.Seed = env.Derive(s.Seed, uint64(a.Group))
	if s.Resign.PlayOn > 0 {
		a.PlayOn = env.NewRand(env.Derive(a.Seed, playOnStream, game)).Float64() < s.Resign.PlayOn
	}
	round := a.Group
	if n := int64(len(s.Starts)); n > 0 {
		a.Start = s.Starts[a.Group%n]
		round = a.Group / n
	}
	a.OpeningPlies = s.OpeningPlies
	if s.OpeningPolicy.Alternates() {
		a.OpeningPlies += int(round & 1)
	}
	return a
}

// Numbers yields the numbers of the episodes of jobs, in ascending order.
func (s *Settings) Numbers(jobs Jobs) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for job := range jobs.All() {
			first, count := s.Job(job)
			for i := range count {
				if !yield(first + i) {
					return
				}
			}
		}
	}
}

// Count returns the number of episodes of jobs.
func (s *Settings) Count(jobs Jobs) int64 {
	n := jobs.Len() * s.JobEpisodes
	if last := jobs.Max(); last >= 0 {
		_, count := s.Job(last) // only the last job of a run can be smaller
		n += count - s.JobEpisodes
	}
	return n
}

// Missing returns the jobs of the run that are not among the given ones. In a run without an
// end, these are the missing jobs that are less than end.
func (s *Settings) Missing(jobs Jobs, end int64) Jobs {
	if n := s.Jobs(); n >= 0 {
		end = n
	}
	return JobsBelow(end).Without(jobs)
}
