package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimator writes estimates to dst from observations in which cluster c counts
// times[c] times; what is not finite says that these tell nothing of one. It keeps neither slice.
type Estimator func(dst []float64, times []int32)

const (
	// enoughReplicates is the share of replicates that must give an estimate.
	enoughReplicates = 0.9
	// jackknifeGroups bounds how many groups of clusters are left out in turn for
	// the acceleration of BCa; with fewer clusters each is one.
	jackknifeGroups = 200
)

// Percentile returns the bootstrap intervals of so many estimates: the middle of
// what they are when clusters are drawn with replacement (Efron and Tibshirani, An
// Introduction to the Bootstrap, 1993, chapter 13; clusters as in Davison and
// Hinkley, Bootstrap Methods and Their Application, 1997, section 3.8). Clusters
// must be independent of each other and enough: below 50 the intervals are too
// narrow. N counts clusters.
//
// Replicates without an estimate are left out. Where they are more than a tenth,
// where there are fewer than two clusters, or where the observations give no
// estimate, the bounds are infinite.
func (r Resampling) Percentile(clusters, estimates int, level float64, estimate Estimator) []Interval {
	return r.bootstrap(clusters, estimates, level, estimate, "bootstrap, percentile", false)
}

// BCa is [Resampling.Percentile] with corrections for bias and for a standard
// error that changes with the estimate (Efron 1987, "Better Bootstrap Confidence
// Intervals"), the acceleration being that of the jackknife over at most 200
// groups of clusters. It is the better one for what is skewed, and the worse one
// with few replicates: it needs 2,000 or more.
func (r Resampling) BCa(clusters, estimates int, level float64, estimate Estimator) []Interval {
	return r.bootstrap(clusters, estimates, level, estimate, "bootstrap, bca", true)
}

func (r Resampling) bootstrap(clusters, estimates int, level float64, estimate Estimator, method string, corrected bool) []Interval {
	observed := make([]float64, estimates)
	estimate(observed, slices.Repeat([]int32{1}, clusters))
	intervals := make([]Interval, estimates)
	for j, x := range observed {
		intervals[j] = Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: int64(clusters), Method: method}
		if finite(x) != nil {
			intervals[j].Estimate = x
		}
	}
	if clusters < 2 {
		return intervals
	}
	replicates := r.replicates(clusters, estimates, estimate)
	var left [][]float64
	if corrected {
		left = r.jackknife(clusters, estimates, estimate)
	}
	for j := range intervals {
		x := column(replicates, j)
		if finite(observed[j]) == nil || float64(len(x)) < enoughReplicates*float64(r.Replicates) || len(x) == 0 {
			continue
		}
		slices.Sort(x)
		low, high := (1-level)/2, (1+level)/2
		if corrected {
			low, high = correctedTails(x, observed[j], column(left, j), level)
		}
		intervals[j].Low, intervals[j].High = orderStatistic(x, low), orderStatistic(x, high)
	}
	return intervals
}

// replicates returns the estimates of every replicate.
func (r Resampling) replicates(clusters, estimates int, estimate Estimator) [][]float64 {
	all := make([][]float64, r.Replicates)
	share(len(all), r.Goroutines, func() func(int) {
		times := make([]int32, clusters)
		return func(i int) {
			random := r.generator(i)
			clear(times)
			for range clusters {
				times[random.IntN(clusters)]++
			}
			all[i] = make([]float64, estimates)
			estimate(all[i], times)
		}
	})
	return all
}

// jackknife returns the estimates with each group of clusters left out.
func (r Resampling) jackknife(clusters, estimates int, estimate Estimator) [][]float64 {
	all := make([][]float64, min(clusters, jackknifeGroups))
	share(len(all), r.Goroutines, func() func(int) {
		times := make([]int32, clusters)
		return func(i int) {
			for c := range times {
				times[c] = 1
				if c*len(all)/clusters == i {
					times[c] = 0
				}
			}
			all[i] = make([]float64, estimates)
			estimate(all[i], times)
		}
	})
	return all
}

// column returns the numbers of a column that are finite.
func column(rows [][]float64, j int) []float64 {
	var all []float64
	for _, row := range rows {
		if finite(row[j]) != nil {
			all = append(all, row[j])
		}
	}
	return all
}

// correctedTails returns the shares of the sorted replicates below the ends of the
// BCa interval (Efron and Tibshirani, equations 14.10, 14.14 and 14.15). A
// replicate that equals the estimate is half below it.
func correctedTails(sorted []float64, observed float64, left []float64, level float64) (low, high float64) {
	first, _ := slices.BinarySearch(sorted, observed)
	end := first
	for end < len(sorted) && sorted[end] == observed {
		end++
	}
	n := float64(len(sorted))
	// Within half a replicate of the ends, so that the quantile is finite.
	below := math.Min(n-0.5, math.Max(0.5, float64(first+end)/2))
	bias := distuv.UnitNormal.Quantile(below / n)
	var mean, squares, cubes float64
	for _, x := range left {
		mean += x / float64(len(left))
	}
	for _, x := range left {
		squares += (mean - x) * (mean - x)
		cubes += (mean - x) * (mean - x) * (mean - x)
	}
	acceleration := 0.0
	if squares > 0 {
		acceleration = cubes / (6 * math.Pow(squares, 1.5))
	}
	tail := func(p float64) float64 {
		z := bias + distuv.UnitNormal.Quantile(p)
		return distuv.UnitNormal.CDF(bias + z/math.Max(1e-3, 1-acceleration*z))
	}
	return tail((1 - level) / 2), tail((1 + level) / 2)
}

// orderStatistic returns the number below which a share of sorted numbers lies:
// the one at p·(n+1), counted from 1, between two of them in proportion.
func orderStatistic(sorted []float64, p float64) float64 {
	at := math.Min(float64(len(sorted)-1), math.Max(0, p*float64(len(sorted)+1)-1))
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
