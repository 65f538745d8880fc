package stats

import (
	"fmt"
	"math"
)

// Brier returns the score Σ (p − 1{occurred})² of a forecast of probabilities, over all
// outcomes: 0 is best and 2 is worst (Brier 1950, "Verification of Forecasts Expressed in
// Terms of Probability").
func Brier(probabilities []float64, outcome int) float64 {
	sum := 0.0
	for k, p := range probabilities {
		if k == outcome {
			p = 1 - p
		}
		sum += p * p
	}
	return sum
}

// leastForecast is the least probability in a logarithmic score.
const leastForecast = 1e-15

// LogScore returns −ln p for the probability p of the outcome that occurred, in nats
// (Good 1952, "Rational Decisions"). Probabilities below 1e−15 count as 1e−15, so the
// score is at most 34.5.
func LogScore(probabilities []float64, outcome int) float64 {
	return -math.Log(math.Max(leastForecast, probabilities[outcome]))
}

// A Calibration compares expected results with observed ones, in bins of equal width from
// 0 to 1. Create one with [NewCalibration].
type Calibration struct {
	bins    []calibrationBin
	cluster int64 // the last
	any     bool
}

type calibrationBin struct {
	results   Clusters
	forecasts Moments
	sum       float64 // of the results of the last cluster, which is not yet in results
	n         int64
}

// NewCalibration returns a calibration with the given number of bins, 1 to 1000.
func NewCalibration(bins int) (*Calibration, error) {
	if bins < 1 || bins > 1000 {
		return nil, fmt.Errorf("bins is %d, must be 1 to 1000", bins)
	}
	return &Calibration{bins: make([]calibrationBin, bins)}, nil
}

// Add adds an expected and an observed result, each from 0 to 1. Results that are not
// independent have the same cluster. Clusters must be added in ascending order.
func (c *Calibration) Add(cluster int64, forecast, result float64) error {
	switch {
	case !(forecast >= 0 && forecast <= 1):
		return fmt.Errorf("expected result is %v, must be 0 to 1", forecast)
	case !(result >= 0 && result <= 1):
		return fmt.Errorf("result is %v, must be 0 to 1", result)
	case c.any && cluster < c.cluster:
		return fmt.Errorf("cluster %d comes after cluster %d, must ascend", cluster, c.cluster)
	}
	if cluster != c.cluster {
		c.endCluster()
	}
	c.cluster, c.any = cluster, true
	bin := &c.bins[min(len(c.bins)-1, int(forecast*float64(len(c.bins))))]
	bin.forecasts.Add(forecast, 1)
	bin.sum += result
	bin.n++
	return nil
}

func (c *Calibration) endCluster() {
	for i := range c.bins {
		b := &c.bins[i]
		b.results.Add(b.sum, b.n)
		b.sum, b.n = 0, 0
	}
}

// A CalibrationBin holds the results whose expectation is from Low to High.
type CalibrationBin struct {
	Low, High float64
	Forecast  float64  // mean expected result
	Result    Interval // mean observed result, by cluster
}

// Bins returns the nonempty bins in ascending order. The forecasts of a well-calibrated
// model are within 95 % intervals in 19 of 20 bins.
func (c *Calibration) Bins(level float64) []CalibrationBin {
	var all []CalibrationBin
	width := 1 / float64(len(c.bins))
	for i, b := range c.bins {
		if b.forecasts.N() == 0 {
			continue
		}
		b.results.Add(b.sum, b.n)
		all = append(all, CalibrationBin{
			Low: float64(i) * width, High: float64(i+1) * width,
			Forecast: b.forecasts.Mean(), Result: b.results.Interval(level),
		})
	}
	return all
}
