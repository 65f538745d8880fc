package handicap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

// source holds synthetic games of no plies. Each is a different one.
func source(v *variant.Variant, seed uint64, n int64, of result) balance.Source {
	settings := &dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{agent, agent}, Starts: []string{}, Seed: seed, JobEpisodes: 1}
	return balance.Source{Name: fmt.Sprint("games-", seed), Settings: settings, Count: n, Episodes: func(yield func(*dataset.Episode, error) bool) {
		for i := range n {
			ep := &dataset.Episode{Run: settings.Run(), Number: i, Pair: dataset.NoPair, ResignPly: dataset.NoPly, Agents: settings.Agents,
				Start: fmt.Sprint(i), FinalHash: uint64(i), Terminated: true, Reason: env.Points, Result: of(i)}
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

func removed(of string, s balance.Source) handicap.Handicap {
	return handicap.Handicap{Type: of, Arms: []handicap.Arm{{Source: s, Handicapped: byTurns}}}
}

func analyze(t *testing.T, e *handicap.Experiment) *handicap.Report {
	t.Helper()
	r, err := handicap.Analyze(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range append([]string{string(text), r.Answer}, r.Notes...) {
		if strings.Contains(a, "NaN") || strings.Contains(a, "Inf") || strings.Contains(a, `""answer"`) {
			t.Errorf("the report tells what is no number: %s", a)
		}
	}
	for i := range r.Handicaps {
		if r.Handicaps[i].Answer == "" {
			t.Errorf("%s has no answer", r.Handicaps[i].Name)
		}
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
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{
		removed("Soldier", source(v, 1, 400, counted([2]int64{60, 40}, [2]int64{30, 20}))),
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
	for _, want := range []string{"A side without one Soldier scores 30.0 %", "it loses 20.0 points of a hundred", "n = 400"} {
		if !strings.Contains(e.Answer, want) {
			t.Errorf("the answer is %q, want %q", e.Answer, want)
		}
	}
	if !strings.Contains(r.Answer, "Soldier removed (20.0 points)") {
		t.Errorf("the answer is %q", r.Answer)
	}
}

func TestValuesAreRatiosOfLossesInLogOdds(t *testing.T) {
	v := lookup(t, "trench/standard")
	e := &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{
		removed("Colonel", source(v, 1, 2000, counted([2]int64{200, 0}, [2]int64{200, 0}))),
		removed("Soldier", source(v, 2, 2000, counted([2]int64{400, 0}, [2]int64{400, 0}))),
		removed("Captain", source(v, 3, 2000, counted([2]int64{500, 0}, [2]int64{500, 0}))),
		removed("Sergeant", source(v, 4, 2000, counted([2]int64{1000, 0}, [2]int64{1000, 0}))),
		{Type: "Soldier", Attribute: "longest move", By: 1, Arms: []handicap.Arm{{Source: source(v, 5, 2000, counted([2]int64{650, 0}, [2]int64{650, 0})), Handicapped: byTurns}}},
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
	if e := r.Handicaps[3]; e.Value != nil || !strings.Contains(e.Problem, "odds without end") || !math.IsInf(e.LogOdds.Estimate, -1) || !strings.Contains(e.Answer, "gains 50.0") {
		t.Errorf("who always wins is worth %+v, %q", e.Value, e.Problem)
	}
	if e := r.Handicaps[4]; e.Value == nil || e.Value.High >= 0 || e.Regression != nil || e.Name != "Soldier longest move+1" || !strings.Contains(e.Answer, "it gains 15.0 points") {
		t.Errorf("what helps is %+v, %q", e.Value, e.Answer)
	}
	for _, want := range []string{"Shown to cost the side that has it, in points of a hundred of the score: Colonel removed (30.0 points), Soldier removed (10.0",
		"Shown to help it: Soldier longest move+1 (15.0 points), Sergeant removed (50.0", "No effect is shown of: Captain removed."} {
		if !strings.Contains(r.Answer, want) {
			t.Errorf("the answer is %q, want %q", r.Answer, want)
		}
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "may tell otherwise: Sergeant removed.") {
		t.Errorf("the notes are %s", notes)
	}
	// A unit whose loss may be nothing bounds no value.
	e.Unit = "Captain"
	if r := analyze(t, e); r.Handicaps[0].Value != nil || !strings.Contains(r.Handicaps[0].Problem, "not told apart from nothing") {
		t.Errorf("in such units it is worth %+v, %q", r.Handicaps[0].Value, r.Handicaps[0].Problem)
	}
	e.Unit = "Sergeant"
	if r := analyze(t, e); r.Handicaps[0].Value != nil || !strings.Contains(r.Handicaps[0].Problem, "to lack the unit, Sergeant, helps") {
		t.Errorf("in such units it is worth %+v, %q", r.Handicaps[0].Value, r.Handicaps[0].Problem)
	}
	e.Unit = "General"
	if r := analyze(t, e); r.Handicaps[0].Value != nil || !strings.Contains(r.Handicaps[0].Problem, "no games were played without the unit, General") {
		t.Errorf("in such units it is worth %+v, %q", r.Handicaps[0].Value, r.Handicaps[0].Problem)
	}
	e.Unit = "Queen"
	if _, err := handicap.Analyze(context.Background(), e); !errors.Is(err, balance.ErrUnit) || !strings.Contains(err.Error(), `General (`) {
		t.Errorf("the error is %v", err)
	}
}

func TestOfSeedsOneIsMissing(t *testing.T) {
	v := lookup(t, "ntxuva/4")
	e := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{
		removed("attack house", source(v, 1, 400, counted([2]int64{50, 0}, [2]int64{50, 0}))),
	}}).Handicaps[0]
	if !e.Counted || e.Name != "attack house, one less in it" || !strings.HasPrefix(e.Answer, "A side with one less in one attack house scores 25.0 %") {
		t.Errorf("%s: %s", e.Name, e.Answer)
	}
}

func TestErrorsOfManyHandicapsAreAdjusted(t *testing.T) {
	v := lookup(t, "trench/standard")
	e := &handicap.Experiment{Variant: v, Agent: agent}
	for i, name := range []string{"Colonel", "Captain", "Sergeant", "Soldier"} {
		e.Handicaps = append(e.Handicaps, removed(name, source(v, uint64(i), 400, counted([2]int64{90, 0}, [2]int64{90, 0}))))
	}
	r := analyze(t, e)
	p := r.Handicaps[0].None.P
	if p > .05 || p < .0125 {
		t.Fatalf("P is %v, which shows nothing here", p)
	}
	for _, e := range r.Handicaps {
		if !near(e.Adjusted, 4*p) || !strings.Contains(e.Answer, "No effect is shown: a side without one") || e.Detectable == nil || e.Detectable.Tests != 4 {
			t.Errorf("%s has P %v, %q, %+v", e.Name, e.Adjusted, e.Answer, e.Detectable)
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
			}
			if ep.Number < 55 && !yield(ep, nil) {
				return
			}
		}
	}
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{removed("Soldier", s)}})
	e := r.Handicaps[0]
	if e.Truncated != 3 || e.Failed != 1 || e.Games != 51 || e.Score.N != 51 || e.Distinct != 54 {
		t.Errorf("%d cut off, %d failed, %d counted, %d distinct", e.Truncated, e.Failed, e.Games, e.Distinct)
	}
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"plan are missing: Soldier removed (5 of 60)", "left out; if they differ from the others, scores are biased: Soldier removed (3 of 55)", "lost by a program that crashed, was late or played what is illegal, and are left out: Soldier removed (1 of 55)", "rough, below 50: Soldier removed (25 of 51)", "for the agent that played both sides"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not tell %q: %s", want, notes)
		}
	}
}

func TestAFaultOfTheDataIsReturned(t *testing.T) {
	v, fault := lookup(t, "trench/standard"), errors.New("a torn file")
	s := source(v, 1, 2, counted([2]int64{}, [2]int64{}))
	s.Episodes = func(yield func(*dataset.Episode, error) bool) { yield(nil, fault) }
	if _, err := handicap.Analyze(t.Context(), &handicap.Experiment{Variant: v, Handicaps: []handicap.Handicap{removed("Soldier", s)}}); !errors.Is(err, fault) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	whole := source(v, 1, 2, counted([2]int64{}, [2]int64{}))
	if _, err := handicap.Analyze(ctx, &handicap.Experiment{Variant: v, Handicaps: []handicap.Handicap{removed("Soldier", whole)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestLittleAndOneSidedDataHavePlainAnswers(t *testing.T) {
	v := lookup(t, "trench/standard")
	for _, c := range []struct {
		n      int64
		of     result
		answer string
	}{
		{0, counted([2]int64{}, [2]int64{}), "No game has a result"},
		{1, counted([2]int64{1, 0}, [2]int64{}), "Too few games of one seat"},
		{2, counted([2]int64{1, 0}, [2]int64{}), "Too few games of one seat"},
		{4, counted([2]int64{2, 0}, [2]int64{0, 2}), "No effect is shown"},
		{400, counted([2]int64{0, 200}, [2]int64{0, 200}), "All 400 games were drawn"},
		{400, counted([2]int64{200, 0}, [2]int64{200, 0}), "it gains 50.0 points"},
		{400, counted([2]int64{}, [2]int64{}), "it loses 50.0 points"},
		{400, counted([2]int64{200, 0}, [2]int64{0, 0}), "No effect is shown"}, // the first player wins everything
	} {
		r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{removed("Soldier", source(v, 1, c.n, c.of)), removed("Colonel", source(v, 2, c.n, c.of))}})
		e := r.Handicaps[1]
		if !strings.Contains(e.Answer, c.answer) {
			t.Errorf("of %d games the answer is %q, want %q", c.n, e.Answer, c.answer)
		}
		if c.n < 4 && (e.None.P != 1 || e.Value != nil || e.Detectable != nil) {
			t.Errorf("of %d games it tells %+v, %+v, %+v", c.n, e.None, e.Value, e.Detectable)
		}
		if e.Loss.Low > e.Loss.Estimate || e.Loss.High < e.Loss.Estimate || e.Loss.Low < -.5 || e.Loss.High > .5 {
			t.Errorf("of %d games the loss is %+v", c.n, e.Loss)
		}
	}
	if r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent}); !strings.Contains(r.Answer, "Nothing was played") || r.Unit != "" {
		t.Errorf("of nothing the answer is %q", r.Answer)
	}
}

func TestSeveralChangesMakeACurve(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	change := func(by, wins int64) handicap.Handicap {
		return handicap.Handicap{Type: "Light Tank", Attribute: "speed", By: int(by), Arms: []handicap.Arm{
			{Source: source(v, uint64(10+by), 200, func(i int64) env.Result { return counted([2]int64{wins, 0}, [2]int64{})(2 * i) }), Handicapped: func(int64) env.Player { return env.First }},
			{Source: source(v, uint64(20+by), 200, func(i int64) env.Result { return counted([2]int64{}, [2]int64{wins, 0})(2*i + 1) }), Handicapped: func(int64) env.Player { return env.Second }},
		}}
	}
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{change(2, 140), change(-1, 80), change(1, 120)}})
	if len(r.Curves) != 1 || len(r.Curves[0].Points) != 4 {
		t.Fatalf("the curves are %+v", r.Curves)
	}
	c := r.Curves[0]
	for i, want := range []handicap.Point{{By: -1, Score: stats.Interval{Estimate: .4}}, {By: 0, Score: stats.Interval{Estimate: .5}}, {By: 1, Score: stats.Interval{Estimate: .6}}, {By: 2, Score: stats.Interval{Estimate: .7}}} {
		if at := c.Points[i]; at.By != want.By || !near(at.Score.Estimate, want.Score.Estimate) || at.By == 0 && at.Score.Low != .5 {
			t.Errorf("point %d is %+v", i, at)
		}
	}
	if !near(c.Rise.Estimate, .3) || c.Rise.N != 800 || c.None.P > 1e-6 || c.Adjusted != c.None.P || !strings.Contains(c.Answer, "From speed −1 to +2 the score of the side rises by 30.0 points") {
		t.Errorf("the rise is %+v, %+v, %q", c.Rise, c.None, c.Answer)
	}
	// With the unchanged rules at an end that end is known.
	r = analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{change(1, 120), change(2, 140)}})
	if c := r.Curves[0]; !near(c.Rise.Estimate, .2) || c.Rise.N != 400 || !near(c.Rise.High-c.Rise.Low, r.Handicaps[1].Score.High-r.Handicaps[1].Score.Low) {
		t.Errorf("the rise is %+v", c.Rise)
	}
	r = analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{change(-1, 80), change(-2, 70)}})
	if c := r.Curves[0]; !near(c.Rise.Estimate, .15) || c.Rise.N != 400 {
		t.Errorf("the rise is %+v", c.Rise)
	}
	if r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Handicaps: []handicap.Handicap{change(1, 120)}}); len(r.Curves) != 0 {
		t.Errorf("one change makes the curve %+v", r.Curves)
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
