package balance_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// A tally is what a plain reading of boards, before and after each ply, says of
// games; it looks at no event.
type tally struct {
	games, turns  int64
	results       [3]int64
	lost, moved   []int64 // by type; moved is known where pieces are more than seeds
	entries       []int64
	lifetime      []int64 // plies lived after the opening, of all pieces
	stood         [][]int64
	positions     int64
	firstCaptures []int
}

func count(t *testing.T, game env.Game, list []*dataset.Episode) *tally {
	t.Helper()
	spec := game.Spec()
	k := len(spec.Pieces)
	c := &tally{lost: make([]int64, k), moved: make([]int64, k), entries: make([]int64, k), lifetime: make([]int64, k), stood: make([][]int64, k)}
	for i := range c.stood {
		c.stood[i] = make([]int64, spec.Width*spec.Height)
	}
	home := map[[2]int]bool{}
	state := env.NewState(game)
	pieces := func() map[int16]env.Piece {
		all := map[int16]env.Piece{}
		for _, p := range state.(env.PieceLister).Pieces(nil) {
			if !p.Wreck {
				all[p.ID] = p
			}
		}
		return all
	}
	for _, p := range pieces() {
		home[[2]int{int(p.Owner), int(p.Square)}] = true
	}
	for _, ep := range list {
		c.games++
		c.results[ep.Result+1]++
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		first := -1
		for ply := range ep.Steps {
			mover, before := state.Player(), pieces()
			agent := ply >= ep.OpeningPlies
			state.Apply(ep.Steps[ply].Action)
			after := pieces()
			if !agent {
				continue
			}
			c.turns++
			c.positions++
			for id, p := range before {
				square := int(p.Square)
				if p.Owner == env.Second {
					square = spec.Width*spec.Height - 1 - square
				}
				c.stood[p.Type][square]++
				c.lifetime[p.Type]++
				now, lives := after[id]
				enemyHome := func(square int16) bool { return home[[2]int{int(p.Owner.Opponent()), int(square)}] }
				switch {
				case p.Owner != mover && (!lives || now.Count < p.Count):
					c.lost[p.Type] += int64(p.Count) - int64(now.Count)
					if first < 0 {
						first = ply - ep.OpeningPlies + 1
					}
				case p.Owner == mover && lives && (now.Square != p.Square || now.Facing != p.Facing):
					c.moved[p.Type]++
					if enemyHome(now.Square) && !enemyHome(p.Square) {
						c.entries[p.Type]++
					}
				}
			}
		}
		c.firstCaptures = append(c.firstCaptures, first)
	}
	return c
}

// total is the sum that a mean over n stands for.
func total(mean float64, n int64) int64 { return int64(math.Round(mean * float64(n))) }

func TestNumbersAgreeWithThoseCountedOnBoards(t *testing.T) {
	for _, c := range []struct {
		variant string
		games   int64
	}{{"trench/standard", 40}, {"ntxuva/basic", 40}, {"tankchess/16x16", 12}, {"tankbattle/standard", 20}} {
		v := lookup(t, c.variant)
		settings, list := played(t, c.variant, "greedy", "greedy", c.games, 5)
		want := count(t, v.Game, list)
		r := analyze(t, balance.Options{Goroutines: 2}, source(settings, list))
		o := &r.Seats.First
		if o.Losses != want.results[0] || o.Draws != want.results[1] || o.Wins != want.results[2] || r.Activity.Turns != want.turns {
			t.Errorf("%s: outcome %+v after %d turns, counted were %v and %d", c.variant, o, r.Activity.Turns, want.results, want.turns)
		}
		turns, losses := int64(0), map[string]int64{}
		for i := range r.Activity.Types {
			x := &r.Activity.Types[i]
			seeds := v.Game.Spec().Pieces[i].MaxCount > 1
			turns += total(x.Turns.Estimate, want.games)
			losses[x.Type] = total(x.Losses.Estimate, want.games)
			if losses[x.Type] != want.lost[i] {
				t.Errorf("%s: %d of %s lost, counted were %d", c.variant, losses[x.Type], x.Type, want.lost[i])
			}
			if got := total(x.Turns.Estimate, want.games); !seeds && math.Abs(float64(got-want.moved[i])) > 2 { // an escape leaves the board
				t.Errorf("%s: %d turns of %s, counted were %d", c.variant, got, x.Type, want.moved[i])
			}
			if got := total(x.Entries.Estimate, want.games); !seeds && got != want.entries[i] {
				t.Errorf("%s: %d entries of %s, counted were %d", c.variant, got, x.Type, want.entries[i])
			}
			if seeds != (x.Survival == nil) {
				t.Errorf("%s: the survival of %s is %+v", c.variant, x.Type, x.Survival)
			}
			m := &r.Placement.Types[i]
			for square, n := range want.stood[i] {
				if got := total(m.Presence.Estimate[square], 2*want.positions); got != n {
					t.Fatalf("%s: %s stands %d times on square %d, counted were %d", c.variant, x.Type, got, square, n)
				}
			}
			if m.Deaths.N != want.lost[i] {
				t.Errorf("%s: the map of deaths of %s has %d, counted were %d", c.variant, x.Type, m.Deaths.N, want.lost[i])
			}
		}
		if turns != want.turns {
			t.Errorf("%s: types have %d turns, there were %d", c.variant, turns, want.turns)
		}
		taken, faces := int64(0), int64(0)
		for _, k := range r.Activity.Kills {
			n := total(k.PerGame.Estimate, want.games)
			taken += n
			losses[k.Victim] -= n
		}
		for victim, left := range losses {
			if left != 0 {
				t.Errorf("%s: losses of %s differ from those of the matrix by %d", c.variant, victim, left)
			}
		}
		for _, f := range r.Activity.Faces {
			faces += f.Front.N
		}
		if tanks := c.variant == "tankchess/16x16"; tanks && faces != taken || !tanks && faces != 0 || tanks == (r.Activity.Types[0].Shots == nil) {
			t.Errorf("%s: %d hits on faces, %d kills, shots %v", c.variant, faces, taken, r.Activity.Types[0].Shots)
		}
		early := 0
		for _, ply := range want.firstCaptures {
			if float64(ply) <= r.Activity.FirstCapture.Estimate && ply >= 0 {
				early++
			}
		}
		if 2*early < len(list) {
			t.Errorf("%s: the first capture comes by ply %v, which %d of %d games have", c.variant, r.Activity.FirstCapture.Estimate, early, len(list))
		}
	}
}

// The pieces of Trench take several on their line, and who takes more at once must be known.
func TestChargesAreTakenForWhatTheyAre(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 200, 5)
	v := lookup(t, "trench/standard")
	state := env.NewState(v.Game)
	taking, charges := int64(0), int64(0)
	for _, ep := range list {
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		before := len(state.(env.PieceLister).Pieces(nil))
		for ply := range ep.Steps {
			state.Apply(ep.Steps[ply].Action)
			now := len(state.(env.PieceLister).Pieces(nil))
			if ply >= ep.OpeningPlies && now < before {
				taking++
			}
			if ply >= ep.OpeningPlies && now < before-1 {
				charges++
			}
			before = now
		}
	}
	var gotTaking, gotCharges, perGame int64
	a := analyze(t, balance.Options{}, source(settings, list)).Activity
	for _, x := range a.Types {
		gotTaking += x.Multiple.N
		gotCharges += total(x.Multiple.Estimate, x.Multiple.N)
		perGame += total(x.Multiples.Estimate, x.Multiples.N)
	}
	if a.MultipleCapture != "charge" || perGame != charges {
		t.Errorf("%q: %d in all games, counted were %d", a.MultipleCapture, perGame, charges)
	}
	if charges == 0 || gotTaking != taking || gotCharges != charges {
		t.Errorf("%d turns take, %d of them several; counted were %d and %d", gotTaking, gotCharges, taking, charges)
	}
}

func TestMobilityIsThatOfLegalActions(t *testing.T) {
	settings, list := played(t, "tankbattle/standard", "random", "random", 300, 5)
	var legal, turns float64
	for _, ep := range list {
		for i := range ep.Steps[ep.OpeningPlies:] {
			legal += float64(ep.Steps[ep.OpeningPlies+i].LegalCount) / float64(ep.Plies()-ep.OpeningPlies)
		}
		turns++
	}
	sum, half := 0.0, 0.0
	for _, x := range analyze(t, balance.Options{}, source(settings, list)).Activity.Types {
		sum += x.Mobility.Estimate
		half += x.Mobility.High - x.Mobility.Estimate
	}
	if mean := legal / turns; math.Abs(sum-mean) > 2*half || half <= 0 {
		t.Errorf("%.2f ± %.2f actions a turn, there are %.2f on average", sum, half, mean)
	}
}

func TestMeansOfCountsHaveBoundsAboveNothing(t *testing.T) {
	settings, list := played(t, "tankchess/16x16", "random", "random", 5, 3)
	unseen := false
	for _, x := range analyze(t, balance.Options{}, source(settings, list)).Activity.Types {
		for _, i := range []stats.Interval{x.Turns, x.Mobility, x.Each, x.Kills, x.Losses, x.Entries, x.Multiples} {
			if !(0 <= i.Low && i.Low <= i.Estimate && i.Estimate < i.High && !math.IsInf(i.High, 1)) || (i.Low == 0) != (i.Estimate == 0) {
				t.Errorf("%s: %+v", x.Type, i)
			}
			unseen = unseen || i.Estimate == 0
		}
	}
	if !unseen {
		t.Error("everything happens in five games")
	}
}

// Of fewer than ten games nothing bounds a median, and no curve is told; of ten, what
// lasts as long as all of them.
func TestMediansHaveNoBoundsWhereFewGamesRun(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 40, 3)
	of := func(n int) *balance.Activity {
		return analyze(t, balance.Options{}, source(settings, list[:n])).Activity
	}
	few, some := of(9), of(40)
	for i, x := range few.Types {
		for _, m := range []stats.Interval{x.FirstContact, x.Survival.Median} {
			if m.Low != 0 || !math.IsInf(m.High, 1) || len(x.Survival.Points) != 0 {
				t.Errorf("%s of nine games: %+v, %d points", x.Type, m, len(x.Survival.Points))
			}
		}
		if m := some.Types[i].FirstContact; m.Low <= 0 && m.Estimate > 3 || len(some.Types[i].Survival.Points) < 10 {
			t.Errorf("%s of forty games: %+v, %d points", x.Type, m, len(some.Types[i].Survival.Points))
		}
	}
}

// Lifetimes are those of the pieces on the board after the opening, wrecks apart.
func TestEveryPieceAfterTheOpeningHasALifetime(t *testing.T) {
	settings, list := played(t, "tankchess/16x16", "greedy", "greedy", 12, 5)
	v := lookup(t, "tankchess/16x16")
	state := env.NewState(v.Game)
	want, wrecksFirst := make([]int64, len(v.Game.Spec().Pieces)), false
	for _, ep := range list {
		ep.OpeningPlies = ep.Plies() * 3 / 4 // by then some pieces are wrecks
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		for ply := range ep.OpeningPlies {
			state.Apply(ep.Steps[ply].Action)
		}
		wreck := false
		for _, p := range state.(env.PieceLister).Pieces(nil) {
			if p.Wreck {
				wreck = true
				continue
			}
			wrecksFirst = wrecksFirst || wreck
			want[p.Type]++
		}
	}
	if !wrecksFirst {
		t.Fatal("no piece follows a wreck in the lists")
	}
	for i, x := range analyze(t, balance.Options{}, source(settings, list)).Activity.Types {
		if x.Survival.Median.N != want[i] {
			t.Errorf("%d pieces of %s have lifetimes, want %d", x.Survival.Median.N, x.Type, want[i])
		}
	}
}

// On the log scale the error of the values adds the same to both bounds of value taken
// per value lost, beyond those of the exchanges alone.
func TestValueTakenPerValueLostHasTheErrorOfTheValues(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 1500, 3)
	r := analyze(t, balance.Options{Goroutines: 2}, source(settings, list))
	types := r.Values.Phases[0].Types
	weight, index := make([]float64, len(types)), map[string]int{}
	for i, v := range types {
		weight[i], index[v.Type] = v.LogOdds.Estimate, i
	}
	v := lookup(t, "trench/standard")
	state := env.NewState(v.Game)
	shares := make([]stats.Clusters, len(types))
	for _, ep := range list {
		taken, lost := make([]float64, len(types)), make([]float64, len(types))
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		for ply := range ep.Steps {
			for _, e := range state.(env.Tracer).Trace(ep.Steps[ply].Action, nil) {
				if e.Kind == env.Captured && ply >= ep.OpeningPlies {
					taken[e.Piece] += weight[e.Victim]
					lost[e.Victim] += weight[e.Victim]
				}
			}
		}
		for i := range shares {
			shares[i].Add(math.Round(1000*taken[i]), int64(math.Round(1000*(taken[i]+lost[i]))))
		}
	}
	for i, x := range r.Activity.Types {
		if x.ValueALoss == nil {
			t.Fatalf("%s has no value per loss; the values are %+v", x.Type, types[i])
		}
		share := shares[i].Interval(stats.Level)
		odds := func(p float64) float64 { return p / (1 - p) }
		f := x.ValueALoss.Estimate
		if math.Abs(f/odds(share.Estimate)-1) > .01 {
			t.Errorf("%s takes %.3f per value lost, counted was %.3f", x.Type, f, odds(share.Estimate))
		}
		square := func(a, b float64) float64 { return math.Pow(math.Log(a/b), 2) }
		above, below := square(x.ValueALoss.High, f)-square(odds(share.High), f), square(f, x.ValueALoss.Low)-square(f, odds(share.Low))
		if above <= 0 || math.Abs(above-below) > .1*above || x.ValueALoss.N != r.Activity.Sampled {
			t.Errorf("%s: the error of the values adds %v above and %v below, in %+v", x.Type, above, below, x.ValueALoss)
		}
	}
}
