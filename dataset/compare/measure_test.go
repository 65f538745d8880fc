package compare_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/env"
)

// episodes are those of a source, the test's own.
func episodes(s balance.Source) []*dataset.Episode {
	var list []*dataset.Episode
	for ep := range s.Episodes {
		own := *ep
		list = append(list, &own)
	}
	return list
}

// described is the report of a variant alone.
func described(t testing.TB, p *compare.Plan, s balance.Source) *compare.Report {
	t.Helper()
	return report(t, p, 0, [][]compare.Played{{{SelfPlay: measure(t, s, p.Games)}}})
}

// estimates are all of a variant alone, by metric.
func estimates(r *compare.Report) map[string]compare.Estimate {
	all := map[string]compare.Estimate{}
	for _, list := range [][]compare.Estimate{r.Outcomes[0].Estimates, r.Feel.Arms[0].Estimates} {
		for _, e := range list {
			all[e.Metric] = e
		}
	}
	return all
}

// The numbers of real games, counted in another way.
func TestMeasuresAreWhatTheGamesShow(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 60, 0, [2]string{"greedy", ""})
	s := arm(t, p, 0, "greedy", "greedy", 60, 5)
	list := episodes(s)
	list[3].Truncated, list[3].Terminated, list[3].Result, list[3].Reason = true, false, 0, env.NoReason
	list[4].Reason = env.Crashed
	list[5].Reason = env.Resigned
	want := map[string]float64{}
	results, plies, legal, choices, positions, again := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	firsts := map[env.Action]float64{}
	for i, ep := range list {
		if i == 4 {
			continue // lost by conduct
		}
		plies += float64(len(ep.Steps))
		firsts[ep.Steps[3].Action]++
		hashes := []uint64{}
		for _, step := range ep.Steps {
			hashes = append(hashes, step.Hash)
			if len(hashes) > 3 {
				legal += float64(step.LegalCount)
				choices++
			}
		}
		hashes = append(hashes, ep.FinalHash)
		for k := 3; k < len(hashes); k++ {
			positions++
			for j := range k {
				if hashes[j] == hashes[k] {
					again++
					break
				}
			}
		}
		if i == 3 {
			continue
		}
		results++
		want["first_score"] += (1 + float64(ep.Result)) / 2
		want["draws"] += 1 - math.Abs(float64(ep.Result))
		if ep.Result > 0 {
			want["first_wins"]++
		}
		if ep.Result < 0 {
			want["second_wins"]++
		}
	}
	for name := range want {
		want[name] /= results
	}
	want["decisive"] = want["first_wins"] + want["second_wins"]
	want["length"], want["branching"], want["repetition"] = plies/59, legal/choices, again/positions
	want["completion"] = 58. / 59
	same := 0.0
	for _, n := range firsts {
		same += n * (n - 1) / (59 * 58)
	}
	want["opening_diversity"] = 1 - same
	r := described(t, p, source(s.Settings, list))
	for metric, x := range want {
		if e := estimates(r)[metric]; e.Interval == nil || math.Abs(e.Interval.Estimate-x) > 1e-9 {
			t.Errorf("%s is %+v, must be %v", metric, e, x)
		}
	}
	if a := r.Provenance.Arms[0]; a.Played != 60 || a.Truncated != 1 || a.Failed != 1 || a.Resigned != 1 || a.Distinct != 60 || a.Openings > 60 || a.Openings < 40 {
		t.Errorf("the arm is %+v", a)
	}
	if o := r.Outcomes[0]; o.Games != 58 {
		t.Errorf("%d games have a result", o.Games)
	}
}

func TestCoverageIsOfSquaresThatPiecesMovedTo(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 1, 0, [2]string{"greedy", ""})
	s := arm(t, p, 0, "greedy", "greedy", 1, 5)
	list := episodes(s)
	// Squares that are named last in the moves of agents, such as d4 in a1-d4, or where something was taken on the way.
	state := env.NewState(lookup(t, "trench/standard").Game)
	if err := state.SetPosition(list[0].Start); err != nil {
		t.Fatal(err)
	}
	touched := map[int16]bool{}
	for ply := range list[0].Steps {
		events := state.(env.Tracer).Trace(list[0].Steps[ply].Action, nil)
		for _, e := range events {
			if ply >= 3 && (e.Kind == env.Moved || e.Kind == env.Captured) {
				touched[e.To] = true
			}
		}
	}
	if e := estimates(described(t, p, s))["coverage"]; e.Interval == nil || math.Abs(e.Interval.Estimate-float64(len(touched))/64) > 1e-9 || e.Interval.N != 1 {
		t.Errorf("coverage is %+v, %d of 64 squares were moved to", e, len(touched))
	}
}

func TestPoorDataHaveWarnings(t *testing.T) {
	p := planned(t, []string{"trench/standard", "trench/standard"}, 60, 0, [2]string{"greedy", ""})
	p.OpeningPlies = 8
	first, second := arm(t, p, 0, "greedy", "greedy", 60, 5), arm(t, p, 0, "greedy", "greedy", 60, 6)
	with := func(s balance.Source, n int, change func(ep *dataset.Episode)) *compare.Measures {
		list := episodes(s)[:n]
		for _, ep := range list {
			change(ep)
		}
		return measure(t, source(s.Settings, list), 60)
	}
	result := func(r env.Result) func(ep *dataset.Episode) {
		return func(ep *dataset.Episode) { ep.Result = r }
	}
	same := func(*dataset.Episode) {}
	cut := func(ep *dataset.Episode) { ep.Truncated, ep.Result, ep.Reason = true, 0, env.NoReason }
	alike := func(ep *dataset.Episode) { *ep = *episodes(first)[0] }
	for _, c := range []struct {
		name    string
		n       int
		change  func(ep *dataset.Episode)
		warning []compare.Warning // about each
		verdict compare.Verdict   // of first_score
	}{
		{"none", 0, same, []compare.Warning{{Problem: compare.MissingGames, Count: 60, Of: 60}, {Problem: compare.FewResults}}, ""},
		{"one", 1, same, []compare.Warning{{Problem: compare.MissingGames, Count: 59, Of: 60}, {Problem: compare.FewResults, Count: 1, Of: 1}}, compare.Undecided},
		{"two", 2, same, []compare.Warning{{Problem: compare.MissingGames, Count: 58, Of: 60}, {Problem: compare.FewResults, Count: 2, Of: 2}}, compare.Undecided},
		{"49", 49, same, []compare.Warning{{Problem: compare.MissingGames, Count: 11, Of: 60}, {Problem: compare.FewResults, Count: 49, Of: 49}}, compare.Undecided},
		{"50", 50, same, []compare.Warning{{Problem: compare.MissingGames, Count: 10, Of: 60}}, compare.Undecided},
		{"won", 60, result(1), nil, compare.Undecided},
		{"lost", 60, result(-1), nil, compare.Undecided},
		{"drawn", 60, result(0), nil, compare.Undecided},
		{"cut off", 60, cut, []compare.Warning{{Problem: compare.FewResults, Of: 60}, {Problem: compare.CutOffGames, Count: 60, Of: 60}}, ""},
		{"failed", 60, func(ep *dataset.Episode) { ep.Reason = env.Crashed }, []compare.Warning{{Problem: compare.FewResults, Of: 60}, {Problem: compare.FailedGames, Count: 60, Of: 60}}, ""},
		{"repeated", 60, alike, []compare.Warning{
			{Problem: compare.RepeatedGames, Count: 1, Of: 60}, {Problem: compare.NoChance, Count: 1, Of: 60},
		}, compare.Undecided},
	} {
		played := [][]compare.Played{{{SelfPlay: with(first, c.n, c.change)}}, {{SelfPlay: with(second, c.n, c.change)}}}
		r := report(t, p, 0, played)
		encoded(t, r)
		var warnings []compare.Warning
		for _, name := range []string{"trench/standard", "trench/standard (2)"} {
			for _, w := range c.warning {
				w.Variant = name
				warnings = append(warnings, w)
			}
		}
		if !slices.Equal(r.Health.Warnings, warnings) {
			t.Errorf("%s: the warnings are\n%+v, must be\n%+v", c.name, r.Health.Warnings, warnings)
		}
		verdict := compare.Verdict("")
		for _, of := range r.Against.Comparisons {
			if of.Metric == "first_score" {
				verdict = of.Verdict
			}
		}
		if verdict != c.verdict {
			t.Errorf("%s: the verdict is %q, must be %q", c.name, verdict, c.verdict)
		}
	}
	// All against nothing is no doubt.
	r := report(t, p, 0, [][]compare.Played{{{SelfPlay: with(first, 60, result(1))}}, {{SelfPlay: with(second, 60, result(-1))}}})
	if c := r.Against.Comparisons[0]; c.Verdict != compare.Differs || c.Difference.Estimate != -1 || c.Difference.High > -.8 || c.Detectable != nil {
		t.Errorf("all won against all lost is %+v", c)
	}
}

func TestMeasureRefusesWhatIsNotSelfPlay(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 10, 0, [2]string{"greedy", ""})
	pairs, own := arm(t, p, 0, "greedy", "random", 10, 5), arm(t, p, 0, "greedy", "greedy", 10, 5)
	if _, err := compare.Measure(context.Background(), pairs, 10); !errors.Is(err, balance.ErrSources) || !strings.Contains(err.Error(), "must be self-play") {
		t.Errorf("the error is %v", err)
	}
	if _, err := compare.MeasureLadder(context.Background(), own, 10); !errors.Is(err, balance.ErrSources) || !strings.Contains(err.Error(), "must be pairs") {
		t.Errorf("the error is %v", err)
	}
	list := episodes(own)
	list[2].Steps[4].Action = -1
	unknown := *own.Settings
	unknown.Digest = "sha256:0"
	if _, err := compare.Measure(context.Background(), source(&unknown, list), 10); err == nil || !strings.Contains(err.Error(), "sha256:0") {
		t.Errorf("of unknown rules the error is %v", err)
	}
	var fault *dataset.Fault
	if _, err := compare.Measure(context.Background(), source(own.Settings, list), 10); !errors.As(err, &fault) || fault.Episode != 2 {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := compare.Measure(ctx, own, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestTheLadderCountsWholePairsOfTheFirstAgent(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 10, 20, [2]string{"random", "greedy"})
	s := arm(t, p, 0, "greedy", "random", 40, 5)
	list := episodes(s)
	for i, ep := range list { // the first agent wins, but for what is changed below
		ep.Result = env.WinFor(env.Player(i % 2))
	}
	list[0].Result = 0                                                // pair 0: 1½ points
	list[2].Truncated, list[2].Reason = true, env.NoReason            // pair 1: a draw and a win
	list[5].Reason = env.Crashed                                      // pair 2 does not count
	list[6].Result, list[7].Result = -list[6].Result, -list[7].Result // pair 3: nothing
	m := func(list []*dataset.Episode, pairs int64) *compare.LadderMeasures {
		m, err := compare.MeasureLadder(context.Background(), source(s.Settings, list), pairs)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	own := measure(t, arm(t, p, 0, "random", "random", 10, 6), 10)
	p.Games = 10
	ladder := func(list []*dataset.Episode) *compare.Report {
		r := report(t, p, 0, [][]compare.Played{{{SelfPlay: own, Ladder: m(list, 20)}}})
		encoded(t, r)
		return r
	}
	r := ladder(list)
	if a := r.Skill.Arms[0]; a.Pairs != 19 || a.Pentanomial != [5]int64{1, 0, 0, 2, 16} || a.Score.N != 38 {
		t.Errorf("the ladder is %+v", a)
	}
	if a := r.Provenance.Arms[1]; !a.Ladder || a.Played != 20 || a.Truncated != 1 || a.Failed != 1 {
		t.Errorf("the arm is %+v", a)
	}
	if r = ladder(list[1:24]); r.Skill.Arms[0].Pairs != 10 || !slices.Contains(r.Health.Warnings, compare.Warning{Problem: compare.MissingGames, Variant: "trench/standard", Ladder: true, Count: 9, Of: 20}) {
		t.Errorf("half pairs count: %+v, %v", r.Skill.Arms[0], r.Health.Warnings)
	}
	// Who wins all is better by no bounded number of Elo.
	if r = ladder(list[8:]); r.Skill.Variants[0].Slope != nil || r.Skill.Arms[0].Score.Estimate != 1 {
		t.Errorf("skill is %+v", r.Skill)
	}
	if r = ladder(nil); r.Skill.Arms[0].Pairs != 0 || r.Skill.Variants[0].Slope != nil {
		t.Errorf("skill is %+v", r.Skill)
	}
}

func TestTheLadderHasItsOwnWarnings(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 10, 60, [2]string{"random", "greedy"})
	s := arm(t, p, 0, "greedy", "random", 120, 5)
	own := measure(t, arm(t, p, 0, "random", "random", 10, 6), 10)
	warnings := func(list []*dataset.Episode) (ladder []compare.Warning) {
		t.Helper()
		m, err := compare.MeasureLadder(context.Background(), source(s.Settings, list), 60)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range report(t, p, 0, [][]compare.Played{{{SelfPlay: own, Ladder: m}}}).Health.Warnings {
			if w.Ladder {
				w.Ladder, w.Variant = false, ""
				ladder = append(ladder, w)
			}
		}
		return ladder
	}
	change := func(n int, of func(ep *dataset.Episode)) []*dataset.Episode {
		list := episodes(s)
		for _, ep := range list[:n] {
			of(ep)
		}
		return list
	}
	for name, c := range map[string]struct {
		list []*dataset.Episode
		want []compare.Warning
	}{
		"none":          {nil, []compare.Warning{{Problem: compare.MissingGames, Count: 60, Of: 60}, {Problem: compare.FewResults}}},
		"all":           {episodes(s), nil},
		"fifty pairs":   {episodes(s)[:100], []compare.Warning{{Problem: compare.MissingGames, Count: 10, Of: 60}}},
		"fewer":         {episodes(s)[:99], []compare.Warning{{Problem: compare.MissingGames, Count: 11, Of: 60}, {Problem: compare.FewResults, Count: 49, Of: 49}}},
		"cut off":       {change(3, func(ep *dataset.Episode) { ep.Truncated, ep.Reason = true, env.NoReason }), []compare.Warning{{Problem: compare.CutOffGames, Count: 3, Of: 120}}},
		"failed":        {change(3, func(ep *dataset.Episode) { ep.Reason = env.Crashed }), []compare.Warning{{Problem: compare.FailedGames, Count: 3, Of: 120}}},
		"eleven failed": {change(21, func(ep *dataset.Episode) { ep.Reason = env.Crashed }), []compare.Warning{{Problem: compare.FewResults, Count: 49, Of: 60}, {Problem: compare.FailedGames, Count: 21, Of: 120}}},
		"one repeated":  {repeated(episodes(s), 1), nil},
		"two repeated":  {repeated(episodes(s), 2), []compare.Warning{{Problem: compare.RepeatedGames, Count: 118, Of: 120}}},
		"one early":     {change(1, early), nil},
		"two early":     {change(2, early), []compare.Warning{{Problem: compare.DecidedEarly, Count: 2, Of: 120}}},
	} {
		if got := warnings(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%s: the warnings are %+v, must be %+v", name, got, c.want)
		}
	}
}

// early ends a game with the second ply of the agents.
func early(ep *dataset.Episode) {
	n := ep.OpeningPlies + 2
	ep.FinalHash, ep.Steps = ep.Steps[n].Hash, ep.Steps[:n]
}

// repeated replaces the n games after the first by copies of it.
func repeated(list []*dataset.Episode, n int) []*dataset.Episode {
	first := *list[0]
	for i := 1; i <= n; i++ {
		ep := first
		ep.Number, ep.Pair, ep.Agents = list[i].Number, list[i].Pair, list[i].Agents
		list[i] = &ep
	}
	return list
}

// A warning needs more than one repeated game in a hundred.
func TestRepeatedGamesAndOpeningsAreCounted(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 60, 0, [2]string{"greedy", ""})
	p.OpeningPlies = 8
	s := arm(t, p, 0, "greedy", "greedy", 60, 5)
	health := func(list []*dataset.Episode) compare.Health {
		return report(t, p, 0, [][]compare.Played{{{SelfPlay: measure(t, source(s.Settings, list), 60)}}}).Health
	}
	if h := health(episodes(s)); len(h.Warnings) != 0 || h.Arms[0].Distinct != 1 || h.Arms[0].Openings != 1 {
		t.Errorf("of different games health is %+v", h)
	}
	warning := func(problem compare.Problem, count int64) compare.Warning {
		return compare.Warning{Problem: problem, Variant: "trench/standard", Count: count, Of: 60}
	}
	want := []compare.Warning{warning(compare.RepeatedGames, 54), warning(compare.NoChance, 54)}
	if h := health(repeated(episodes(s), 6)); !slices.Equal(h.Warnings, want) || h.Arms[0].Distinct != .9 || h.Arms[0].Openings != .9 {
		t.Errorf("of 54 different games health is %+v", h)
	}
	list := episodes(s)
	early(list[0])
	want = []compare.Warning{warning(compare.DecidedEarly, 1)}
	if h := health(list); !slices.Equal(h.Warnings, want) || h.Arms[0].Early.Estimate != 1./60 || h.Arms[0].Early.N != 60 {
		t.Errorf("with a game decided early health is %+v", h)
	}
	// Games with the same opening that end at different plies.
	list = episodes(s)
	for i := 1; i <= 11; i++ {
		ep := *list[0]
		n := len(ep.Steps) - i
		ep.Number, ep.FinalHash, ep.Steps = list[i].Number, ep.Steps[n].Hash, ep.Steps[:n]
		ep.Truncated, ep.Terminated, ep.Reason, ep.Result = true, false, env.NoReason, 0
		list[i] = &ep
	}
	few := compare.Warning{Problem: compare.FewOpenings, Variant: "trench/standard", Count: 49, Of: 60}
	if h := health(list); !slices.Contains(h.Warnings, few) || slices.ContainsFunc(h.Warnings, func(w compare.Warning) bool { return w.Problem == compare.NoChance }) {
		t.Errorf("of 49 openings health is %+v", h)
	}
}

// MeasureLadder stops at the first episode after its context is done, and names the source.
func TestMeasureLadderStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	settings := datasettest.Settings(1, 4, 2)
	settings.Agents = [2]string{"greedy", "random"}
	yielded := 0
	s := balance.Source{Name: "runs/a", Settings: &settings, Episodes: func(yield func(*dataset.Episode, error) bool) {
		for i := range int64(4) {
			if yielded++; yielded == 2 {
				cancel()
			}
			ep := &dataset.Episode{Number: i, Pair: i / 2, Agents: settings.Assign(i).Agents, Terminated: true}
			if !yield(ep, nil) {
				return
			}
		}
	}}
	if _, err := compare.MeasureLadder(ctx, s, 2); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "runs/a: ") || yielded != 2 {
		t.Errorf("after %d episodes: error is %v", yielded, err)
	}
	if m, err := compare.MeasureLadder(t.Context(), s, 0); err != nil || m == nil {
		t.Errorf("without pairs: error is %v", err)
	}
}
