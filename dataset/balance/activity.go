package balance

import (
	"math"
	"sort"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// Activity is what types of pieces do and suffer, both players' together, in plies
// that agents chose. Plies are counted from the end of the opening.
type Activity struct {
	Games   int64 `json:"games,string"`
	Turns   int64 `json:"turns,string"`
	Sampled int64 `json:"sampled,string"` // games of the sample
	// FirstCapture is the ply by which half the games have had one, games that end
	// before counting as cut short; +Inf where they do not.
	FirstCapture stats.Interval `json:"first_capture"`
	Types        []TypeActivity `json:"types"`
	Kills        []Kills        `json:"kills"` // who kills whom: pairs that occur
	Faces        []FaceHits     `json:"faces"` // of types that were hit where faces are told
	// MultipleCapture is what the rules call a turn that takes several pieces at once;
	// empty where they have no word for it.
	MultipleCapture string `json:"multiple_capture,omitempty"`
	Answer          string `json:"answer"`
}

// TypeActivity is what a type of pieces does and suffers. Pieces of a type that can
// be more than one, such as seeds in a house, count as many in kills and losses.
type TypeActivity struct {
	Type     string          `json:"type"`
	AtStart  [2]int          `json:"at_start"` // pieces by player
	Turns    stats.Interval  `json:"turns"`    // a game
	Share    stats.Interval  `json:"share_of_turns"`
	Mobility stats.Interval  `json:"mobility"`          // legal actions a turn, at one turn of each sampled game
	Each     stats.Interval  `json:"mobility_of_piece"` // the same by piece on the board
	Shots    *stats.Interval `json:"shots"`             // a game; nil where nobody shoots
	Kills    stats.Interval  `json:"kills"`             // a game
	Losses   stats.Interval  `json:"losses"`            // a game
	// KillsALoss is kills by losses, High +Inf where there may be no losses.
	KillsALoss stats.Interval `json:"kills_a_loss"`
	// ValueALoss is the same by the values of the whole game: what it takes by what is
	// lost with it, in sampled games; nil where values are not told. A type in which
	// nobody is ever ahead counts nothing.
	ValueALoss *stats.Interval `json:"value_a_loss"`
	// Multiple is the share of turns that take two pieces or more at once in those that
	// take, and Multiples are such turns a game.
	Multiple  stats.Interval `json:"multiple"`
	Multiples stats.Interval `json:"multiples"`
	// Entries are moves a game from elsewhere to a square where the enemy's pieces stand at the start.
	Entries stats.Interval `json:"entries"`
	// FirstContact is the ply by which in half the games one has taken or was taken;
	// games that end before count as cut short (Kaplan and Meier).
	FirstContact stats.Interval `json:"first_contact"`
	Survival     *Survival      `json:"survival"` // nil of what can be more than one
}

// Kills is how often a type takes another.
type Kills struct {
	Killer  string         `json:"killer"`
	Victim  string         `json:"victim"`
	PerGame stats.Interval `json:"per_game"`
	Share   stats.Interval `json:"share"` // of all that the killer takes
}

// FaceHits is where a type is hit.
type FaceHits struct {
	Type  string         `json:"type"`
	Front stats.Interval `json:"front"` // share of the hits
	Side  stats.Interval `json:"side"`
	Rear  stats.Interval `json:"rear"`
}

// Survival is the share of a type's pieces, of those on the board after the opening,
// that live beyond a ply (Kaplan and Meier). Pieces that outlive their game were last
// seen at its end; games that end early because of what is on the board make the
// curve one of the games that still run.
type Survival struct {
	Median stats.Interval `json:"median"` // plies; +Inf where more than half live; n: all pieces
	Points []Alive        `json:"points"` // at even steps, as long as 10 games or pairs still run
}

// Alive is a point of a curve.
type Alive struct {
	Ply   int            `json:"ply"`
	Share stats.Interval `json:"share"` // n: pieces that were seen until then
}

const (
	// survivalPoints bounds the points of a curve.
	survivalPoints = 25
	// fewGames still running end a curve (Pocock, Clayton and Altman 2002, "Survival
	// Plots of Time-to-Event Outcomes in Clinical Trials").
	fewGames = 10
)

func (s *sums) activity(b *board, w *weights) *Activity {
	a := &Activity{
		Games: s.games, Turns: s.actions, Sampled: s.sample.games, MultipleCapture: b.spec.MultipleCapture,
		FirstCapture: median(s.sample.contact.all.Survival(stats.Level)),
		Types:        []TypeActivity{}, Kills: []Kills{}, Faces: []FaceHits{},
	}
	if s.actions == 0 {
		a.Answer = "No agent has made a move: nothing can be told of what pieces do."
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

// kills adds who fell to a type, and where the type was hit.
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

// ratio turns the interval of a share p into that of p/(1−p).
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

// lastPly is the last ply at which enough games of a curve run, −1 without one.
func lastPly(s *stats.Survival) int {
	const beyond = 1 << 24 // what lifetimes can be
	return sort.Search(beyond, func(ply int) bool { return s.Lasting(ply) < fewGames }) - 1
}

// median is the median of a curve, whose interval knows nothing beyond the last ply.
func median(s *stats.Survival) stats.Interval {
	m, last := s.Median(), float64(max(0, lastPly(s)))
	m.Low = math.Min(m.Low, last)
	if m.High > last {
		m.High = math.Inf(1)
	}
	return m
}

// survival is the curve of lifetimes.
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
