package stats_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of get_elo in fishtest's stat_util.py (Elo, half its interval, LOS), and
// of (mean−½)/√(2·variance)·800/ln 10 over results_to_pdf of its LLRcalc.py, at
// commit 0753fcc6222e with SciPy 1.17. The first two matches are examples of
// that file. Its interval is the normal one, which ours nears with many pairs.
func TestMatchesAgreeWithFishtest(t *testing.T) {
	for _, c := range []struct {
		p                    stats.Pentanomial
		elo, half, los, nelo float64
	}{
		{stats.Pentanomial{39, 2226, 31451, 2412, 40}, 0.902981048809024, 0.6625314859816553, 0.9962220973354207, 3.450799606946096},
		{stats.Pentanomial{10789, 19328, 33806, 19402, 10543}, -0.773577335916619, 1.2775798957279831, 0.11765885803276344, -0.9516290044726476},
		{stats.Pentanomial{10, 50, 200, 100, 40}, 48.076920633535316, 15.525031653511956, 0.999999999616451, 75.56430866856391},
		{stats.Pentanomial{12, 31, 44, 25, 8}, -20.290110989014888, 33.1025962035108, 0.11356892804331015, -27.08637840499378},
	} {
		elo := c.p.Elo(.95)
		near(t, "Elo", elo.Estimate, c.elo)
		within(t, "half of the interval", (elo.High-elo.Low)/2, c.half, .03*c.half)
		near(t, "LOS", c.p.LOS(), c.los)
		nelo := c.p.NormalizedElo(.95)
		near(t, "normalized Elo", nelo.Estimate, c.nelo)
		// Near equality σ is as good as known, and the variance of t is 1/n.
		half := 1.959963984540054 * 800 / math.Ln10 / math.Sqrt(float64(nelo.N))
		within(t, "half of its interval", (nelo.High-nelo.Low)/2, half, .04*half)
		if elo.N != 2*c.p.Pairs() || nelo.N != elo.N {
			t.Errorf("n is %d and %d, want the %d games", elo.N, nelo.N, 2*c.p.Pairs())
		}
	}
}

// Values of LLR_normalized(elo0, elo1, pairs) in fishtest's LLRcalc.py at commit
// 0753fcc6222e, with brentq's xtol at 1e−14. The first is an example of its
// stat_util.py.
func TestLLRAgreesWithFishtest(t *testing.T) {
	for _, c := range []struct {
		p          stats.Pentanomial
		elo0, elo1 float64
		llr        float64
	}{
		{stats.Pentanomial{39, 2226, 31451, 2412, 40}, 0.764, 3.439, 2.1629408695859667},
		{stats.Pentanomial{10789, 19328, 33806, 19402, 10543}, -3, 1, 0.3008697854926595},
		{stats.Pentanomial{1187, 7410, 13475, 7378, 1164}, 0, 2, -1.7287536221831772},
		{stats.Pentanomial{10, 50, 200, 100, 40}, 0, 20, 8.271902742202474},
		{stats.Pentanomial{0, 0, 3, 2, 0}, 0, 20, 0.16704176230824838},
		{stats.Pentanomial{0, 1, 2, 3, 14}, 0, 20, 1.3468019868438856},
		{stats.Pentanomial{0, 0, 0, 0, 10}, 0, 20, 0.7801931424099007},
		{stats.Pentanomial{3, 0, 0, 0, 0}, 0, 20, -0.25391634226717197},
		{stats.Pentanomial{0, 0, 50, 0, 0}, 0, 20, -0.3243144657774708},
		{stats.Pentanomial{12, 31, 44, 25, 8}, -5, 5, -0.5351362049173725},
	} {
		test := stats.SPRT{Elo0: c.elo0, Elo1: c.elo1, Alpha: .05, Beta: .05}
		within(t, "LLR", test.LLR(&c.p), c.llr, 1e-8*math.Max(1, math.Abs(c.llr)))
	}
}

// Wald's bounds at 5 % are ±ln 19 = ±2.944, as fishtest shows them.
func TestBoundsAreWalds(t *testing.T) {
	test := stats.SPRT{Elo0: 0, Elo1: 2, Alpha: .05, Beta: .05}
	lower, upper := test.Bounds()
	near(t, "lower bound", lower, -math.Log(19))
	near(t, "upper bound", upper, math.Log(19))
	for p, want := range map[stats.Pentanomial]stats.Verdict{
		{}:                                stats.Undecided,
		{100, 200, 300, 200, 100}:         stats.Undecided,
		{100, 2000, 8000, 2400, 200}:      stats.AcceptH1,
		{2000, 24000, 80000, 22000, 1000}: stats.AcceptH0,
	} {
		if got := test.Verdict(&p); got != want {
			t.Errorf("%v: verdict %v at an LLR of %v, want %v", p, got, test.LLR(&p), want)
		}
	}
}

func TestTestsThatMakeNoSenseAreRefused(t *testing.T) {
	good := stats.SPRT{Elo0: 0, Elo1: 20, Alpha: .05, Beta: .05}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, bad := range []stats.SPRT{
		{0, 0, .05, .05}, {20, 0, .05, .05}, {0, 20, 0, .05}, {0, 20, .05, .5}, {0, 201, .05, .05},
		{math.NaN(), 20, .05, .05}, {0, math.Inf(1), .05, .05}, {0, 20, math.NaN(), .05},
	} {
		if bad.Validate() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestFewPairsGiveAPlainAnswer(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		p        stats.Pentanomial
		elo, los float64 // LOS: −1 for less than ½, 1 for more
	}{
		{stats.Pentanomial{}, 0, 0},
		{stats.Pentanomial{1, 0, 0, 0, 0}, -inf, -1},
		{stats.Pentanomial{0, 0, 1, 0, 0}, 0, 0},
		{stats.Pentanomial{0, 0, 0, 0, 1}, inf, 1},
		{stats.Pentanomial{0, 0, 0, 0, 1000}, inf, 1},
		{stats.Pentanomial{0, 0, 500, 0, 0}, 0, 0},
		{stats.Pentanomial{1, 0, 0, 0, 1}, 0, 0},
	} {
		elo, nelo, los := c.p.Elo(.95), c.p.NormalizedElo(.95), c.p.LOS()
		if elo.Estimate != c.elo {
			t.Errorf("%v: Elo is %+v, want %v", c.p, elo, c.elo)
		}
		for _, i := range []stats.Interval{elo, nelo} {
			if math.IsNaN(i.Estimate) || !(i.Low <= i.Estimate && i.Estimate <= i.High) || i.Low == inf || i.High == -inf {
				t.Errorf("%v: interval is %+v", c.p, i)
			}
		}
		if sign := math.Copysign(1, los-.5); los < 0 || los > 1 || los == .5 != (c.los == 0) || los != .5 && sign != c.los {
			t.Errorf("%v: LOS is %v", c.p, los)
		}
	}
	all := stats.Pentanomial{0, 0, 0, 0, 100}
	if nelo := all.NormalizedElo(.95); !math.IsInf(nelo.Estimate, 1) || nelo.Low < 300 || nelo.Low > 1500 {
		t.Errorf("100 pairs won: normalized Elo is %+v", nelo)
	}
	drawn := stats.Pentanomial{0, 0, 100, 0, 0}
	if nelo := drawn.NormalizedElo(.95); nelo.Estimate != 0 || nelo.Low != -nelo.High || nelo.High < 20 || nelo.High > 100 {
		t.Errorf("100 pairs drawn: normalized Elo is %+v", nelo)
	}
}

func TestCountsOfPairsSurviveJSON(t *testing.T) {
	p, table := stats.Pentanomial{1, 0, 3, 4, math.MaxInt64}, stats.PairTable{{1, 2, 3}, {4, 5, 6}, {7, 8, math.MaxInt64}}
	data, err := json.Marshal([]any{p, table})
	const want = `[[1,0,3,4,9223372036854775807],[[1,2,3],[4,5,6],[7,8,9223372036854775807]]]`
	if err != nil || string(data) != want {
		t.Fatalf("JSON is %s (%v)", data, err)
	}
	var p2 stats.Pentanomial
	var table2 stats.PairTable
	if err := json.Unmarshal(data, &[]any{&p2, &table2}); err != nil || p2 != p || table2 != table {
		t.Errorf("read back as %v %v (%v)", p2, table2, err)
	}
	for _, bad := range []string{`["1",0,3,4,5]`, `[1.5,0,3,4,5]`, `{}`} {
		if json.Unmarshal([]byte(bad), &p2) == nil {
			t.Errorf("%s is read as %v", bad, p2)
		}
	}
}

func TestUnboundedEstimatesSurviveJSON(t *testing.T) {
	for _, p := range []stats.Pentanomial{{}, {7, 0, 0, 0, 0}, {0, 0, 0, 0, 7}, {1, 2, 3, 4, 5}} {
		want := p.Elo(.95)
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got stats.Interval
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%s read back is %+v (%v), want %+v", data, got, err, want)
		}
	}
}

// draw adds so many pairs of a distribution.
func draw(r *rand.Rand, p *stats.Pentanomial, shares [5]float64, pairs int) {
	for range pairs {
		x, k := r.Float64(), 0
		for k < 4 && x >= shares[k] {
			x -= shares[k]
			k++
		}
		p[k]++
	}
}

// truth returns the mean score and the normalized Elo of a distribution.
func truth(shares [5]float64) (score, nelo float64) {
	variance := 0.0
	for k, share := range shares {
		score += share * float64(k) / 4
	}
	for k, share := range shares {
		variance += share * math.Pow(float64(k)/4-score, 2)
	}
	return score, (score - .5) / math.Sqrt(2*variance) * 800 / math.Ln10
}

func TestIntervalsOfMatchesHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	for _, c := range []struct {
		pairs  int
		shares [5]float64
	}{
		{50, [5]float64{.1, .2, .4, .2, .1}},
		{200, [5]float64{.05, .15, .3, .3, .2}},
		{100, [5]float64{0, .02, .18, .3, .5}},
		{100, [5]float64{.2, 0, .35, 0, .45}},
		{400, [5]float64{.01, 0, .09, 0, .9}},
		{30, [5]float64{0, .05, .9, .05, 0}},
	} {
		score, nelo := truth(c.shares)
		for what, check := range map[string]struct {
			truth float64
			of    func(*stats.Pentanomial) stats.Interval
		}{
			"Elo":            {stats.EloOfScore(score), func(p *stats.Pentanomial) stats.Interval { return p.Elo(.95) }},
			"normalized Elo": {nelo, func(p *stats.Pentanomial) stats.Interval { return p.NormalizedElo(.95) }},
		} {
			got := coverage(800, check.truth, func(r *rand.Rand) stats.Interval {
				var p stats.Pentanomial
				draw(r, &p, c.shares, c.pairs)
				return check.of(&p)
			})
			// 3.5 standard errors of 800 runs are 2.7 %; where one pair in ten counts,
			// the interval cannot but hold more.
			if got < .923 || got > .999 {
				t.Errorf("%v: the interval of %s holds the truth in %.1f %% of all cases", c, what, 100*got)
			}
		}
	}
}

// shifted returns the distribution {.1, .2, .4, .2, .1} with pairs moved up until
// it has a normalized Elo.
func shifted(nelo float64) [5]float64 {
	at := func(x float64) [5]float64 { return [5]float64{.1 - x, .2 - x, .4, .2 + x, .1 + x} }
	low, high := 0.0, .1
	for range 60 {
		middle := (low + high) / 2
		if _, is := truth(at(middle)); is < nelo {
			low = middle
		} else {
			high = middle
		}
	}
	return at(low)
}

func TestSPRTErrsAsOftenAsItSays(t *testing.T) {
	test := stats.SPRT{Elo0: 0, Elo1: 100, Alpha: .1, Beta: .05}
	const runs = 1000
	for _, c := range []struct {
		nelo  float64
		wrong stats.Verdict
		rate  float64
	}{{test.Elo0, stats.AcceptH1, test.Alpha}, {test.Elo1, stats.AcceptH0, test.Beta}} {
		shares := shifted(c.nelo)
		r := rand.New(rand.NewPCG(7, 8))
		errors := 0
		for range runs {
			var p stats.Pentanomial
			verdict := stats.Undecided
			for verdict == stats.Undecided {
				draw(r, &p, shares, 1)
				verdict = test.Verdict(&p)
			}
			if verdict == c.wrong {
				errors++
			}
		}
		// The bounds promise at most the rate; the excess over them makes it less.
		got, noise := float64(errors)/runs, 3*math.Sqrt(c.rate*(1-c.rate)/runs)
		if got > c.rate+noise || got < c.rate/4 {
			t.Errorf("at %v normalized Elo the test errs in %.1f %% of %d runs, want %.0f %% ± %.1f",
				c.nelo, 100*got, runs, 100*c.rate, 100*noise)
		}
	}
}

func TestLLRIsANumberForAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		var p stats.Pentanomial
		for k := range p {
			if r.IntN(2) == 0 {
				p[k] = int64(math.Exp(r.Float64() * 14))
			}
		}
		a, b := r.Float64()*400-200, r.Float64()*400-200
		test := stats.SPRT{Elo0: min(a, b), Elo1: max(a, b), Alpha: .05, Beta: .05}
		llr := test.LLR(&p)
		if math.IsNaN(llr) || math.IsInf(llr, 0) {
			t.Fatalf("%+v of %v: LLR is %v", test, p, llr)
		}
		turned := stats.Pentanomial{p[4], p[3], p[2], p[1], p[0]}
		mirror := stats.SPRT{Elo0: -test.Elo1, Elo1: -test.Elo0, Alpha: .05, Beta: .05}
		within(t, "LLR of the other side", -mirror.LLR(&turned), llr, 1e-6*math.Max(1, math.Abs(llr)))
	}
}

func BenchmarkLLR(b *testing.B) {
	test := stats.SPRT{Elo0: 0, Elo1: 20, Alpha: .05, Beta: .05}
	p := stats.Pentanomial{12, 31, 44, 25, 8}
	for b.Loop() {
		test.LLR(&p)
	}
}
