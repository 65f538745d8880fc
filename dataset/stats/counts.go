package stats

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Independence is Pearson's χ² test of whether the rows of a table of counts have the same
// distribution over its columns. The observations must be independent. Rows and columns
// without observations are omitted.
//
// P is that of the χ² distribution if the expected counts are large enough: all are at
// least 1, and four in five are at least 5 (Cochran 1954, "Some Methods for Strengthening
// the Common χ² Tests"). Otherwise, tables with the same margins are drawn, and P is
// (1+k)/(1+Replicates), where k of them have at least the same statistic. The statistic is
// χ² = Σ (observed − expected)²/expected.
//
// The error says which count is negative, or which row has a different length.
func (r Resampling) Independence(table [][]int64) (Test, error) {
	rows, columns, total, err := margins(table)
	if err != nil {
		return Test{}, err
	}
	expected := func(i, j int) float64 { return float64(rows[i]) * float64(columns[j]) / float64(total) }
	measure := func(table [][]int64) float64 {
		sum := 0.0
		for i, row := range table {
			for j, count := range row {
				if rows[i] > 0 && columns[j] > 0 {
					off := float64(count) - expected(i, j)
					sum += off * off / expected(i, j)
				}
			}
		}
		return sum
	}
	t := Test{P: 1, N: total, Method: "pearson"}
	degrees := (positive(rows) - 1) * (positive(columns) - 1)
	if total == 0 || degrees == 0 {
		return t, nil
	}
	t.Statistic = measure(table)
	var fit []float64
	for i := range rows {
		for j := range columns {
			fit = append(fit, expected(i, j))
		}
	}
	if largeEnough(fit) {
		t.P = distuv.ChiSquared{K: float64(degrees)}.Survival(t.Statistic)
		t.Method += fmt.Sprintf(", chi-square with %d df", degrees)
		return t, nil
	}
	t.Method += ", tables drawn"
	t.P = r.drawn(atLeast(t.Statistic), func() func(int) float64 {
		drawn := make([][]int64, len(rows))
		for i := range drawn {
			drawn[i] = make([]int64, len(columns))
		}
		return func(replicate int) float64 {
			drawTable(r.generator(replicate), drawn, rows, columns)
			return measure(drawn)
		}
	})
	return t, nil
}

// margins returns the sums of the rows and columns, and the total.
func margins(table [][]int64) (rows, columns []int64, total int64, err error) {
	rows = make([]int64, len(table))
	for i, row := range table {
		if i == 0 {
			columns = make([]int64, len(row))
		}
		if len(row) != len(columns) {
			return nil, nil, 0, fmt.Errorf("row %d of the table has %d columns, row 0 has %d", i, len(row), len(columns))
		}
		for j, n := range row {
			if n < 0 {
				return nil, nil, 0, fmt.Errorf("count in row %d, column %d is %d, must be 0 or more", i, j, n)
			}
			rows[i] += n
			columns[j] += n
			total += n
		}
	}
	return rows, columns, total, nil
}

// positive returns how many counts are above 0.
func positive(counts []int64) int {
	n := 0
	for _, count := range counts {
		if count > 0 {
			n++
		}
	}
	return n
}

// largeEnough reports whether expected counts satisfy Cochran's rule. Those that are 0 are
// omitted.
func largeEnough(expected []float64) bool {
	cells, small := 0, 0
	for _, e := range expected {
		switch {
		case e == 0:
			continue
		case e < 1:
			return false
		case e < 5:
			small++
		}
		cells++
	}
	return 5*small <= cells
}

// drawTable draws a table with the given margins under independence.
func drawTable(random *rand.Rand, table [][]int64, rows, columns []int64) {
	left, total := append([]int64(nil), columns...), int64(0)
	for _, n := range columns {
		total += n
	}
	for i, row := range table {
		need, others := rows[i], total
		for j := range row {
			others -= left[j]
			row[j] = hypergeometric(random, left[j], others, need)
			left[j] -= row[j]
			need -= row[j]
		}
		total -= rows[i]
	}
}

// hypergeometric draws the number of good items among draws from good and bad ones, by
// inversion from the mode outwards. The number of steps is about the standard deviation.
func hypergeometric(random *rand.Rand, good, bad, draws int64) int64 {
	low, high := max(0, draws-bad), min(good, draws)
	mode := int64(float64(draws+1) * float64(good+1) / float64(good+bad+2))
	mode = min(high, max(low, mode))
	up, down := mode, mode
	pUp := math.Exp(logChoose(good, mode) + logChoose(bad, draws-mode) - logChoose(good+bad, draws))
	pDown := pUp
	u := random.Float64() - pUp
	for u > 0 && (up < high || down > low) {
		if up < high {
			pUp *= float64(good-up) * float64(draws-up) / (float64(up+1) * float64(bad-draws+up+1))
			up++
			if u -= pUp; u <= 0 {
				return up
			}
		}
		if down > low {
			pDown *= float64(down) * float64(bad-draws+down) / (float64(good-down+1) * float64(draws-down+1))
			down--
			if u -= pDown; u <= 0 {
				return down
			}
		}
	}
	return mode
}

func logChoose(n, k int64) float64 {
	logFactorial := func(n int64) float64 {
		x, _ := math.Lgamma(float64(n + 1))
		return x
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}
