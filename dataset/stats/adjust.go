package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns P values of so many tests adjusted so that the probability of any
// false discovery among them is at most α where those at most α are taken for
// discoveries, however the tests depend on each other (Holm 1979, "A Simple
// Sequentially Rejective Multiple Test Procedure"). The order stays.
func Holm(p []float64) []float64 {
	adjusted, order := make([]float64, len(p)), ascending(p)
	worst := 0.0
	for rank, i := range order {
		worst = math.Max(worst, p[i]*float64(len(p)-rank))
		adjusted[i] = math.Min(1, worst)
	}
	return adjusted
}

// ascending returns the indices of the values from the least to the greatest.
func ascending(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}
