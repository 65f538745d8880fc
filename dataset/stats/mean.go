package stats

import "math"

// Moments collects numbers for their mean without storing them (Welford 1962, "Note on a
// Method for Calculating Corrected Sums of Squares and Products"). The zero value is
// empty.
type Moments struct {
	n       int64
	mean    float64
	squares float64 // Σ(x − mean)²
}

// Add adds x a number of times. It ignores times of 0 or less.
func (m *Moments) Add(x float64, times int64) {
	if times <= 0 {
		return
	}
	m.n += times
	delta := x - m.mean
	m.mean += delta * float64(times) / float64(m.n)
	m.squares += float64(times) * delta * (x - m.mean)
}

// N returns the number of numbers added.
func (m *Moments) N() int64 { return m.n }

// Mean returns the arithmetic mean, or 0 without numbers.
func (m *Moments) Mean() float64 { return m.mean }

// Variance returns the unbiased variance, or 0 with fewer than two numbers.
func (m *Moments) Variance() float64 {
	if m.n < 2 {
		return 0
	}
	return m.squares / float64(m.n-1)
}

// Interval returns the mean with Student's t interval, whose bounds are infinite with
// fewer than two numbers.
func (m *Moments) Interval(level float64) Interval {
	i := Interval{Estimate: m.mean, Low: math.Inf(-1), High: math.Inf(1), Level: level, N: m.n, Method: "t"}
	if m.n < 2 {
		return i
	}
	half := studentQuantile(level, float64(m.n-1)) * math.Sqrt(m.Variance()/float64(m.n))
	i.Low, i.High = m.mean-half, m.mean+half
	return i
}
