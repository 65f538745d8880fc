package ntxuva_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const (
	full  = "2,2,2,2,2,2,2,2,2,2,2,2"
	empty = "0,0,0,0,0,0,0,0,0,0,0,0"
	lone  = "1,0,0,0,0,0,0,0,0,0,0,0"
)

// after plays moves from a position of a variant.
func after(t *testing.T, name, position string, moves ...string) env.State {
	t.Helper()
	s := at(t, name, position)
	for _, move := range moves {
		a, err := s.ParseAction(move)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a)
	}
	return s
}

func wantPosition(t *testing.T, s env.State, want string) {
	t.Helper()
	if got := env.PositionText(s); got != want {
		t.Errorf("position is\n%s, want\n%s", got, want)
	}
}

func wantEnd(t *testing.T, s env.State, result env.Result, reason env.Reason) {
	t.Helper()
	if r, why := s.Result(); r != result || why != reason {
		t.Errorf("result is %d by %v, want %d by %v", r, why, result, reason)
	}
}

func wantLegal(t *testing.T, s env.State, want ...env.Action) {
	t.Helper()
	if got := s.Legal(nil); !slices.Equal(got, want) {
		t.Errorf("legal actions are %v, want %v", got, want)
	}
}

func TestSouthMovesFirstWithSeedsInEveryHouse(t *testing.T) {
	s := env.NewState(load(t, "ntxuva/basic").Game)
	wantPosition(t, s, full+" "+full+" s 0 0")
	if s.Player() != env.First {
		t.Errorf("player %d moves first", s.Player())
	}
}

func TestSowingRelaysFromOccupiedHouses(t *testing.T) {
	wantPosition(t, after(t, "ntxuva/basic", full+" "+full+" s 0 0", "0"), "1,4,1,3,3,0,3,3,0,3,3,0 "+full+" n 1 1")
}

func TestRelayOfFiveLaps(t *testing.T) {
	houses, end, laps, _ := sow([]int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 0)
	if end != 2 || laps != 5 || !slices.Equal(houses, []int{1, 4, 1, 3, 3, 0, 3, 3, 0, 3, 3, 0}) {
		t.Errorf("house 0 ends at %d after %d laps in %v", end, laps, houses)
	}
}

func TestCaptureTakesAttackAndTheDefenceBehind(t *testing.T) {
	s := after(t, "ntxuva/basic", full+" "+full+" s 0 0", "5x4")
	wantPosition(t, s, "3,0,3,3,0,1,4,1,3,3,0,3 2,0,2,2,2,2,2,2,2,2,0,2 n 0 1")
}

func TestAttackOnlySparesTheDefenceHouse(t *testing.T) {
	s := after(t, "ntxuva/attack-only", full+" "+full+" s 0 0", "5x2")
	wantPosition(t, s, "3,0,3,3,0,1,4,1,3,3,0,3 2,2,2,2,2,2,2,2,2,2,0,2 n 0 1")
}

func TestStartHouseIsNotSkipped(t *testing.T) {
	s := after(t, "ntxuva/basic", "0,0,0,0,0,0,12,0,0,0,0,0 "+lone+" s 0 0", "6")
	wantPosition(t, s, "1,1,1,1,1,1,1,1,1,1,1,1 "+lone+" n 1 1")
}

func TestLastPieceInDefenceCapturesNothing(t *testing.T) {
	s := after(t, "ntxuva/basic", "2,0,0,0,0,0,0,0,0,0,0,0 "+full+" s 0 0", "0")
	wantPosition(t, s, "0,1,1,0,0,0,0,0,0,0,0,0 "+full+" n 1 1")
}

func TestDefenceBehindAnEmptyAttackHouseIsSafe(t *testing.T) {
	enemy := "0,0,0,9,0,0,0,0,0,0,0,0"
	s := after(t, "ntxuva/basic", "0,0,0,0,0,0,2,0,0,0,0,0 "+enemy+" s 0 0", "6")
	wantPosition(t, s, "0,0,0,0,0,0,0,1,1,0,0,0 "+enemy+" n 1 1")
}

func TestRelayOfManyLapsIsLegal(t *testing.T) {
	own := []int{1, 0, 1, 4, 1, 0, 3, 2, 2, 2, 5, 2}
	houses, end, laps, _ := sow(own, 7)
	if laps != 492 || end < 0 {
		t.Errorf("house 7 takes %d laps and ends at %d", laps, end)
	}
	s := at(t, "ntxuva/basic", "1,0,1,4,1,0,3,2,2,2,5,2 "+full+" s 0 0")
	if !slices.Contains(s.Legal(nil), 7) {
		t.Fatal("house 7 is not legal")
	}
	s.Apply(7)
	for house, cell := range diagram(s).Cells[:6] {
		if cell.Count != houses[house] {
			t.Errorf("house %d holds %d, want %d", house, cell.Count, houses[house])
		}
	}
}

func diagram(s env.State) *env.Diagram {
	var d env.Diagram
	s.(env.Diagrammer).Diagram(&d)
	return &d
}

const endlessHouse0 = "3,1,0,1,0,1,0,1,0,1,2,1"

func TestEndlessStartIsIllegal(t *testing.T) {
	wantLegal(t, at(t, "ntxuva/basic", endlessHouse0+" "+full+" s 0 0"), 10)
	if slices.Contains(at(t, "ntxuva/4", "0,2,1,0,2,1,3,1 2,2,2,2,2,2,2,2 s 0 0").Legal(nil), 6) {
		t.Error("house 6 is legal with four columns")
	}
}

func TestEndlessStartPasses(t *testing.T) {
	s := at(t, `ntxuva/basic{"endless":"pass"}`, endlessHouse0+" "+full+" s 0 0")
	wantLegal(t, s, 0, 10)
	s.Apply(0)
	wantPosition(t, s, endlessHouse0+" "+full+" n 1 1")
	wantEnd(t, s, 0, env.NoReason)
}

func TestEndlessStartDraws(t *testing.T) {
	s := after(t, `ntxuva/basic{"endless":"draw"}`, endlessHouse0+" "+full+" s 0 0", "0")
	wantPosition(t, s, endlessHouse0+" "+full+" n 1 1")
	wantEnd(t, s, 0, env.Endless)
	wantLegal(t, s)
}

func TestSinglesWaitForHousesOfTwo(t *testing.T) {
	const position = "1,0,2,0,0,0,0,0,0,0,0,0 " + full + " s 0 0"
	wantLegal(t, at(t, "ntxuva/basic", position), 2)
	wantLegal(t, at(t, "ntxuva/singles", position), 0, 2)
}

func TestSingleMovesOnlyIntoAnEmptyHouse(t *testing.T) {
	const position = "0,1,1,0,0,0,0,0,0,0,0,0 " + full + " s 0 0"
	wantLegal(t, at(t, "ntxuva/basic", position), 2)
	wantLegal(t, at(t, "ntxuva/singles", position), 2)
}

func TestSingleStepGoesRoundTheCircuit(t *testing.T) {
	s := after(t, "ntxuva/basic", "0,0,0,0,0,0,0,0,0,0,0,1 "+full+" s 0 0", "11")
	wantPosition(t, s, lone+" "+full+" n 1 1")
}

func TestSingleStepRelaysOn(t *testing.T) {
	s := after(t, `ntxuva/basic{"single_step":"relay"}`, "0,1,1,0,0,0,0,0,0,0,0,0 "+full+" s 0 0", "1")
	wantPosition(t, s, "0,0,0,1,1,0,0,0,0,0,0,0 "+full+" n 1 1")
}

func TestSingleCaptures(t *testing.T) {
	s := after(t, "ntxuva/basic", "0,0,0,0,0,0,0,0,0,0,1,0 "+full+" s 5 9", "10x4")
	wantPosition(t, s, "0,0,0,0,0,0,0,0,0,0,0,1 2,2,2,2,2,0,0,2,2,2,2,2 n 0 10")
}

func TestPlayerWithoutPiecesHasLost(t *testing.T) {
	s := after(t, "ntxuva/basic", "0,0,0,0,0,0,0,0,0,0,1,0 0,0,0,0,0,4,5,0,0,0,0,0 s 5 9", "10x9")
	wantPosition(t, s, "0,0,0,0,0,0,0,0,0,0,0,1 "+empty+" n 0 10")
	wantEnd(t, s, 1, env.WipedOut)
	wantEnd(t, at(t, "ntxuva/basic", empty+" "+lone+" n 0 0"), -1, env.WipedOut)
}

func TestBothEmptyIsLostByTheSideToMove(t *testing.T) {
	wantEnd(t, at(t, "ntxuva/basic", empty+" "+empty+" s 0 0"), -1, env.WipedOut)
	wantEnd(t, at(t, "ntxuva/basic", empty+" "+empty+" n 0 0"), 1, env.WipedOut)
}

func TestPlayerWithoutLegalStartHasLost(t *testing.T) {
	const ones = "1,1,1,1,1,1,1,1,1,1,1,1"
	s := at(t, "ntxuva/basic", ones+" "+full+" s 0 0")
	wantEnd(t, s, -1, env.Blocked)
	if s.Player() != env.NoPlayer {
		t.Error("somebody is to move")
	}
}

func TestNothingButEndlessStartsIsBlocked(t *testing.T) {
	s := at(t, "ntxuva/4", "0,1,0,1,0,1,3,1 1,1,0,0,0,0,1,0 s 0 0")
	wantEnd(t, s, -1, env.Blocked)
}

func TestQuietPliesDraw(t *testing.T) {
	s := after(t, "ntxuva/basic", lone+" "+lone+" s 199 300", "0")
	wantEnd(t, s, 0, env.NoProgress)
	wantEnd(t, at(t, "ntxuva/basic", lone+" "+lone+" s 4711 0"), 0, env.NoProgress)
}

func TestNoProgressComesBeforeBlocked(t *testing.T) {
	const ones = "1,1,1,1,1,1,1,1,1,1,1,1"
	wantEnd(t, at(t, "ntxuva/basic", ones+" "+full+" s 200 0"), 0, env.NoProgress)
}

// bothEndless is a position in which both players can pass by house 0.
const bothEndless = endlessHouse0 + " " + endlessHouse0

func TestThirdOccurrenceDraws(t *testing.T) {
	s := at(t, `ntxuva/basic{"endless":"pass"}`, bothEndless+" s 0 0")
	for range 4 {
		wantEnd(t, s, 0, env.NoReason)
		s.Apply(0)
	}
	wantEnd(t, s, 0, env.Repetition)
	wantPosition(t, s, bothEndless+" s 4 4")
}

func TestRepetitionOffNeverDraws(t *testing.T) {
	s := at(t, `ntxuva/basic{"endless":"pass","repetition":0,"no_progress":0}`, bothEndless+" s 0 0")
	for range 2000 {
		s.Apply(0)
	}
	wantEnd(t, s, 0, env.NoReason)
	wantPosition(t, s, bothEndless+" s 2000 2000")
}

func TestMovesThatAreRefused(t *testing.T) {
	s := at(t, "ntxuva/basic", full+" "+full+" s 0 0")
	for move, why := range map[string]string{
		"": "does not begin with a house", "12": "does not begin", "-1": "does not begin", "01": "does not begin", "x4": "does not begin",
		"+1": "does not begin", "1 ": "does not begin", "99999999999999999999": "does not begin",
		"5x": "written 5x4", "5x3": "written 5x4", "5x04": "written 5x4", "0x0": "written 0", "0x": "written 0", "5x4x4": "written 5x4",
	} {
		if _, err := s.ParseAction(move); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: error %v, want %q", move, err, why)
		}
	}
	wantRefused := func(s env.State, move, why string) {
		t.Helper()
		if _, err := s.ParseAction(move); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: error %v, want %q", move, err, why)
		}
	}
	wantRefused(at(t, "ntxuva/basic", "1,0,2,0,0,0,0,0,0,0,0,0 "+full+" s 0 0"), "1", "house 1 is empty")
	wantRefused(at(t, "ntxuva/basic", "1,0,2,0,0,0,0,0,0,0,0,0 "+full+" s 0 0"), "0", "must wait while house 2")
	wantRefused(at(t, "ntxuva/basic", "0,1,1,0,0,0,0,0,0,0,0,0 "+full+" s 0 0"), "1", "may only go to an empty house")
	wantRefused(at(t, "ntxuva/basic", endlessHouse0+" "+full+" s 0 0"), "0", "never ends")
	wantRefused(at(t, "ntxuva/basic", empty+" "+full+" s 0 0"), "0", "the game is over: wiped_out")
}

func TestPositionsThatAreRefused(t *testing.T) {
	s := env.NewState(load(t, "ntxuva/basic").Game)
	for _, text := range []string{
		"", full, full + " " + full + " s 0", full + " " + full + " s 0 0 ", full + "  " + full + " s 0 0",
		full + " " + full + " w 0 0", full + " " + full + " s 00 0", full + " " + full + " s 0 -1", full + " " + full + " s 0 1000000001",
		full + ",2 " + full + " s 0 0", "02" + full[1:] + " " + full + " s 0 0", "3" + full[1:] + " " + full + " s 0 0",
		"25,0,0,0,0,0,0,0,0,0,0,0 " + full + " s 0 0", ",2,2,2,2,2,2,2,2,2,2,2 " + full + " s 0 0",
	} {
		if err := s.SetPosition(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
		wantPosition(t, s, full+" "+full+" s 0 0")
	}
}

func TestEveryFaultOfARuleSetIsNamed(t *testing.T) {
	rules := ntxuva.Rules{Columns: 1, Seeds: 0, Singles: "a", SingleStep: "b", Endless: "c", Capture: "d", NoProgress: 0, Repetition: 3}
	err := rules.Validate()
	for _, field := range []string{"game", "columns", "seeds", "singles", "single_step", "endless", "capture", "no_progress"} {
		if err == nil || !strings.Contains(err.Error(), field+" is ") {
			t.Errorf("%s is not named in: %v", field, err)
		}
	}
	_, err = variant.Load([]variant.Engine{ntxuva.Engine()}, `ntxuva/basic{"seeds":1}`, nil)
	if err == nil || !strings.Contains(err.Error(), "must give the first player a legal start") {
		t.Errorf("a start position without legal start: %v", err)
	}
}

func TestPresetsDifferAsThePageSays(t *testing.T) {
	for name, columns := range map[string]int{"basic": 6, "mpale": 8, "4": 4, "8": 8, "10": 10, "12": 12, "singles": 6, "attack-only": 6} {
		rules, _ := rulesOf(t, "ntxuva/"+name)
		want := ntxuva.Rules{
			Header: rules.Header, Columns: columns, Seeds: 2, Singles: "when_forced", SingleStep: "empty_only",
			Endless: "illegal", Capture: "pair", NoProgress: 200, Repetition: 3,
		}
		switch name {
		case "singles":
			want.Singles = "always"
		case "attack-only":
			want.Capture = "attack_only"
		}
		if rules != want {
			t.Errorf("%s is %+v", name, rules)
		}
	}
}
