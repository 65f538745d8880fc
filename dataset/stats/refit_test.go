package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A replicate is the fit of a design in which clusters stand as often as they were
// drawn. Rows that are equal stand once in the refit, which changes nothing.
func TestARefitIsTheFitOfWhatWasDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	const clusters = 120
	whole, err := stats.NewDesign(3, "x", "y")
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := stats.NewDesign(3, "x", "y")
	if err != nil {
		t.Fatal(err)
	}
	times := make([]int32, clusters)
	for range clusters {
		times[r.IntN(clusters)]++
	}
	next := int64(0)
	distinct := map[[3]int]bool{}
	for c := range clusters {
		var rows [][3]int
		for range 1 + r.IntN(3) {
			x, y := r.IntN(4)-2, r.IntN(3)
			rows = append(rows, [3]int{x, y, game(r, .6*float64(x)-.3*float64(y), -.8, .2)})
			distinct[rows[len(rows)-1]] = true
		}
		for k := range 1 + times[c] {
			d, cluster := drawn, next
			if k == times[c] {
				d, cluster = whole, int64(c)
			}
			for _, row := range rows {
				add(t, d, cluster, row[2], float64(row[0]), float64(row[1]))
			}
			next++
		}
	}
	fit, want := regress(t, whole), regress(t, drawn)
	if fit.DistinctRows() != len(distinct) {
		t.Errorf("%d rows are different, want %d", fit.DistinctRows(), len(distinct))
	}
	got, once := make([]float64, 4), make([]float64, 4)
	fit.Refit(got, times)
	for c := range times {
		times[c] = 1
	}
	fit.Refit(once, times)
	for k := range 2 {
		// A thousandth of a standard error, which is about 0.1 here.
		within(t, "coefficient", got[k], want.Coefficients[k], 2e-4)
		within(t, "threshold", got[2+k], want.Thresholds[k], 2e-4)
		within(t, "coefficient of all", once[k], fit.Coefficients[k], 1e-9)
		within(t, "threshold of all", once[2+k], fit.Thresholds[k], 1e-9)
	}
}
