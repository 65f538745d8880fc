package stats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of scipy.stats.chi2_contingency(table, correction=False) in SciPy 1.17.1.
func TestTestsOfCountsAgreeWithSciPy(t *testing.T) {
	for _, c := range []struct {
		table        [][]int64
		pearson, p   float64
		observations int64
		method       string
	}{
		{[][]int64{{12, 7, 30}, {20, 9, 11}}, 10.2495776816824, 0.0059474730873019, 89, "pearson, chi-square with 2 df"},
		{[][]int64{{100, 50}, {80, 90}}, 12.4494242141301, 0.000418120695543738, 320, "pearson, chi-square with 1 df"},
		{[][]int64{{200, 100, 30, 9}, {180, 120, 20, 12}, {210, 90, 40, 7}}, 14.6178091605413, 0.0234469395197351, 1018, "pearson, chi-square with 6 df"},
		{[][]int64{{100, 0, 50}, {0, 0, 0}, {80, 0, 90}}, 12.4494242141301, 0.000418120695543738, 320, "pearson, chi-square with 1 df"},
	} {
		pearson, err := resampling(0).Independence(c.table)
		if err != nil || pearson.N != c.observations || pearson.Method != c.method {
			t.Errorf("%v: %+v (%v)", c.table, pearson, err)
		}
		near(t, "Pearson", pearson.Statistic, c.pearson)
		near(t, "P", pearson.P, c.p)
	}
}

// The exact P of all tables with the same margins, each weighted with its probability (of
// the 2 × 2 table that is scipy.stats.fisher_exact); drawn P values are within 3 standard
// errors.
func TestSmallCountsAreJudgedByDrawing(t *testing.T) {
	const replicates = 20000
	compare := func(what string, got stats.Test, err error, p float64) {
		t.Helper()
		if err != nil || !strings.HasSuffix(got.Method, " drawn") {
			t.Errorf("%s: %+v (%v)", what, got, err)
		}
		within(t, what, got.P, p, 3*math.Sqrt(p*(1-p)/replicates))
	}
	got, err := resampling(replicates).Independence([][]int64{{3, 1, 0}, {0, 2, 5}})
	compare("2 × 3", got, err, 0.01818181818181818)
	got, err = resampling(replicates).Independence([][]int64{{1, 9}, {8, 2}})
	compare("2 × 2", got, err, 0.005477494641581329)
}

// One cell in four is expected to be below 5. Columns without observations do not make it
// one in more.
func TestEmptyColumnsDoNotCountInCochransRule(t *testing.T) {
	for _, table := range [][][]int64{{{5, 35}, {11, 149}}, {{5, 0, 35, 0}, {11, 0, 149, 0}}} {
		if got, err := resampling(100).Independence(table); err != nil || got.Method != "pearson, tables drawn" {
			t.Errorf("%v: %+v (%v)", table, got, err)
		}
	}
}

func TestTheNumberOfGoroutinesDoesNotChangeDrawnTables(t *testing.T) {
	table := [][]int64{{3, 1, 0}, {1, 2, 3}}
	of := func(goroutines int, seed uint64) float64 {
		test, err := stats.Resampling{Replicates: 500, Seed: seed, Goroutines: goroutines}.Independence(table)
		if err != nil {
			t.Fatal(err)
		}
		return test.P
	}
	if a, b, c := of(0, 1), of(1, 1), of(3, 1); a != b || b != c {
		t.Errorf("0, 1 and 3 goroutines give %v, %v and %v", a, b, c)
	}
	if of(1, 1) == of(1, 2) && of(1, 1) == of(1, 3) {
		t.Error("other seeds give the same P")
	}
}

func TestCountsOfNothingDifferInNothing(t *testing.T) {
	for _, table := range [][][]int64{nil, {{}}, {{0, 0}, {0, 0}}, {{5, 3}}, {{5}, {3}}, {{5, 0}, {3, 0}}, {{5, 3}, {0, 0}}, {{1, 0}, {1, 0}}} {
		if got, err := resampling(100).Independence(table); err != nil || got.P != 1 || got.Statistic != 0 {
			t.Errorf("%v: %+v (%v)", table, got, err)
		}
	}
}

func TestTablesThatAreNoneAreRefused(t *testing.T) {
	for want, table := range map[string][][]int64{
		"row 1 of the table has 1 columns":    {{1, 2}, {3}},
		"count in row 0, column 1 is -2":      {{1, -2}, {3, 4}},
		"row 1 of the table has 3 columns, r": {{1, 2}, {3, 4, 5}},
	} {
		if _, err := resampling(9).Independence(table); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error is %v, want %s", table, err, want)
		}
	}
}

// Two samples of one distribution, with classes so rare that tables are drawn now
// and then.
func TestTestsOfCountsErrAsOftenAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	const runs = 1000
	errors, drawn := 0, 0
	for run := range runs {
		table := [][]int64{make([]int64, 4), make([]int64, 4)}
		for i, n := range []int{150, 100} {
			for range n {
				switch x := r.Float64(); {
				case x < .5:
					table[i][0]++
				case x < .8:
					table[i][1]++
				case x < .965:
					table[i][2]++
				default:
					table[i][3]++
				}
			}
		}
		test, err := stats.Resampling{Replicates: 199, Seed: uint64(run)}.Independence(table)
		if err != nil {
			t.Fatal(err)
		}
		if test.P <= .05 {
			errors++
		}
		if strings.HasSuffix(test.Method, "drawn") {
			drawn++
		}
	}
	if share := float64(errors) / runs; share < .03 || share > .072 {
		t.Errorf("the test errs in %.1f %% of all cases", 100*share)
	}
	if drawn < runs/20 || drawn > runs-runs/20 {
		t.Errorf("%d of %d tests are drawn; the test needs some of both kinds", drawn, runs)
	}
}
