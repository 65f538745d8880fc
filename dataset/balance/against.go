package balance

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// Results are those of games from elsewhere, such as of people.
type Results struct {
	Name                string // of who played, or where
	Wins, Draws, Losses int64  // of the first player
}

// MaxResults bounds how many games Results may be of.
const MaxResults = 1 << 40

// validate refuses counts that are none.
func (r *Results) validate() error {
	for _, n := range []int64{r.Wins, r.Draws, r.Losses} {
		if n < 0 || n > MaxResults {
			return fmt.Errorf("%w: a count of games of %s is %d, must be 0 to %d", ErrResults, r.Name, n, int64(MaxResults))
		}
	}
	if r.Wins+r.Draws+r.Losses == 0 {
		return fmt.Errorf("%w: %s has no games, must have some", ErrResults, r.Name)
	}
	return nil
}

// Against is what seats are worth to others beside what they are worth here.
type Against struct {
	Name  string          `json:"name"`
	Games int64           `json:"games,string"`
	First dataset.Outcome `json:"first_player"` // theirs
	// The differences are of these games less theirs.
	Win   stats.Interval `json:"win_difference"`
	Draw  stats.Interval `json:"draw_difference"`
	Loss  stats.Interval `json:"loss_difference"`
	Score stats.Interval `json:"score_difference"`
	// Same tests whether won, drawn and lost games have the same shares.
	Same   stats.Test `json:"same_results"`
	Answer string     `json:"answer"`
	// Assumptions are what the intervals and the test rest on, and what a difference
	// may be one of besides.
	Assumptions []string `json:"assumptions"`
}

// against compares the results with those of others; nil without any.
func (s *sums) against(b *board, o *Results) *Against {
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
	a.Answer = a.answer(b, s.first.games())
	a.Assumptions = []string{
		"Games of " + o.Name + " are taken as independent of each other. Where the same people played many of them they are not, and intervals are too narrow.",
		"The two differ in more than who plays: in strength, in time to think, in how games begin (here a part may be random plies) and in which games were finished and counted. A difference is one of all of that together.",
		"Counts are as they were given; nothing in them could be checked.",
	}
	return a
}

// results are Results as if counted game by game.
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

// same tests by chi-square whether two have the same shares of won, drawn and lost
// games. Counts of games that come in pairs are divided by their design effect, the
// greatest of the three shares' (Rao and Scott 1992, "A Simple Method for the
// Analysis of Clustered Binary Data"), so that they are as good as independent.
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
	t, err := draw.Independence([][]int64{counts[:], o.counts[:]}, stats.Pearson)
	if err != nil { // of no counts that come here
		return stats.Test{P: 1, Method: err.Error()}
	}
	if paired {
		t.Method += fmt.Sprintf(", design effect %.2f", effect)
	}
	return t
}

// againstStream seeds tables that are drawn where counts are few.
const againstStream = 0x6f7468657273 // "others"

// answer says in sentences how the two differ.
func (a *Against) answer(b *board, games int64) string {
	if games == 0 {
		return "No game here has a result to be compared with those of " + a.Name + "."
	}
	first := b.spec.Players[env.First]
	text := fmt.Sprintf("To %s, who moves first, the seat is worth %s in games of %s. ", first, dataset.Share(a.First.Score), a.Name)
	points := func(i stats.Interval) string {
		write := func(x float64) string { return dataset.Decimal("%+.1f", 100*x) }
		return fmt.Sprintf("%s points (%s to %s)", write(i.Estimate), write(i.Low), write(i.High))
	}
	switch {
	case a.Score.Low > 0 || a.Score.High < 0:
		text += fmt.Sprintf("Here its score differs by %s. ", points(a.Score))
	default:
		text += fmt.Sprintf("That its score is another here is not shown: it differs by %s. ", points(a.Score))
	}
	if a.Draw.Low > 0 || a.Draw.High < 0 {
		text += fmt.Sprintf("The share of draws differs by %s. ", points(a.Draw))
	}
	if a.Same.P < 1-stats.Level {
		return text + "Won, drawn and lost games do not have the same shares."
	}
	return text + "That won, drawn and lost games have other shares is not shown, which does not show that they are the same."
}
