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
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// parse reads an agent string for Trench.
func parse(t testing.TB, text string) (selfplay.AgentSpec, error) {
	t.Helper()
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	return selfplay.ParseAgent(text, v, nil)
}

// plan makes a plan from agent strings; change may alter it.
func plan(t testing.TB, variant, agent, vs string, change func(*selfplay.Plan)) *selfplay.Plan {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := &selfplay.Plan{Variant: v, Opening: selfplay.Opening{Plies: 6}, MaxPlies: selfplay.DefaultMaxPlies, Seed: 1}
	for i, text := range []string{agent, vs} {
		if p.Agents[i], err = selfplay.ParseAgent(text, v, nil); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(p)
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// play returns copies of the episodes first to first+count−1.
func play(t testing.TB, p *selfplay.Plan, goroutines int, first, count int64) []dataset.Episode {
	t.Helper()
	var all []dataset.Episode
	err := selfplay.PlayAll(t.Context(), p, "run", first, count, goroutines, func(ep *dataset.Episode) error {
		kept := *ep
		kept.Steps = slices.Clone(ep.Steps)
		for i := range kept.Steps {
			kept.Steps[i].Search.Visits = slices.Clone(kept.Steps[i].Search.Visits)
		}
		all = append(all, kept)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAnEpisodeIsAFunctionOfPlanAndNumber(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		for _, agents := range [][2]string{{"random", "random"}, {"greedy", "random"}} {
			p := plan(t, variant, agents[0], agents[1], nil)
			one := play(t, p, 1, 0, 24)
			if many := play(t, p, 3, 0, 24); !reflect.DeepEqual(one, many) {
				t.Errorf("%s %v: three goroutines play other episodes than one", variant, agents)
			}
			if late := play(t, p, 2, 13, 4); !reflect.DeepEqual(one[13:17], late) {
				t.Errorf("%s %v: episodes 13 to 16 depend on what was played before", variant, agents)
			}
			other := play(t, plan(t, variant, agents[0], agents[1], func(p *selfplay.Plan) { p.Seed = 2 }), 1, 0, 1)
			if reflect.DeepEqual(one[0].Steps, other[0].Steps) {
				t.Errorf("%s %v: another seed plays the same episode", variant, agents)
			}
		}
	}
}

func TestEpisodesAreInOrderAndWhole(t *testing.T) {
	p := plan(t, "trench/standard", "random", "random", nil)
	for i, ep := range play(t, p, 4, 100, 30) {
		if ep.Number != int64(100+i) || ep.Run != "run" || ep.Pair != dataset.NoPair || ep.OpeningPlies != 6 {
			t.Fatalf("episode %d is %d of run %q, pair %d, %d opening plies", 100+i, ep.Number, ep.Run, ep.Pair, ep.OpeningPlies)
		}
		s := env.NewState(p.Variant.Game)
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
	eps := play(t, plan(t, "trench/standard", "greedy", "random", nil), 2, 0, 10)
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
	eps := play(t, plan(t, "trench/standard", "random", "random", func(p *selfplay.Plan) {
		p.Opening = selfplay.Opening{Starts: starts}
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
	for _, ep := range play(t, plan(t, "trench/standard", "random", "random", func(p *selfplay.Plan) { p.MaxPlies = 10 }), 1, 0, 5) {
		if !ep.Truncated || ep.Terminated || ep.Plies() != 10 || ep.Reason != env.NoReason || ep.Result != 0 {
			t.Errorf("episode %d: %d plies, truncated %v, %v %v", ep.Number, ep.Plies(), ep.Truncated, ep.Result, ep.Reason)
		}
	}
}

func TestAnOpeningThatEndsTheGameIsDrawnAnew(t *testing.T) {
	// White must take the last soldier or run; many random openings end the game.
	start := "8/8/8/8/8/8/1g6/P7 w 0-0 0 0"
	eps := play(t, plan(t, "trench/long-2013", "random", "random", func(p *selfplay.Plan) {
		p.Opening = selfplay.Opening{Plies: 3, Starts: []string{start}}
	}), 1, 0, 40)
	for _, ep := range eps {
		if ep.OpeningPlies != 3 || ep.Plies() <= 3 {
			t.Errorf("episode %d: %d plies, %d of them opening", ep.Number, ep.Plies(), ep.OpeningPlies)
		}
	}
	// Here every first move captures the last piece or leaves nothing to capture.
	p := plan(t, "ntxuva/basic", "random", "random", func(p *selfplay.Plan) {
		p.Opening = selfplay.Opening{Plies: 5, Starts: []string{"0,0,0,0,0,0,1,0,0,0,0,0 0,0,0,5,0,0,0,0,0,0,0,0 s 0 0"}}
	})
	err := selfplay.PlayAll(t.Context(), p, "run", 0, 1, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "use fewer opening plies") {
		t.Errorf("error is %v", err)
	}
}

func TestGreedyWinsAtOnceWhenItCan(t *testing.T) {
	p := plan(t, "trench/standard", "greedy", "greedy", nil)
	agent, err := p.Agents[0].New(p.Variant.Game)
	if err != nil {
		t.Fatal(err)
	}
	s := env.NewState(p.Variant.Game)
	// Black needs two points: the Sergeant on e3 gives them, the Colonel on b4 gives four.
	for position, want := range map[string]string{
		"7g/8/8/8/8/3Gs3/8/8 b 23-0 0 0":     "d3-e3xe3",
		"7g/8/8/8/1l6/1S6/8/8 b 0-0 0 0":     "b3-b4xb4",
		"7g/8/8/2p5/1P3l2/1G6/8/8 b 0-0 0 0": "",
	} {
		if err := s.SetPosition(position); err != nil {
			t.Fatal(err)
		}
		agent.Begin(1)
		var told dataset.Search
		legal := s.Legal(nil)
		got := agent.Choose(s, legal, &told)
		if want != "" && env.ActionText(s, got) != want {
			t.Errorf("%s: greedy plays %s, want %s", position, env.ActionText(s, got), want)
		}
		if told.Has != dataset.HasScore|dataset.HasNodes|dataset.HasDepth || told.Nodes != int64(len(legal)) || told.Depth != 1 {
			t.Errorf("greedy tells %+v", told)
		}
		if env.PositionText(s) != position {
			t.Error("greedy changed the position")
		}
	}
}

func TestGreedyBreaksTiesBySeed(t *testing.T) {
	p := plan(t, "trench/standard", "greedy", "greedy", nil)
	agent, err := p.Agents[0].New(p.Variant.Game)
	if err != nil {
		t.Fatal(err)
	}
	s := env.NewState(p.Variant.Game)
	legal := s.Legal(nil)
	chosen := map[env.Action]bool{}
	for seed := range uint64(200) {
		agent.Begin(seed)
		a := agent.Choose(s, legal, new(dataset.Search))
		agent.Begin(seed)
		if b := agent.Choose(s, legal, new(dataset.Search)); a != b {
			t.Fatalf("seed %d plays %d, then %d", seed, a, b)
		}
		chosen[a] = true
	}
	if len(chosen) != len(legal) {
		t.Errorf("200 seeds choose %d of %d equal moves", len(chosen), len(legal))
	}
}

func TestGreedyBeatsRandom(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		score := 0
		eps := play(t, plan(t, variant, "greedy", "random", nil), 2, 0, 100)
		for _, ep := range eps {
			score += ep.Result.For(env.Player(ep.Number % 2)) // greedy sits first in even episodes
		}
		if score < 40 { // 70 %: seven standard errors above even
			t.Errorf("%s: greedy scores %+d in %d games against random", variant, score, len(eps))
		}
	}
}

func TestRandomIsUniform(t *testing.T) {
	p := plan(t, "trench/standard", "random", "random", nil)
	agent, err := p.Agents[0].New(p.Variant.Game)
	if err != nil {
		t.Fatal(err)
	}
	s := env.NewState(p.Variant.Game)
	legal := s.Legal(nil)
	counts := map[env.Action]float64{}
	const draws = 14_000
	agent.Begin(1)
	for range draws {
		counts[agent.Choose(s, legal, new(dataset.Search))]++
	}
	chi := 0.0
	for _, a := range legal {
		d := counts[a] - draws/float64(len(legal))
		chi += d * d / (draws / float64(len(legal)))
	}
	if chi > 34.53 { // scipy.stats.chi2.ppf(0.999, 13)
		t.Errorf("chi-square is %.1f over %d actions", chi, len(legal))
	}
}

func TestAgentStrings(t *testing.T) {
	for text, want := range map[string]string{
		"greedy:": "option \"\"", "x": "known are alphabeta, best, exec, greedy, mcts, random", "": `agent "" is unknown`,
		"random:a=1": "option a is unknown; known are none", "best:a=1": "best takes no options; here it stands for alphabeta:", "random:a": `option "a" is not of the form`,
	} {
		if spec, err := parse(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseAgent(%q) = %v, %v; want %s", text, spec, err, want)
		}
	}
	for _, name := range selfplay.AgentNames() {
		if name == "exec" {
			continue // a name must follow
		}
		spec, err := parse(t, name)
		if kind, _, _ := strings.Cut(spec.String(), ":"); err != nil || kind != name && name != "best" {
			t.Errorf("ParseAgent(%q) = %v, %v", name, spec, err)
		}
	}
}

func TestSettingsGiveThePlanBack(t *testing.T) {
	p := plan(t, `trench/standard{"target_points":20}`, "greedy", "random", func(p *selfplay.Plan) {
		p.Opening.Starts = []string{"7g/6P1/5P2/4G3/3p4/2p5/8/8 w 0-0 0 0"}
	})
	settings := p.Settings(100)
	back, err := selfplay.FromSettings(&settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again := back.Settings(100); !reflect.DeepEqual(again, settings) || again.Run() != settings.Run() {
		t.Errorf("settings come back as %+v, were %+v", again, settings)
	}
	settings.Digest = "sha256:0"
	if _, err := selfplay.FromSettings(&settings, nil); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("a foreign digest gives %v", err)
	}
}

func TestJobsNeverSplitAPairAndAreManyEnough(t *testing.T) {
	for _, agents := range [][2]string{{"random", "random"}, {"greedy", "random"}, {"greedy", "greedy"}} {
		for _, episodes := range []int64{0, 1, 2, 100, 5_000, 1_000_000} {
			settings := plan(t, "trench/standard", agents[0], agents[1], nil).Settings(episodes)
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
	p := plan(t, "trench/standard", "random", "random", nil)
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
		player, err := selfplay.NewPlayer(plan(t, "trench/standard", agent, agent, nil))
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
				player, err := selfplay.NewPlayer(plan(b, variant, agent, agent, nil))
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
