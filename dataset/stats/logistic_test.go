package stats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// dense makes rows of all columns.
func dense(t testing.TB, x [][]float64, targets, weights []float64) *stats.Rows {
	t.Helper()
	rows := stats.NewRows(len(x[0]))
	for i, row := range x {
		var terms []stats.Term
		for j, v := range row {
			if v != 0 {
				terms = append(terms, stats.Term{Index: int32(j), Value: float32(v)})
			}
		}
		if err := rows.Append(terms, targets[i], weights[i]); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func repeated(x float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = x
	}
	return all
}

func fit(t testing.TB, rows *stats.Rows, l stats.Logistic) *stats.LogisticFit {
	t.Helper()
	f, err := l.Fit(rows)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The values are those of scikit-learn 1.9.1, where each row comes as a 1 of
// weight w·y and as a 0 of weight w·(1−y) and columns are scaled by s = λ^−½:
//
//	LogisticRegression(C=1, fit_intercept=False, tol=1e-14, max_iter=10000, solver="newton-cholesky")
//	    .fit(vstack([X*s, X*s]), r_[ones(8), zeros(8)], sample_weight=r_[w*y, w*(1-y)]).coef_[0] * s
func TestLogisticRegressionIsThatOfScikitLearn(t *testing.T) {
	rows := dense(t,
		[][]float64{{1, 0, 2}, {1, 1, 0}, {1, -1, 1}, {1, 2, .5}, {1, 0, -1}, {1, 3, -2}, {1, -2, 0}, {1, 1, 1}},
		[]float64{1, .5, 0, 1, 0, .75, .25, 1}, []float64{1, 2, 1, 1, .5, 1, 3, 1})
	f := fit(t, rows, stats.Logistic{Penalty: []float64{.1, .5, 2}})
	for j, want := range []float64{-0.052995842165, 0.685299179610, 0.402796375279} {
		if math.Abs(f.Coefficients[j]-want) > 1e-7 {
			t.Errorf("coefficient %d is %.9f, want %.9f", j, f.Coefficients[j], want)
		}
	}
	if math.Abs(f.Entropy-0.517694409186) > 1e-9 || !f.Converged {
		t.Errorf("entropy is %.12f, converged %v", f.Entropy, f.Converged)
	}
	again := fit(t, rows, stats.Logistic{Penalty: []float64{.1, .5, 2}, Start: f.Coefficients})
	if again.Steps > 1 {
		t.Errorf("from its own result it takes %d steps", again.Steps)
	}
}

// With an intercept alone the answer is ln(k/(n−k)).
func TestAnInterceptAloneIsTheLogOdds(t *testing.T) {
	rows := dense(t, [][]float64{{1}, {1}, {1}, {1}}, []float64{1, 1, 1, 0}, repeated(1, 4))
	f := fit(t, rows, stats.Logistic{Penalty: []float64{0}})
	if math.Abs(f.Coefficients[0]-math.Log(3)) > 1e-7 || rows.MeanTarget() != .75 {
		t.Errorf("intercept is %v, want ln 3; mean target %v", f.Coefficients[0], rows.MeanTarget())
	}
	if null := rows.EntropyAt(3, .75); math.Abs(null-rows.Entropy(3, f.Coefficients)) > 1e-6 || math.Abs(null-math.Log(4)) > 1e-12 {
		t.Errorf("a 0 where ¾ is expected costs %v nats, want ln 4", null)
	}
}

// simulated draws rows of sparse columns with outcomes by the planted coefficients.
func simulated(t testing.TB, seed uint64, n int, planted []float64) *stats.Rows {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	rows := stats.NewRows(len(planted))
	for range n {
		var terms []stats.Term
		z := 0.0
		for j, beta := range planted {
			if r.Float64() < .3 {
				v := math.Round(r.NormFloat64()*4) / 4
				terms = append(terms, stats.Term{Index: int32(j), Value: float32(v)})
				z += v * beta
			}
		}
		y := 0.0
		if r.Float64() < 1/(1+math.Exp(-z)) {
			y = 1
		}
		if err := rows.Append(terms, y, 1); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func plant(columns int) []float64 {
	r := rand.New(rand.NewPCG(5, 5))
	planted := make([]float64, columns)
	for j := range planted {
		planted[j] = r.NormFloat64()
	}
	return planted
}

func TestPlantedCoefficientsAreFoundAgain(t *testing.T) {
	planted := plant(40)
	rows, held := simulated(t, 1, 60_000, planted), simulated(t, 2, 10_000, planted)
	f := fit(t, rows, stats.Logistic{Penalty: repeated(1, 40), Goroutines: 2})
	for j, want := range planted {
		// The standard error is about 1/√(n·share·σ²·¼·0.6) = 0.02.
		if math.Abs(f.Coefficients[j]-want) > .1 {
			t.Errorf("coefficient %d is %.3f, planted %.3f", j, f.Coefficients[j], want)
		}
	}
	var fitted, truth, null float64
	for i := range held.Len() {
		fitted += held.Entropy(i, f.Coefficients)
		truth += held.Entropy(i, planted)
		null += held.EntropyAt(i, rows.MeanTarget())
	}
	if n := float64(held.Len()); fitted/n > truth/n+.003 || fitted/n > .8*null/n {
		t.Errorf("held out: %.4f fitted, %.4f planted, %.4f null", fitted/n, truth/n, null/n)
	}
}

func TestTheNumberOfGoroutinesChangesNoBit(t *testing.T) {
	rows := simulated(t, 3, 50_000, plant(20))
	one := fit(t, rows, stats.Logistic{Penalty: repeated(1, 20), Goroutines: 1})
	for j, b := range fit(t, rows, stats.Logistic{Penalty: repeated(1, 20), Goroutines: 7}).Coefficients {
		if b != one.Coefficients[j] {
			t.Errorf("coefficient %d is %v and %v", j, one.Coefficients[j], b)
		}
	}
}

func TestAFitIsFiniteWhateverTheRowsAre(t *testing.T) {
	for name, rows := range map[string]*stats.Rows{
		"no rows":      stats.NewRows(2),
		"no weight":    dense(t, [][]float64{{1, 2}, {3, 4}}, []float64{1, 0}, []float64{0, 0}),
		"one-sided":    dense(t, [][]float64{{1, 2}, {1, 1}, {1, -1}}, repeated(1, 3), repeated(1, 3)),
		"separable":    dense(t, [][]float64{{1, 2}, {1, 1}, {1, -1}, {1, -2}}, []float64{1, 1, 0, 0}, repeated(1, 4)),
		"large values": dense(t, [][]float64{{1e30, 2}, {1, 1e-30}, {-1e30, 1}}, []float64{1, 0, 0}, repeated(1, 3)),
		"empty column": dense(t, [][]float64{{1, 0}, {-1, 0}}, []float64{1, 1}, repeated(1, 2)),
	} {
		for _, lambda := range []float64{0, 1e-6, 1} {
			f := fit(t, rows, stats.Logistic{Penalty: repeated(lambda, 2)})
			for _, v := range append(f.Coefficients, f.Entropy) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s, λ %v: %+v", name, lambda, f)
				}
			}
			if lambda == 1 && !f.Converged {
				t.Errorf("%s, λ 1: did not converge: %+v", name, f)
			}
		}
	}
	none := fit(t, stats.NewRows(0), stats.Logistic{})
	if len(none.Coefficients) != 0 || none.Entropy != 0 || stats.NewRows(0).MeanTarget() != .5 {
		t.Errorf("without columns: %+v", none)
	}
}

func TestAStrongPenaltyShrinksItsColumn(t *testing.T) {
	rows := simulated(t, 4, 5000, []float64{1, 1})
	f := fit(t, rows, stats.Logistic{Penalty: []float64{1e-3, 1e5}})
	if math.Abs(f.Coefficients[0]) < .8 || math.Abs(f.Coefficients[1]) > .05 {
		t.Errorf("coefficients are %v", f.Coefficients)
	}
}

func TestWrongRowsAndPenaltiesAreRefused(t *testing.T) {
	rows := stats.NewRows(2)
	for want, err := range map[string]error{
		"target is 1.5":               rows.Append(nil, 1.5, 1),
		"target is NaN":               rows.Append(nil, math.NaN(), 1),
		"weight is -1":                rows.Append(nil, 1, -1),
		"weight is +Inf":              rows.Append(nil, 1, math.Inf(1)),
		"column is 2, must be 0 to 1": rows.Append([]stats.Term{{Index: 2, Value: 1}}, 1, 1),
		"column 1 is NaN":             rows.Append([]stats.Term{{Index: 0, Value: 1}, {Index: 1, Value: float32(math.NaN())}}, 1, 1),
		"penalty has 1 columns":       refused(rows, stats.Logistic{Penalty: repeated(1, 1)}),
		"penalty is -1":               refused(rows, stats.Logistic{Penalty: []float64{1, -1}}),
		"start has 1 columns":         refused(rows, stats.Logistic{Penalty: repeated(1, 2), Start: repeated(0, 1)}),
		"start of column 1 is NaN":    refused(rows, stats.Logistic{Penalty: repeated(1, 2), Start: []float64{0, math.NaN()}}),
		"penalty of column 0 is NaN":  refused(rows, stats.Logistic{Penalty: []float64{math.NaN(), 1}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	if rows.Len() != 0 {
		t.Errorf("%d rows came in", rows.Len())
	}
}

func refused(rows *stats.Rows, l stats.Logistic) error {
	_, err := l.Fit(rows)
	return err
}

func BenchmarkLogistic(b *testing.B) {
	rows := simulated(b, 1, 200_000, plant(100))
	for b.Loop() {
		fit(b, rows, stats.Logistic{Penalty: repeated(1, 100), Goroutines: 2})
	}
	b.ReportMetric(float64(rows.Len()*b.N)/b.Elapsed().Seconds(), "rows/s")
}
