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

// BenjaminiHochberg returns P values adjusted so that where those at most α are
// taken for discoveries, the expected share of false ones among them is at most α,
// for tests that are independent or depend positively on each other (Benjamini and
// Hochberg 1995, "Controlling the False Discovery Rate"; Benjamini and Yekutieli
// 2001). The order stays.
func BenjaminiHochberg(p []float64) []float64 {
	adjusted, order := make([]float64, len(p)), ascending(p)
	least := 1.0
	for rank, i := range slices.Backward(order) {
		least = math.Min(least, p[i]*float64(len(p))/float64(rank+1))
		adjusted[i] = least
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
