//go:build long

package compare_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
)

// each calls do with the numbers from 0 on, on all cores.
func each(n int, do func(i int)) {
	var running sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		running.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	running.Wait()
}

// familyError is the greatest share of false discoveries that a family-wise error of
// 5 % may show in 1,000 comparisons: 5 % and 1.75 standard errors of 0.69 points.
const familyError = 0.062

// unevenness is how far the distribution of P values of tests of what is true lies
// above the even one, so that small ones are too many, and below it; and the band
// within which it may lie in so many trials: Kolmogorov's distance that is exceeded
// once in 1,000 times, 1.95/√n, and the greatest share of equal values, for tests of
// counts have few values of P.
func unevenness(p []float64) (above, below, band float64) {
	slices.Sort(p)
	n, same, most := float64(len(p)), 0, 0
	for i, x := range p {
		above, below = max(above, float64(i+1)/n-x), max(below, x-float64(i)/n)
		if same++; i > 0 && x != p[i-1] {
			same = 1
		}
		most = max(most, same)
	}
	return above, below, 1.95/math.Sqrt(n) + float64(most)/n
}

// chancy is a variant in which random play draws often enough for tests of draws to
// have many values of P.
const chancy = `ntxuva/4{"no_progress":10}`

// discrete are metrics whose tests are conservative by design in these games, with P
// values above the even distribution: few positions come again, nothing is cut off,
// actions are nearly equally likely, and the distance of Kolmogorov and Smirnov has
// few values.
func discrete(metric string) bool {
	return metric == "repetition" || metric == "completion" || metric == "opening_diversity" || metric == "lengths"
}

// Real games: every arm of every comparison is played with a seed of its own.
func TestAVariantAgainstItselfIsNotTold(t *testing.T) {
	const comparisons = 1000
	p := planned(t, []string{chancy, chancy}, 100, 0, [2]string{"random", ""}, [2]string{"random", ""})
	var mu sync.Mutex
	values := map[string][]float64{}
	wrong := map[string]int{}
	each(comparisons, func(i int) {
		plan := *p
		plan.Seed = uint64(i)
		r := report(t, &plan, 0, playAll(t, &plan, 0, false))
		mu.Lock()
		defer mu.Unlock()
		found := map[string]bool{}
		note := func(family, metric string, p, adjusted float64) {
			values[family+" "+metric] = append(values[family+" "+metric], p)
			found[family] = found[family] || adjusted <= .05
		}
		for _, c := range r.Against.Comparisons {
			note("against", c.Metric, c.Test.P, c.AdjustedP)
		}
		for _, c := range r.Feel.Against {
			note("feel", c.Metric, c.Test.P, c.AdjustedP)
		}
		for _, c := range r.Feel.Lengths {
			note("feel", "lengths", c.Test.P, c.AdjustedP)
		}
		for _, c := range r.Interaction.ByVariant {
			note("change", c.Metric, c.Test.P, c.AdjustedP)
		}
		for _, c := range r.Interaction.Against {
			note("interaction", c.Metric, c.Test.P, c.AdjustedP)
		}
		for family := range found {
			if found[family] {
				wrong[family]++
			}
		}
	})
	for name, list := range values {
		above, below, band := unevenness(list)
		small, _ := slices.BinarySearch(list, math.Nextafter(.05, 1))
		t.Logf("%-26s %d P values, %.3f above the even distribution and %.3f below, of %.3f; %.3f are at most 0.05",
			name, len(list), above, below, band, float64(small)/float64(len(list)))
		if _, metric, _ := strings.Cut(name, " "); above > band || below > band && !discrete(metric) {
			t.Errorf("P values of %s are %.3f above the even distribution and %.3f below, must be at most %.3f", name, above, below, band)
		}
	}
	for _, family := range []string{"against", "feel", "change", "interaction"} {
		t.Logf("%s: %.3f of %d comparisons have a false discovery", family, float64(wrong[family])/comparisons, comparisons)
		if float64(wrong[family]) > familyError*comparisons {
			t.Errorf("%s: %d of %d comparisons of a variant with itself have a false discovery", family, wrong[family], comparisons)
		}
	}
}

func TestAVariantAgainstItselfIsNotToldByLookingEarly(t *testing.T) {
	const comparisons = 1000
	p := planned(t, []string{chancy, chancy}, 150, 0, [2]string{"random", ""})
	p.Looks = []float64{1. / 3, 2. / 3, 1}
	var mu sync.Mutex
	wrong, early := 0, 0
	each(comparisons, func(i int) {
		var arms [2]func(games int64) *compare.Measures
		for v := range arms {
			s := arm(t, p, v, "random", "random", p.Games, env.Derive(uint64(i), uint64(v)))
			arms[v] = func(games int64) *compare.Measures { return measure(t, s, games) }
		}
		found := false
		for look := range p.LookCount() {
			games := p.GamesAt(look)
			decided, standings, err := p.Decide(look, [][]compare.Played{{{SelfPlay: arms[0](games)}}, {{SelfPlay: arms[1](games)}}})
			if err != nil {
				t.Error(err)
				return
			}
			found = found || slices.ContainsFunc(standings, func(s compare.Standing) bool { return s.Difference.Low > 0 || s.Difference.High < 0 })
			if decided && look+1 < p.LookCount() {
				mu.Lock()
				early++
				mu.Unlock()
				break
			}
		}
		if found {
			mu.Lock()
			wrong++
			mu.Unlock()
		}
	})
	t.Logf("%.3f of %d comparisons have a false discovery at any look, %d ended early", float64(wrong)/comparisons, comparisons, early)
	if float64(wrong) > familyError*comparisons {
		t.Errorf("%d of %d sequential comparisons of a variant with itself have a false discovery", wrong, comparisons)
	}
}
