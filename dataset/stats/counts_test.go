package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of scipy.stats.chi2_contingency(table, correction=False, lambda_=...) and
// scipy.stats.power_divergence(counts, shares·n, lambda_=...), with lambda_ 1 for
// Pearson and 0 for G, in SciPy 1.17.1.
func TestTestsOfCountsAgreeWithSciPy(t *testing.T) {
	for _, c := range []struct {
		table        [][]int64
		pearson, p   float64
		g, pG        float64
		observations int64
		method       string
	}{
		{[][]int64{{12, 7, 30}, {20, 9, 11}}, 10.2495776816824, 0.0059474730873019, 10.5110558249473, 0.00521859060558651, 89, "pearson, chi-square with 2 df"},
		{[][]int64{{100, 50}, {80, 90}}, 12.4494242141301, 0.000418120695543738, 12.5653757786692, 0.000392959720241221, 320, "pearson, chi-square with 1 df"},
		{[][]int64{{200, 100, 30, 9}, {180, 120, 20, 12}, {210, 90, 40, 7}}, 14.6178091605413, 0.0234469395197351, 14.6705268717445, 0.0229800313613393, 1018, "pearson, chi-square with 6 df"},
		{[][]int64{{100, 0, 50}, {0, 0, 0}, {80, 0, 90}}, 12.4494242141301, 0.000418120695543738, 12.5653757786692, 0.000392959720241221, 320, "pearson, chi-square with 1 df"},
	} {
		pearson, err := resampling(0).Independence(c.table, stats.Pearson)
		if err != nil || pearson.N != c.observations || pearson.Method != c.method {
			t.Errorf("%v: %+v (%v)", c.table, pearson, err)
		}
		near(t, "Pearson", pearson.Statistic, c.pearson)
		near(t, "P", pearson.P, c.p)
		g, _ := resampling(0).Independence(c.table, stats.LikelihoodRatio)
		near(t, "G", g.Statistic, c.g)
		near(t, "P of G", g.P, c.pG)
	}
	for _, c := range []struct {
		counts     []int64
		shares     []float64
		pearson, p float64
		g, pG      float64
	}{
		{[]int64{43, 52, 54, 40}, []float64{1, 1, 1, 1}, 2.93650793650794, 0.401518352725928, 2.95208685094517, 0.399071587694378},
		{[]int64{10, 20, 70}, []float64{.1, .3, .6}, 5, 0.0820849986238988, 5.36249085148959, 0.0684778169885318},
	} {
		pearson, err := resampling(0).GoodnessOfFit(c.counts, c.shares, stats.Pearson)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Pearson", pearson.Statistic, c.pearson)
		near(t, "P", pearson.P, c.p)
		g, _ := resampling(0).GoodnessOfFit(c.counts, c.shares, stats.LikelihoodRatio)
		near(t, "G", g.Statistic, c.g)
		near(t, "P of G", g.P, c.pG)
	}
}

// The exact P of all tables with the same margins, and of all counts with the same
// sum, each weighted with its probability (of the 2 × 2 table that is
// scipy.stats.fisher_exact); P that are drawn come within 3 standard errors.
func TestSmallCountsAreJudgedByDrawing(t *testing.T) {
	const replicates = 20000
	compare := func(what string, got stats.Test, err error, p float64) {
		t.Helper()
		if err != nil || !strings.HasSuffix(got.Method, " drawn") {
			t.Errorf("%s: %+v (%v)", what, got, err)
		}
		within(t, what, got.P, p, 3*math.Sqrt(p*(1-p)/replicates))
	}
	for _, d := range []stats.Divergence{stats.Pearson, stats.LikelihoodRatio} {
		got, err := resampling(replicates).Independence([][]int64{{3, 1, 0}, {0, 2, 5}}, d)
		compare("2 × 3", got, err, 0.01818181818181818)
		got, err = resampling(replicates).Independence([][]int64{{1, 9}, {8, 2}}, d)
		compare("2 × 2", got, err, 0.005477494641581329)
		got, err = resampling(replicates).GoodnessOfFit([]int64{5, 1, 1}, []float64{.3, .3, .4}, d)
		compare("fit", got, err, map[stats.Divergence]float64{stats.Pearson: 0.0764326, stats.LikelihoodRatio: 0.1667368}[d])
	}
}

func TestCountsOfNothingDifferInNothing(t *testing.T) {
	for _, table := range [][][]int64{nil, {{}}, {{0, 0}, {0, 0}}, {{5, 3}}, {{5}, {3}}, {{5, 0}, {3, 0}}, {{5, 3}, {0, 0}}, {{1, 0}, {1, 0}}} {
		if got, err := resampling(100).Independence(table, stats.LikelihoodRatio); err != nil || got.P != 1 || got.Statistic != 0 {
			t.Errorf("%v: %+v (%v)", table, got, err)
		}
	}
	for _, counts := range [][]int64{nil, {0}, {7}, {0, 0}} {
		if got, err := resampling(100).GoodnessOfFit(counts, slices.Repeat([]float64{1}, len(counts)), stats.Pearson); err != nil || got.P != 1 {
			t.Errorf("%v: %+v (%v)", counts, got, err)
		}
	}
}

func TestTablesThatAreNoneAreRefused(t *testing.T) {
	for want, table := range map[string][][]int64{
		"row 1 of the table has 1 columns":    {{1, 2}, {3}},
		"count in row 0, column 1 is -2":      {{1, -2}, {3, 4}},
		"row 1 of the table has 3 columns, r": {{1, 2}, {3, 4, 5}},
	} {
		if _, err := resampling(9).Independence(table, stats.Pearson); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error is %v, want %s", table, err, want)
		}
	}
	for want, c := range map[string]struct {
		counts []int64
		shares []float64
	}{
		"there are 2 counts and 1 shares": {[]int64{1, 2}, []float64{1}},
		"count 1 is -1":                   {[]int64{1, -1}, []float64{1, 1}},
		"share 0 is 0":                    {[]int64{1, 1}, []float64{0, 1}},
		"share 1 is NaN":                  {[]int64{1, 1}, []float64{1, math.NaN()}},
		"share 1 is +Inf":                 {[]int64{1, 1}, []float64{1, math.Inf(1)}},
	} {
		if _, err := resampling(9).GoodnessOfFit(c.counts, c.shares, stats.Pearson); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: error is %v, want %s", c, err, want)
		}
	}
}

// Two samples of one distribution, with classes so rare that tables are drawn now
// and then.
func TestTestsOfCountsErrAsOftenAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	const runs = 1000
	var errors [2]int
	drawn := 0
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
		for d := range errors {
			test, err := stats.Resampling{Replicates: 199, Seed: uint64(run)}.Independence(table, stats.Divergence(d))
			if err != nil {
				t.Fatal(err)
			}
			if test.P <= .05 {
				errors[d]++
			}
			if strings.HasSuffix(test.Method, "drawn") {
				drawn++
			}
		}
	}
	for d, n := range errors {
		if share := float64(n) / runs; share < .03 || share > .072 {
			t.Errorf("%v errs in %.1f %% of all cases", stats.Divergence(d), 100*share)
		}
	}
	if drawn < runs/10 || drawn > 2*runs-runs/10 {
		t.Errorf("%d of %d tests are drawn; the test wants some of either kind", drawn, 2*runs)
	}
}

// Clusters of one observation each are observations; the exact P of the table is
// that of TestSmallCountsAreJudgedByDrawing.
func TestClassesOfClustersOfOneAreATable(t *testing.T) {
	var a, b [][]int64
	for range 3 {
		a = append(a, []int64{1, 0, 0})
	}
	a = append(a, []int64{0, 1, 0})
	for k := range 7 {
		b = append(b, [][]int64{{0, 1, 0}, {0, 0, 1}}[min(1, k/2)])
	}
	for _, d := range []stats.Divergence{stats.Pearson, stats.LikelihoodRatio} {
		test, err := resampling(1000).Classes(a, b, d)
		if err != nil || test.N != 11 || test.Method != d.String()+", clusters, permutation, exact" {
			t.Errorf("test is %+v (%v)", test, err)
		}
		near(t, "P", test.P, 0.01818181818181818)
		table, err := resampling(1).Independence([][]int64{{3, 1, 0}, {0, 2, 5}}, d)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "statistic", test.Statistic, table.Statistic)
	}
	for _, c := range [][2][][]int64{{nil, nil}, {a, nil}, {{{0, 0}}, {{0, 0}}}, {{{1, 0}}, {{0, 0}}}, {{{2, 0}}, {{3, 0}}}} {
		if test, err := resampling(10).Classes(c[0], c[1], stats.LikelihoodRatio); err != nil || test.P != 1 {
			t.Errorf("%v: test is %+v (%v)", c, test, err)
		}
	}
	if _, err := resampling(10).Classes([][]int64{{1, 2}}, [][]int64{{1}}, stats.Pearson); err == nil {
		t.Error("clusters of different classes are compared")
	}
}

// Pairs of games that always end alike tell half as much as so many games: taken
// for independent they would err in a sixth of all cases.
func TestClassesOfPairsErrAsOftenAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 58))
	const runs = 500
	var clusters, single int
	for run := range runs {
		var sides [2][][]int64
		table := [][]int64{make([]int64, 3), make([]int64, 3)}
		for side := range sides {
			for range 60 {
				pair := make([]int64, 3)
				pair[min(2, r.IntN(4))] = 2
				sides[side] = append(sides[side], pair)
				for k, n := range pair {
					table[side][k] += n
				}
			}
		}
		resampling := stats.Resampling{Replicates: 199, Seed: uint64(run)}
		test, err := resampling.Classes(sides[0], sides[1], stats.Pearson)
		if err != nil {
			t.Fatal(err)
		}
		if test.P <= .05 {
			clusters++
		}
		if test, _ = resampling.Independence(table, stats.Pearson); test.P <= .05 {
			single++
		}
	}
	if share := float64(clusters) / runs; share < .02 || share > .08 {
		t.Errorf("the test by cluster errs in %.1f %% of all cases", 100*share)
	}
	if share := float64(single) / runs; share < .12 {
		t.Errorf("the test of games errs in %.1f %%, which makes Classes needless", 100*share)
	}
}
