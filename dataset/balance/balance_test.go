package balance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

func lookup(t testing.TB, name string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// played plays games of an agent against another after three random plies.
func played(t testing.TB, name, first, second string, n int64, seed uint64) (*dataset.Settings, []*dataset.Episode) {
	t.Helper()
	config := selfplay.Config{Variant: lookup(t, name), Opening: selfplay.Opening{Plies: 3}, MaxPlies: 300, Seed: seed}
	for i, text := range []string{first, second} {
		var err error
		if config.Agents[i], err = agent.Parse(text, config.Variant, nil); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	settings := plan.Cut(n, 0).Settings()
	var list []*dataset.Episode
	err = selfplay.PlayAll(context.Background(), plan, settings.Run(), 0, n, 2, func(ep *dataset.Episode) error {
		own := new(dataset.Episode)
		_, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), own)
		list = append(list, own)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &settings, list
}

// source makes a source of episodes.
func source(settings *dataset.Settings, list []*dataset.Episode) balance.Source {
	return balance.Source{Name: "runs/test", Settings: settings, Count: int64(len(list)),
		Episodes: func(yield func(*dataset.Episode, error) bool) {
			for _, ep := range list {
				if !yield(ep, nil) {
					return
				}
			}
		}}
}

// analyze does without the bootstrap, for time, where the options do not ask for it.
func analyze(t testing.TB, o balance.Options, sources ...balance.Source) *balance.Report {
	t.Helper()
	if o.Replicates == 0 {
		o.Replicates = -1
	}
	r, err := balance.Analyze(context.Background(), sources, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// encoded is the report as JSON, which has no place for what is no number.
func encoded(t testing.TB, r *balance.Report) []byte {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTheNumberOfGoroutinesChangesNothing(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "random", 600, 3)
	var first []byte
	for _, goroutines := range []int{0, 1, 5} {
		r := encoded(t, analyze(t, balance.Options{Goroutines: goroutines, Sample: 400, Replicates: 30}, source(settings, list)))
		if first == nil {
			first = r
		}
		if !bytes.Equal(first, r) {
			t.Errorf("%d goroutines tell otherwise than one", goroutines)
		}
	}
}

func TestTheSampleIsBoundedAndKeepsPairsWhole(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "random", 100, 3)
	r := analyze(t, balance.Options{Sample: 30}, source(settings, list))
	if d := r.Data; d.Sampled != 26 || d.Clusters != 50 || !d.Paired || d.Episodes != 100 { // each fourth pair of 50
		t.Errorf("the data are %+v", d)
	}
	if r.Activity.Types[0].Mobility.N != 26 || r.Seats.Games != 100 || r.Values.Games != 26 {
		t.Errorf("mobility from %d turns, seats from %d games, values from %d", r.Activity.Types[0].Mobility.N, r.Seats.Games, r.Values.Games)
	}
	if notes := r.Data.Notes(); !slices.Equal(notes, []balance.Note{balance.SampleOnly, balance.FewOpenings}) || !slices.Equal(r.Data.Agents, []string{"greedy", "random"}) {
		t.Errorf("the notes are %q, the agents %q", notes, r.Data.Agents)
	}
}

func TestDataSetsOfOneRuleSetArePooledAndOthersRefused(t *testing.T) {
	settings, list := played(t, "ntxuva/4", "random", "random", 20, 1)
	other, more := played(t, "ntxuva/4", "random", "random", 30, 2)
	wide, others := played(t, "ntxuva/8", "random", "random", 2, 1)
	a, b, c := source(settings, list), source(other, more), source(wide, others)
	if r := analyze(t, balance.Options{}, a, b); r.Seats.Games != 50 || r.Data.Clusters != 50 || len(r.Data.Sources) != 2 {
		t.Errorf("pooled are %+v", r.Data)
	}
	for want, sources := range map[string][]balance.Source{
		"there are 0 data sets":    {},
		"must have the same rules": {a, c},
		"both hold run":            {a, b, a},
		"games would count twice":  {a, a},
	} {
		if _, err := balance.Analyze(context.Background(), sources, balance.Options{}); !errors.Is(err, balance.ErrSources) || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, must tell %q", err, want)
		}
	}
}

func TestTheUnitIsAPieceTypeByNameOrSymbol(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 300, 3)
	for unit, want := range map[string]string{"": "Soldier", "Captain": "Captain", "P": "Captain", "Colonel": "Colonel"} {
		if unit == "P" {
			unit = lookup(t, "trench/standard").Game.Spec().Pieces[2].Symbol
		}
		r := analyze(t, balance.Options{Unit: unit}, source(settings, list))
		if r.Values.Unit != want {
			t.Errorf("unit %q is %s, must be %s", unit, r.Values.Unit, want)
		}
		for _, v := range r.Values.Phases[0].Types {
			if v.Type == want && (v.Value == nil || v.Value.Estimate != 1 || v.Value.Low != 1 || v.Value.High != 1) {
				t.Errorf("the unit is worth %+v", v.Value)
			}
		}
	}
	_, err := balance.Analyze(context.Background(), []balance.Source{source(settings, list)}, balance.Options{Unit: "Queen"})
	if !errors.Is(err, balance.ErrUnit) || !strings.Contains(err.Error(), `"Queen"`) || !strings.Contains(err.Error(), `Soldier (`) {
		t.Errorf("the error is %v", err)
	}
}

func TestGamesWithoutAResultOfPlayAreLeftOut(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 60, 3)
	list[0].Truncated, list[0].Terminated, list[0].Reason, list[0].Result = true, false, env.NoReason, 0
	list[1].Reason, list[2].Reason = env.Crashed, env.Resigned
	r := analyze(t, balance.Options{}, source(settings, list))
	if r.Seats.Games != 58 || r.Data.Truncated != 1 || r.Data.Failed != 1 || r.Values.Games != 58 || r.Activity.Games != 60 {
		t.Errorf("%d results, %+v", r.Seats.Games, r.Data)
	}
	if notes := r.Data.Notes(); !slices.Equal(notes, []balance.Note{balance.CutOff, balance.Forfeited}) {
		t.Errorf("the notes are %q", notes)
	}
}

func TestGamesThatRepeatAreTold(t *testing.T) {
	settings, list := played(t, "ntxuva/4", "random", "random", 10, 1)
	var repeated []*dataset.Episode
	for i := range 100 {
		own := *list[i%10]
		own.Number = int64(i)
		repeated = append(repeated, &own)
	}
	r := analyze(t, balance.Options{}, source(settings, repeated))
	notes := r.Data.Notes()
	if r.Data.Distinct != 10 || !slices.Contains(notes, balance.RepeatedGames) {
		t.Errorf("%d distinct games; the notes are %q", r.Data.Distinct, notes)
	}
	if r.Values.Openings > 10 || r.Data.Openings != r.Values.Openings || !slices.Contains(notes, balance.FewOpenings) {
		t.Errorf("%d openings; the notes are %q", r.Values.Openings, notes)
	}
}

func TestFaultyEpisodesAreFaults(t *testing.T) {
	settings, list := played(t, "trench/standard", "random", "random", 300, 3)
	list[290].Steps[5].Action = env.Action(lookup(t, "trench/standard").Game.Spec().Actions - 1)
	_, err := balance.Analyze(context.Background(), []balance.Source{source(settings, list)}, balance.Options{Goroutines: 2})
	var fault *dataset.Fault
	if !errors.As(err, &fault) || fault.Episode != 290 || fault.Ply != 5 || !strings.Contains(err.Error(), "runs/test") {
		t.Errorf("the error is %v", err)
	}
	broken := source(settings, list[:5])
	broken.Episodes = func(yield func(*dataset.Episode, error) bool) { yield(nil, errors.New("the disk is gone")) }
	if _, err := balance.Analyze(context.Background(), []balance.Source{broken}, balance.Options{}); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := balance.Analyze(ctx, []balance.Source{source(settings, list)}, balance.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	unknown := *settings
	unknown.Rules = json.RawMessage(`{"game":"chess"}`)
	if _, err := balance.Analyze(context.Background(), []balance.Source{source(&unknown, list)}, balance.Options{}); err == nil || !strings.Contains(err.Error(), "chess") {
		t.Errorf("the error is %v", err)
	}
}

func TestPoorDataHavePlainAnswers(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 80, 3)
	with := func(n int, result env.Result) []*dataset.Episode {
		var own []*dataset.Episode
		for _, ep := range list[:n] {
			changed := *ep
			changed.Result = result
			own = append(own, &changed)
		}
		return own
	}
	for _, c := range []struct {
		name   string
		seats  balance.Verdict
		values balance.ProblemCode
		note   balance.Note
		list   []*dataset.Episode
	}{
		{"none", balance.NoResult, balance.NoPositions, balance.NoGames, nil},
		{"one", balance.OneResult, balance.SameResults, balance.OneCluster, list[:1]},
		{"two", balance.NoneShown, "", balance.FewClusters, list[:2]},
		{"one-sided", balance.FirstWonAll, balance.SameResults, "", with(80, 1)},
		{"lost", balance.SecondWonAll, balance.SameResults, "", with(80, -1)},
		{"drawn", balance.AllDrawn, balance.SameResults, "", with(80, 0)},
		{"few", balance.NoneShown, "", balance.FewClusters, list[:4]},
	} {
		r := analyze(t, balance.Options{}, source(settings, c.list))
		if strings.Contains(string(encoded(t, r)), "NaN") || r.Seats.Verdict() != c.seats || r.Values.Problem().Code != c.values {
			t.Errorf("%s: seats %q, values %q", c.name, r.Seats.Verdict(), r.Values.Problem())
		}
		if notes := r.Data.Notes(); c.note == "" && len(notes) > 0 || c.note != "" && notes[0] != c.note {
			t.Errorf("%s: the notes are %q", c.name, notes)
		}
		if c.name == "few" {
			for _, v := range r.Values.Phases[0].Types {
				if v.Value != nil || v.Problem.None() {
					t.Errorf("after four games %s is worth %+v with the problem %q", v.Type, v.Value, v.Problem)
				}
			}
		}
	}
	if i := analyze(t, balance.Options{}, source(settings, with(80, 1))).Seats.First.Score; math.Abs(i.Low-80/83.84) > .001 { // Wilson, n/(n + z²)
		t.Errorf("the score is %+v", i)
	}
}

// Data without an end are not read on after the context is cancelled.
func TestACancelledAnalysisStopsReading(t *testing.T) {
	settings, list := played(t, "ntxuva/4", "random", "random", 300, 1)
	for _, goroutines := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		endless := source(settings, list)
		endless.Count = 1 << 40
		endless.Episodes = func(yield func(*dataset.Episode, error) bool) {
			for number := int64(0); ; number++ {
				ep := *list[number%300]
				ep.Number = number
				if !yield(&ep, nil) {
					return
				}
			}
		}
		_, err := balance.Analyze(ctx, []balance.Source{endless}, balance.Options{Goroutines: goroutines, Replicates: -1, Progress: func(episodes, _ int64) {
			if episodes > 1000 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}
}
