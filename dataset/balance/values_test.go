package balance_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/env"
)

// worths are the values of Trench's types in synthetic games, General first, in
// logarithms of odds, the Soldier being the unit.
var worths = [...]float64{1.2, 0.9, 0.7, 0.5, 0.3}

// synthetic makes games of one ply from positions of Trench from which pieces are
// missing. Their result follows from the counts: the logarithm of the odds is the
// difference in worth, with 0.4 for being to move. together says that Colonels and
// Captains go missing one for one.
func synthetic(t *testing.T, n int, seed uint64, together bool) (*dataset.Settings, []*dataset.Episode) {
	t.Helper()
	v := lookup(t, "trench/standard")
	settings := &dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{"synthetic", "synthetic"},
		Starts: []string{}, Seed: seed, JobEpisodes: 100}
	state, rand := env.NewState(v.Game), env.NewRand(seed)
	text, _, _ := strings.Cut(v.Game.Spec().StartText, " ")
	capitals := firstIsUpper(t)
	symbols := "GLCSP" // General, Colonel, Captain, Sergeant, Soldier
	list := make([]*dataset.Episode, n)
	for i := range list {
		board := []byte(text)
		missing := [5][2]int{}
		for at, c := range board {
			kind := strings.IndexByte(symbols, c&^0x20)
			if kind < 0 || c == '/' || c >= '0' && c <= '9' || rand.IntN(3) > 0 || together && kind == 2 {
				continue
			}
			board[at] = '1'
			missing[kind][c>>5&1]++
		}
		for side, lower := range [2]byte{0, 0x20} {
			for left := missing[1][side]; together && left > 0; left-- {
				at := strings.IndexByte(string(board), symbols[2]|lower)
				board[at] = '1'
				missing[2][side]++
			}
		}
		ep := &dataset.Episode{Run: settings.Run(), Number: int64(i), Pair: dataset.NoPair, ResignPly: dataset.NoPly, Seed: rand.Uint64(),
			Agents: settings.Agents, Terminated: true, Reason: env.Points}
		eta, turn := 0.2, " b"
		if rand.IntN(2) == 0 {
			eta, turn = -0.2, " w"
		}
		ep.Start = merged(board) + turn + " 0-0 0 0"
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		for kind, side := range missing {
			upper, lower := side[0], side[1]
			ahead := float64(upper - lower) // of who has the small letters
			if capitals {
				ahead = -ahead
			}
			eta += ahead * worths[kind]
		}
		u := rand.Float64()
		switch noisy := eta + math.Log(u/(1-u)); {
		case noisy > 0.3:
			ep.Result = 1
		case noisy < -0.3:
			ep.Result = -1
		}
		step := ep.AddStep()
		step.Hash, step.Player = state.Hash(), state.Player()
		step.Action = state.Legal(nil)[0]
		state.Apply(step.Action)
		ep.FinalHash = state.Hash()
		list[i] = ep
	}
	return settings, list
}

// merged writes runs of empty squares as one number.
func merged(board []byte) string {
	var b strings.Builder
	empty := 0
	for _, c := range append(board, '/') {
		if c >= '1' && c <= '9' {
			empty += int(c - '0')
			continue
		}
		if empty > 0 {
			b.WriteByte(byte('0' + empty))
		}
		empty = 0
		b.WriteByte(c)
	}
	return strings.TrimSuffix(b.String(), "/")
}

// firstIsUpper says whether the first player's pieces are the capital letters.
func firstIsUpper(t *testing.T) bool {
	t.Helper()
	state := env.NewState(lookup(t, "trench/standard").Game)
	if err := state.SetPosition("4sclg/4pscl/4ppsc/4ppps/8/8/8/G7 b 0-0 0 0"); err != nil {
		t.Fatal(err)
	}
	for _, p := range state.(env.PieceLister).Pieces(nil) {
		if p.Square == 0 {
			return p.Owner == env.First
		}
	}
	t.Fatal("nothing stands on a1")
	return false
}

func TestKnownValuesAreRecoveredWithinTheirIntervals(t *testing.T) {
	const sets = 12
	inside, all := 0, 0
	for seed := range uint64(sets) {
		settings, list := synthetic(t, 1500, seed+1, false)
		r := analyze(t, balance.Options{Goroutines: 2}, source(settings, list))
		p := &r.Values.Phases[0]
		for i, v := range p.Types {
			if !v.Problem.None() || v.Value == nil {
				t.Fatalf("%s: %q", v.Type, v.Problem)
			}
			want := worths[i] / worths[4]
			for _, c := range []struct{ low, high, want float64 }{
				{v.Value.Low, v.Value.High, want}, {v.LogOdds.Low, v.LogOdds.High, worths[i]},
			} {
				all++
				if c.low <= c.want && c.want <= c.high {
					inside++
				}
			}
			if seed == 0 && math.Abs(v.LogOdds.Estimate-worths[i]) > 0.3 {
				t.Errorf("%s is worth %.2f, must be near %.2f", v.Type, v.LogOdds.Estimate, worths[i])
			}
		}
		if turn := p.Turn; turn.LogOdds.Low > 0.4+0.3 || turn.LogOdds.High < 0.4-0.3 {
			t.Errorf("the turn is worth %+v", turn.LogOdds)
		}
		f := r.Values.Forecast
		if f == nil || f.BrierGain.Low <= 0 || f.LogGain.Low <= 0 {
			t.Errorf("counts foretell nothing: %+v", f)
		}
	}
	if share := float64(inside) / float64(all); share < 0.88 { // 95 % of correlated intervals
		t.Errorf("%d of %d intervals hold the truth", inside, all)
	}
}

func TestTheEvenScoreIsThatOfPositionsWithEqualCounts(t *testing.T) {
	settings, list := played(t, "tankbattle/standard", "greedy", "greedy", 60, 3)
	state := env.NewState(lookup(t, "tankbattle/standard").Game)
	for _, ep := range list { // a game of one ply has one position
		ep.Steps = ep.Steps[:ep.OpeningPlies+1]
	}
	score, n := 0.0, int64(0)
	for _, ep := range list {
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		for i := range ep.OpeningPlies {
			state.Apply(ep.Steps[i].Action)
		}
		count := [2][2]int{}
		for _, p := range state.(env.PieceLister).Pieces(nil) {
			count[p.Type][p.Owner]++
		}
		if count[0][0] == count[0][1] && count[1][0] == count[1][1] {
			score += float64(ep.Result+1) / 2
			n++
		}
	}
	e := analyze(t, balance.Options{}, source(settings, list)).Values.Phases[0].Even
	if n == 0 || e.N != n || math.Abs(e.Estimate-score/float64(n)) > 1e-12 || e.Low >= e.Estimate || e.High <= e.Estimate {
		t.Errorf("the even score is %+v, counted were %.3f of %d", e, score/float64(n), n)
	}
}

// The stronger agent is mostly ahead and wins for other reasons too: without a word
// on who plays, pieces would seem to be worth more than they are.
func TestTheStrengthOfAgentsIsNotTakenForThatOfPieces(t *testing.T) {
	const strength = 2.0
	settings, list := synthetic(t, 6000, 21, false)
	rand := env.NewRand(4)
	state := env.NewState(lookup(t, "trench/standard").Game)
	for _, ep := range list {
		if err := state.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		eta := 0.2 * float64(env.Turn(state, env.First))
		ahead := 0
		for _, p := range state.(env.PieceLister).Pieces(nil) {
			sign := 1 - 2*int(p.Owner)
			eta += float64(sign) * worths[p.Type]
			ahead += sign
		}
		strong := env.First
		if ahead < 0 != (rand.IntN(5) == 0) {
			strong = env.Second
		}
		ep.Agents = [2]string{"weak", "weak"}
		ep.Agents[strong] = "strong"
		u := rand.Float64()
		eta += strength/2*float64(1-2*strong) + math.Log(u/(1-u))
		ep.Result = env.ByPoints(int(math.Floor(eta+.5)), 0)
	}
	p := analyze(t, balance.Options{}, source(settings, list)).Values.Phases[0]
	for i, v := range p.Types {
		if d := math.Abs(v.LogOdds.Estimate - worths[i]); d > 2*(v.LogOdds.High-v.LogOdds.Estimate) || d > 0.3 {
			t.Errorf("%s is worth %+v, must be %.2f", v.Type, v.LogOdds, worths[i])
		}
	}
	want := strength
	if p.Reference == "strong" {
		want = -strength
	}
	if len(p.Agents) != 1 || p.Agents[0].LogOdds.Low > want || p.Agents[0].LogOdds.High < want {
		t.Errorf("the agents are worth %+v against %s", p.Agents, p.Reference)
	}
}

func TestAgentsThatAlwaysWinLeaveNothingToTellOfPieces(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "random", 200, 3)
	for _, ep := range list { // where random has won by chance, too
		ep.Result = env.WinFor(env.First)
		if ep.Agents[0] == "random" {
			ep.Result = env.WinFor(env.Second)
		}
	}
	v := analyze(t, balance.Options{}, source(settings, list)).Values
	if p := v.Problem(); p.Code != balance.AgentDecides || !slices.Contains([]string{"greedy", "random"}, p.Agent) || len(v.Phases[0].Types) != 0 || v.Forecast != nil {
		t.Errorf("the problem is %q, the values are %+v", v.Problem(), v.Phases[0].Types)
	}
}

func TestCollinearTypesAreFlaggedAndHaveNoValue(t *testing.T) {
	settings, list := synthetic(t, 600, 1, true)
	p := analyze(t, balance.Options{}, source(settings, list)).Values.Phases[0]
	for i, v := range p.Types {
		bad := i == 1 || i == 2
		if bad != (v.Problem == balance.Problem{Code: balance.Collinear}) || bad != (v.Value == nil) || bad != (v.Score == nil) || bad != (v.VIF > 10) {
			t.Errorf("%s: problem %q, value %+v, VIF %.1f", v.Type, v.Problem, v.Value, v.VIF)
		}
	}
	p = analyze(t, balance.Options{Unit: p.Types[1].Type}, source(settings, list)).Values.Phases[0]
	for _, v := range p.Types {
		if v.Value != nil || v.Problem.None() {
			t.Errorf("%s is worth %+v in a unit without a value", v.Type, v.Value)
		}
	}
}

func TestNothingIsToldInAUnitThatDoesHarm(t *testing.T) {
	settings, list := synthetic(t, 600, 1, false)
	for _, ep := range list {
		ep.Result = -ep.Result
	}
	for _, v := range analyze(t, balance.Options{}, source(settings, list)).Values.Phases[0].Types {
		if v.Value != nil || v.Score == nil || v.LogOdds.High >= 0 || v.Problem != (balance.Problem{Code: balance.UnitHarms, Unit: "Soldier"}) {
			t.Errorf("%s is worth %+v, with the log odds %+v and the problem %q", v.Type, v.Value, v.LogOdds, v.Problem)
		}
	}
}

func TestATypeThatNeverGoesMissingHasNoValue(t *testing.T) {
	settings, list := played(t, "tankchess/16x16", "greedy", "greedy", 60, 3)
	v := analyze(t, balance.Options{}, source(settings, list)).Values
	if c := v.Phases[0].Types[0]; c.Type != "Command Tank" || c.Problem != (balance.Problem{Code: balance.NeverVaries}) || c.Value != nil {
		t.Errorf("the Command Tank, which ends the game when it is lost: %+v", c)
	}
	if late := v.Phases[3]; late.Rows != 0 && len(late.Types) == 0 || late.Rows == 0 && late.Problem.Code != balance.NoPositions {
		t.Errorf("the end is %+v", late)
	}
}

func TestForecastsAreCalibratedOnGamesThatTheyHaveNotSeen(t *testing.T) {
	settings, list := synthetic(t, 4000, 9, false)
	f := analyze(t, balance.Options{}, source(settings, list)).Values.Forecast
	if f.Fitted+f.Judged != 4000 || f.Judged < 600 || f.Judged > 1000 {
		t.Errorf("%d positions fitted, %d judged", f.Fitted, f.Judged)
	}
	n, outside := int64(0), 0
	for _, c := range f.Calibration {
		n += c.Score.N
		if c.Expected < c.Score.Low || c.Expected > c.Score.High {
			outside++
		}
		if c.Expected < c.Low || c.Expected > c.High {
			t.Errorf("%.3f was expected between %.1f and %.1f", c.Expected, c.Low, c.High)
		}
	}
	if n != f.Judged || outside > 2 {
		t.Errorf("%d positions in bins, %d bins off", n, outside)
	}
}

func TestAUnitThatIsNotToldApartLeavesForecastsAndNoWeights(t *testing.T) {
	settings, list := played(t, "tankchess/16x16", "random", "random", 60, 3)
	r := analyze(t, balance.Options{}, source(settings, list))
	if r.Values.Problem() != (balance.Problem{Code: balance.UnitUncertain, Unit: r.Values.Unit}) || r.Values.Forecast == nil {
		t.Errorf("the problem is %q, the forecast %+v", r.Values.Problem(), r.Values.Forecast)
	}
	for _, a := range r.Activity.Types {
		if a.ValueALoss != nil {
			t.Errorf("%s takes %+v by values that nobody knows", a.Type, a.ValueALoss)
		}
	}
}

func TestValuesAloneAreThoseOfTheReport(t *testing.T) {
	settings, list := played(t, "trench/standard", "greedy", "greedy", 200, 3)
	o := balance.Options{Goroutines: 2, Sample: 90, Replicates: 20}
	all, err := json.Marshal(analyze(t, o, source(settings, list[:150])).Values)
	if err != nil {
		t.Fatal(err)
	}
	values, err := balance.AnalyzeValues(context.Background(), []balance.Source{source(settings, list).First(150)}, o)
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := json.Marshal(values); err != nil || string(alone) != string(all) {
		t.Errorf("alone they are %s (%v), in the report %s", alone, err, all)
	}
	for range source(settings, list).First(0).Episodes {
		t.Error("the first 0 episodes are not none")
	}
	o.Unit = "Queen"
	if _, err := balance.AnalyzeValues(context.Background(), []balance.Source{source(settings, list)}, o); !errors.Is(err, balance.ErrUnit) {
		t.Errorf("the error is %v", err)
	}
}
