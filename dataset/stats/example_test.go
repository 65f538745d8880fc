package stats_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Judge a match of 1,000 pairs of games in which both sides play each opening once.
func ExamplePentanomial() {
	// Pairs by points of the first agent: 0, ½, 1, 1½ and 2.
	pairs := stats.Pentanomial{60, 180, 460, 220, 80}

	score, elo := pairs.Score(stats.Level), pairs.Elo(stats.Level)
	fmt.Printf("score %.3f (%.3f to %.3f)\n", score.Estimate, score.Low, score.High)
	fmt.Printf("Elo %+.1f (%+.1f to %+.1f)\n", elo.Estimate, elo.Low, elo.High)
	fmt.Printf("likelihood of superiority %.4f\n", pairs.LOS())
	// Output:
	// score 0.520 (0.505 to 0.535)
	// Elo +13.9 (+3.4 to +24.5)
	// likelihood of superiority 0.9952
}

// The interval of a share, such as 12 wins in 30 games.
func ExampleWilson() {
	i := stats.Wilson(12, 30, stats.Level)
	fmt.Printf("%.2f (%.2f to %.2f)\n", i.Estimate, i.Low, i.High)
	// Output: 0.40 (0.25 to 0.58)
}

// Games of a pair are not independent, so each pair is one cluster.
func ExampleClusters() {
	var draws stats.Clusters
	for _, drawn := range []float64{0, 1, 2, 2, 0, 0, 1, 2} { // drawn games of 8 pairs
		draws.Add(drawn, 2)
	}
	i := draws.Interval(stats.Level)
	fmt.Printf("%.2f (%.2f to %.2f), n = %d\n", i.Estimate, i.Low, i.High, i.N)
	// Output: 0.50 (0.19 to 0.81), n = 16
}
