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

// Ratings are the strengths of players after a tournament. All intervals are finite.
type Ratings struct {
	// Players are the ratings in Elo, with mean 0. N counts games.
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

// RatingPrior is the usual number of virtual games of [RatePairs]: a single draw.
const RatingPrior = 1

// RatePairs fits the model of Bradley and Terry with Davidson's draws and an advantage of
// moving first to the games of a number of players, with a weak prior. In a game between
// strengths a, of the first player, and b, the first player
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
// The prior is a number of virtual games, above 0. Each player draws that many games with
// a player of strength 1, the middle of the pool, where a draw is half a win and half a
// loss: the prior of its strength is (√a/(1+a))^prior. The prior of g is the same. In the
// prior of ν half of the virtual games, between equals, are draws. Thus a player that won every game has a finite
// rating, while the prior hardly moves a rating that many games determine.
//
// The estimates maximise the posterior density. A bound is the value at which the profile
// of the logarithm of the density is less than its maximum by z²/2, half the quantile of
// χ² with one degree of freedom. Because the games of a pair share an opening and depend on
// each other, this distance is multiplied by the ratio of two variances if that is above
// 1: of I⁻¹·(Σ ssᵀ)·I⁻¹, where s is the derivative of a pair's log-likelihood (Liang and
// Zeger 1986, "Longitudinal Data Analysis Using Generalized Linear Models", with the factor
// n/(n−1) for n pairs), to the inverse information matrix I⁻¹, which takes games for
// independent.
func RatePairs(players int, pairings []Pairing, prior, level float64) Ratings {
	var games []meetings
	for i := range pairings {
		m := pairings[i].meetings()
		games = append(games, m[0], m[1])
	}
	return rate(players, games, pairings, prior, level)
}

func rate(players int, games []meetings, pairings []Pairing, prior, level float64) Ratings {
	played := make([]int64, players)
	draws, total := int64(0), int64(0)
	for i := range games {
		m := &games[i]
		played[m.First] += m.games()
		played[m.Second] += m.games()
		draws += m.Draws
		total += m.games()
	}
	f := &fit{players: players, games: games, pairings: pairings, draws: draws > 0, prior: prior, level: level}
	f.best = f.maximise(f.free(), nil)
	r := Ratings{FirstMove: f.interval(f.only(f.players), total), Draws: Wilson(0, total, level)}
	for i := range players {
		r.Players = append(r.Players, f.interval(f.rating(i), played[i]))
	}
	if f.draws {
		r.Draws = drawShare(f.interval(f.only(f.players+1), total))
	}
	return r
}

const ratingMethod = "bradley-terry, davidson, prior"

// drawShare transforms 400·log₁₀ ν into the share of draws between equals, ν/(2+ν).
func drawShare(i Interval) Interval {
	share := func(elo float64) float64 { return 1 / (1 + 2*math.Exp(-elo/eloPerNat)) }
	i.Estimate, i.Low, i.High = share(i.Estimate), share(i.Low), share(i.High)
	return i
}

// rating returns the combination of parameters that is player i's rating relative to the
// mean of all players.
func (f *fit) rating(i int) []float64 {
	c := make([]float64, f.players+2)
	for j := range f.players {
		c[j] = -1 / float64(f.players)
	}
	c[i]++
	return c
}

// only returns the combination that is parameter k.
func (f *fit) only(k int) []float64 {
	c := make([]float64, f.players+2)
	c[k] = 1
	return c
}

// interval returns the interval of a combination of parameters, in Elo.
func (f *fit) interval(c []float64, n int64) Interval {
	i := Interval{Level: f.level, N: n, Method: ratingMethod}
	if !slices.ContainsFunc(c, func(x float64) bool { return math.Abs(x) > 1e-12 }) {
		return i // the only player is the mean
	}
	i.Estimate = f.best.value(c)
	i.Low, i.High = f.profileEnd(c, -1), f.profileEnd(c, 1)
	return i.Times(eloPerNat)
}
