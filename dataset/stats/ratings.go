package stats

import (
	"math"
	"slices"
)

// meetings counts the games of two players in which First moves first, from First's point
// of view.
type meetings struct {
	First, Second       int // players, from 0
	Wins, Draws, Losses int64
}

func (m *meetings) games() int64 { return m.Wins + m.Draws + m.Losses }

// Ratings are the strengths of players after a tournament.
type Ratings struct {
	// Players are the ratings in Elo. The largest group of players that can be compared
	// with each other has mean 0. The rating of a player that won or lost every game
	// against them is ±Inf, with a finite bound on the other side. The rating of a player
	// that cannot be compared with them has infinite bounds. N counts games.
	Players []Interval
	// FirstMove is the advantage of moving first in Elo.
	FirstMove Interval
	// Draws is the share of draws between equals when neither moves first.
	Draws Interval
}

// PairTable counts pairs of games in which two sides swap seats. Element [i][j] is the
// number of pairs in which one side had result i moving first and result j moving second,
// where 0 is a loss, 1 a draw and 2 a win.
type PairTable [3][3]int64

// A Pairing is the pairs of games between two players, from First's point of view.
type Pairing struct {
	First, Second int // players, from 0
	Pairs         PairTable
}

// meetings returns the games with each player moving first.
func (p *Pairing) meetings() [2]meetings {
	m := [2]meetings{{First: p.First, Second: p.Second}, {First: p.Second, Second: p.First}}
	for i := range p.Pairs {
		for j, n := range p.Pairs[i] {
			m[0].add(i, n)
			m[1].add(2-j, n)
		}
	}
	return m
}

// add adds n games with a result: 0 for a loss, 1 for a draw, 2 for a win.
func (m *meetings) add(result int, n int64) {
	switch result {
	case 0:
		m.Losses += n
	case 1:
		m.Draws += n
	case 2:
		m.Wins += n
	}
}

// RatePairs fits the model of Bradley and Terry with Davidson's draws and an advantage of
// moving first to the games of a number of players, by maximum likelihood. In a game
// between strengths a, of the first player, and b, the first player
//
//	wins   with probability  g·a / (g·a + b + ν·√(g·a·b))
//	loses                    b / (…)
//	draws                    ν·√(g·a·b) / (…)
//
// (Bradley and Terry 1952, "Rank Analysis of Incomplete Block Designs I"; Davidson 1970,
// "On Extending the Bradley–Terry Model to Accommodate Ties in Paired Comparison
// Experiments"; for the advantage g, Davidson and Beaver 1977, "On Extending the
// Bradley–Terry Model to Incorporate Within-Pair Order Effects"). A rating is 400·log₁₀ of
// a strength: a difference of 400 Elo means odds of 10 to 1 of a win against a loss.
//
// Intervals are Wald's. Because the games of a pair share an opening and depend on each
// other, a variance is the greater of two: that of the inverse information matrix I⁻¹, as
// if games were independent, and I⁻¹·(Σ ssᵀ)·I⁻¹, where s is the derivative of a pair's
// log-likelihood (Liang and Zeger 1986, "Longitudinal Data Analysis Using Generalized
// Linear Models", with the factor n/(n−1) for n pairs). If the likelihood increases
// without limit, the bounded end of the interval is that of the profile likelihood.
func RatePairs(players int, pairings []Pairing, level float64) Ratings {
	var games []meetings
	for i := range pairings {
		m := pairings[i].meetings()
		games = append(games, m[0], m[1])
	}
	return rate(players, games, pairings, level)
}

func rate(players int, games []meetings, pairings []Pairing, level float64) Ratings {
	played := make([]int64, players)
	var counts [3]int64
	for i := range games {
		m := &games[i]
		played[m.First] += m.games()
		played[m.Second] += m.games()
		counts[0] += m.Losses
		counts[1] += m.Draws
		counts[2] += m.Wins
	}
	total := counts[0] + counts[1] + counts[2]
	if counts[0]+counts[2] == 0 {
		return undecided(played, counts[1], level)
	}
	f := newFit(players, games, counts[1] > 0, level)
	f.pairings = pairings
	r := Ratings{FirstMove: f.interval(f.advantage(), total)}
	anchors := f.anchors(played)
	for i := range players {
		r.Players = append(r.Players, f.interval(f.rating(i, anchors), played[i]))
	}
	if f.draws {
		r.Draws = drawShare(f.interval(f.drawing(), total))
	} else {
		r.Draws = Wilson(0, total, level)
	}
	return r
}

// undecided returns the ratings if no game was decided. They are unbounded.
func undecided(played []int64, draws int64, level float64) Ratings {
	r := Ratings{FirstMove: unbounded(level, draws), Draws: Wilson(draws, draws, level)}
	for _, n := range played {
		r.Players = append(r.Players, unbounded(level, n))
	}
	return r
}

const ratingMethod = "bradley-terry, davidson"

func unbounded(level float64, n int64) Interval {
	return Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: n, Method: ratingMethod}
}

// drawShare transforms 400·log₁₀ ν into the share of draws between equals, ν/(2+ν).
func drawShare(i Interval) Interval {
	share := func(elo float64) float64 { return 1 / (1 + 2*math.Exp(-elo/eloPerNat)) }
	i.Estimate, i.Low, i.High = share(i.Estimate), share(i.Low), share(i.High)
	return i
}

// anchors returns the players of the largest group whose ratings can be compared with
// each other.
func (f *fit) anchors(played []int64) []int {
	var best []int
	for i := range f.players {
		var group []int
		for j := range f.players {
			if played[j] > 0 && math.Abs(f.drift(j)-f.drift(i)) < unboundedDrift {
				group = append(group, j)
			}
		}
		if played[i] > 0 && len(group) > len(best) {
			best = group
		}
	}
	return best
}

// rating returns the combination of parameters that is player i's rating relative to the
// mean of the anchors.
func (f *fit) rating(i int, anchors []int) []float64 {
	c := make([]float64, f.players+2)
	c[i] = 1
	for _, j := range anchors {
		c[j] -= 1 / float64(len(anchors))
	}
	return c
}

func (f *fit) advantage() []float64 { return f.only(f.players) }
func (f *fit) drawing() []float64   { return f.only(f.players + 1) }

func (f *fit) only(k int) []float64 {
	c := make([]float64, f.players+2)
	c[k] = 1
	return c
}

// interval returns the interval of a combination of parameters, in Elo.
func (f *fit) interval(c []float64, n int64) Interval {
	i := unbounded(f.level, n)
	if !slices.ContainsFunc(c, func(x float64) bool { return math.Abs(x) > 1e-12 }) {
		i.Low, i.High = 0, 0 // the only anchor is 0 by definition
		return i
	}
	estimate, variance := f.near.value(c), math.Max(f.near.variance(c), f.scatter(c))
	switch drift := estimate - f.far.value(c); {
	case drift > unboundedDrift:
		i.Estimate, i.Low = math.Inf(1), f.profileEnd(c, -1)
	case drift < -unboundedDrift:
		i.Estimate, i.High = math.Inf(-1), f.profileEnd(c, 1)
	case variance > unknownVariance:
		i.Estimate = estimate
	default:
		half := normalQuantile(f.level) * math.Sqrt(variance)
		i.Estimate, i.Low, i.High = estimate, estimate-half, estimate+half
	}
	return i.Times(eloPerNat)
}
