package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// example makes 120 rows in 30 clusters of 4: with i from 0, u from the generator
// s = (s·1103515245+12345) mod 2³¹, s = 1 at first, and
//
//	x1 = (7i mod 11) − 5, x2 = ((5i mod 13) − 6)/2
//	e = 0.2·x1 − 0.15·x2 + 0.2 + ln(u/(1−u))
//
// the outcome is how many of the cuts e exceeds.
func example(t *testing.T, cuts ...float64) *stats.Design {
	t.Helper()
	d, err := stats.NewDesign(len(cuts)+1, "x1", "x2")
	if err != nil {
		t.Fatal(err)
	}
	s := 1
	for i := range 120 {
		s = (s*1103515245 + 12345) % (1 << 31)
		u := (float64(s>>8) + .5) / (1<<23 + 1)
		x1, x2 := float64(i*7%11)-5, (float64(i*5%13)-6)/2
		e, y := .2*x1-.15*x2+.2+math.Log(u/(1-u)), 0
		for _, cut := range cuts {
			if e > cut {
				y++
			}
		}
		add(t, d, int64(i/4), y, x1, x2)
	}
	return d
}

func add(t testing.TB, d *stats.Design, cluster int64, outcome int, x ...float64) {
	t.Helper()
	if err := d.Append(cluster, x, outcome); err != nil {
		t.Fatal(err)
	}
}

func regress(t testing.TB, d *stats.Design) *stats.Regression {
	t.Helper()
	r, err := d.Fit()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// standardError of an interval by Student's t of 29 degrees of freedom:
// scipy.stats.t.ppf(.975, 29).
func standardError(i stats.Interval) float64 { return (i.High - i.Low) / 2 / 2.045229642132703 }

// Values of
//
//	statsmodels.api.Logit(y, add_constant(X)).fit(cov_type='cluster', cov_kwds={'groups': g})
//
// in statsmodels 0.15.0, whose covariance has the further factor (n−1)/(n−k) =
// 119/117.
func TestLogisticRegressionAgreesWithStatsmodels(t *testing.T) {
	r := regress(t, example(t, 0))
	within(t, "intercept", -r.Thresholds[0], 0.0824397674835, 1e-6)
	within(t, "log-likelihood", r.Likelihood, -69.76417648400866, 1e-9)
	within(t, "log-likelihood without columns", r.Null, -83.11098264958244, 1e-9)
	for j, c := range []struct{ estimate, error float64 }{{0.329719435231, 0.0715325615778}, {-0.0996072995512, 0.0735658540898}} {
		i := r.Coefficient(j, .95)
		within(t, "coefficient", i.Estimate, c.estimate, 1e-6)
		within(t, "standard error", standardError(i), c.error*math.Sqrt(117./119), 1e-6)
		if i.N != 120 || i.Level != .95 || i.Method != "proportional odds, cluster-robust" {
			t.Errorf("interval is labelled %+v", i)
		}
	}
}

// Coefficients, thresholds and likelihoods of statsmodels 0.15.0,
//
//	OrderedModel(y, X, distr='logit').fit(method='bfgs', gtol=1e-12)
//
// polished by Newton's method in NumPy with gradients by complex steps, and from
// them I⁻¹·(Σ ssᵀ)·I⁻¹·30/29.
func TestProportionalOddsAgreeWithStatsmodels(t *testing.T) {
	r := regress(t, example(t, -1, 1))
	within(t, "threshold 0", r.Thresholds[0], -1.33499272681, 1e-5)
	within(t, "threshold 1", r.Thresholds[1], 0.839007311961, 1e-5)
	within(t, "log-likelihood", r.Likelihood, -114.6837410685558, 1e-9)
	within(t, "log-likelihood without columns", r.Null, -129.3067592480161, 1e-9)
	first, second := r.Coefficient(0, .95), r.Coefficient(1, .95)
	within(t, "x1", first.Estimate, 0.273038764295, 1e-6)
	within(t, "x2", second.Estimate, -0.279487431372, 1e-6)
	within(t, "standard error of x1", standardError(first), 0.062789231, 1e-6)
	within(t, "standard error of x2", standardError(second), 0.08926682261, 1e-6)
	sum := r.Combination([]float64{1, 1}, .95)
	const covariance = -0.003116970988
	within(t, "standard error of the sum", standardError(sum),
		math.Sqrt(0.062789231*0.062789231+0.08926682261*0.08926682261+2*covariance), 1e-6)
	p := make([]float64, 3)
	r.Probabilities(p, []float64{2, -1})
	eta := 2*0.273038764295 + 0.279487431372
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	within(t, "probability of 0", p[0], sigma(-1.33499272681-eta), 1e-6)
	within(t, "probability of 2", p[2], 1-sigma(0.839007311961-eta), 1e-6)
	within(t, "probability of anything", p[0]+p[1]+p[2], 1, 1e-15)
}

// Values of statsmodels.stats.outliers_influence.variance_inflation_factor over
// add_constant([x1, x2, x1 + x2 + (17i mod 7) − 3]) in statsmodels 0.15.0.
func TestVarianceInflationAgreesWithStatsmodels(t *testing.T) {
	d, err := stats.NewDesign(2, "x1", "x2", "x3")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 120 {
		x1, x2 := float64(i*7%11)-5, (float64(i*5%13)-6)/2
		add(t, d, int64(i), i*31%17%2, x1, x2, x1+x2+float64(i*17%7-3))
	}
	vif := regress(t, d).VIF
	for j, want := range []float64{3.49036449085, 1.9521482357, 4.53124723958} {
		within(t, "variance inflation", vif[j], want, 1e-6)
	}
}

func TestThreadsDoNotChangeARegression(t *testing.T) {
	d, err := stats.NewDesign(3, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(61, 62))
	for i := range 3000 {
		a := r.NormFloat64()
		add(t, d, int64(i/2), min(2, max(0, int(1.5+a+r.NormFloat64()))), a, r.NormFloat64())
	}
	one := regress(t, d).Coefficient(0, .95)
	d.Goroutines = 3
	if got := regress(t, d).Coefficient(0, .95); got != one {
		t.Errorf("three goroutines give %+v, one gives %+v", got, one)
	}
}

// game draws an outcome of proportional odds.
func game(r *rand.Rand, eta float64, thresholds ...float64) (outcome int) {
	x := r.Float64()
	latent := eta + math.Log(x/(1-x))
	for _, threshold := range thresholds {
		if latent > threshold {
			outcome++
		}
	}
	return outcome
}

// planted makes clusters of games of 3 positions each, whose piece counts differ
// little, with the result that the last position and the luck of the game decide.
func planted(t testing.TB, r *rand.Rand, games int, beta []float64, thresholds ...float64) *stats.Design {
	d, err := stats.NewDesign(len(thresholds)+1, "pawn", "rook", "tempo")
	if err != nil {
		t.Fatal(err)
	}
	for g := range games {
		x, eta := make([]float64, len(beta)), 0.0
		for j, b := range beta {
			x[j] = float64(r.IntN(5) - 2)
			eta += b * x[j]
		}
		// Rows of a game repeat its columns and its result, so that they are one.
		y := game(r, eta, thresholds...)
		for range 3 {
			add(t, d, int64(g), y, x...)
		}
	}
	return d
}

func TestRegressionFindsPlantedValuesAsOftenAsItSays(t *testing.T) {
	beta := []float64{.4, 1.2, 0}
	r := rand.New(rand.NewPCG(63, 64))
	for _, thresholds := range [][]float64{{.3}, {-.5, .7}} {
		const runs, games = 400, 150
		held := make([]int, 5)
		for range runs {
			fit := regress(t, planted(t, r, games, beta, thresholds...))
			intervals := []stats.Interval{
				fit.Coefficient(0, .95), fit.Coefficient(1, .95), fit.Coefficient(2, .95),
				fit.Ratio(1, 0, .95), fit.Combination([]float64{-3, 1, 0}, .95),
			}
			for k, truth := range []float64{.4, 1.2, 0, 3, 0} {
				if intervals[k].Low <= truth && truth <= intervals[k].High {
					held[k]++
				}
			}
		}
		// 3 standard errors of 400 runs are 3.3 %.
		for k, n := range held {
			if share := float64(n) / runs; share < .91 || share > .985 {
				t.Errorf("thresholds %v: interval %d holds the truth in %.1f %% of all cases", thresholds, k, 100*share)
			}
		}
	}
}

func TestBootstrapOfARegressionAgreesWithItsErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	fit := regress(t, planted(t, r, 200, []float64{.4, 1, -.2}, -.3, .4))
	intervals := resampling(600).Percentile(int(fit.Clusters), 3, .95, fit.Refit)
	for j, i := range intervals {
		robust := fit.Coefficient(j, .95)
		near(t, "estimate", i.Estimate, fit.Coefficients[j])
		within(t, "width", (i.High-i.Low)/(robust.High-robust.Low), 1, .15)
		within(t, "centre", (i.High+i.Low-robust.High-robust.Low)/(robust.High-robust.Low), 0, .3)
	}
}

// A column that tells the outcomes apart, one that never changes, two that are the
// same: each is marked, and the one that can be told is told as if alone.
func TestWhatARegressionCannotTellIsMarked(t *testing.T) {
	d, err := stats.NewDesign(3, "told", "queen", "fixed", "twin", "copy")
	alone, err2 := stats.NewDesign(3, "told")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	r := rand.New(rand.NewPCG(67, 68))
	for i := range 400 {
		x, twin, queen := r.NormFloat64(), r.NormFloat64(), 0.0
		y := game(r, x, -.5, .5)
		if i%40 == 0 {
			queen, y = 1, 2 // who has a queen has won
		}
		add(t, d, int64(i), y, x, queen, 7, twin, 2*twin-1)
		if queen == 0 {
			add(t, alone, int64(i), y, x)
		}
	}
	fit, want := regress(t, d), regress(t, alone)
	for j, problem := range []stats.Problem{stats.NoProblem, stats.Separated, stats.Constant, stats.Collinear, stats.Collinear} {
		if fit.Problems[j] != problem {
			t.Errorf("%s: problem is %q, want %q", fit.Names[j], fit.Problems[j], problem)
		}
		open := problem != stats.NoProblem
		for _, i := range []stats.Interval{fit.Coefficient(j, .95), fit.Ratio(j, 0, .95), fit.Ratio(0, j, .95)} {
			if math.IsNaN(i.Estimate) || math.IsInf(i.Estimate, 0) || math.IsInf(i.Low, -1) != open || math.IsInf(i.High, 1) != open {
				t.Errorf("%s: interval is %+v", fit.Names[j], i)
			}
		}
	}
	if fit.Coefficients[1] < 5 || fit.VIF[3] != stats.MaxVIF || fit.VIF[0] > 1.1 {
		t.Errorf("coefficients %v, variance inflation %v", fit.Coefficients, fit.VIF)
	}
	got, one := fit.Coefficient(0, .95), want.Coefficient(0, .95)
	within(t, "estimate", got.Estimate, one.Estimate, .02)
	within(t, "width", got.High-got.Low, one.High-one.Low, .02)

	dst, times := make([]float64, 5), make([]int32, 400)
	for c := range times {
		times[c] = int32(c % 2) // none with a queen is drawn
	}
	fit.Refit(dst, times)
	for j, x := range dst[1:] {
		if j > 0 != math.IsNaN(x) {
			t.Errorf("%s of replicate is %v", fit.Names[j+1], x)
		}
	}
}

func TestOutcomesThatNeverOccurHaveNoProbability(t *testing.T) {
	d, err := stats.NewDesign(4, "x")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		add(t, d, int64(i), []int{0, 3}[i*7%3%2], float64(i%5))
	}
	fit, p := regress(t, d), make([]float64, 4)
	fit.Probabilities(p, []float64{1})
	if len(fit.Thresholds) != 1 || p[1] != 0 || p[2] != 0 || !(p[0] > 0 && p[3] > 0) {
		t.Errorf("thresholds %v, probabilities %v", fit.Thresholds, p)
	}
}

func TestRegressionsOfTooLittleSayWhy(t *testing.T) {
	some := func(rows ...int) error {
		d, err := stats.NewDesign(3, "x", "y")
		if err != nil {
			t.Fatal(err)
		}
		for i, outcome := range rows {
			add(t, d, int64(i), outcome, float64(i*i%7), float64(i%3))
		}
		fit, err := d.Fit()
		if err == nil {
			for j := range fit.Names {
				i := fit.Coefficient(j, .95)
				if fit.Problems[j] == stats.NoProblem || math.IsNaN(i.Estimate) || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
					t.Errorf("%v: %s has %q, %+v", rows, fit.Names[j], fit.Problems[j], i)
				}
			}
			dst := make([]float64, 2)
			fit.Refit(dst, make([]int32, len(rows)))
			if !math.IsNaN(dst[0]) {
				t.Errorf("%v: a replicate of nothing gives %v", rows, dst)
			}
		}
		return err
	}
	for _, rows := range [][]int{{0, 1}, {0, 2, 1}, {1, 1, 0, 1}} {
		if err := some(rows...); err != nil {
			t.Errorf("%v: %v", rows, err)
		}
	}
	d, err := stats.NewDesign(2, "x")
	if err != nil {
		t.Fatal(err)
	}
	_, none := stats.NewDesign(2)
	_, one := stats.NewDesign(1, "x")
	add(t, d, 5, 1, 1)
	for want, err := range map[string]error{
		"there are 0 rows":           some(),
		"outcome is 2 in all 3 rows": some(2, 2, 2),
		"there are 0 columns":        none,
		"outcomes is 1, must be":     one,
		"row 1 has 2 columns, must":  d.Append(6, []float64{1, 2}, 0),
		"row 1: outcome is 2, must":  d.Append(6, []float64{1}, 2),
		"row 1: outcome is -1, must": d.Append(6, []float64{1}, -1),
		"row 1: cluster 4 comes aft": d.Append(4, []float64{1}, 1),
		"row 1: x is NaN, must":      d.Append(6, []float64{math.NaN()}, 1),
		"row 1: x is 1e+300, must":   d.Append(6, []float64{1e300}, 1),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error is %v, want %s…", err, want)
		}
	}
	if d.Rows() != 1 || d.Clusters() != 1 {
		t.Errorf("%d rows in %d clusters after rows that were refused", d.Rows(), d.Clusters())
	}
}

func BenchmarkRegression(b *testing.B) {
	for _, columns := range []int{8, 24} {
		b.Run(fmt.Sprint(columns, " columns"), func(b *testing.B) {
			names := make([]string, columns)
			d, err := stats.NewDesign(3, names...)
			if err != nil {
				b.Fatal(err)
			}
			d.Goroutines = 2
			r := rand.New(rand.NewPCG(69, 70))
			x := make([]float64, columns)
			const rows = 100000
			for i := range rows {
				for j := range x {
					x[j] = float64(r.IntN(5) - 2)
				}
				add(b, d, int64(i), game(r, .3*x[0]-.2*x[1], -.5, .5), x...)
			}
			for b.Loop() {
				regress(b, d)
			}
			b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
