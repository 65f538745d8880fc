//go:build long

package balance

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// drawRow draws a position of a game by itself, whose result follows from the counts,
// and returns the probabilities of the results.
func drawRow(rand *env.Rand, game int64, types int) (row, [3]float64) {
	r := row{game: game, group: game, opening: uint64(game), turn: int8(1 - 2*rand.IntN(2)), ahead: make([]int16, types)}
	eta := 0.2 * float64(r.turn)
	for t := range r.ahead {
		first, second := rand.IntN(3), rand.IntN(3)
		r.ahead[t] = int16(first - second)
		eta += float64(r.ahead[t]) * (1 - 0.15*float64(t))
	}
	lost, notWon := 1/(1+math.Exp(eta+0.4)), 1/(1+math.Exp(eta-0.4))
	p := [3]float64{lost, notWon - lost, 1 - notWon}
	switch u := rand.Float64(); {
	case u < lost:
		r.outcome = -1
	case u > notWon:
		r.outcome = 1
	}
	return r, p
}

// 1,000 positions of as many games, of which 200 are judged: the truth is what the
// forecasts that were fitted to the others score on average on 20,000 new positions.
func TestScoresOfForecastsHoldTheTruth(t *testing.T) {
	const sets, positions, fresh = 600, 1000, 20_000
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBoard(v.Game)
	if err != nil {
		t.Fatal(err)
	}
	types := len(b.spec.Pieces)
	rand := env.NewRand(9)
	var news []row
	var chances [][3]float64
	for i := range fresh {
		r, p := drawRow(rand, int64(i), types)
		news, chances = append(news, r), append(chances, p)
	}
	names := [...]string{"brier", "null_brier", "brier_gain", "log_score", "null_log_score", "log_gain"}
	var held [len(names)]int
	for range sets {
		s := newSample(b)
		for i := range positions {
			r, _ := drawRow(rand, int64(i), types)
			s.rows = append(s.rows, r)
		}
		v := newValuer(b, &s, 0, &Options{Goroutines: 2, Replicates: -1})
		f := v.forecast()
		if f == nil {
			t.Fatal("there is no forecast")
		}
		fitted := func(i int) bool { return v.ids[i]%heldOut != heldOut-1 }
		d := v.design(fitted)
		r, err := d.Fit()
		if err != nil {
			t.Fatal(err)
		}
		null, p, x := v.frequencies(fitted), make([]float64, 3), make([]float64, len(v.names))
		var truth [len(names)]float64
		for i := range news {
			v.columns(x, &news[i])
			r.Probabilities(p, x)
			allow(p, float64(d.Rows()))
			for outcome, chance := range chances[i] {
				brier, nullBrier := stats.Brier(p, outcome), stats.Brier(null, outcome)
				log, nullLog := stats.LogScore(p, outcome), stats.LogScore(null, outcome)
				for k, score := range [...]float64{brier, nullBrier, nullBrier - brier, log, nullLog, nullLog - log} {
					truth[k] += chance * score / fresh
				}
			}
		}
		for k, i := range [...]stats.Interval{f.Brier, f.NullBrier, f.BrierGain, f.Log, f.NullLog, f.LogGain} {
			if i.Low <= truth[k] && truth[k] <= i.High {
				held[k]++
			}
		}
	}
	for k, n := range held {
		share, band := float64(n)/sets, 3*math.Sqrt(.95*.05/sets)
		t.Logf("%s: %.3f", names[k], share)
		if share < .93-band || share > .97+band {
			t.Errorf("%s: %.3f of %d intervals hold the truth", names[k], share, sets)
		}
	}
}
