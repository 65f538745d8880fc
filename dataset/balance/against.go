package balance

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Results are the results of games from elsewhere, such as games between people.
type Results struct {
	Name                string // who played, or where
	Wins, Draws, Losses int64  // of the first player
}

// MaxResults is the greatest count of games in Results.
const MaxResults = 1 << 40

func (r *Results) validate() error {
	for _, n := range []int64{r.Wins, r.Draws, r.Losses} {
		if n < 0 || n > MaxResults {
			return fmt.Errorf("%w: a count of games of %s is %d, must be 0 to %d", ErrResults, r.Name, n, int64(MaxResults))
		}
	}
	if r.Wins+r.Draws+r.Losses == 0 {
		return fmt.Errorf("%w: %s has 0 games, must have 1 or more", ErrResults, r.Name)
	}
	return nil
}

// Against compares the results of the seats with those of games from elsewhere. The
// games from elsewhere are assumed to be independent of each other.
type Against struct {
	Name  string          `json:"name"`
	Games int64           `json:"games"`
	First dataset.Outcome `json:"first_player"` // theirs
	// The differences are these games minus theirs.
	Win   stats.Interval `json:"win_difference"`
	Draw  stats.Interval `json:"draw_difference"`
	Loss  stats.Interval `json:"loss_difference"`
	Score stats.Interval `json:"score_difference"`
	// Same tests whether the shares of won, drawn and lost games are equal.
	Same stats.Test `json:"same_results"`
}

// against compares the results with those of others. It returns nil if o is nil.
func (s *sums) against(o *Results) *Against {
	if o == nil {
		return nil
	}
	theirs := o.results()
	a := &Against{Name: o.Name, Games: theirs.games(), First: theirs.outcome()}
	differing := func(of, others *stats.Clusters) stats.Interval {
		return stats.Difference(of.Interval(stats.Level), others.Interval(stats.Level))
	}
	a.Loss, a.Draw, a.Win = differing(&s.first.shares[0], &theirs.shares[0]), differing(&s.first.shares[1], &theirs.shares[1]), differing(&s.first.shares[2], &theirs.shares[2])
	a.Score = differing(&s.first.score, &theirs.score)
	a.Same = s.first.same(theirs, s.paired)
	return a
}

// results returns the Results as if they had been counted game by game.
func (r *Results) results() *results {
	var all results
	for result, n := range [3]int64{r.Losses, r.Draws, r.Wins} {
		var one results
		one.open[result] = 1
		one.close(1)
		all.addTimes(&one, n)
	}
	return &all
}

// same tests by chi-square whether r and o have the same shares of won, drawn and lost
// games. If r is paired, its counts are divided first by their design effect, which is the
// greatest of the three shares (Rao and Scott 1992, "A Simple Method for the Analysis of
// Clustered Binary Data"), so that they count as independent games.
func (r *results) same(o *results, paired bool) stats.Test {
	effect, counts := 1.0, r.counts
	for k := range r.shares {
		share, variance := r.shares[k].Mean()
		if independent := share * (1 - share) / float64(r.games()); paired && independent > 0 {
			effect = math.Max(effect, variance/independent)
		}
	}
	for k := range counts {
		counts[k] = int64(math.Round(float64(counts[k]) / effect))
	}
	draw := stats.Resampling{Replicates: 10_000, Seed: againstStream}
	t, err := draw.Independence([][]int64{counts[:], o.counts[:]})
	if err != nil { // does not occur with these counts
		return stats.Test{P: 1, Method: err.Error()}
	}
	if paired {
		t.Method += fmt.Sprintf(", design effect %.2f", effect)
	}
	return t
}

// againstStream seeds the tables that the test draws if counts are small.
const againstStream = 0x6f7468657273 // "others"
