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
	before := -search.WinValue - 1
	for score := -900_000; score <= 900_000; score += 777 {
		value := search.ValueOf(score)
		if value < before || value <= -search.WinValue || value >= search.WinValue || value != -search.ValueOf(-score) {
			t.Fatalf("score %d has value %d, the one before %d", score, value, before)
		}
		before = value
		if back := search.ScoreOf(value); max(score, -score) < 5000 && max(back-score, score-back) > 2 {
			t.Errorf("score %d is converted back to %d", score, back)
		}
	}
	for score, want := range map[int]float32{0: 0, 400: 0.5, -1200: -0.75, search.Win - 3: 1, 4 - search.Win: -1} {
		if got := search.Value(score); got != want {
			t.Errorf("score %d has value %g, must be %g", score, got, want)
		}
	}
	if search.ValueOf(search.Win-3) != search.WinValue || search.ValueOf(3-search.Win) != -search.WinValue {
		t.Error("the value of a forced win is not winValue")
	}
	for _, value := range []int{search.WinValue, -search.WinValue} {
		if _, forced := search.Forced(search.ScoreOf(value)); forced {
			t.Errorf("value %d is converted to a forced score", value)
		}
	}
}

func TestLogarithmsAndPowersAreThoseOfMath(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-8*max(1, math.Abs(want)) }
	for n := uint64(1); n < 1<<63; n += n/8 + 1 {
		if got, want := float64(search.BinaryLog(n))/search.FixedOne, math.Log2(float64(n)); !near(got, want) {
			t.Errorf("logarithm of %d is %v, must be %v", n, got, want)
		}
	}
	for x := -40.0; x < 30.9; x += 0.0917 {
		if got, want := float64(search.Power(int64(x*search.FixedOne)))/search.FixedOne, math.Exp2(x); !near(got, want) {
			t.Errorf("2 to the %v is %v, must be %v", x, got, want)
		}
	}
	for _, log := range []int64{math.MinInt64, -1 << 60, -33 << 32} {
		if search.Power(log) != 0 {
			t.Errorf("2 to the %d is not 0", log>>32)
		}
	}
}
