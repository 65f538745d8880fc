package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns adjusted P values, in the order of p. If tests with an adjusted P value of
// at most α count as discoveries, the probability of any false discovery is at most α,
// for any dependence between the tests (Holm 1979, "A Simple Sequentially Rejective
// Multiple Test Procedure").
func Holm(p []float64) []float64 {
	adjusted, order := make([]float64, len(p)), ascending(p)
	worst := 0.0
	for rank, i := range order {
		worst = math.Max(worst, p[i]*float64(len(p)-rank))
		adjusted[i] = math.Min(1, worst)
	}
	return adjusted
}

// ascending returns the indices of the values in ascending order of value.
func ascending(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}
