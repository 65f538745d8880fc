package stats

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Divergence says how the distance of counts o from expected ones e is measured.
type Divergence int8

const (
	Pearson         Divergence = iota // χ² = Σ (o−e)²/e
	LikelihoodRatio                   // G = 2·Σ o·ln(o/e)
)

func (d Divergence) String() string {
	if d == LikelihoodRatio {
		return "g"
	}
	return "pearson"
}

// of returns the distance of a count from what is expected, which is above 0.
func (d Divergence) of(count int64, expected float64) float64 {
	o := float64(count)
	switch {
	case d == Pearson:
		return (o - expected) * (o - expected) / expected
	case count == 0:
		return 0
	}
	return 2 * o * math.Log(o/expected)
}

// Independence tests whether the rows of a table of counts have the same
// distribution over its columns. The observations must be independent; what comes
// in clusters is for [Resampling.Classes]. Rows and columns without observations
// are left out.
//
// P is that of the χ² distribution where the expected counts are as large as
// Cochran wants them: all at least 1 and four in five at least 5 (Cochran 1954,
// "Some Methods for Strengthening the Common χ² Tests"). Else tables with the same
// margins are drawn: P is (1+k)/(1+Replicates), of which k are as far off. The
// statistic is the divergence.
func (r Resampling) Independence(table [][]int64, d Divergence) (Test, error) {
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
					sum += d.of(count, expected(i, j))
				}
			}
		}
		return math.Max(0, sum)
	}
	t := Test{P: 1, N: total, Method: d.String()}
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
		return t.chiSquared(degrees), nil
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

// GoodnessOfFit tests whether counts come from a distribution with the given
// shares, which are above 0 and need not sum to 1. The rest is as in
// [Resampling.Independence].
func (r Resampling) GoodnessOfFit(counts []int64, shares []float64, d Divergence) (Test, error) {
	if len(counts) != len(shares) {
		return Test{}, fmt.Errorf("there are %d counts and %d shares, must be as many", len(counts), len(shares))
	}
	var total int64
	whole := 0.0
	for k, n := range counts {
		if n < 0 {
			return Test{}, fmt.Errorf("count %d is %d, must be 0 or more", k, n)
		}
		if !(shares[k] > 0) || math.IsInf(shares[k], 0) {
			return Test{}, fmt.Errorf("share %d is %v, must be more than 0", k, shares[k])
		}
		total += n
		whole += shares[k]
	}
	t := Test{P: 1, N: total, Method: d.String() + ", fit"}
	if total == 0 || len(counts) < 2 {
		return t, nil
	}
	expected := make([]float64, len(shares))
	for k, share := range shares {
		expected[k] = float64(total) * share / whole
	}
	measure := func(counts []int64) float64 {
		sum := 0.0
		for k, n := range counts {
			sum += d.of(n, expected[k])
		}
		return math.Max(0, sum)
	}
	t.Statistic = measure(counts)
	if largeEnough(expected) {
		return t.chiSquared(len(counts) - 1), nil
	}
	t.Method += ", counts drawn"
	t.P = r.drawn(atLeast(t.Statistic), func() func(int) float64 {
		drawn := make([]int64, len(counts))
		return func(replicate int) float64 {
			drawCounts(r.generator(replicate), drawn, shares, total)
			return measure(drawn)
		}
	})
	return t, nil
}

func (t Test) chiSquared(degrees int) Test {
	t.P = distuv.ChiSquared{K: float64(degrees)}.Survival(t.Statistic)
	t.Method += fmt.Sprintf(", chi-square with %d df", degrees)
	return t
}

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

func positive(counts []int64) int {
	n := 0
	for _, count := range counts {
		if count > 0 {
			n++
		}
	}
	return n
}

// largeEnough is Cochran's rule. What is expected to be 0 is left out of a test.
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

// drawTable draws a table of independent rows and columns with these margins.
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

// drawCounts draws so many observations of classes with these shares.
func drawCounts(random *rand.Rand, counts []int64, shares []float64, total int64) {
	whole := 0.0
	for _, share := range shares {
		whole += share
	}
	for k, share := range shares {
		counts[k] = total
		if p := share / whole; k+1 < len(shares) && p < 1 && total > 0 {
			counts[k] = int64(distuv.Binomial{N: float64(total), P: p, Src: random}.Rand())
		}
		total -= counts[k]
		whole -= share
	}
}

// hypergeometric draws how many good ones are among so many drawn of good and bad,
// by inversion from the mode outwards: in as many steps as the standard deviation.
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
