package handicap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const agent = "synthetic"

func lookup(t *testing.T, name string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// byTurns says that the first player is handicapped in even episodes.
func byTurns(episode int64) env.Player { return env.Player(episode & 1) }

// result of the first player in episode i.
type result func(i int64) env.Result

// source holds synthetic games of ten plies of agents. Each is a different one.
func source(v *variant.Variant, seed uint64, n int64, of result) balance.Source {
	settings := &dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{agent, agent}, Starts: []string{}, Seed: seed, JobEpisodes: 1}
	return balance.Source{Name: fmt.Sprint("games-", seed), Settings: settings, Count: n, Episodes: func(yield func(*dataset.Episode, error) bool) {
		for i := range n {
			ep := &dataset.Episode{Run: settings.Run(), Number: i, Pair: dataset.NoPair, ResignPly: dataset.NoPly, Agents: settings.Agents,
				Start: fmt.Sprint(i), Terminated: true, Reason: env.Points, Result: of(i), Steps: make([]dataset.Step, 10)}
			ep.Steps[0].Hash = uint64(i)
			if !yield(ep, nil) {
				return
			}
		}
	}}
}

// counted has the first so many of the games of each seat won by the handicapped
// side, then so many drawn.
func counted(first, second [2]int64) result {
	return func(i int64) env.Result {
		p, k := byTurns(i), i/2
		wins, draws := first[0], first[1]
		if p == env.Second {
			wins, draws = second[0], second[1]
		}
		switch {
		case k < wins:
			return env.WinFor(p)
		case k < wins+draws:
			return env.Result(0)
		}
		return env.WinFor(p.Opponent())
	}
}

// chance draws what the handicapped side scores: a win with probability s − d/2, a
// draw with d.
func chance(r *rand.Rand, s [2]float64, d float64) result {
	return func(i int64) env.Result {
		p := byTurns(i)
		switch u := r.Float64(); {
		case u < s[p]-d/2:
			return env.WinFor(p)
		case u < s[p]+d/2:
			return env.Result(0)
		}
		return env.WinFor(p.Opponent())
	}
}

// measured counts the games of a handicap.
func measured(t *testing.T, h handicap.Handicap, games ...handicap.Games) handicap.Played {
	t.Helper()
	m, err := handicap.Measure(t.Context(), games...)
	if err != nil {
		t.Fatal(err)
	}
	return handicap.Played{Handicap: h, Measures: m}
}

func removed(t *testing.T, of string, s balance.Source) handicap.Played {
	t.Helper()
	return measured(t, handicap.Handicap{Type: of}, handicap.Games{Source: s, Handicapped: byTurns})
}

// note is the handicaps' counts of a note of a report, nil without it.
func note(r *handicap.Report, kind handicap.NoteKind) []handicap.Case {
	for _, n := range r.Notes {
		if n.Kind == kind {
			return n.Cases
		}
	}
	return nil
}

func analyze(t *testing.T, e *handicap.Experiment) *handicap.Report {
	t.Helper()
	r, err := handicap.Analyze(e)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if a := string(text); strings.Contains(a, "NaN") || strings.Contains(a, "Inf") {
		t.Errorf("the report contains NaN or Inf: %s", a)
	}
	return r
}

func near(x, y float64) bool { return math.Abs(x-y) < 5e-7 }

// 200 games with the first player handicapped, 60 won and 40 drawn, and 200 with the
// second, 30 won and 20 drawn: the handicapped side scores 0.4 and 0.2. The bounds:
//
//	def wilson(s, v, n):                       # v the variance of a game's result
//	    m = s*(1-s)/(v/(n-1))                  # of n games
//	    z = scipy.stats.t.ppf(.975, n-1); c = (s+z*z/2/m)/(1+z*z/m)
//	    h = z*math.sqrt(s*(1-s)/m+z*z/4/m/m)/(1+z*z/m); return c-h, c+h
//	a = wilson(.4, (60+40/4)/200-.16, 200); b = wilson(.2, (30+20/4)/200-.04, 200)
//	.3-math.hypot(.4-a[0], .2-b[0])/2, .3+math.hypot(a[1]-.4, b[1]-.2)/2
func TestScoreIsTheMeanOfBothSeats(t *testing.T) {
	v := lookup(t, "trench/standard")
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
		removed(t, "Soldier", source(v, 1, 400, counted([2]int64{60, 40}, [2]int64{30, 20}))),
	}})
	const scoreLow, scoreHigh = 0.2625131011819089, 0.3417903282277987
	e := r.Handicaps[0]
	if !near(e.Score.Estimate, .3) || !near(e.Score.Low, scoreLow) || !near(e.Score.High, scoreHigh) || e.Score.N != 400 {
		t.Errorf("the score is %+v", e.Score)
	}
	if !near(e.Loss.Estimate, .2) || !near(e.Loss.Low, .5-scoreHigh) || !near(e.Loss.High, .5-scoreLow) {
		t.Errorf("the loss is %+v", e.Loss)
	}
	// 400*log10(.7/.3) and log(.7/.3)
	if !near(e.Elo.Estimate, 147.19071411783779) || !near(e.LogOdds.Estimate, .847297860387) || e.LogOdds.Low < 0 {
		t.Errorf("the loss is %+v Elo, %+v in log odds", e.Elo, e.LogOdds)
	}
	if e.Seats[0].Wins != 60 || e.Seats[0].Draws != 40 || e.Seats[0].Losses != 100 || !near(e.Seats[1].Score.Estimate, .2) || e.Seats[0].Loss != nil {
		t.Errorf("the seats are %+v", e.Seats)
	}
	if e.None.P > 1e-9 || e.Adjusted != e.None.P || e.Value == nil || e.Value.Estimate != 1 || r.Unit != "Soldier" {
		t.Errorf("the test is %+v, adjusted %v, the unit %q worth %+v", e.None, e.Adjusted, r.Unit, e.Value)
	}
	// stats.Trial: least loss with power 0.8 of 200 pairs with the variance of the results,
	// (60+10)/200-.16 and (30+5)/200-.04 with 199 degrees of freedom, halved twice.
	if d := e.Detectable; d == nil || d.Power != .8 || d.Pairs != 200 || d.Tests != 1 || math.Abs(d.Loss-.0566) > .0005 {
		t.Errorf("detectable is %+v", d)
	}
}

func TestValuesAreRatiosOfLossesInLogOdds(t *testing.T) {
	v := lookup(t, "trench/standard")
	e := &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
		removed(t, "Colonel", source(v, 1, 2000, counted([2]int64{200, 0}, [2]int64{200, 0}))),
		removed(t, "Soldier", source(v, 2, 2000, counted([2]int64{400, 0}, [2]int64{400, 0}))),
		removed(t, "Captain", source(v, 3, 2000, counted([2]int64{500, 0}, [2]int64{500, 0}))),
		removed(t, "Sergeant", source(v, 4, 2000, counted([2]int64{1000, 0}, [2]int64{1000, 0}))),
		measured(t, handicap.Handicap{Type: "Soldier", Change: handicap.Change{Attribute: "longest_move", By: 1}},
			handicap.Games{Source: source(v, 5, 2000, counted([2]int64{650, 0}, [2]int64{650, 0})), Handicapped: byTurns}),
	}, Unit: "P"} // the symbol of a Soldier
	r := analyze(t, e)
	want := math.Log(.8/.2) / math.Log(.6/.4)
	value := r.Handicaps[0].Value
	if value == nil || !near(value.Estimate, want) || value.Low > want || value.High < want || value.Low < 2.5 || value.High > 5 {
		t.Errorf("a Colonel is worth %+v, want %v", value, want)
	}
	if value := r.Handicaps[2].Value; value == nil || !near(value.Estimate, 0) || value.Low > -.05 || value.High < .05 {
		t.Errorf("what costs nothing is worth %+v", value)
	}
	if e := r.Handicaps[3]; e.Value != nil || e.Problem != handicap.Unbounded || !math.IsInf(e.LogOdds.Estimate, -1) || e.Loss.Estimate != -.5 {
		t.Errorf("who always wins is worth %+v, %q", e.Value, e.Problem)
	}
	if e := r.Handicaps[4]; e.Value == nil || e.Value.High >= 0 || e.Regression != nil || e.Attribute != "longest_move" || e.By != 1 || !near(e.Loss.Estimate, -.15) {
		t.Errorf("what helps is %+v, %+v", e.Value, e)
	}
	if helped := note(r, handicap.Helped); !slices.Equal(helped, []handicap.Case{{Handicap: 3}}) {
		t.Errorf("removing helps in %+v", helped)
	}
	// A unit whose loss may be nothing bounds no value.
	e.Unit = "Captain"
	if r := analyze(t, e); r.Handicaps[0].Value != nil || r.Handicaps[0].Problem != handicap.UnitUncertain {
		t.Errorf("in such units it is worth %+v, %q", r.Handicaps[0].Value, r.Handicaps[0].Problem)
	}
	e.Unit = "Sergeant"
	if r := analyze(t, e); r.Handicaps[0].Value != nil || r.Handicaps[0].Problem != handicap.UnitHelps || r.Unit != "Sergeant" {
		t.Errorf("in such units it is worth %+v, %q", r.Handicaps[0].Value, r.Handicaps[0].Problem)
	}
	e.Unit = "General"
	if r := analyze(t, e); r.Handicaps[0].Value != nil || r.Handicaps[0].Problem != handicap.UnitNotPlayed || r.Unit != "General" {
		t.Errorf("in such units it is worth %+v, %q", r.Handicaps[0].Value, r.Handicaps[0].Problem)
	}
	e.Unit = "Queen"
	if _, err := handicap.Analyze(e); !errors.Is(err, balance.ErrUnit) || !strings.Contains(err.Error(), `General (`) {
		t.Errorf("the error is %v", err)
	}
}

func TestOfSeedsOneIsMissing(t *testing.T) {
	v := lookup(t, "ntxuva/4")
	e := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
		removed(t, "attack house", source(v, 1, 400, counted([2]int64{50, 0}, [2]int64{50, 0}))),
	}}).Handicaps[0]
	if !e.Counted || e.Type != "attack house" || e.Score.Estimate != .25 {
		t.Errorf("the effect is %+v", e)
	}
}

func TestErrorsOfManyHandicapsAreAdjusted(t *testing.T) {
	v := lookup(t, "trench/standard")
	e := &handicap.Experiment{Variant: v, Agent: agent}
	for i, name := range []string{"Colonel", "Captain", "Sergeant", "Soldier"} {
		e.Played = append(e.Played, removed(t, name, source(v, uint64(i), 400, counted([2]int64{90, 0}, [2]int64{90, 0}))))
	}
	r := analyze(t, e)
	p := r.Handicaps[0].None.P
	if p > .05 || p < .0125 {
		t.Fatalf("P is %v, which shows nothing here", p)
	}
	for _, e := range r.Handicaps {
		if !near(e.Adjusted, 4*p) || e.Detectable == nil || e.Detectable.Tests != 4 {
			t.Errorf("%s has P %v, %+v", e.Type, e.Adjusted, e.Detectable)
		}
	}
}

func TestGamesWithoutAResultOfPlayAreCountedAndLeftOut(t *testing.T) {
	v := lookup(t, "trench/standard")
	s := source(v, 1, 60, counted([2]int64{10, 0}, [2]int64{10, 0}))
	all := s.Episodes
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		for ep := range all {
			switch ep.Number {
			case 10, 11, 12:
				ep.Result, ep.Reason, ep.Terminated, ep.Truncated = env.Result(0), env.NoReason, false, true
			case 20:
				ep.Reason = env.Crashed
			case 50:
				ep.Start = "1"
			case 0:
				ep.Steps = ep.Steps[:2]
			}
			if ep.Number < 55 && !yield(ep, nil) {
				return
			}
		}
	}
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{removed(t, "Soldier", s)}})
	e := r.Handicaps[0]
	if e.Truncated != 3 || e.Failed != 1 || e.Games != 51 || e.Score.N != 51 || e.Distinct != 54 {
		t.Errorf("%d cut off, %d failed, %d counted, %d distinct", e.Truncated, e.Failed, e.Games, e.Distinct)
	}
	want := []handicap.Note{
		{Kind: handicap.MissingGames, Cases: []handicap.Case{{Count: 5, Of: 60}}}, {Kind: handicap.CutOffGames, Cases: []handicap.Case{{Count: 3, Of: 55}}},
		{Kind: handicap.FailedGames, Cases: []handicap.Case{{Count: 1, Of: 55}}}, {Kind: handicap.FewSeatGames, Cases: []handicap.Case{{Count: 25, Of: 51}}},
		{Kind: handicap.RepeatedGames, Cases: []handicap.Case{{Count: 54, Of: 55}}}, {Kind: handicap.DecidedEarly, Cases: []handicap.Case{{Count: 1, Of: 55}}},
	}
	if !reflect.DeepEqual(r.Notes, want) {
		t.Errorf("the notes are %+v, must be %+v", r.Notes, want)
	}
	if e.Openings != 55 || e.Arms[0].Episodes != 60 {
		t.Errorf("%d openings, %+v", e.Openings, e.Arms)
	}
}

// repeating makes the games of a source repeat, so that there are only so many distinct
// ones and openings.
func repeating(s balance.Source, games, openings int64) balance.Source {
	all := s.Episodes
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		for ep := range all {
			ep.Start, ep.Steps[0].Hash = fmt.Sprint(ep.Number%games), uint64(ep.Number%openings)
			if !yield(ep, nil) {
				return
			}
		}
	}
	return s
}

func TestRepeatedGamesAndFewOpeningsHaveNotes(t *testing.T) {
	v := lookup(t, "trench/standard")
	even := counted([2]int64{50, 0}, [2]int64{50, 0})
	for _, c := range []struct {
		n, distinct, openings int64
		repeated, few         bool
	}{
		{200, 200, 200, false, false},
		{200, 198, 198, false, false}, // 99 of 100 are different
		{200, 197, 197, true, false},
		{200, 200, 50, false, false},
		{200, 200, 49, false, true},
		{49, 49, 1, false, false}, // so few games have few openings
		{50, 50, 1, false, true},
	} {
		r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
			removed(t, "Soldier", source(v, 1, 200, even)), removed(t, "Colonel", repeating(source(v, 2, c.n, even), c.distinct, c.openings)),
		}})
		if e := r.Handicaps[1]; e.Distinct != c.distinct || e.Openings != c.openings {
			t.Errorf("%+v: %d games are distinct, %d openings", c, e.Distinct, e.Openings)
		}
		expect := func(kind handicap.NoteKind, count int64, is bool) {
			var want []handicap.Case
			if is {
				want = []handicap.Case{{Handicap: 1, Count: count, Of: c.n}}
			}
			if got := note(r, kind); !slices.Equal(got, want) {
				t.Errorf("%+v: the note %s is of %+v, must be of %+v", c, kind, got, want)
			}
		}
		expect(handicap.RepeatedGames, c.distinct, c.repeated)
		expect(handicap.FewOpenings, c.openings, c.few)
	}
}

func TestASeatWithFewGamesHasANote(t *testing.T) {
	v := lookup(t, "trench/standard")
	for n, want := range map[int64][]handicap.Case{2: nil, 4: {{Count: 2, Of: 4}}, 99: {{Count: 49, Of: 99}}, 100: nil} {
		r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{removed(t, "Soldier", source(v, 1, n, counted([2]int64{1, 0}, [2]int64{1, 0})))}})
		if got := note(r, handicap.FewSeatGames); !slices.Equal(got, want) {
			t.Errorf("of %d games the note is of %+v, must be of %+v", n, got, want)
		}
	}
}

func TestAFaultOfTheDataIsReturned(t *testing.T) {
	v, fault := lookup(t, "trench/standard"), errors.New("a torn file")
	s := source(v, 1, 2, counted([2]int64{}, [2]int64{}))
	s.Episodes = func(yield func(*dataset.Episode, error) bool) { yield(nil, fault) }
	if _, err := handicap.Measure(t.Context(), handicap.Games{Source: s, Handicapped: byTurns}); !errors.Is(err, fault) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	whole := source(v, 1, 2, counted([2]int64{}, [2]int64{}))
	if _, err := handicap.Measure(ctx, handicap.Games{Source: whole, Handicapped: byTurns}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestLittleAndOneSidedDataHavePlainNumbers(t *testing.T) {
	v := lookup(t, "trench/standard")
	for _, c := range []struct {
		n       int64
		of      result
		loss    float64
		shown   bool
		problem handicap.Problem
	}{
		{0, counted([2]int64{}, [2]int64{}), 0, false, handicap.FewResults},
		{1, counted([2]int64{1, 0}, [2]int64{}), 0, false, handicap.FewResults},
		{2, counted([2]int64{1, 0}, [2]int64{}), 0, false, handicap.FewResults},
		{4, counted([2]int64{2, 0}, [2]int64{0, 2}), -.25, false, handicap.UnitUncertain},
		{400, counted([2]int64{0, 200}, [2]int64{0, 200}), 0, false, handicap.UnitUncertain},
		{400, counted([2]int64{200, 0}, [2]int64{200, 0}), -.5, true, handicap.UnitHelps},
		{400, counted([2]int64{}, [2]int64{}), .5, true, handicap.Unbounded},
		{400, counted([2]int64{200, 0}, [2]int64{0, 0}), 0, false, handicap.UnitUncertain}, // the first player wins everything
	} {
		r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{removed(t, "Soldier", source(v, 1, c.n, c.of)), removed(t, "Colonel", source(v, 2, c.n, c.of))}})
		e := r.Handicaps[1]
		if c.n >= 4 && !near(e.Loss.Estimate, c.loss) || (e.Adjusted <= .05) != c.shown || e.Problem != c.problem {
			t.Errorf("of %d games the loss is %+v, P %v, the problem %q, must be %q", c.n, e.Loss, e.Adjusted, e.Problem, c.problem)
		}
		if c.n < 4 && (e.None.P != 1 || e.Adjusted != 1 || e.Value != nil || e.Detectable != nil) {
			t.Errorf("of %d games it shows %+v, %+v, %+v", c.n, e.None, e.Value, e.Detectable)
		}
		if e.Loss.Low > e.Loss.Estimate || e.Loss.High < e.Loss.Estimate || e.Loss.Low < -.5 || e.Loss.High > .5 {
			t.Errorf("of %d games the loss is %+v", c.n, e.Loss)
		}
	}
	few := removed(t, "Soldier", source(v, 1, 1, counted([2]int64{}, [2]int64{})))
	enough := removed(t, "Colonel", source(v, 2, 400, counted([2]int64{50, 0}, [2]int64{50, 0})))
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{few, enough}, Unit: "Soldier"})
	if r.Unit != "Soldier" || r.Handicaps[0].Problem != handicap.FewResults || r.Handicaps[1].Problem != handicap.UnitFewResults || r.Handicaps[1].Detectable.Tests != 1 {
		t.Errorf("without games of the unit the problems are %q and %q", r.Handicaps[0].Problem, r.Handicaps[1].Problem)
	}
	if r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent}); len(r.Handicaps) != 0 || r.Unit != "" || len(r.Notes) != 0 {
		t.Errorf("of nothing the report is %+v", r)
	}
}

func TestSeveralChangesMakeACurve(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	change := func(by, wins int64) handicap.Played {
		return measured(t, handicap.Handicap{Type: "Light Tank", Change: handicap.Change{Attribute: "speed", By: int(by)}}, []handicap.Games{
			{Source: source(v, uint64(10+by), 200, func(i int64) env.Result { return counted([2]int64{wins, 0}, [2]int64{})(2 * i) }), Handicapped: func(int64) env.Player { return env.First }},
			{Source: source(v, uint64(20+by), 200, func(i int64) env.Result { return counted([2]int64{}, [2]int64{wins, 0})(2*i + 1) }), Handicapped: func(int64) env.Player { return env.Second }},
		}...)
	}
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{change(2, 140), change(-1, 80), change(1, 120)}})
	if len(r.Curves) != 1 || len(r.Curves[0].Points) != 4 {
		t.Fatalf("the curves are %+v", r.Curves)
	}
	c := r.Curves[0]
	for i, want := range []handicap.Point{{By: -1, Score: stats.Interval{Estimate: .4}}, {By: 0, Score: stats.Interval{Estimate: .5}}, {By: 1, Score: stats.Interval{Estimate: .6}}, {By: 2, Score: stats.Interval{Estimate: .7}}} {
		if at := c.Points[i]; at.By != want.By || !near(at.Score.Estimate, want.Score.Estimate) || at.By == 0 && at.Score.Low != .5 {
			t.Errorf("point %d is %+v", i, at)
		}
	}
	if !near(c.Rise.Estimate, .3) || c.Rise.N != 800 || c.None.P > 1e-6 || c.Adjusted != c.None.P {
		t.Errorf("the rise is %+v, %+v", c.Rise, c.None)
	}
	// With the unchanged rules at an end that end is known.
	r = analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{change(1, 120), change(2, 140)}})
	if c := r.Curves[0]; !near(c.Rise.Estimate, .2) || c.Rise.N != 400 || !near(c.Rise.High-c.Rise.Low, r.Handicaps[1].Score.High-r.Handicaps[1].Score.Low) {
		t.Errorf("the rise is %+v", c.Rise)
	}
	r = analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{change(-1, 80), change(-2, 70)}})
	if c := r.Curves[0]; !near(c.Rise.Estimate, .15) || c.Rise.N != 400 {
		t.Errorf("the rise is %+v", c.Rise)
	}
	if r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{change(1, 120)}}); len(r.Curves) != 0 {
		t.Errorf("one change makes the curve %+v", r.Curves)
	}
}

func TestCurvesStandAmongOtherHandicaps(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	change := func(kind, attribute string, by int) handicap.Played {
		return measured(t, handicap.Handicap{Type: kind, Change: handicap.Change{Attribute: attribute, By: by}}, handicap.Games{Source: source(v, 1, 40, counted([2]int64{5, 0}, [2]int64{5, 0})), Handicapped: byTurns})
	}
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
		change("Light Tank", "", 0), change("Light Tank", "speed", 1), change("Heavy Tank", "", 0), change("Heavy Tank", "power", -1), change("Light Tank", "speed", 2), change("Heavy Tank", "power", 1),
	}})
	if c := r.Curves; len(c) != 2 || c[0].Type != "Light Tank" || c[0].Attribute != "speed" || len(c[0].Points) != 3 || c[1].Type != "Heavy Tank" || c[1].Attribute != "power" || c[1].Points[1].By != 0 {
		t.Errorf("the curves are %+v", c)
	}
}

// A plan's loss with the greatest variance: 1/8 for the mean score of a pair.
func TestAPlanTellsWhatItCanShow(t *testing.T) {
	d := handicap.Foresee(500, 1)
	power, err := stats.Trial{Level: stats.Level, Groups: 1, Variance: 1.0 / 8}.Power(d.Loss, 500)
	if err != nil || !near(power, handicap.Power) || d.Loss < .044 || d.Loss > .0445 { // (1.96+.8416)*sqrt(1/8/500) = .0443
		t.Errorf("500 pairs show %+v, with power %v, %v", d, power, err)
	}
	if more := handicap.Foresee(500, 10); more.Loss <= d.Loss || more.Tests != 10 {
		t.Errorf("of ten they show %+v", more)
	}
	if none := handicap.Foresee(2, 1); none != nil {
		t.Errorf("2 pairs show %+v", none)
	}
}
