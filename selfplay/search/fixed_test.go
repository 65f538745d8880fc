package search_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/search"
)

func TestSquareRootIsTheIntegerPart(t *testing.T) {
	for n := range uint64(5000) {
		if got, want := search.SquareRoot(n), uint64(math.Sqrt(float64(n))); got != want {
			t.Fatalf("root of %d is %d, must be %d", n, got, want)
		}
	}
	for _, n := range []uint64{1 << 32, 1<<32 - 1, 1<<62 - 1, 1 << 62, math.MaxUint64} {
		r := search.SquareRoot(n)
		if r*r > n || r < math.MaxUint32 && (r+1)*(r+1) <= n {
			t.Errorf("root of %d is %d", n, r)
		}
	}
}

func TestValuesGrowWithScoresAndComeBack(t *testing.T) {
	before := -search.One - 1
	for score := -900_000; score <= 900_000; score += 777 {
		value := search.Worth(score)
		if value < before || value <= -search.One || value >= search.One || value != -search.Worth(-score) {
			t.Fatalf("score %d is worth %d, the one before %d", score, value, before)
		}
		before = value
		if back := search.Price(value); max(score, -score) < 5000 && max(back-score, score-back) > 2 {
			t.Errorf("score %d comes back as %d", score, back)
		}
	}
	if search.Worth(search.Win-3) != search.One || search.Worth(3-search.Win) != -search.One {
		t.Error("a forced win is not worth one")
	}
	for _, value := range []int{search.One, -search.One} {
		if _, forced := search.Forced(search.Price(value)); forced {
			t.Errorf("an average of %d counts as forced", value)
		}
	}
}
