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
	Games   int64 `json:"games,string"`
	Turns   int64 `json:"turns,string"`
	Sampled int64 `json:"sampled,string"` // games of the sample
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
