package selfplay_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

func TestAnEpisodeIsAFunctionOfPlanAndNumber(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		for _, agents := range [][2]string{{"random", "random"}, {"greedy", "random"}} {
			p := selfplaytest.Plan(t, variant, agents[0], agents[1], nil)
			one := selfplaytest.Play(t, p, 1, 0, 24)
			if many := selfplaytest.Play(t, p, 3, 0, 24); !reflect.DeepEqual(one, many) {
				t.Errorf("%s %v: three goroutines play other episodes than one", variant, agents)
			}
			if late := selfplaytest.Play(t, p, 2, 13, 4); !reflect.DeepEqual(one[13:17], late) {
				t.Errorf("%s %v: episodes 13 to 16 depend on what was played before", variant, agents)
			}
			other := selfplaytest.Play(t, selfplaytest.Plan(t, variant, agents[0], agents[1], func(c *selfplay.Config) { c.Seed = 2 }), 1, 0, 1)
			if reflect.DeepEqual(one[0].Steps, other[0].Steps) {
				t.Errorf("%s %v: another seed plays the same episode", variant, agents)
			}
		}
	}
}

func TestEpisodesAreInOrderAndWhole(t *testing.T) {
	p := selfplaytest.Plan(t, "trench/standard", "random", "random", nil)
	for i, ep := range selfplaytest.Play(t, p, 4, 100, 30) {
		if ep.Number != int64(100+i) || ep.Run != "run" || ep.Pair != dataset.NoPair || ep.OpeningPlies != 6 {
			t.Fatalf("episode %d is %d of run %q, pair %d, %d opening plies", 100+i, ep.Number, ep.Run, ep.Pair, ep.OpeningPlies)
		}
		s := env.NewState(p.Config().Variant.Game)
		if err := s.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		for ply, step := range ep.Steps {
			legal := s.Legal(nil)
			wantSource := dataset.FromAgent
			if ply < 6 {
				wantSource = dataset.FromOpening
			}
			if step.Player != s.Player() || step.Hash != s.Hash() || int(step.LegalCount) != len(legal) || step.Source != wantSource {
				t.Fatalf("episode %d ply %d: %+v does not describe the position", ep.Number, ply, step)
			}
			if !slices.Contains(legal, step.Action) {
				t.Fatalf("episode %d ply %d: action %d is not legal", ep.Number, ply, step.Action)
			}
			s.Apply(step.Action)
		}
		result, reason := s.Result()
		points := [2]int{s.(env.Scorer).Points(env.First), s.(env.Scorer).Points(env.Second)}
		if !ep.Terminated || ep.Truncated || ep.Result != result || ep.Reason != reason || ep.FinalHash != s.Hash() || ep.Points != points {
			t.Fatalf("episode %d ends %+v, replayed %v %v %v", ep.Number, ep, result, reason, points)
		}
	}
}

func TestDifferentAgentsPlayPairsWithSeatsSwapped(t *testing.T) {
	eps := selfplaytest.Play(t, selfplaytest.Plan(t, "trench/standard", "greedy", "random", nil), 2, 0, 10)
	for k := 0; k < len(eps); k += 2 {
		a, b := eps[k], eps[k+1]
		if a.Pair != int64(k/2) || b.Pair != a.Pair || a.Seed != b.Seed || a.Start != b.Start {
			t.Errorf("episodes %d and %d are no pair: %d %d, seeds %d %d", k, k+1, a.Pair, b.Pair, a.Seed, b.Seed)
		}
		if a.Agents != [2]string{"greedy", "random"} || b.Agents != [2]string{"random", "greedy"} {
			t.Errorf("seats of pair %d are %v and %v", a.Pair, a.Agents, b.Agents)
		}
		for ply := range a.OpeningPlies {
			if a.Steps[ply].Action != b.Steps[ply].Action {
				t.Errorf("pair %d has two openings", a.Pair)
			}
		}
		if reflect.DeepEqual(a.Steps, b.Steps) {
			t.Errorf("pair %d is one game twice", a.Pair)
		}
	}
	if eps[0].Seed == eps[2].Seed {
		t.Error("two pairs share a seed")
	}
}

func TestStartsAreUsedInTurn(t *testing.T) {
	starts := []string{
		"8/2p5/2Gp1p2/3p4/4p3/8/8/8 b 0-0 0 0",
		"7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0",
	}
	eps := selfplaytest.Play(t, selfplaytest.Plan(t, "trench/standard", "random", "random", func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Starts: starts}
	}), 1, 0, 5)
	for i, ep := range eps {
		if ep.Start != starts[i%2] || ep.OpeningPlies != 0 || ep.Steps[0].Source != dataset.FromAgent {
			t.Errorf("episode %d starts from %s", i, ep.Start)
		}
	}
	if eps[1].Steps[0].Player != env.Second {
		t.Error("White to move in the start position, but Black moved")
	}
}

func TestMaxPliesTruncatesWithoutAResult(t *testing.T) {
	for _, ep := range selfplaytest.Play(t, selfplaytest.Plan(t, "trench/standard", "random", "random", func(c *selfplay.Config) { c.MaxPlies = 10 }), 1, 0, 5) {
		if !ep.Truncated || ep.Terminated || ep.Plies() != 10 || ep.Reason != env.NoReason || ep.Result != 0 {
			t.Errorf("episode %d: %d plies, truncated %v, %v %v", ep.Number, ep.Plies(), ep.Truncated, ep.Result, ep.Reason)
		}
	}
}

func TestAnOpeningThatEndsTheGameIsDrawnAnew(t *testing.T) {
	// White must take the last soldier or run; many random openings end the game.
	start := "8/8/8/8/8/8/1g6/P7 w 0-0 0 0"
	eps := selfplaytest.Play(t, selfplaytest.Plan(t, "trench/long-2013", "random", "random", func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Plies: 3, Starts: []string{start}}
	}), 1, 0, 40)
	for _, ep := range eps {
		if ep.OpeningPlies != 3 || ep.Plies() <= 3 {
			t.Errorf("episode %d: %d plies, %d of them opening", ep.Number, ep.Plies(), ep.OpeningPlies)
		}
	}
	// Here every first move captures the last piece or leaves nothing to capture.
	p := selfplaytest.Plan(t, "ntxuva/basic", "random", "random", func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Plies: 5, Starts: []string{"0,0,0,0,0,0,1,0,0,0,0,0 0,0,0,5,0,0,0,0,0,0,0,0 s 0 0"}}
	})
	err := selfplay.PlayAll(t.Context(), p, "run", 0, 1, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "use fewer opening plies") {
		t.Errorf("error is %v", err)
	}
}

func TestSettingsGiveThePlanBack(t *testing.T) {
	p := selfplaytest.Plan(t, `trench/standard{"target_points":20}`, "greedy", "random", func(c *selfplay.Config) {
		c.Opening.Starts = []string{"7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0"}
	})
	settings := p.Cut(100, 0).Settings()
	back, err := selfplay.Open(&settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again := back.Settings(); !reflect.DeepEqual(again, settings) || again.Run() != settings.Run() {
		t.Errorf("settings come back as %+v, were %+v", again, settings)
	}
	settings.Digest = "sha256:0"
	if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), "a different version of Sandtable") {
		t.Errorf("a foreign digest gives %v", err)
	}
}

func TestJobsNeverSplitAPairAndAreManyEnough(t *testing.T) {
	for _, agents := range [][2]string{{"random", "random"}, {"greedy", "random"}, {"greedy", "greedy"}} {
		for _, episodes := range []int64{0, 1, 2, 100, 5_000, 1_000_000} {
			settings := selfplaytest.Plan(t, "trench/standard", agents[0], agents[1], nil).Cut(episodes, 0).Settings()
			if n := settings.JobEpisodes; n < 2 || n%2 != 0 || n > 8192 {
				t.Errorf("%d episodes of %v come in jobs of %d", episodes, agents, n)
			}
			if jobs := settings.Jobs(); episodes >= 5_000 && jobs < 50 {
				t.Errorf("%d episodes of %v come in %d jobs", episodes, agents, jobs)
			}
		}
	}
}

func TestPlayAllStopsWithTheFirstErrorAndWithItsContext(t *testing.T) {
	p := selfplaytest.Plan(t, "trench/standard", "random", "random", nil)
	full := errors.New("disk full")
	err := selfplay.PlayAll(t.Context(), p, "run", 0, 1000, 3, func(ep *dataset.Episode) error {
		if ep.Number == 5 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Errorf("error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = selfplay.PlayAll(ctx, p, "run", 0, 1<<40, 3, func(ep *dataset.Episode) error {
		if ep.Number == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestPlayingDoesNotAllocate(t *testing.T) {
	for _, agent := range []string{"random", "greedy", "alphabeta:depth=2,hash=1"} {
		player, err := selfplay.NewPlayer(selfplaytest.Plan(t, "trench/standard", agent, agent, nil))
		if err != nil {
			t.Fatal(err)
		}
		ep := &dataset.Episode{Steps: make([]dataset.Step, 0, selfplay.DefaultMaxPlies)}
		number := int64(0)
		if n := testing.AllocsPerRun(20, func() {
			if err := player.Play(number, ep); err != nil {
				t.Fatal(err)
			}
			number++
		}); n != 0 {
			t.Errorf("%s: %v allocations an episode", agent, n)
		}
	}
}

func BenchmarkSelfPlay(b *testing.B) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		for _, agent := range []string{"random", "greedy"} {
			b.Run(variant+"/"+agent, func(b *testing.B) {
				player, err := selfplay.NewPlayer(selfplaytest.Plan(b, variant, agent, agent, nil))
				if err != nil {
					b.Fatal(err)
				}
				var ep dataset.Episode
				plies := 0
				for i := range b.N {
					if err := player.Play(int64(i), &ep); err != nil {
						b.Fatal(err)
					}
					plies += ep.Plies()
				}
				b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
			})
		}
	}
}
