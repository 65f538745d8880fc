package tankbattle_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

// boardText writes a board field of pieces such as "Tc3 ck1".
func boardText(size int, list string) string {
	at := map[string]string{}
	for _, piece := range strings.Fields(list) {
		at[piece[1:]] = piece[:1]
	}
	var rows []string
	for y := size - 1; y >= 0; y-- {
		row, empty := "", 0
		for x := range size {
			piece := at[squareName(x, y)]
			if piece != "" && empty > 0 {
				row, empty = row+strconv.Itoa(empty), 0
			}
			if row += piece; piece == "" {
				empty++
			}
		}
		if empty > 0 {
			row += strconv.Itoa(empty)
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, "/")
}

// pieces sets up a position of pieces such as "Tc3 ck1". What follows the side
// in after are the counters, 0 0 if there are none.
func pieces(t testing.TB, variant, after, list string) env.State {
	t.Helper()
	if !strings.Contains(after, " ") {
		after += " 0 0"
	}
	return position(t, variant, boardText(load(t, variant).Game.Spec().Width, list)+" "+after)
}

// can tells whether a move is legal.
func can(s env.State, move string) bool { return slices.Contains(moves(s, ""), move) }

func wantLegal(t *testing.T, s env.State, legal bool, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if can(s, text) != legal {
			t.Errorf("%s: %s is legal: %v, want %v", env.PositionText(s), text, !legal, legal)
		}
	}
}

func TestPerftFromTheStart(t *testing.T) {
	g := load(t, "tankbattle/standard").Game
	for i, want := range perftCounts {
		if got := env.Perft(g, env.NewState(g), i+1); got != want {
			t.Errorf("perft %d is %d, want %d", i+1, got, want)
		}
	}
}

func TestWhiteMovesFirst(t *testing.T) {
	g := load(t, "tankbattle/standard").Game
	if g.Spec().Players[env.First] != "White" || env.NewState(g).Player() != env.First {
		t.Error("player 0 must be White and move first")
	}
}

func TestCommanderStartsOnItsMarkAndThirteenTanksInTheBase(t *testing.T) {
	g := load(t, "tankbattle/standard").Game
	if got := g.Spec().StartText; got != "ctttt6/tttt7/ttt8/tt9/11/11/11/9TT/8TTT/7TTTT/6TTTTC w 0 0" {
		t.Error(got)
	}
	for _, p := range g.Spec().Pieces {
		if want := map[string]int{"Commander": 1, "Tank": 13}[p.Name]; p.Count != [2]int{want, want} {
			t.Errorf("%s: %v", p.Name, p.Count)
		}
	}
}

func TestEachCommanderStartsInTheRightHandBottomCornerAsItsPlayerSeesTheBoard(t *testing.T) {
	g := load(t, "tankbattle/standard").Game
	planes := make([]uint8, g.Spec().ObservationSize())
	for viewer := range env.Player(2) {
		env.NewState(g).Observe(planes, viewer)
		if planes[10] != 1 { // own commander, the last square of the first row
			t.Errorf("player %d does not", viewer)
		}
	}
}

func TestTankGoesAnyNumberOfSquaresInTheEightDirections(t *testing.T) {
	s := pieces(t, "tankbattle/no-mines", "w", "Tc3 ta11")
	wantMoves(t, s, "", "c3-c4 c3-c5 c3-c6 c3-c7 c3-c8 c3-c9 c3-c10 c3-c11 c3-d4 c3-d3 c3-e3 c3-f3 c3-g3 c3-h3 c3-i3 c3-j3 c3-k3 "+
		"c3-d2 c3-e1 c3-c2 c3-c1 c3-b2 c3-a1 c3-b3 c3-a3 c3-b4 c3-a5")
}

func TestMinesAreNeverEnteredAndNeverPassed(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Tc4 Te3 tk11 Ck6")
	wantLegal(t, s, false, "c4-c5", "c4-c6", "e3-c5", "e3-b6", "k6-j5", "k6-i4")
	wantLegal(t, s, true, "e3-d4", "c4-b5", "c4-c3")
}

func TestNoTankIsJumped(t *testing.T) {
	s := pieces(t, "tankbattle/no-mines", "w", "Ta3 Tc3 te3 Tg3 tk11")
	wantLegal(t, s, true, "a3-b3", "c3-b3", "c3-d3", "c3xe3", "g3-f3", "g3xe3")
	wantLegal(t, s, false, "a3-c3", "a3xc3", "a3-d3", "c3-f3", "g3-d3", "c3-e3")
}

func TestContaminatedSquaresAreEnteredAndPassedByCommandersOnly(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Td6 tk11")
	wantLegal(t, s, false, "d6-e6", "d6-f6", "d6-h6", "d6-e5", "d6-e7")
	s = pieces(t, "tankbattle/standard", "w", "Cd6 tk11")
	wantLegal(t, s, true, "d6-e6", "d6-f6", "d6-g6", "d6-h6", "d6-k6", "d6-e5", "d6-f4", "d6-e7", "d6-f8")
}

func TestCapturingEndsTheMoveAndTakesTheTankForGood(t *testing.T) {
	s := pieces(t, "tankbattle/no-mines", "w", "Ta3 tc3 te3 tk11")
	wantLegal(t, s, false, "a3-d3", "a3xe3")
	envtest.Play(t, s, "a3xc3")
	if got, want := env.PositionText(s), boardText(11, "Tc3 te3 tk11")+" b 0 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestLosingTheCommanderDoesNotEndTheGame(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta3 cc3 ta11")
	envtest.Play(t, s, "a3xc3")
	envtest.WantEnd(t, s, 0, env.NoReason)
}

func TestCommanderOnAContaminatedSquareIsNotCapturedByACommander(t *testing.T) {
	for _, variant := range []string{"tankbattle/standard", "tankbattle/duel-either"} {
		s := pieces(t, variant, "w", "Cd6 cf6 tk11")
		wantLegal(t, s, true, "d6-e6")
		wantLegal(t, s, false, "d6xf6", "d6-f6")
		wantLegal(t, pieces(t, variant, "b", "Ce5 cg5 tk11"), false, "g5xe5")
	}
}

func TestDuelTargetLetsACommanderOnAContaminatedSquareCapture(t *testing.T) {
	wantLegal(t, pieces(t, "tankbattle/standard", "b", "Cd6 cf6 tk11"), true, "f6xd6")
}

func TestDuelEitherForbidsACommanderOnAContaminatedSquareToCaptureTheOther(t *testing.T) {
	s := pieces(t, "tankbattle/duel-either", "b", "Cd6 Tc3 cf6 tk11")
	wantLegal(t, s, false, "f6xd6")
	wantLegal(t, s, true, "f6xc3", "f6-e6")
}

func TestCommandersOffTheContaminatedSquaresCaptureEachOther(t *testing.T) {
	for _, variant := range []string{"tankbattle/standard", "tankbattle/duel-either"} {
		wantLegal(t, pieces(t, variant, "w", "Cd6 ck6 ta11"), true, "d6xk6")
		s := pieces(t, variant, "b", "Cd6 ce6 ta11 Ta1")
		envtest.Play(t, s, "e6-h3", "a1-a2", "h3-h6")
		wantLegal(t, s, true, "d6xh6")
	}
}

func TestCommanderThatMayNotBeCapturedStopsTheWalkLikeAnOwnTank(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Cd6 cf6 th6")
	wantLegal(t, s, false, "d6xh6", "d6-g6")
	s = pieces(t, "tankbattle/duel-either", "b", "Cd6 cf6 tk11 Tc6")
	wantLegal(t, s, false, "f6xc6", "f6-c6")
}

func TestDuelFollowsTheCommandersAsTheyMove(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "b", "Cd6 ch6 ta11 Ta1")
	envtest.Play(t, s, "h6-g6")
	wantLegal(t, s, false, "d6xg6")
	envtest.Play(t, s, "a1-a2", "g6-h6")
	wantLegal(t, s, true, "d6xh6")
	s = pieces(t, "tankbattle/standard", "b", "Cd6 cg6 ta11 th4 Ta1")
	envtest.Play(t, s, "h4-i4")
	wantLegal(t, s, false, "d6xg6")
}

func TestTankInTheEnemyBaseMovesOnlyInsideIt(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta9 Ta1 tk11")
	wantMoves(t, s, "a9", "a9-a10 a9-a11 a9-b10 a9-c11 a9-b9 a9-c9 a9-b8 a9-a8")
	wantMoves(t, pieces(t, "tankbattle/standard", "b", "Ta1 tk11 ck3"), "k3", "k3-k4 k3-j3 k3-i3 k3-j2 k3-i1 k3-k2 k3-k1 k3-j4")
}

func TestTankMayCaptureInTheEnemyBase(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta9 Ta1 tb9")
	wantLegal(t, s, true, "a9xb9")
	wantLegal(t, s, false, "a9-c9")
}

// gappedBase is a layout whose black base has a gap.
const gappedBase = `tankbattle/standard{"layout":{"size":7,"white_base":["a1","b1"],"white_commander":"a1",` +
	`"black_base":["c4","e4"],"black_commander":"c4","contaminated":[],"mines":[]}}`

func TestWholePathStaysInTheEnemyBase(t *testing.T) {
	wantMoves(t, pieces(t, gappedBase, "w", "Tc4 Ca1 tg7"), "c4", "")
}

func TestPassingOverTheEnemyBaseWithoutStoppingIsFree(t *testing.T) {
	wantLegal(t, pieces(t, gappedBase, "w", "Ta4 tg7"), true, "a4-b4", "a4-c4", "a4-d4", "a4-e4", "a4-f4", "a4-g4")
}

func TestOwnBaseIsLeftAndEnteredAtWill(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Tj4 Ta1 ta11 tb11")
	envtest.Play(t, s, "j4-h4", "a11-a10", "h4-k4", "a10-a11")
	wantLegal(t, s, true, "k4-g4", "k4-k1")
	envtest.WantEnd(t, s, 0, env.NoReason)
}

func TestThereIsNoPassing(t *testing.T) {
	s := env.NewState(load(t, "tankbattle/standard").Game)
	before := env.PositionText(s)
	for _, a := range s.Legal(nil) {
		s.Reset()
		s.Apply(a)
		if strings.Fields(env.PositionText(s))[0] == strings.Fields(before)[0] {
			t.Errorf("action %d leaves the board as it is", a)
		}
	}
}
