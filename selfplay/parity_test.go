package selfplay_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// sums is a game that is symmetric in the seats: each player in turn adds 0 to 9 points to
// its own, twelve times, and has them at the end. Nothing depends on who moves first, and
// as the order of the turns does not matter, nothing on who is to move.
type sums struct{}

const turns = 12 // of each player

func (sums) Spec() *env.Spec {
	return &env.Spec{
		Game: "sums", Name: "sums/12", Players: [2]string{"first", "second"}, StartText: "0 0 0", Width: 1, Height: 1,
		Actions: 10, MaxLegal: 10, Ends: []env.End{{Reason: env.Points, Description: "both players had twelve turns"}},
	}
}

func (sums) NewStates(n int) []env.State {
	states := make([]env.State, n)
	for i := range states {
		states[i] = new(sumsState)
	}
	return states
}

// sumsState is a position of sums. Action a adds a points.
type sumsState struct {
	points [2]int
	plies  int
}

func (s *sumsState) Reset()                  { *s = sumsState{} }
func (s *sumsState) CopyFrom(src env.State)  { *s = *src.(*sumsState) }
func (s *sumsState) Points(p env.Player) int { return s.points[p] }

func (s *sumsState) Player() env.Player {
	if s.plies == 2*turns {
		return env.NoPlayer
	}
	return env.Player(s.plies & 1)
}

func (s *sumsState) Legal(dst []env.Action) []env.Action {
	for a := range 10 {
		dst = append(dst, env.Action(a))
	}
	return dst
}

func (s *sumsState) Apply(a env.Action) {
	s.points[s.plies&1] += int(a)
	s.plies++
}

func (s *sumsState) Result() (env.Result, env.Reason) {
	switch {
	case s.plies < 2*turns:
		return 0, env.NoReason
	case s.points[0] == s.points[1]:
		return 0, env.Points
	case s.points[0] > s.points[1]:
		return env.WinFor(env.First), env.Points
	}
	return env.WinFor(env.Second), env.Points
}

func (s *sumsState) Hash() uint64 {
	return env.Derive(uint64(s.plies), uint64(s.points[0]), uint64(s.points[1]))
}
func (s *sumsState) Observe([]uint8, env.Player) {} // it has no planes

func (s *sumsState) AppendAction(dst []byte, a env.Action) []byte { return fmt.Appendf(dst, "%d", a) }

func (s *sumsState) ParseAction(text string) (a env.Action, err error) {
	_, err = fmt.Sscanf(text, "%d", &a)
	return a, err
}

func (s *sumsState) AppendPosition(dst []byte) []byte {
	return fmt.Appendf(dst, "%d %d %d", s.plies, s.points[0], s.points[1])
}

func (s *sumsState) SetPosition(text string) error {
	_, err := fmt.Sscanf(text, "%d %d %d", &s.plies, &s.points[0], &s.points[1])
	return err
}

// sumsSummary plays games of an agent against itself and returns their summary.
func sumsSummary(t *testing.T, name string, opening selfplay.Opening) dataset.Summary {
	t.Helper()
	v := &variant.Variant{Name: "sums/12", Game: sums{}}
	spec, err := agent.Parse(name, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{Variant: v, Agents: [2]agent.Spec{spec, spec}, Opening: opening, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	tally := dataset.NewTally()
	err = selfplay.PlayAll(t.Context(), plan, "", 0, 4000, 2, func(ep *dataset.Episode) error {
		tally.Add(ep)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally.Summary()
}

// covers reports whether an interval contains a value.
func covers(i stats.Interval, value float64) bool { return i.Low <= value && value <= i.High }

// doubts are the warnings about games, of their scores alone.
func doubts(s dataset.Summary) string {
	return strings.Join(report.GameDoubts(s.Episodes, s.Episodes, 0, s.ByOpening), "\n")
}

// In a game that is symmetric in the seats, agents that play as the openings do have even
// scores, whatever the number of plies.
func TestSeatsOfASymmetricGameAreEvenAfterOpeningsOfEitherParity(t *testing.T) {
	random := dataset.OpeningPolicy{Name: dataset.RandomOpenings, Swing: dataset.MostSwing}
	sampled := dataset.OpeningPolicy{Name: dataset.SampledOpenings, Temperature: dataset.MostTemperature, Swing: dataset.MostSwing}
	for _, o := range []selfplay.Opening{
		{}, {Plies: 8}, {Plies: 9}, {Plies: 8, Policy: random}, {Plies: 9, Policy: random}, {Plies: 8, Policy: sampled}, {Plies: 9, Policy: sampled},
	} {
		s := sumsSummary(t, "random", o)
		if !covers(s.First.Score, 0.5) || !covers(s.SideToMove.Score, 0.5) || s.First.Score.N != 4000 {
			t.Errorf("after %d plies, %+v: the first player scores %+v, the side to move %+v", o.Plies, o.Policy, s.First.Score, s.SideToMove.Score)
		}
		if text := doubts(s); text != "" || len(s.ByOpening) == 2 != o.Policy.Alternates() {
			t.Errorf("after %d plies, %+v: %q, %+v", o.Plies, o.Policy, text, s.ByOpening)
		}
	}
}

// Greedy agents always add nine points, so each random ply costs its player points: the
// player with one random ply more is behind. That is a parity effect of the openings in a
// game without any.
func TestAParityEffectOfOpeningsIsFoundAndWarnedOf(t *testing.T) {
	policy := dataset.OpeningPolicy{Name: dataset.RandomOpenings, Swing: dataset.MostSwing}
	even, odd := sumsSummary(t, "greedy", selfplay.Opening{Plies: 8}), sumsSummary(t, "greedy", selfplay.Opening{Plies: 9})
	// The first player has five random plies, the second four. The difference of their points
	// has the mean −4.5 and the variance 9·8.25, so Φ(−4.5/8.6) = 0.30 is near.
	if !covers(even.First.Score, 0.5) || odd.First.Score.High > 0.35 || odd.SideToMove.Score.Low < 0.65 {
		t.Errorf("the first player scores %+v and %+v", even.First.Score, odd.First.Score)
	}
	s := sumsSummary(t, "greedy", selfplay.Opening{Plies: 8, Policy: policy})
	if by := s.ByOpening; len(by) != 2 || !covers(by[0].First, even.First.Score.Estimate) || !covers(by[1].First, odd.First.Score.Estimate) || by[0].First.N != 2000 {
		t.Errorf("by plies of the opening the first player scores %+v", by)
	}
	if mean := (s.ByOpening[0].First.Estimate + s.ByOpening[1].First.Estimate) / 2; math.Abs(mean-s.First.Score.Estimate) > 1e-12 {
		t.Errorf("the first player scores %v, the mean of both parities is %v", s.First.Score.Estimate, mean)
	}
	if text := doubts(s); !strings.Contains(text, "after openings of 8 plies and ") || !strings.Contains(text, "it matters who is to move when the agents take over") || !strings.Contains(text, "--openings start") {
		t.Errorf("the warning is %q", text)
	}
	// Openings that the agent draws itself, at a low temperature, have no such effect.
	policy = dataset.OpeningPolicy{Name: dataset.SampledOpenings, Temperature: 0.001, Swing: dataset.MostSwing}
	s = sumsSummary(t, "greedy", selfplay.Opening{Plies: 8, Policy: policy})
	if text := doubts(s); text != "" || !covers(s.First.Score, 0.5) || !covers(s.SideToMove.Score, 0.5) {
		t.Errorf("after sampled openings the first player scores %+v, the side to move %+v: %q", s.First.Score, s.SideToMove.Score, text)
	}
}
