package experiment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

func lookup(t *testing.T, text string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func player(text string) experiment.Agent {
	return func(v *variant.Variant) (agent.Spec, error) { return agent.Parse(text, v, nil) }
}

// handicapArms plans the arms of a handicap, for one pair of games.
func handicapArms(v *variant.Variant, agent experiment.Agent, h handicap.Handicap, plan handicap.Plan) ([]experiment.Arm, error) {
	plan.Handicaps, plan.Pairs = []handicap.Handicap{h}, 1
	planned, err := experiment.NewHandicaps(v, agent, plan)
	if err != nil {
		return nil, err
	}
	return planned.Arms(), nil
}

// control plans the arm without a handicap.
func control(t *testing.T, v *variant.Variant, agent experiment.Agent, plan handicap.Plan) experiment.Arm {
	t.Helper()
	plan.Control = 2
	arms, err := handicapArms(v, agent, handicap.Handicap{Type: v.Game.Spec().Pieces[1].Name}, plan)
	if err != nil {
		t.Fatal(err)
	}
	return arms[len(arms)-1]
}

// removable returns the names of the piece types that can be removed.
func removable(v *variant.Variant) []string {
	var names []string
	for kind, piece := range v.Game.Spec().Pieces {
		if _, err := openings.Without(v, kind); err == nil {
			names = append(names, piece.Name)
		}
	}
	return names
}

// play plays the first episodes of an arm.
func play(t *testing.T, arm experiment.Arm, episodes int64) []dataset.Episode {
	t.Helper()
	var list []dataset.Episode
	err := selfplay.PlayAll(t.Context(), arm.Plan, "run", 0, episodes, 2, func(ep *dataset.Episode) error {
		list = append(list, *ep)
		list[len(list)-1].Steps = slices.Clone(ep.Steps)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// checked plays episodes of an arm, demands that they replay, and that the
// handicapped player, as often the one as the other, lacks a piece of the type.
func checked(t *testing.T, v *variant.Variant, kind int, arm experiment.Arm, episodes int64) {
	t.Helper()
	settings := arm.Plan.Settings()
	again, err := selfplay.Open(&settings, nil)
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if got := again.Settings(); got.Run() != settings.Run() {
		t.Errorf("%s: the plan of its settings is another", v.Name)
	}
	replayer, err := replay.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	var seats [2]int
	for _, ep := range play(t, arm, episodes) {
		if err := replayer.Check(&ep); err != nil {
			t.Errorf("%s, %s: %v", v.Name, arm.Name, err)
		}
		player := env.Player(ep.Number & 1)
		seats[player]++
		s := env.NewState(v.Game)
		full := seeds(s, kind)
		if err := s.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		full[player]--
		if got := seeds(s, kind); got != full {
			t.Errorf("%s, %s: episode %d starts with %v of the type, must be %v", v.Name, arm.Name, ep.Number, got, full)
		}
	}
	if seats[0] != seats[1] {
		t.Errorf("%s, %s: the handicap is %v times with each side", v.Name, arm.Name, seats)
	}
}

// seeds counts the pieces of a type, or the seeds in its houses, by owner.
func seeds(s env.State, kind int) (n [2]int) {
	for _, p := range s.(env.PieceLister).Pieces(nil) {
		if int(p.Type) == kind && !p.Wreck {
			n[p.Owner] += int(p.Count)
		}
	}
	return n
}

func TestEveryTypeOfEveryPresetIsRemovedOrTheErrorSaysWhy(t *testing.T) {
	for _, name := range games.Presets() {
		v := lookup(t, name)
		types := removable(v)
		for kind, piece := range v.Game.Spec().Pieces {
			arms, err := handicapArms(v, player("random"), handicap.Handicap{Type: piece.Symbol}, handicap.Plan{OpeningPlies: 2, MaxPlies: 60, Seed: 1})
			if slices.Contains(types, piece.Name) != (err == nil) {
				t.Errorf("%s: removable types are %v, and without a %s: %v", name, types, piece.Name, err)
			}
			if err != nil {
				if want := fmt.Sprintf("%s: a %s cannot be removed: ", name, piece.Name); !strings.Contains(err.Error(), want) {
					t.Errorf("error is %v", err)
				}
				continue
			}
			if len(arms) != 1 || arms[0].Name != piece.Symbol+"-removed" {
				t.Fatalf("%s: arms are %v", name, arms)
			}
			checked(t, v, kind, arms[0], min(8, int64(len(arms[0].Plan.Config().Opening.Starts))))
		}
	}
}

func TestTypesThatCanBeRemoved(t *testing.T) {
	for name, want := range map[string]string{
		"trench/standard":     "General Colonel Captain Sergeant Soldier",
		"trench/general":      "Colonel Captain Sergeant Soldier",
		"ntxuva/basic":        "attack house defence house",
		"tankchess/16x16":     "Light Tank Medium Tank Heavy Tank",
		"tankbattle/standard": "Commander Tank",
	} {
		if got := strings.Join(removable(lookup(t, name)), " "); got != want {
			t.Errorf("%s: types are %s, must be %s", name, got, want)
		}
	}
}

func TestStartsLackEachPieceOfBothSidesInTurn(t *testing.T) {
	arms, err := handicapArms(lookup(t, "tankchess/16x16"), player("random"), handicap.Handicap{Type: "HT"}, handicap.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	white, black := "CLT@h1N,LT@c3N,LT@f3N,LT@j3N,LT@m3N,MT@f1N,MT@j1N,MT@h3N", "CLT@i16S,LT@n14S,LT@k14S,LT@g14S,LT@d14S,MT@k16S,MT@g16S,MT@i14S"
	want := []string{
		white + ",HT@m1N " + black + ",HT@n16S,HT@d16S w 0 0",
		white + ",HT@c1N,HT@m1N " + black + ",HT@d16S w 0 0",
		white + ",HT@c1N " + black + ",HT@n16S,HT@d16S w 0 0",
		white + ",HT@c1N,HT@m1N " + black + ",HT@n16S w 0 0",
	}
	if got := arms[0].Plan.Config().Opening.Starts; !slices.Equal(got, want) {
		t.Errorf("starts are\n%s\nmust be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A side with fewer pieces of a type begins again with them.
func TestArmiesOfDifferentSizeAreHandicappedEquallyOften(t *testing.T) {
	v := lookup(t, `tankchess/16x16{"layout":{"black":{"CLT":["i16"],"LT":["n14"],"MT":["k16"]}}}`)
	arms, err := handicapArms(v, player("random"), handicap.Handicap{Type: "LT"}, handicap.Plan{MaxPlies: 10})
	if err != nil {
		t.Fatal(err)
	}
	kind, err := v.Game.Spec().PieceType("LT")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(arms[0].Plan.Config().Opening.Starts); n != 8 {
		t.Errorf("%d starts, must be 8", n)
	}
	checked(t, v, kind, arms[0], 8)
	if _, err := handicapArms(v, player("random"), handicap.Handicap{Type: "HT"}, handicap.Plan{}); err == nil || !strings.Contains(err.Error(), "Black has no such piece") {
		t.Errorf("error is %v", err)
	}
}

func TestAnAttributeIsAnArmForEachSide(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	h := handicap.Handicap{Type: "Light Tank", Change: handicap.Change{Attribute: "speed", By: 1}}
	arms, err := handicapArms(v, player("greedy"), h, handicap.Plan{OpeningPlies: 4, MaxPlies: 40, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{v.Digest: true}
	for i, name := range []string{"LT-speed+1-first", "LT-speed+1-second"} {
		arm := arms[i]
		if arm.Name != name || arm.Episodes != 1 {
			t.Errorf("arm %d is %s with %d episodes", i, arm.Name, arm.Episodes)
		}
		digests[arm.Plan.Config().Variant.Digest] = true
		kind, err := arm.Plan.Config().Variant.Game.Spec().PieceType("Light Tank, speed 6")
		if err != nil {
			t.Fatal(err)
		}
		want := [2]int{}
		want[i] = 4
		if got := seeds(env.NewState(arm.Plan.Config().Variant.Game), kind); got != want {
			t.Errorf("%s: %v tanks are faster, must be %v", name, got, want)
		}
		settings := arm.Plan.Settings()
		replayer, err := replay.New(&settings)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range play(t, arm, 4) {
			if err := replayer.Check(&ep); err != nil {
				t.Error(err)
			}
		}
	}
	if len(arms) != 2 || len(digests) != 3 {
		t.Errorf("%d arms of %d rule sets", len(arms), len(digests))
	}
}

func TestATrenchRankIsHandicappedByItsLongestMove(t *testing.T) {
	v := lookup(t, "trench/standard")
	h := handicap.Handicap{Type: "P", Change: handicap.Change{Attribute: "longest_move", By: 1}}
	arms, err := handicapArms(v, player("greedy"), h, handicap.Plan{OpeningPlies: 4, MaxPlies: 60, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i, arm := range arms {
		want := v.Name + []string{"-black", "-white"}[i] + "-P-longest_move+1"
		if arm.Plan.Config().Variant.Name != want {
			t.Errorf("arm %d is played by %s, must be %s", i, arm.Plan.Config().Variant.Name, want)
		}
		settings := arm.Plan.Settings()
		replayer, err := replay.New(&settings)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range play(t, arm, 6) {
			if err := replayer.Check(&ep); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWhatIsMeasuredHasASeedOfItsOwn(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	seeds := map[uint64]string{}
	for _, seed := range []uint64{1, 2} {
		o := handicap.Plan{Seed: seed}
		all := []experiment.Arm{control(t, v, player("random"), o)}
		for _, kind := range []string{"LT", "MT"} {
			for _, change := range []handicap.Change{{}, {Attribute: "speed", By: 1}, {Attribute: "power", By: 1}} {
				arms, err := handicapArms(v, player("random"), handicap.Handicap{Type: kind, Change: change}, o)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, arms...)
			}
		}
		for _, arm := range all {
			if other, taken := seeds[arm.Plan.Config().Seed]; taken {
				t.Errorf("%s has the seed of %s", arm.Name, other)
			}
			seeds[arm.Plan.Config().Seed] = arm.Name
		}
	}
	control := control(t, v, player("random"), handicap.Plan{Seed: 1})
	if seeds[control.Plan.Config().Seed] != "control" || control.Plan.Config().Opening.Starts != nil {
		t.Errorf("control games are %+v", control)
	}
}

func TestAgentsPlayWithHandicapsByTheirOwnWeights(t *testing.T) {
	for _, c := range []struct{ variant, kind, agent string }{
		{"trench/standard", "Colonel", "alphabeta:eval=linear,nodes=200,noise=2"},
		{"ntxuva/basic", "A", "alphabeta:eval=linear,nodes=200,noise=2"},
		{"tankbattle/standard", "T", "alphabeta:eval=linear,nodes=200,noise=2"},
		{"tankchess/16x16", "HT", "alphabeta:eval=linear,nodes=200,noise=2"},
		{"tankchess/16x16", "LT", "greedy"},
	} {
		v := lookup(t, c.variant)
		arms, err := handicapArms(v, player(c.agent), handicap.Handicap{Type: c.kind}, handicap.Plan{OpeningPlies: 4, MaxPlies: 16, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		kind, err := v.Game.Spec().PieceType(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		checked(t, v, kind, arms[0], 4)
	}
}

// What is balanced is compared with the start without the piece, not with the
// variant's own.
func TestOpeningsKeepTheScoreOfTheirStart(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	arms, err := handicapArms(v, player("random"), handicap.Handicap{Type: "HT"}, handicap.Plan{OpeningPlies: 12, MaxPlies: 13, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, ep := range play(t, arms[0], 20) {
		s := env.NewState(v.Game)
		if err := s.SetPosition(ep.Start); err != nil {
			t.Fatal(err)
		}
		before := env.Score(s.(env.Scorer), env.First)
		for _, step := range ep.Steps[:12] {
			s.Apply(step.Action)
		}
		if after := env.Score(s.(env.Scorer), env.First); before == 0 || after != before {
			t.Errorf("episode %d: the score is %d at the start and %d after the opening", ep.Number, before, after)
		}
	}
}

func TestRecordedArmsAreVerified(t *testing.T) {
	arms, err := handicapArms(lookup(t, "ntxuva/4"), player("random"), handicap.Handicap{Type: "D"}, handicap.Plan{OpeningPlies: 2, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := record.Play(t.Context(), record.Recording{Dir: dir, Plan: arms[0].Plan, Episodes: 32, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	report, err := replay.Verify(t.Context(), dir, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Episodes != 32 {
		t.Errorf("%d episodes are verified, must be 32", report.Episodes)
	}
}

func TestWhatCannotBeMeasuredSaysWhy(t *testing.T) {
	for _, c := range []struct {
		variant string
		h       handicap.Handicap
		agent   string
		want    string
	}{
		{"trench/standard", handicap.Handicap{Type: "Queen"}, "random", `"Queen" is not a piece type of trench/standard, must be one of General (G)`},
		{"trench/general", handicap.Handicap{Type: "G"}, "random", "a General cannot be removed: remove Black's General on a1: it cannot be missing"},
		{"tankchess/16x16", handicap.Handicap{Type: "CLT"}, "random", "a Command Tank cannot be removed"},
		{"tankchess/16x16", handicap.Handicap{Type: "LT", Change: handicap.Change{Attribute: "speed", By: 9}}, "random", "must stay within 1 to 7"},
		{"tankchess/16x16", handicap.Handicap{Type: "LT", Change: handicap.Change{Attribute: "speed", By: 1}}, "alphabeta:eval=linear", "no weights are shipped"},
		{"ntxuva/basic", handicap.Handicap{Type: "A", Change: handicap.Change{Attribute: "speed", By: 1}}, "random", "the game has no attributes that can differ between the players"},
	} {
		_, err := handicapArms(lookup(t, c.variant), player(c.agent), c.h, handicap.Plan{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: error is %v, must say %q", c.variant, c.h, err, c.want)
		}
	}
	if _, err := handicapArms(lookup(t, "ntxuva/4"), player("random"), handicap.Handicap{Type: "A"}, handicap.Plan{OpeningPlies: 8, MaxPlies: 8}); err == nil {
		t.Error("as many opening plies as there are plies are accepted")
	}
}
