package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// weak is a prior that does not count beside any game.
const weak = 1e-7

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

func sameInterval(t *testing.T, what string, got stats.Interval, estimate, low, high float64) {
	t.Helper()
	within(t, what+": estimate", got.Estimate, estimate, 5e-4)
	within(t, what+": low", got.Low, low, 5e-4)
	within(t, what+": high", got.High, high, 5e-4)
}

// The games between seven teams of the American League in 1987: Agresti,
// Categorical Data Analysis, 2nd ed. 2002, section 10.6. The values are those of
//
//	BTm(cbind(home.wins, away.wins), home.team, away.team, ~ team + at.home)
//
// in the vignette of the R package BradleyTerry2 (Turner and Firth 2012): abilities
// against Baltimore and their standard errors, in natural logarithms, four decimals.
//
// The prior is too weak to count. Bounds are those of the profile, which differ a little
// from Wald's.
func TestRatingsAgreeWithTheBaseballOfAgresti(t *testing.T) {
	const milwaukee, detroit, toronto, newYork, boston, cleveland, baltimore = 0, 1, 2, 3, 4, 5, 6
	home := [7][7][2]int64{
		milwaukee: {detroit: {4, 3}, toronto: {4, 2}, newYork: {4, 3}, boston: {6, 1}, cleveland: {4, 2}, baltimore: {6, 0}},
		detroit:   {milwaukee: {3, 3}, toronto: {4, 2}, newYork: {4, 3}, boston: {6, 0}, cleveland: {6, 1}, baltimore: {4, 3}},
		toronto:   {milwaukee: {2, 5}, detroit: {4, 3}, newYork: {2, 4}, boston: {4, 3}, cleveland: {4, 2}, baltimore: {6, 0}},
		newYork:   {milwaukee: {3, 3}, detroit: {5, 1}, toronto: {2, 5}, boston: {4, 3}, cleveland: {4, 2}, baltimore: {6, 1}},
		boston:    {milwaukee: {5, 1}, detroit: {2, 5}, toronto: {3, 3}, newYork: {4, 2}, cleveland: {5, 2}, baltimore: {6, 0}},
		cleveland: {milwaukee: {2, 5}, detroit: {3, 3}, toronto: {3, 4}, newYork: {4, 3}, boston: {4, 2}, baltimore: {2, 4}},
		baltimore: {milwaukee: {2, 5}, detroit: {1, 5}, toronto: {1, 6}, newYork: {2, 4}, boston: {1, 6}, cleveland: {3, 4}},
	}
	var games []stats.Meetings
	for i := range home {
		for j, c := range home[i] {
			if i != j {
				games = append(games, stats.Meetings{First: i, Second: j, Wins: c[0], Losses: c[1]})
			}
		}
	}
	r := stats.Rate(7, games, weak, .95)
	const nat = 400 / math.Ln10
	for team, ability := range map[int]float64{
		boston: 1.1438, cleveland: 0.7047, detroit: 1.4754, milwaukee: 1.6196, newYork: 1.2813, toronto: 1.3271,
	} {
		within(t, "ability", (r.Players[team].Estimate-r.Players[baltimore].Estimate)/nat, ability, 5e-5)
	}
	within(t, "home advantage", r.FirstMove.Estimate/nat, 0.3023, 5e-5)
	within(t, "its standard error", (r.FirstMove.High-r.FirstMove.Low)/2/1.959963984540054/nat, 0.1309, 4e-4)
	if r.Draws.Estimate != 0 || r.Draws.N != 273 {
		t.Errorf("draws are %+v", r.Draws)
	}
}

// The preferences among six chocolate puddings of Davidson 1970, "On Extending the
// Bradley–Terry Model to Accommodate Ties in Paired Comparison Experiments", by which
// he introduced ν: worths that add up to 1, and ν, as inst/pudding.Rmd of the R
// package hyper2 quotes them. His iteration ended before their last digits; here
// four decimals count. Each comparison counts in both orders, so that there is no
// advantage of the first.
func TestRatingsWithDrawsAgreeWithThePuddingsOfDavidson(t *testing.T) {
	var games []stats.Meetings
	for _, c := range []struct {
		i, j                int
		wins, losses, draws int64
	}{
		{1, 2, 19, 22, 16}, {1, 3, 16, 19, 12}, {2, 3, 19, 19, 10}, {1, 4, 18, 23, 13}, {2, 4, 23, 19, 9},
		{3, 4, 19, 20, 15}, {1, 5, 13, 19, 18}, {2, 5, 16, 20, 12}, {3, 5, 16, 15, 17}, {4, 5, 17, 14, 16},
		{1, 6, 18, 21, 12}, {2, 6, 22, 20, 12}, {3, 6, 13, 18, 10}, {4, 6, 14, 19, 18}, {5, 6, 11, 21, 12},
	} {
		games = append(games,
			stats.Meetings{First: c.i - 1, Second: c.j - 1, Wins: c.wins, Draws: c.draws, Losses: c.losses},
			stats.Meetings{First: c.j - 1, Second: c.i - 1, Wins: c.losses, Draws: c.draws, Losses: c.wins})
	}
	r := stats.Rate(6, games, weak, .95)
	sum := 0.0
	for _, p := range r.Players {
		sum += math.Pow(10, p.Estimate/400)
	}
	for i, worth := range []float64{0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855} {
		within(t, "worth", math.Pow(10, r.Players[i].Estimate/400)/sum, worth, 5e-5)
	}
	const nu = 0.7468147
	within(t, "draws between equals", r.Draws.Estimate, nu/(2+nu), 5e-5)
	within(t, "first move", r.FirstMove.Estimate, 0, 1e-9)
}

// Values of Newton's method with mpmath at 30 digits on
//
//	Σ w·(x/2−n) + d·(δ−n) + l·(−x/2−n) + Σ v(θ_i) + v(η) + v(δ−log 2)
//	x = θ_i+η−θ_j, n = log(e^(x/2)+e^δ+e^(−x/2)), v(x) = −(log(1+e^x)+log(1+e^−x))/2
//
// and, for bounds, on its gradient and λ times the combination's, at z²/2 below the maximum.
func TestRatingsWithDrawsAgreeWithMpmath(t *testing.T) {
	r := stats.Rate(3, []stats.Meetings{
		{First: 0, Second: 1, Wins: 12, Draws: 5, Losses: 3}, {First: 1, Second: 0, Wins: 7, Draws: 6, Losses: 7},
		{First: 0, Second: 2, Wins: 17, Draws: 2, Losses: 1}, {First: 2, Second: 0, Wins: 4, Draws: 5, Losses: 11},
		{First: 1, Second: 2, Wins: 10, Draws: 6, Losses: 4}, {First: 2, Second: 1, Wins: 5, Draws: 8, Losses: 7},
	}, stats.RatingPrior, .95)
	sameInterval(t, "player 0", r.Players[0], 150.345667102328, 81.2014636803522, 226.370591475474)
	sameInterval(t, "player 1", r.Players[1], -4.71944921134593, -69.9861434504244, 60.3402946482696)
	sameInterval(t, "player 2", r.Players[2], -145.626217890982, -221.063364218528, -76.8330479137941)
	sameInterval(t, "first move", r.FirstMove, 109.316569731126, 26.6596187087367, 196.830517106341)
	sameInterval(t, "draws", r.Draws, 0.308226703336435, 0.223718510368588, 0.403836254537232)
	if r.Players[0].N != 80 || r.FirstMove.N != 120 {
		t.Errorf("n is %d of a player's games, %d in all; want 80 and 120", r.Players[0].N, r.FirstMove.N)
	}
}

// One player wins all n games against the other, each seat equally often, without draws.
// By symmetry the strengths are u and 1/u, and the seats are even. With a prior of w
// virtual games the logarithm of the density is
//
//	−n·log(1+1/u²) − w·log((1+u)²/u)
//
// and its derivative is 0 where 2n·(u+1) = w·(u−1)·(u²+1). For n = 10 and w = 4 this is
// u = 3: 20·4 = 4·2·10.
func TestAPlayerThatWonEverythingHasAFiniteRating(t *testing.T) {
	density := func(n, w, u float64) float64 { return -n*math.Log1p(1/(u*u)) - w*math.Log((1+u)*(1+u)/u) }
	for _, c := range []struct{ n, w, u float64 }{
		{10, 4, 3},
		{100, stats.RatingPrior, 0}, // the root is not rational
	} {
		each := int64(c.n / 2)
		r := stats.Rate(2, []stats.Meetings{{First: 0, Second: 1, Losses: each}, {First: 1, Second: 0, Wins: each}}, c.w, .95)
		won, lost := r.Players[1], r.Players[0]
		u := math.Pow(10, won.Estimate/400)
		if within(t, "the derivative", 2*c.n*(u+1), c.w*(u-1)*(u*u+1), 1e-3); c.u > 0 {
			within(t, "rating", won.Estimate, 400*math.Log10(c.u), 1e-6)
		}
		for _, bound := range []float64{won.Low, won.High} {
			const z = 1.959963984540054
			within(t, "drop of the density at a bound", density(c.n, c.w, u)-density(c.n, c.w, math.Pow(10, bound/400)), z*z/2, 1e-5)
		}
		sameInterval(t, "the other player", lost, -won.Estimate, -won.High, -won.Low)
		within(t, "first move", r.FirstMove.Estimate, 0, 1e-6)
	}
}

func TestAPlayerThatWonEverythingDoesNotSpoilTheOthers(t *testing.T) {
	two := []stats.Meetings{{First: 0, Second: 1, Wins: 30, Draws: 5, Losses: 15}, {First: 1, Second: 0, Wins: 20, Draws: 10, Losses: 20}}
	want := stats.Rate(2, two, stats.RatingPrior, .95).Players
	got := stats.Rate(3, append(two, stats.Meetings{First: 2, Second: 0, Wins: 500}, stats.Meetings{First: 1, Second: 2, Losses: 500}), stats.RatingPrior, .95).Players
	within(t, "difference", got[0].Estimate-got[1].Estimate, want[0].Estimate-want[1].Estimate, 2)
	if p := got[2]; p.Low < 400 || p.High > 4000 || p.Estimate < 800 {
		t.Errorf("1,000 wins in 1,000 games: %+v", p)
	}
}

// Here every player has won and lost, but the first player won each game.
func TestASeatThatAlwaysWinsHasAFiniteAdvantage(t *testing.T) {
	r := stats.Rate(2, []stats.Meetings{{First: 0, Second: 1, Wins: 40}, {First: 1, Second: 0, Wins: 40}}, stats.RatingPrior, .95)
	if a := r.FirstMove; a.Low < 300 || a.Low > 1000 || a.High < a.Estimate || a.High > 4000 {
		t.Errorf("the advantage is %+v", a)
	}
	for i, p := range r.Players {
		if math.Abs(p.Estimate) > 1e-6 || p.Low > 0 || p.High < 0 {
			t.Errorf("player %d: %+v", i, p)
		}
	}
}

func TestRatingsWithoutInformationAreThePriors(t *testing.T) {
	for _, games := range [][]stats.Meetings{nil, {{First: 0, Second: 1}}, {{First: 0, Second: 1, Draws: 9}, {First: 1, Second: 0, Draws: 9}}} {
		r := stats.Rate(2, games, stats.RatingPrior, .95)
		for _, i := range append(r.Players, r.FirstMove) {
			if math.Abs(i.Estimate) > 1e-9 || !(i.Low < -400) || !(i.High > 400) || math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
				t.Errorf("%v: interval is %+v", games, i)
			}
		}
		if d := r.Draws; math.IsNaN(d.Estimate) || d.Low < 0 || d.High > 1 {
			t.Errorf("%v: draws are %+v", games, d)
		}
	}
	// Without games the density of the seats' advantage g is √g/(1+g), which is e^(−z²/2)
	// of its maximum ½ where 2·√g/(1+g) = e^(−1.920729) = 0.146500: √g = 13.579, by hand.
	within(t, "bound of the advantage", stats.Rate(2, nil, stats.RatingPrior, .95).FirstMove.High, 800*math.Log10(13.5786), 0.01)
}

// tournament plays a round robin of the model itself.
func tournament(r *rand.Rand, strength []float64, advantage, drawing float64, pairs int) []stats.Meetings {
	var games []stats.Meetings
	for i := range strength {
		for j := range strength {
			if i == j {
				continue
			}
			m := stats.Meetings{First: i, Second: j}
			d := (strength[i] - strength[j] + advantage) / 2
			win, loss := math.Exp(d), math.Exp(-d)
			for range pairs {
				switch x := r.Float64() * (win + loss + drawing); {
				case x < win:
					m.Wins++
				case x < win+loss:
					m.Losses++
				default:
					m.Draws++
				}
			}
			games = append(games, m)
		}
	}
	return games
}

func TestIntervalsOfRatingsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	const advantage, drawing, nat, runs = .4, .8, 400 / math.Ln10, 400
	for _, strength := range [][]float64{{-1, -.2, .1, 1.1}, {-3, -2, 0, 5}} { // their mean is 0; the last player of these wins all of many tournaments
		truths := append([]float64{}, strength...)
		truths = append(truths, advantage)
		held := make([]int, len(truths)+1)
		r := rand.New(rand.NewPCG(3, 4))
		for range runs {
			ratings := stats.Rate(4, tournament(r, strength, advantage, drawing, 20), stats.RatingPrior, .95)
			for i, interval := range append(ratings.Players, ratings.FirstMove) {
				if truth := truths[i] * nat; interval.Low <= truth && truth <= interval.High {
					held[i]++
				}
			}
			if truth := drawing / (2 + drawing); ratings.Draws.Low <= truth && truth <= ratings.Draws.High {
				held[len(truths)]++
			}
		}
		for i, n := range held {
			// 3.5 standard errors of 400 runs are 3.8 %.
			if share := float64(n) / runs; share < .912 {
				t.Errorf("%v: interval %d holds the truth in %.1f %% of all cases", strength, i, 100*share)
			}
		}
	}
}

func TestRatingsAreFinite(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		players := 2 + r.IntN(3)
		var games []stats.Meetings
		for i := range players {
			for j := range players {
				if i != j {
					few := func() int64 { return max(0, int64(r.IntN(5))-2) }
					games = append(games, stats.Meetings{First: i, Second: j, Wins: few(), Draws: few(), Losses: few()})
				}
			}
		}
		ratings := stats.Rate(players, games, stats.RatingPrior, .95)
		for i, p := range append(ratings.Players, ratings.FirstMove, ratings.Draws) {
			if !(p.Low <= p.Estimate && p.Estimate <= p.High) || math.IsInf(p.Low, 0) || math.IsInf(p.High, 0) {
				t.Fatalf("%+v: interval %d is %+v", games, i, p)
			}
		}
	}
}

// pairing plays pairs between equals. An opening favours a seat, or one of the two
// whatever the seat.
func pairing(r *rand.Rand, first, second, pairs int, seat, player float64) stats.Pairing {
	p := stats.Pairing{First: first, Second: second}
	for range pairs {
		toSeat, toPlayer := seat*r.NormFloat64(), player*r.NormFloat64()
		game := func(d float64) int {
			win, loss := math.Exp(d/2), math.Exp(-d/2)
			switch x := r.Float64() * (win + loss + .5); {
			case x < win:
				return 2
			case x < win+loss:
				return 0
			}
			return 1
		}
		p.Pairs[game(toPlayer+toSeat)][game(toPlayer-toSeat)]++
	}
	return p
}

func TestIntervalsOfRatingsFromPairsHoldTheTruthWhateverOpeningsFavour(t *testing.T) {
	for _, c := range []struct {
		seat, player float64
		naive        bool // whether Rate errs more often than it says
	}{{0, 0, false}, {2, 0, false}, {0, 5, true}} {
		const runs = 300
		var paired, single int
		r := rand.New(rand.NewPCG(11, 12))
		for range runs {
			pairings := []stats.Pairing{
				pairing(r, 0, 1, 40, c.seat, c.player), pairing(r, 0, 2, 40, c.seat, c.player), pairing(r, 1, 2, 40, c.seat, c.player),
			}
			var games []stats.Meetings
			for _, p := range pairings {
				a, b := stats.Meetings{First: p.First, Second: p.Second}, stats.Meetings{First: p.Second, Second: p.First}
				for i := range 3 {
					for j := range 3 {
						n := p.Pairs[i][j]
						*[]*int64{&a.Losses, &a.Draws, &a.Wins}[i] += n
						*[]*int64{&b.Wins, &b.Draws, &b.Losses}[j] += n
					}
				}
				games = append(games, a, b)
			}
			of, alone := stats.RatePairs(3, pairings, stats.RatingPrior, .95).Players[0], stats.Rate(3, games, stats.RatingPrior, .95).Players[0]
			if of.Estimate != alone.Estimate || of.N != 160 {
				t.Fatalf("pairs give %+v, their games %+v", of, alone)
			}
			if of.Low <= 0 && 0 <= of.High {
				paired++
			}
			if alone.Low <= 0 && 0 <= alone.High {
				single++
			}
		}
		if share := float64(paired) / runs; share < .906 {
			t.Errorf("%+v: the interval holds the truth in %.1f %% of all cases", c, 100*share)
		}
		if share := float64(single) / runs; c.naive && share > .9 {
			t.Errorf("%+v: taking the games for independent holds the truth in %.1f %%, which makes RatePairs needless", c, 100*share)
		}
	}
}

// A pair in which one decides both games tells as much as one game: half as much
// as two.
func TestPairsThatAreOneGameTwiceCountOnce(t *testing.T) {
	once := stats.Rate(2, []stats.Meetings{{First: 0, Second: 1, Wins: 60, Losses: 40}, {First: 1, Second: 0, Wins: 40, Losses: 60}}, weak, .95)
	p := stats.Pairing{First: 0, Second: 1}
	p.Pairs[2][2], p.Pairs[0][0] = 60, 40
	twice := stats.RatePairs(2, []stats.Pairing{p}, weak, .95)
	within(t, "estimate", twice.Players[0].Estimate, once.Players[0].Estimate, 1e-6)
	within(t, "width", twice.Players[0].High-twice.Players[0].Low,
		math.Sqrt(2*100./99)*(once.Players[0].High-once.Players[0].Low), 0.2)
}
