package selfplay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// policies are openings of six plies under each policy.
func policies() []selfplay.Opening {
	return []selfplay.Opening{
		{Plies: 6, Policy: dataset.OpeningPolicy{Name: dataset.RandomOpenings, Swing: 200}},
		{Plies: 6, Policy: dataset.OpeningPolicy{Name: dataset.SampledOpenings, Temperature: 0.1, Swing: 200}},
	}
}

// opened returns episodes of a policy that end soon after the opening.
func opened(t *testing.T, variant, first, second string, o selfplay.Opening, goroutines int, count int64) []dataset.Episode {
	t.Helper()
	p := selfplaytest.Plan(t, variant, first, second, func(c *selfplay.Config) { c.Opening, c.MaxPlies = o, o.Plies+3 })
	return selfplaytest.Play(t, p, goroutines, 0, count)
}

func TestOpeningsAlternateByGameAndByPair(t *testing.T) {
	for _, o := range policies() {
		for i, ep := range opened(t, "trench/standard", "greedy", "greedy", o, 1, 12) {
			if want := 6 + i%2; ep.OpeningPlies != want || ep.Steps[want-1].Source != dataset.FromOpening || ep.Steps[want].Source != dataset.FromAgent {
				t.Errorf("%s: game %d has an opening of %d plies, want %d", o.Policy.Name, i, ep.OpeningPlies, want)
			}
		}
		pairs := opened(t, "trench/standard", "greedy", "random", o, 1, 12)
		for i, ep := range pairs {
			if want := 6 + i/2%2; ep.OpeningPlies != want || ep.Opened() != pairs[i&^1].Opened() {
				t.Errorf("%s: game %d of pairs has an opening of %d plies, want %d", o.Policy.Name, i, ep.OpeningPlies, want)
			}
		}
	}
}

// Positions that handicap the players in turn have both numbers of plies equally often.
func TestEachStartHasBothNumbersOfPlies(t *testing.T) {
	o := policies()[0]
	p := selfplaytest.Plan(t, "trench/standard", "greedy", "greedy", nil)
	start := p.Config().Variant.Game.Spec().StartText
	o.Starts = []string{start, start, start, start}
	var plies []int
	for _, ep := range opened(t, "trench/standard", "greedy", "greedy", o, 1, 12) {
		plies = append(plies, ep.OpeningPlies)
	}
	if want := []int{6, 6, 6, 6, 7, 7, 7, 7, 6, 6, 6, 6}; !slices.Equal(plies, want) {
		t.Errorf("openings have %v plies, want %v", plies, want)
	}
}

func TestOpeningsLeaveNoForcedResultAndNoSwing(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"} {
		for _, o := range policies() {
			p := selfplaytest.Plan(t, variant, "greedy", "greedy", func(c *selfplay.Config) { c.Opening, c.MaxPlies = o, 8 })
			game := p.Config().Variant.Game
			judge, err := search.New(game, eval.Score(game), search.Options{MaxDepth: 2})
			if err != nil {
				t.Fatal(err)
			}
			s := env.NewState(game)
			for _, ep := range selfplaytest.Play(t, p, 2, 0, 8) {
				s.Reset()
				for i := range ep.OpeningPlies {
					s.Apply(ep.Steps[i].Action)
				}
				judge.Begin(0)
				score := judge.Search(s, search.Limits{}, 1).Best().Score
				swing := score - eval.Score(game).Evaluate(s)
				if _, forced := search.Forced(score); forced || max(swing, -swing) > 200 {
					t.Errorf("%s, %s: the search finds %s in %s", variant, o.Policy.Name, search.ScoreText(score), env.PositionText(s))
				}
			}
		}
	}
}

// 40 random plies of Tank Chess often leave a Command Tank that can be shot.
func TestRefusedOpeningsAreCounted(t *testing.T) {
	plan := func(o selfplay.Opening) *selfplay.Plan {
		return selfplaytest.Plan(t, "tankchess/16x16", "greedy", "random", func(c *selfplay.Config) { c.Opening = o })
	}
	o := selfplay.Opening{Plies: 40, Policy: dataset.OpeningPolicy{Name: dataset.RandomOpenings, Swing: dataset.MostSwing}}
	d, err := plan(o).Drawn(40)
	if err != nil || d.Openings-d.Refused != 40 || d.Share() < 0.1 || d.Share() > 0.4 {
		t.Errorf("of openings with forced results %+v are refused (%v)", d, err)
	}
	o.Policy.Swing = 0
	stricter, err := plan(o).Drawn(40)
	if err != nil || stricter.Openings-stricter.Refused != 40 || stricter.Share() < d.Share()+0.1 {
		t.Errorf("of openings with any swing %+v are refused (%v), of those with a forced result %+v", stricter, err, d)
	}
	if d, err := plan(selfplay.Opening{Plies: 40}).Drawn(40); err != nil || d != (selfplay.Drawn{}) || d.Share() != 0 {
		t.Errorf("without a policy %+v are counted (%v)", d, err)
	}
}

func TestOpeningsThatAreAllRefusedAreAnError(t *testing.T) {
	o := policies()[0]
	o.Plies = 300
	p := selfplaytest.Plan(t, "ntxuva/4", "greedy", "greedy", func(c *selfplay.Config) { c.Opening = o })
	err := selfplay.PlayAll(t.Context(), p, "run", 0, 1, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "episode 0: 1000 openings of 300 plies from ") || !strings.HasSuffix(err.Error(), " all ended the game, left a forced result or a large swing of the score; use fewer opening plies") {
		t.Errorf("error is %v", err)
	}
}

func TestOpeningsByPolicyAreReproducible(t *testing.T) {
	for _, o := range policies() {
		p := selfplaytest.Plan(t, "ntxuva/basic", "alphabeta:depth=1", "random", func(c *selfplay.Config) { c.Opening = o })
		settings := p.Cut(16, 0).Settings()
		again, err := selfplay.Open(&settings, nil)
		if err != nil {
			t.Fatal(err)
		}
		one, two := selfplaytest.Play(t, p, 1, 0, 16), selfplaytest.Play(t, again, 3, 0, 16)
		distinct := map[uint64]bool{}
		for i := range one {
			if one[i].FinalHash != two[i].FinalHash || one[i].Opened() != two[i].Opened() {
				t.Errorf("%s: game %d differs", o.Policy.Name, i)
			}
			distinct[one[i].Opened()] = true
		}
		if len(distinct) < 7 {
			t.Errorf("%s: 8 pairs have %d openings", o.Policy.Name, len(distinct))
		}
		plain := selfplaytest.Changed(t, p, func(c *selfplay.Config) { c.Opening.Policy = dataset.OpeningPolicy{} }).Cut(16, 0).Settings()
		if plain.Run() == settings.Run() {
			t.Errorf("%s openings are the same run as others", o.Policy.Name)
		}
	}
}

// A low temperature draws the best actions: in Trench a piece that can be taken for
// nothing is taken.
func TestSampledOpeningsArePlausible(t *testing.T) {
	taken := func(o selfplay.Opening) (n int) {
		o.Plies, o.Policy.Swing = 1, dataset.MostSwing
		o.Starts = []string{"8/8/8/3lG3/8/8/8/7g b 0-0 0 0"}
		p := selfplaytest.Plan(t, "trench/standard", "alphabeta:depth=1", "greedy", func(c *selfplay.Config) { c.Opening, c.MaxPlies = o, 3 })
		s := env.NewState(p.Config().Variant.Game)
		for _, ep := range selfplaytest.Play(t, p, 1, 0, 200) {
			if err := s.SetPosition(ep.Start); err != nil {
				t.Fatal(err)
			}
			mover := s.Player()
			s.Apply(ep.Steps[0].Action)
			if env.Score(s.(env.Scorer), mover) > 0 {
				n++
			}
		}
		return n
	}
	uniform, sampled := policies()[0], policies()[1]
	sampled.Policy.Temperature = 0.02
	if random, plausible := taken(uniform), taken(sampled); random > 150 || plausible < 195 {
		t.Errorf("of 200 openings %d random ones and %d sampled ones take the piece", random, plausible)
	}
}
