package balance

import (
	"math"
	"sort"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// Activity describes what the pieces of each type do and suffer in the plies that agents
// chose, counting both players together. Plies are counted from the end of the opening.
type Activity struct {
	Games   int64 `json:"games"`
	Turns   int64 `json:"turns"`
	Sampled int64 `json:"sampled"` // games of the sample
	// FirstCapture is the median ply of the first capture; games that end before count as
	// censored. It is +Inf if fewer than half the games have a capture.
	FirstCapture stats.Interval `json:"first_capture"`
	Types        []TypeActivity `json:"types"`
	Kills        []Kills        `json:"kills"` // pairs of killer and victim that occur
	Faces        []FaceHits     `json:"faces"` // types that were hit; empty in games without faces
	// MultipleCapture is the rules' word for a turn that takes several pieces at once;
	// empty if they have none.
	MultipleCapture string `json:"multiple_capture,omitempty"`
}

// TypeActivity describes what the pieces of a type do and suffer. In kills and losses, a
// piece that stands for several, such as a house of seeds, counts as that many. "Per
// game" counts both players together.
type TypeActivity struct {
	Type     string          `json:"type"`
	AtStart  [2]int          `json:"at_start"` // pieces by player
	Turns    stats.Interval  `json:"turns"`    // per game
	Share    stats.Interval  `json:"share_of_turns"`
	Mobility stats.Interval  `json:"mobility"`          // legal actions per turn, at one turn of each sampled game
	Each     stats.Interval  `json:"mobility_of_piece"` // the same per piece on the board
	Shots    *stats.Interval `json:"shots"`             // per game; nil if no piece fires
	Kills    stats.Interval  `json:"kills"`             // per game
	Losses   stats.Interval  `json:"losses"`            // per game
	// KillsALoss is kills divided by losses; High is +Inf if there may be no losses.
	KillsALoss stats.Interval `json:"kills_a_loss"`
	// ValueALoss is the same in values of the whole game: the value it takes divided by its
	// own value lost, in sampled games; nil without values. A type whose difference never
	// varies counts 0.
	ValueALoss *stats.Interval `json:"value_a_loss"`
	// Multiple is the share of turns that take two pieces or more in the turns that take,
	// and Multiples is the number of such turns per game.
	Multiple  stats.Interval `json:"multiple"`
	Multiples stats.Interval `json:"multiples"`
	// Entries is the number of moves per game onto a square where an enemy piece stands at
	// the start, from another square.
	Entries stats.Interval `json:"entries"`
	// FirstContact is the median ply at which a piece of the type first takes or is taken;
	// games that end before count as censored (Kaplan and Meier).
	FirstContact stats.Interval `json:"first_contact"`
	Survival     *Survival      `json:"survival"` // nil for a type that stands for several
}

// Kills is how often one type takes another.
type Kills struct {
	Killer  string         `json:"killer"`
	Victim  string         `json:"victim"`
	PerGame stats.Interval `json:"per_game"`
	Share   stats.Interval `json:"share"` // of all pieces that the killer takes
}

// FaceHits is where the pieces of a type are hit.
type FaceHits struct {
	Type  string         `json:"type"`
	Front stats.Interval `json:"front"` // share of the hits
	Side  stats.Interval `json:"side"`
	Rear  stats.Interval `json:"rear"`
}

// Survival is the share of a type's pieces that live beyond a ply, among those on the
// board after the opening (Kaplan and Meier). Pieces that outlive their game are censored
// at its end. Because games end depending on the pieces, the curve describes the games
// that are still in progress.
type Survival struct {
	Median stats.Interval `json:"median"` // plies; +Inf if more than half live; n: all pieces
	Points []Alive        `json:"points"` // at equal steps, while 10 games or pairs are still in progress
}

// Alive is a point of a curve.
type Alive struct {
	Ply   int            `json:"ply"`
	Share stats.Interval `json:"share"` // n: pieces at risk
}

const (
	// survivalPoints is the greatest number of points of a curve.
	survivalPoints = 25
	// A curve ends when fewer than fewGames are still in progress (Pocock, Clayton and Altman
	// 2002, "Survival Plots of Time-to-Event Outcomes in Clinical Trials").
	fewGames = 10
)

func (s *sums) activity(b *board, w *weights) *Activity {
	a := &Activity{
		Games: s.games, Turns: s.actions, Sampled: s.sample.games, MultipleCapture: b.spec.MultipleCapture,
		FirstCapture: median(s.sample.contact.all.Survival(stats.Level)),
		Types:        []TypeActivity{}, Kills: []Kills{}, Faces: []FaceHits{},
	}
	for t := range s.types {
		a.Types = append(a.Types, s.typeActivity(b, t))
		s.kills(b, t, a)
	}
	w.exchanges(&s.sample, a.Types)
	return a
}

func (s *sums) typeActivity(b *board, t int) TypeActivity {
	sums, kind := &s.types[t], &b.spec.Pieces[t]
	mean := func(q quantity) stats.Interval { return sums.of[q].RateInterval(stats.Level) }
	share := func(q quantity) stats.Interval { return sums.of[q].Interval(stats.Level) }
	a := TypeActivity{
		Type: kind.Name, AtStart: kind.Count, Turns: mean(moved), Share: share(turns), Mobility: mean(mobility), Each: mean(each),
		Kills: mean(kills), Losses: mean(losses), KillsALoss: ratio(share(exchange)), Multiple: sums.of[multiple].ExactInterval(stats.Level), Multiples: mean(multiples), Entries: mean(entries),
		FirstContact: median(s.sample.contacts[t].all.Survival(stats.Level)),
	}
	if s.shots > 0 {
		shots := mean(shots)
		a.Shots = &shots
	}
	if !b.counted[t] {
		a.Survival = s.sample.lives[t].survival()
	}
	return a
}

// kills adds the victims of type t, and where pieces of type t were hit.
func (s *sums) kills(b *board, t int, a *Activity) {
	sums, name := &s.types[t], b.spec.Pieces[t].Name
	for v := range sums.victims {
		if perGame := sums.victims[v].RateInterval(stats.Level); perGame.Estimate > 0 {
			a.Kills = append(a.Kills, Kills{
				Killer: name, Victim: b.spec.Pieces[v].Name,
				PerGame: perGame, Share: sums.preys[v].ExactInterval(stats.Level),
			})
		}
	}
	face := func(f env.Face) stats.Interval { return sums.faces[f].ExactInterval(stats.Level) }
	front := face(env.Front)
	if front.N > 0 {
		a.Faces = append(a.Faces, FaceHits{
			Type: name, Front: front, Side: face(env.Side), Rear: face(env.Rear),
		})
	}
}

// ratio transforms the interval of a share p into that of p/(1−p).
func ratio(i stats.Interval) stats.Interval {
	odds := func(p float64) float64 {
		if p >= 1 {
			return math.Inf(1)
		}
		return p / (1 - p)
	}
	i.Estimate, i.Low, i.High = odds(i.Estimate), odds(i.Low), odds(i.High)
	i.Method = "odds of " + i.Method
	return i
}

// lastPly returns the last ply at which enough games of a curve are in progress, or −1.
func lastPly(s *stats.Survival) int {
	const beyond = 1 << 24 // above every lifetime
	return sort.Search(beyond, func(ply int) bool { return s.Lasting(ply) < fewGames }) - 1
}

// median returns the median of a curve. Its bounds end at lastPly.
func median(s *stats.Survival) stats.Interval {
	m, last := s.Median(), float64(max(0, lastPly(s)))
	m.Low = math.Min(m.Low, last)
	if m.High > last {
		m.High = math.Inf(1)
	}
	return m
}

// survival returns the curve of lifetimes.
func (s *span) survival() *Survival {
	curve := s.all.Survival(stats.Level)
	out := &Survival{Median: median(curve), Points: []Alive{}}
	if len(curve.Steps) == 0 {
		return out
	}
	last := min(curve.Steps[len(curve.Steps)-1].Time, lastPly(curve))
	step := max(1, (last+survivalPoints-1)/survivalPoints)
	for ply := 0; ply <= last; ply += step {
		out.Points = append(out.Points, Alive{Ply: ply, Share: curve.At(ply)})
	}
	return out
}

// weights are the values of the types in the whole game, in log odds. They are nil if
// the value of some type is not significantly above 0. Types whose difference never
// varies weigh 0.
type weights struct {
	regression *stats.Regression
	of         []float64 // by type
}

// weigh returns the coefficients of the whole game as weights if those of all types
// whose difference varies are significantly above 0, otherwise nil.
func weigh(whole *PhaseValues, r *stats.Regression) *weights {
	if !whole.Problem.None() {
		return nil
	}
	w := &weights{regression: r, of: make([]float64, len(whole.Types))}
	for t, value := range whole.Types {
		switch {
		case value.Problem == (Problem{Code: NeverVaries}):
		case value.Value != nil && value.Value.Low > 0 && value.LogOdds.Low > 0:
			w.of[t] = value.LogOdds.Estimate
		default:
			return nil
		}
	}
	return w
}

// exchanges sets ValueALoss of each type: the weight that the type takes divided by the
// weight of its losses.
//
// The ratio f has two errors, which are assumed to be independent. That of the exchanges
// follows from the share of the weight taken in the weight taken and lost, by cluster.
// That of the weights β follows by the delta method from their covariance Σ: with K the
// victims of type t by type,
//
//	var ln f = gᵀΣg,  g = ∂ ln f/∂β = K/(K·β) − e_t/β_t
//
// On the log scale, the distance of a bound from the estimate is the root of the sum of
// both squared distances (Zou and Donner 2008).
func (w *weights) exchanges(s *sample, types []TypeActivity) {
	if w == nil {
		return
	}
	clusters, victims := w.clusters(s)
	for t := range types {
		if w.of[t] <= 0 {
			continue
		}
		value := ratio(clusters[t].Interval(stats.Level))
		value.N, value.Method = s.games, value.Method+", delta method"
		if taken := dot(victims[t], w.of); taken > 0 && value.Estimate > 0 && !math.IsInf(value.Estimate, 1) {
			gradient := make([]float64, len(w.regression.Names))
			for v, n := range victims[t] {
				if w.of[v] > 0 {
					gradient[v] = n / taken
				}
			}
			gradient[t] -= 1 / w.of[t]
			i := w.regression.Combination(gradient, stats.Level)
			spread := i.High - i.Estimate
			value.Low = value.Estimate * math.Exp(-math.Hypot(math.Log(value.Estimate/value.Low), spread))
			value.High = value.Estimate * math.Exp(math.Hypot(math.Log(value.High/value.Estimate), spread))
		}
		types[t].ValueALoss = &value
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for k := range b {
		sum += a[k] * b[k]
	}
	return sum
}

// clusters returns, by type, the clusters of the share of the weight that it takes in the
// weight that it takes and loses, and the number of its victims by type.
func (w *weights) clusters(s *sample) (shares []stats.Clusters, victims [][]float64) {
	k := len(w.of)
	shares, victims = make([]stats.Clusters, k), make([][]float64, k)
	for t := range victims {
		victims[t] = make([]float64, k)
	}
	taken, lost := make([]float64, k), make([]float64, k)
	const scale = 1000 // the size of a cluster is an integer: thousandths
	end := func() {
		for t := range shares {
			size := int64(math.Round(scale * (taken[t] + lost[t])))
			shares[t].Add(math.Min(scale*taken[t], float64(size)), size)
			taken[t], lost[t] = 0, 0
		}
	}
	for i := range s.trades {
		trade := &s.trades[i]
		if i > 0 && s.trades[i-1].group != trade.group {
			end()
		}
		worth := float64(trade.amount) * w.of[trade.victim]
		taken[trade.killer] += worth
		lost[trade.victim] += worth
		victims[trade.killer][trade.victim] += float64(trade.amount)
	}
	end()
	return shares, victims
}
