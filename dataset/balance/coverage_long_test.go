//go:build long

package balance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A holding counts how often intervals held the truth.
type holding struct{ held, all int }

func (h *holding) add(i *stats.Interval, truth float64) {
	h.all++
	if i.Low <= truth && truth <= i.High {
		h.held++
	}
}

func (h *holding) share() float64 { return float64(h.held) / float64(h.all) }

// 800 games with known values, that is about 700 clusters: log odds, values and
// scores, the latter two bootstrapped, and their differences between two sets of games,
// which comparisons of variants tell.
func TestIntervalsOfKnownValuesHoldThemAtTheirRate(t *testing.T) {
	const sets, games = 300, 800
	var odds, values, scores, apart [len(worths)]holding
	var before []balance.TypeValue
	for seed := range uint64(sets) {
		settings, list := synthetic(t, games, seed+1000, false)
		r := analyze(t, balance.Options{Goroutines: 2, Replicates: 200}, source(settings, list))
		for i, v := range r.Values.Phases[0].Types {
			odds[i].add(&v.LogOdds, worths[i])
			// Results are cut at ±0.3: a draw is as likely as its distance says.
			won, lost := 1/(1+math.Exp(.3-worths[i])), 1/(1+math.Exp(.3+worths[i]))
			scores[i].add(v.Score, (won+1-lost)/2)
			if v.Type != r.Values.Unit {
				values[i].add(v.Value, worths[i]/worths[len(worths)-1])
			}
			if before != nil {
				score, value := stats.Difference(*v.Score, *before[i].Score), stats.Difference(*v.Value, *before[i].Value)
				apart[i].add(&score, 0)
				if v.Type != r.Values.Unit {
					apart[i].add(&value, 0)
				}
			}
		}
		before = r.Values.Phases[0].Types
	}
	for i := range worths {
		for what, h := range map[string]holding{"log odds": odds[i], "score": scores[i], "value": values[i], "differences": apart[i]} {
			if h.all == 0 {
				continue // the unit's own value
			}
			band := 3 * math.Sqrt(.95*.05/sets)
			t.Logf("type %d, %s: %.3f", i, what, h.share())
			if h.share() < .93-band || h.share() > .97+band {
				t.Errorf("type %d: intervals of %s hold the truth in %.3f of %d sets", i, what, h.share(), sets)
			}
		}
	}
}

// intervals lists the intervals of a report by where they stand in it.
func intervals(t *testing.T, r *balance.Report) map[string]stats.Interval {
	t.Helper()
	var tree any
	if err := json.Unmarshal(encoded(t, r), &tree); err != nil {
		t.Fatal(err)
	}
	all := map[string]stats.Interval{}
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch node := node.(type) {
		case []any:
			for i, child := range node {
				name := fmt.Sprint(i)
				if m, ok := child.(map[string]any); ok {
					name = ""
					for _, key := range []string{"type", "class", "killer", "victim", "phase", "ply"} {
						if m[key] != nil {
							name += fmt.Sprint(m[key])
						}
					}
					if name == "" {
						name = fmt.Sprint(m["low"])
					}
				}
				walk(path+"/"+name, child)
			}
		case map[string]any:
			if estimates, ok := node["estimate"].([]any); ok { // a map of squares
				for k := range estimates {
					number := func(key string) float64 { return node[key].([]any)[k].(float64) }
					all[fmt.Sprintf("%s/%d", path, k)] = stats.Interval{Estimate: number("estimate"), Low: number("low"), High: number("high"), N: 1}
				}
				return
			}
			if node["method"] != nil && node["level"] != nil {
				data, err := json.Marshal(node)
				if err != nil {
					t.Fatal(err)
				}
				var i stats.Interval
				if err := json.Unmarshal(data, &i); err != nil {
					t.Fatal(err)
				}
				all[path] = i
				return
			}
			for key, child := range node {
				walk(path+"/"+key, child)
			}
		}
	}
	walk("", tree)
	return all
}

// effective is how many independent events a share or a rate rests on in one of so
// many sets, by its interval in all of them: the square of the estimate, or of what is
// left of 1, by its standard error.
func effective(i stats.Interval, sets int) float64 {
	least := i.Estimate
	if !strings.HasPrefix(i.Method, "gamma") {
		least = min(i.Estimate, 1-i.Estimate)
	}
	return math.Pow(least/(i.High-i.Low)*2*1.96, 2) / float64(sets)
}

// Every interval of reports on many small data sets; the truth is what all of their
// games say together. Bounds of what counts pieces and plies, and of shares that may
// be rare, hold it more often by design.
//
//   - Where a share or a rate rests on fewer than 10 events, each interval holds it in
//     90 % or more of all cases.
//   - Scores of forecasts are of what was fitted to a set, another for each: see
//     TestScoresOfForecastsHoldTheTruth.
//   - Squares: of 10 events or more 88 % or more each, for who stays long stands on few
//     squares in few games; the mean of the maps of a kind is 93 % or more.
//
// The results beside which a set's stand are those of the set after it.
func TestEveryIntervalOfAReportHoldsTheTruth(t *testing.T) {
	for _, c := range []struct {
		variant, first, second string
		sets, games            int
	}{
		{"trench/standard", "greedy", "greedy", 250, 250},
		{"ntxuva/4", "greedy", "random", 250, 160}, // in 80 pairs
	} {
		t.Run(c.variant, func(t *testing.T) {
			t.Parallel()
			everyInterval(t, c.variant, c.first, c.second, c.sets, c.games)
		})
	}
}

// forecastScore says whether an interval is of how well results are foretold.
func forecastScore(path string) bool {
	return strings.HasPrefix(path, "/values/forecast/") && !strings.Contains(path, "calibration")
}

func everyInterval(t *testing.T, variant, first, second string, sets, games int) {
	settings, list := played(t, variant, first, second, int64(sets*games), 5)
	counts := func(list []*dataset.Episode) *balance.Results {
		r := &balance.Results{Name: "others"}
		for _, ep := range list {
			*[...]*int64{&r.Losses, &r.Draws, &r.Wins}[ep.Result+1]++
		}
		return r
	}
	truth := intervals(t, analyze(t, balance.Options{Goroutines: 2, Sample: int64(sets * games), Against: counts(list)}, source(settings, list)))
	held := map[string]*holding{}
	for s := range sets {
		own := list[s*games : (s+1)*games]
		next := (s + 1) % sets * games
		options := balance.Options{Goroutines: 2, Against: counts(list[next : next+games])}
		for path, i := range intervals(t, analyze(t, options, source(settings, own))) {
			want, ok := truth[path]
			if !ok || forecastScore(path) || i.N == 0 || math.IsInf(i.Low, -1) || i.Low == i.High && i.Estimate == 1 {
				continue // nothing is told, or it is the unit
			}
			if held[path] == nil {
				held[path] = new(holding)
			}
			held[path].add(&i, want.Estimate)
		}
	}
	kinds := map[string]*holding{} // of those that rest on enough
	for _, path := range slices.Sorted(maps.Keys(held)) {
		h, i := held[path], truth[path]
		if h.all < sets/2 {
			continue
		}
		named := strings.Split(path, "/")
		kind := named[1] + " … " + named[len(named)-1]
		if strings.Contains(path, "/against/first_player/") && settings.Agents[0] != settings.Agents[1] {
			continue // their games are in pairs, which the counts do not say
		}
		squares := strings.HasPrefix(path, "/placement/")
		if squares {
			kind = named[1] + " … " + named[len(named)-2]
		}
		share, least := h.share(), .93-3*math.Sqrt(.95*.05/float64(sets))
		counted := squares || strings.Contains(i.Method, "gamma") || strings.Contains(i.Method, "wilson") || strings.Contains(i.Method, "clopper")
		switch rare := counted && effective(i, sets) < 10; {
		case rare:
			// A Wilson interval holds a share near 0 or 1 less often: with n = 4 and a share of
			// 0.966, in 0.966⁴ = 87 % of samples (Brown, Cai and DasGupta 2001, section 3).
			if share < .85 && !squares {
				t.Errorf("%s: %.3f of %d, %+v", path, share, h.all, i)
			}
			continue
		case squares:
			least = .88
		}
		if share < least {
			t.Errorf("%s: %.3f of %d, %+v", path, share, h.all, i)
		}
		if kinds[kind] == nil {
			kinds[kind] = new(holding)
		}
		kinds[kind].held += h.held
		kinds[kind].all += h.all
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		h := kinds[kind]
		t.Logf("%s: %.3f of %d", kind, h.share(), h.all)
		discrete := strings.HasSuffix(kind, "first_capture") || strings.HasSuffix(kind, "first_contact") || strings.HasSuffix(kind, "median") ||
			strings.HasSuffix(kind, "multiple") || strings.HasPrefix(kind, "placement")
		if h.share() < .93 || h.share() > .97 && !discrete {
			t.Errorf("%s: %.3f of %d", kind, h.share(), h.all)
		}
	}
}
