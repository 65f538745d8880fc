package compare_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
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

func TestPoorDataHavePlainAnswers(t *testing.T) {
	p := planned(t, []string{"trench/standard", "trench/standard"}, 60, 0, [2]string{"greedy", ""})
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
		outcome string // of each
		warning string
		verdict compare.Verdict // of first_score
	}{
		{"none", 0, same, "No game of", "no game has a result", ""},
		{"one", 1, same, "which tells nothing", "only one game has a result", compare.Undecided},
		{"two", 2, same, "", "only 2 games have a result", compare.Undecided},
		{"won", 60, result(1), "scores 1.00 (", "", compare.Undecided},
		{"lost", 60, result(-1), "scores 0.000 (", "", compare.Undecided},
		{"drawn", 60, result(0), "scores 0.500 (", "", compare.Undecided},
		{"cut off", 60, cut, "No game of", "60 of 60 games were cut off", ""},
		{"failed", 60, func(ep *dataset.Episode) { ep.Reason = env.Crashed }, "No game of", "60 of 60 games were lost by a program", ""},
		{"repeated", 60, alike, "", "of 60 games only 1 are different", compare.Undecided},
	} {
		played := [][]compare.Played{{{SelfPlay: with(first, c.n, c.change)}}, {{SelfPlay: with(second, c.n, c.change)}}}
		r := report(t, p, 0, played)
		encoded(t, r)
		warnings := strings.Join(r.Health.Warnings, "\n")
		if !strings.Contains(r.Outcomes[0].Answer, c.outcome) || !strings.Contains(warnings, c.warning) {
			t.Errorf("%s: the answer is %q, warnings are %q", c.name, r.Outcomes[0].Answer, warnings)
		}
		if c.n < 60 && !strings.Contains(warnings, fmt.Sprintf("%d of 60 games are missing", 60-c.n)) {
			t.Errorf("%s: warnings are %q", c.name, warnings)
		}
		verdict := compare.Verdict("")
		for _, of := range r.Against.Comparisons {
			if of.Metric == "first_score" {
				verdict = of.Verdict
			}
		}
		if verdict != c.verdict || len(r.Against.Answers) != 1 {
			t.Errorf("%s: the verdict is %q, must be %q; %v", c.name, verdict, c.verdict, r.Against.Answers)
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
	if r = ladder(list[1:24]); r.Skill.Arms[0].Pairs != 10 || !strings.Contains(strings.Join(r.Health.Warnings, "\n"), "9 of 20 pairs are missing") {
		t.Errorf("half pairs count: %+v, %v", r.Skill.Arms[0], r.Health.Warnings)
	}
	// Who wins all is better by no bounded number of Elo.
	if r = ladder(list[8:]); r.Skill.Variants[0].Slope != nil || !strings.Contains(r.Skill.Variants[0].Answer, "no bounds") || r.Skill.Arms[0].Score.Estimate != 1 {
		t.Errorf("skill is %+v", r.Skill)
	}
	if r = ladder(nil); !strings.Contains(r.Skill.Arms[0].Answer, "No pair counts") {
		t.Errorf("skill is %+v", r.Skill)
	}
}
