package stats

import (
	"fmt"
	"math"
	"slices"
)

// Lifetimes are lifetimes, such as those of pieces in plies, that ended by death or were
// censored. They use 12 bytes each.
type Lifetimes struct {
	times    []int32
	died     []bool
	clusters []int32
	last     int64
	count    int32 // of clusters
	longest  int
}

// maxLifetime is the greatest lifetime.
const maxLifetime = 1 << 24

// Add adds a lifetime of 0 to 2²⁴ that ended by death or was censored. Lifetimes that are
// not independent, such as those of the pieces of one game, have the same cluster.
// Clusters must be added in ascending order.
func (l *Lifetimes) Add(cluster int64, time int, died bool) error {
	switch {
	case time < 0 || time > maxLifetime:
		return fmt.Errorf("lifetime %d is %d, must be 0 to %d", len(l.times), time, maxLifetime)
	case l.count > 0 && cluster < l.last:
		return fmt.Errorf("lifetime %d: cluster %d comes after cluster %d, must ascend", len(l.times), cluster, l.last)
	}
	if l.count == 0 || cluster > l.last {
		l.count++
	}
	l.last, l.longest = cluster, max(l.longest, time)
	l.times, l.died, l.clusters = append(l.times, int32(time)), append(l.died, died), append(l.clusters, l.count-1)
	return nil
}

// A Survival is the curve of the share that lives beyond a time.
type Survival struct {
	// Steps are the times of deaths, ascending.
	Steps    []SurvivalStep
	n        int64
	level    float64
	quantile float64 // Student's
	clusters int
	seen     []int32 // the longest lifetime of each cluster, ascending
	starts   []int   // by time: number of shorter lifetimes
}

// A SurvivalStep is a time at which a lifetime ended by death.
type SurvivalStep struct {
	Time   int
	AtRisk int64 // alive and observed just before
	Died   int64
	// Alive is the share that lives beyond Time; its N is AtRisk.
	Alive Interval
}

const survivalMethod = "kaplan-meier, log-log, clusters"

// Survival estimates the curve by the product of the shares that survive each step
// (Kaplan and Meier 1958, "Nonparametric Estimation from Incomplete Observations").
// Censoring must not depend on the remaining lifetime.
//
// The variance of ln S is that of its linearisation, summed by cluster c,
//
//	g/(g−1)·Σ (Σᵢ 1{i died}/(Y−d) − Σₛ d/(Y·(Y−d)))²
//
// where d of Y at risk die at the time of i, and at each time s up to it, for g clusters
// (Williams 1995, "Product-Limit Survival Functions with Correlated Survival Times").
// Without the factor, and with clusters of one, it is Greenwood's, Σ d/(Y·(Y−d)). The
// interval is that of ln(−ln S) (Kalbfleisch and Prentice, The Statistical Analysis of
// Failure Time Data, 1980) with Student's quantile of g−1 degrees of freedom. If the
// clusters do not vary, it is Wilson's with one trial per cluster; if all have died, its
// upper bound is that of the previous step.
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

// byTime returns the lifetimes in ascending order, and the index of the first one of each
// time.
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

// interval returns the interval of a share alive with a given variance of its logarithm.
// high is the upper bound at the previous time.
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

// At returns the share that lives beyond a time. N counts the lifetimes at risk, which
// were observed until then. Before the first death the interval is Wilson's with one
// trial per cluster observed so long. Beyond the observed times its lower bound is 0.
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

// Lasting returns the number of clusters that were observed until a time or longer. If it
// is small, At is unreliable.
func (s *Survival) Lasting(time int) int {
	before, _ := slices.BinarySearch(s.seen, int32(min(time, maxLifetime+1)))
	return s.clusters - before
}

// Median returns the first time beyond which at most half live. Its bounds are the times
// at which the interval of the curve starts and stops including a half (Brookmeyer and
// Crowley 1982, "A Confidence Interval for the Median Survival Time"). A time that was
// not reached is +Inf. N counts all lifetimes.
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

// A survivalScatter updates the sum over clusters of (a − n·h)², where h is the cumulative
// hazard, n is the number of the cluster that live, and a is the sum over those that do not.
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

// leave removes a lifetime that ends now. Of the atRisk lifetimes that have not ended
// before, died end now by death.
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

// variance returns the variance of the logarithm of the share alive.
func (s *survivalScatter) variance() float64 {
	h := s.hazard
	return s.factor * math.Max(0, s.aa-2*h*s.an+h*h*s.nn)
}
