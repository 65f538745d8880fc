package stats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Brier's own example: of rain and no rain at .7 and .3, rain costs .18 and none
// .98. A coin toss costs ln 2 nats whatever comes.
func TestScoresOfForecasts(t *testing.T) {
	near(t, "Brier, rain", stats.Brier([]float64{.7, .3}, 0), .18)
	near(t, "Brier, none", stats.Brier([]float64{.7, .3}, 1), .98)
	near(t, "Brier, best", stats.Brier([]float64{0, 1, 0}, 1), 0)
	near(t, "Brier, worst", stats.Brier([]float64{0, 1, 0}, 2), 2)
	near(t, "log score", stats.LogScore([]float64{.5, .5}, 1), math.Ln2)
	near(t, "log score of the impossible", stats.LogScore([]float64{1, 0}, 1), 15*math.Ln10)
	if best := stats.LogScore([]float64{1, 0}, 0); best != 0 {
		t.Errorf("log score of the certain is %v", best)
	}
}

func calibration(t *testing.T, bins int) *stats.Calibration {
	t.Helper()
	c, err := stats.NewCalibration(bins)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBinsOfACalibrationAreTheResultsByCluster(t *testing.T) {
	c := calibration(t, 4)
	var low, high stats.Clusters
	for g := range int64(20) {
		result := float64(g % 3 / 2)
		for _, forecast := range []float64{.1, 1, .2} {
			if err := c.Add(g, forecast, result); err != nil {
				t.Fatal(err)
			}
			c.Bins(.9) // which changes nothing
		}
		low.Add(2*result, 2)
		high.Add(result, 1)
	}
	bins := c.Bins(.9)
	if len(bins) != 2 || bins[0].Result != low.Interval(.9) || bins[1].Result != high.Interval(.9) {
		t.Fatalf("bins are %+v", bins)
	}
	near(t, "forecast", bins[0].Forecast, .15)
	near(t, "forecast", bins[1].Forecast, 1)
	if bins[0].Low != 0 || bins[0].High != .25 || bins[1].Low != .75 || bins[1].High != 1 {
		t.Errorf("bins are %+v", bins)
	}
	if empty := calibration(t, 1).Bins(.95); len(empty) != 0 {
		t.Errorf("bins of nothing are %+v", empty)
	}
}

func TestForecastsThatAreNoneAreRefused(t *testing.T) {
	_, none := stats.NewCalibration(0)
	c := calibration(t, 10)
	if err := c.Add(3, .5, 1); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"bins is 0, must be 1 to 1000":  none,
		"expected result is NaN, must":  c.Add(3, math.NaN(), 1),
		"expected result is 1.1, must":  c.Add(3, 1.1, 1),
		"result is -1, must":            c.Add(3, .5, -1),
		"cluster 2 comes after cluster": c.Add(2, .5, 1),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error is %v, want %s…", err, want)
		}
	}
}

// The forecasts of a regression that has the truth are calibrated, and score
// better than a forecast of the shares alone: their mean advantage by game has an
// interval above 0.
func TestARegressionIsCalibratedAndBetterThanNone(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	beta := []float64{.4, .9, 0}
	fit := regress(t, planted(t, r, 3000, beta, -.4, .4))
	c := calibration(t, 5)
	var brier, logarithm stats.Clusters
	p := make([]float64, 3)
	null := []float64{.42, .16, .42}
	for g := range int64(2000) {
		x, eta := make([]float64, 3), 0.0
		for j, b := range beta {
			x[j] = float64(r.IntN(5) - 2)
			eta += b * x[j]
		}
		y := game(r, eta, -.4, .4)
		fit.Probabilities(p, x)
		if err := c.Add(g, p[1]/2+p[2], float64(y)/2); err != nil {
			t.Fatal(err)
		}
		brier.Add(stats.Brier(null, y)-stats.Brier(p, y), 1)
		logarithm.Add(stats.LogScore(null, y)-stats.LogScore(p, y), 1)
	}
	for _, bin := range c.Bins(.999) {
		if bin.Forecast < bin.Result.Low || bin.Forecast > bin.Result.High || bin.Result.N < 50 {
			t.Errorf("bin is %+v", bin)
		}
	}
	for what, i := range map[string]stats.Interval{"Brier": brier.StudentInterval(.999), "log": logarithm.StudentInterval(.999)} {
		if i.Low <= 0 || i.N != 2000 {
			t.Errorf("the advantage in %s score is %+v", what, i)
		}
	}
}

// Values of scipy.stats.t.interval of SciPy 1.17.1 as for Moments.
func TestMeanOfClustersWithoutBoundsIsStudents(t *testing.T) {
	i := ones(4, 8, 15, 16, 23, 42).StudentInterval(.95)
	near(t, "low", i.Low, 3.84233919266079)
	near(t, "high", i.High, 32.1576608073392)
	for _, few := range []*stats.Clusters{ones(), ones(7), ones(7, 7, 7)} {
		if i := few.StudentInterval(.95); !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) || i.Estimate != 7*math.Min(1, float64(i.N)) {
			t.Errorf("mean of %d is %+v", i.N, i)
		}
	}
}
