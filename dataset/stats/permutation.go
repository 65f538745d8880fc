package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// Groups tests whether units are exchangeable between two groups, of a and b
// units: P is the share of divisions into groups of these sizes whose statistic is
// at least as great as the observed one, in which the units 0 to a−1 are the
// first group. Where there are no more divisions than Replicates all are tried;
// else so many are drawn, and P is (1+k)/(1+Replicates) for k of them (Phipson and
// Smyth 2010, "Permutation P-values Should Never Be Zero"). The units must be
// independent, so that what comes in clusters is divided by cluster. The
// statistic is greater for what speaks more against the hypothesis; it keeps
// first, which says who is in the first group, no longer than the call.
func (r Resampling) Groups(a, b int, statistic func(first []bool) float64) Test {
	first := make([]bool, a+b)
	for i := range a {
		first[i] = true
	}
	t := Test{Statistic: statistic(first), P: 1, N: int64(a + b), Method: "permutation, exact"}
	if a == 0 || b == 0 {
		return t
	}
	limit := atLeast(t.Statistic)
	if combin.GeneralizedBinomial(float64(a+b), float64(a)) < float64(r.Replicates)+0.5 {
		count, all := 0, 0
		generator := combin.NewCombinationGenerator(a+b, a)
		chosen := make([]int, a)
		for generator.Next() {
			clear(first)
			for _, i := range generator.Combination(chosen) {
				first[i] = true
			}
			all++
			if statistic(first) >= limit {
				count++
			}
		}
		t.P = float64(count) / float64(all)
		return t
	}
	t.Method = "permutation, drawn"
	t.P = r.drawn(limit, func() func(int) float64 {
		first, order := make([]bool, a+b), make([]int, a+b)
		return func(replicate int) float64 {
			random := r.generator(replicate)
			clear(first)
			for i := range order {
				order[i] = i
			}
			for i := range a {
				j := i + random.IntN(a+b-i)
				order[i], order[j] = order[j], order[i]
				first[order[i]] = true
			}
			return statistic(first)
		}
	})
	return t
}

// drawn returns (1+k)/(1+Replicates), where k replicates have a statistic of at
// least the limit.
func (r Resampling) drawn(limit float64, begin func() func(replicate int) float64) float64 {
	reached := make([]bool, r.Replicates)
	share(len(reached), r.Goroutines, func() func(int) {
		statistic := begin()
		return func(i int) { reached[i] = statistic(i) >= limit }
	})
	count := 1
	for _, is := range reached {
		if is {
			count++
		}
	}
	return float64(count) / float64(r.Replicates+1)
}

// atLeast is the limit for a statistic that equals x but for rounding.
func atLeast(x float64) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	return x - 1e-9*math.Abs(x)
}

// A Cluster is the sum of so many results that are not independent.
type Cluster struct {
	Sum float64
	N   int64
}

// Means tests by permutation of clusters whether two groups have the same mean.
// Divisions are compared by |d|/√v, the difference of the means over its standard
// error as [Clusters] has it, so that the test keeps its error with many clusters
// even where the groups differ in variance or in the sizes of clusters (Janssen
// 1997, "Studentized Permutation Tests for Non-i.i.d. Hypotheses and the
// Generalized Behrens–Fisher Problem"; Chung and Romano 2013). The statistic is
// the difference itself. N counts clusters; empty ones must be left out.
func (r Resampling) Means(a, b []Cluster) Test {
	all := slices.Concat(a, b)
	t := r.Groups(len(a), len(b), func(first []bool) float64 {
		var groups [2]Clusters
		for i, c := range all {
			group := &groups[1]
			if first[i] {
				group = &groups[0]
			}
			group.Add(c.Sum, c.N)
		}
		d, v := apart(&groups[0], &groups[1])
		if math.Abs(d) < 1e-12 {
			return 0
		}
		return extreme(math.Abs(d), math.Sqrt(v))
	})
	var groups [2]Clusters
	for _, c := range a {
		groups[0].Add(c.Sum, c.N)
	}
	for _, c := range b {
		groups[1].Add(c.Sum, c.N)
	}
	t.Statistic, _ = apart(&groups[0], &groups[1])
	t.Method = "means, " + t.Method
	return t
}

// apart returns the difference of the means, 0 where one is of nothing, and its
// variance.
func apart(a, b *Clusters) (difference, variance float64) {
	meanA, varianceA := a.Mean()
	meanB, varianceB := b.Mean()
	if a.clusters > 0 && b.clusters > 0 {
		difference = meanA - meanB
	}
	return difference, varianceA + varianceB
}

// Signs tests by turning signs whether differences within pairs, or within
// clusters that hold both sides, are as likely to be d as −d: P is the share of
// the turned sums that are as far from 0 as the observed one (Fisher, The Design
// of Experiments, 1935, section 21). Where there are no more ways to turn the
// signs of what is not 0 than Replicates, all are tried. The statistic is the mean
// of the differences.
func (r Resampling) Signs(differences []float64) Test {
	t := Test{P: 1, N: int64(len(differences)), Method: "signs, permutation, exact"}
	var d []float64
	for _, x := range differences {
		t.Statistic += x / float64(len(differences))
		if x != 0 {
			d = append(d, x)
		}
	}
	sum := func(negative func(i int) bool) float64 {
		sum := 0.0
		for i, x := range d {
			if negative(i) {
				x = -x
			}
			sum += x
		}
		return math.Abs(sum)
	}
	limit := atLeast(sum(func(int) bool { return false }))
	if len(d) < 62 && 1<<len(d) <= r.Replicates {
		count := 0
		for signs := range 1 << len(d) {
			if sum(func(i int) bool { return signs>>i&1 == 1 }) >= limit {
				count++
			}
		}
		t.P = float64(count) / float64(int(1)<<len(d))
		return t
	}
	t.Method = "signs, permutation, drawn"
	t.P = r.drawn(limit, func() func(int) float64 {
		return func(replicate int) float64 {
			random := r.generator(replicate)
			var bits uint64
			return sum(func(i int) bool {
				if i%64 == 0 {
					bits = random.Uint64()
				}
				return bits>>(i%64)&1 == 1
			})
		}
	})
	return t
}
