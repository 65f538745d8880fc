package stats

import (
	"fmt"
	"math"
	"slices"
)

// Lifetimes are how long things lived, such as pieces in plies: until they died or
// were last seen alive. They take 12 bytes each.
type Lifetimes struct {
	times    []int32
	died     []bool
	clusters []int32
	last     int64
	count    int32 // of clusters
	longest  int
}

// maxLifetime bounds times.
const maxLifetime = 1 << 24

// Add adds a lifetime of 0 to 2²⁴, which ended by death or by being last seen.
// Those that are not independent, such as of the pieces of a game, have the same
// cluster; clusters come one after the other in rising order.
func (l *Lifetimes) Add(cluster int64, time int, died bool) error {
	switch {
	case time < 0 || time > maxLifetime:
		return fmt.Errorf("lifetime %d is %d, must be 0 to %d", len(l.times), time, maxLifetime)
	case l.count > 0 && cluster < l.last:
		return fmt.Errorf("lifetime %d: cluster %d comes after cluster %d, must rise", len(l.times), cluster, l.last)
	}
	if l.count == 0 || cluster > l.last {
		l.count++
	}
	l.last, l.longest = cluster, max(l.longest, time)
	l.times, l.died, l.clusters = append(l.times, int32(time)), append(l.died, died), append(l.clusters, l.count-1)
	return nil
}

// A Survival is a curve of the share that lives on beyond a time.
type Survival struct {
	// Steps are the times at which something died, rising.
	Steps    []SurvivalStep
	n        int64
	level    float64
	quantile float64 // Student's
	clusters int
	seen     []int32 // the longest lifetime of each cluster, rising
	starts   []int   // by time, how many lifetimes are shorter
}

// A SurvivalStep is a time at which something died.
type SurvivalStep struct {
	Time   int
	AtRisk int64 // alive and seen just before
	Died   int64
	// Alive is the share that lives beyond Time, N being AtRisk.
	Alive Interval
}

const survivalMethod = "kaplan-meier, log-log, clusters"

// Survival estimates the curve by the product of the shares that survive each
// step (Kaplan and Meier 1958, "Nonparametric Estimation from Incomplete
// Observations"). Being last seen must not depend on how long one would have lived.
//
// The variance of ln S is that of its linearisation, summed by cluster c,
//
//	g/(g−1)·Σ (Σᵢ 1{i died}/(Y−d) − Σₛ d/(Y·(Y−d)))²
//
// with d of Y at risk dying at the time of i, and at each time s up to it, for g
// clusters (Williams 1995, "Product-Limit Survival Functions with Correlated
// Survival Times"). Without the factor and of clusters of one it is Greenwood's,
// Σ d/(Y·(Y−d)). The interval is the one of ln(−ln S) (Kalbfleisch and Prentice,
// The Statistical Analysis of Failure Time Data, 1980) with Student's quantile of
// g−1 degrees of freedom. Where the clusters show no variation it is Wilson's of
// as many trials; where all have died it ends where the one before did.
func (l *Lifetimes) Survival(level float64) *Survival {
	s := &Survival{n: int64(len(l.times)), level: level, clusters: int(l.count), seen: make([]int32, l.count)}
	for i, c := range l.clusters {
		s.seen[c] = max(s.seen[c], l.times[i])
	}
	slices.Sort(s.seen)
	if s.clusters > 1 {
		s.quantile = studentQuantile(level, float64(s.clusters-1))
	}
	order, starts := l.byTime()
	s.starts = starts
	scatter := newSurvivalScatter(l)
	alive, high := 1.0, 1.0
	for time := range starts[:len(starts)-1] {
		leaving := order[starts[time]:starts[time+1]]
		atRisk, died := float64(len(order)-starts[time]), 0.0
		for _, i := range leaving {
			if l.died[i] {
				died++
			}
		}
		if died > 0 {
			alive *= 1 - died/atRisk
			if died == atRisk {
				alive = 0
			} else {
				scatter.hazard += died / (atRisk * (atRisk - died))
			}
		}
		for _, i := range leaving {
			scatter.leave(i, died, atRisk)
		}
		if died > 0 {
			interval := s.interval(alive, scatter.variance(), high)
			interval.N, high = int64(atRisk), interval.High
			s.Steps = append(s.Steps, SurvivalStep{Time: time, AtRisk: int64(atRisk), Died: int64(died), Alive: interval})
		}
	}
	return s
}

// byTime returns the lifetimes from the shortest to the longest, and where those
// of each time begin.
func (l *Lifetimes) byTime() (order []int32, starts []int) {
	starts = make([]int, l.longest+2)
	for _, t := range l.times {
		starts[t+1]++
	}
	for t := 1; t < len(starts); t++ {
		starts[t] += starts[t-1]
	}
	next := append([]int(nil), starts...)
	order = make([]int32, len(l.times))
	for i, t := range l.times {
		order[next[t]] = int32(i)
		next[t]++
	}
	return order, starts
}

// interval returns the interval of a share alive with a variance of its logarithm,
// where the one of the time before ended at high.
func (s *Survival) interval(alive, variance, high float64) Interval {
	i := Interval{Estimate: alive, Low: 0, High: high, Level: s.level, Method: survivalMethod}
	switch clusters := float64(s.clusters); {
	case alive == 0 || clusters < 2:
	case variance <= 1e-15:
		w := wilson(alive, clusters, normalQuantile(s.level))
		i.Low, i.High = w.Low, math.Min(high, w.High)
	default:
		spread := math.Exp(s.quantile * math.Sqrt(variance) / math.Abs(math.Log(alive)))
		i.Low, i.High = math.Pow(alive, spread), math.Pow(alive, 1/spread)
	}
	return i
}

// At returns the share that lives beyond a time, N counting the lifetimes at risk:
// those that were seen until then. Before the first death it is Wilson's interval of
// as many trials as there are clusters seen so long; beyond what was seen nothing is
// known but that it is no greater.
func (s *Survival) At(time int) Interval {
	i := unknown(s.level, survivalMethod)
	lasting := s.Lasting(time)
	if lasting > 0 {
		i.Estimate, i.Low = 1, wilson(1, float64(lasting), normalQuantile(s.level)).Low
	}
	for _, step := range s.Steps {
		if step.Time > time {
			break
		}
		i = step.Alive
	}
	i.N = s.n - int64(s.starts[max(0, min(time, len(s.starts)-1))])
	if lasting == 0 {
		i.Low = 0
	}
	return i
}

// Lasting returns how many clusters were seen until a time or longer. Of few of them
// what At says has little worth.
func (s *Survival) Lasting(time int) int {
	before, _ := slices.BinarySearch(s.seen, int32(min(time, maxLifetime+1)))
	return s.clusters - before
}

// Median returns the time beyond which half live: the first one beyond which no
// more than half do, between the times at which the interval of the curve begins
// and ceases to hold a half (Brookmeyer and Crowley 1982, "A Confidence Interval
// for the Median Survival Time"). What was not reached is +Inf. N counts all lifetimes.
func (s *Survival) Median() Interval {
	i := Interval{Estimate: math.Inf(1), Low: math.Inf(1), High: math.Inf(1), Level: s.level, N: s.n, Method: "brookmeyer-crowley"}
	if s.n == 0 {
		i.Low = 0
	}
	first := func(at *float64, share float64, time int) {
		if share <= 0.5 && math.IsInf(*at, 1) {
			*at = float64(time)
		}
	}
	for _, step := range s.Steps {
		first(&i.Estimate, step.Alive.Estimate, step.Time)
		first(&i.Low, step.Alive.Low, step.Time)
		first(&i.High, step.Alive.High, step.Time)
	}
	return i
}

// A survivalScatter keeps the sum over clusters of the squares of a − n·h, where h
// is the hazard up to now, n how many of the cluster live, and a what those add
// who do not.
type survivalScatter struct {
	lifetimes  *Lifetimes
	hazard     float64
	a          []float64
	n          []float64
	aa, an, nn float64
	factor     float64
}

func newSurvivalScatter(l *Lifetimes) *survivalScatter {
	s := &survivalScatter{lifetimes: l, a: make([]float64, l.count), n: make([]float64, l.count)}
	for _, c := range l.clusters {
		s.n[c]++
	}
	for _, n := range s.n {
		s.nn += n * n
	}
	if l.count > 1 {
		s.factor = float64(l.count) / float64(l.count-1)
	}
	return s
}

// leave takes a lifetime out that ends now, when so many die of those at risk.
func (s *survivalScatter) leave(i int32, died, atRisk float64) {
	c := s.lifetimes.clusters[i]
	a, n := &s.a[c], &s.n[c]
	s.aa -= *a * *a
	s.an -= *a * *n
	s.nn -= *n * *n
	*n--
	*a -= s.hazard
	if s.lifetimes.died[i] && died < atRisk {
		*a += 1 / (atRisk - died)
	}
	s.aa += *a * *a
	s.an += *a * *n
	s.nn += *n * *n
}

// variance returns that of the logarithm of the share alive.
func (s *survivalScatter) variance() float64 {
	h := s.hazard
	return s.factor * math.Max(0, s.aa-2*h*s.an+h*h*s.nn)
}
