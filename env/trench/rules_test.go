package trench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

func TestPerftFromTheStart(t *testing.T) {
	g := load(t, "trench/standard").Game
	s := env.NewState(g)
	for i, want := range []uint64{14, 192, 3894, 78372} {
		if got := env.Perft(g, s, i+1); got != want {
			t.Errorf("perft %d is %d, want %d", i+1, got, want)
		}
	}
}

func TestTheFourteenFirstMoves(t *testing.T) {
	want := strings.Fields("a4-a5 a4-a6 a4-b5 a4-c6 b4-b5 c4-c5 d1-e1 d1-f1 d1-e2 d1-f3 d2-e2 d3-e3 d4-e4 d4-d5")
	slices.Sort(want)
	if got := moves(env.NewState(load(t, "trench/standard").Game), ""); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestBlackMovesFirst(t *testing.T) {
	s := env.NewState(load(t, "trench/standard").Game)
	if s.Player() != env.First || s.(env.PieceLister).Pieces(nil)[0].Square != 0 {
		t.Error("player 0 must move first and have the corner a1")
	}
}

func TestWhiteStartsTurnedByHalfACircle(t *testing.T) {
	board := map[int16]env.Piece{}
	pieces := env.NewState(load(t, "trench/standard").Game).(env.PieceLister).Pieces(nil)
	if len(pieces) != 32 {
		t.Fatalf("%d pieces", len(pieces))
	}
	for _, p := range pieces {
		board[p.Square] = p
	}
	for square, p := range board {
		if q := board[63-square]; q.Type != p.Type || q.Owner == p.Owner {
			t.Errorf("squares %d and %d hold %v and %v", square, 63-square, p, q)
		}
	}
}

func TestAnArmyIsWorth36Points(t *testing.T) {
	total := 0
	for _, p := range load(t, "trench/standard").Game.Spec().Pieces {
		for _, a := range p.Attributes {
			if a.Name == "points" {
				total += p.Count[0] * a.Value
			}
		}
	}
	if total != 36 {
		t.Errorf("%d points", total)
	}
}

func TestRanksGoTheirDirectionsAndRanges(t *testing.T) {
	for _, c := range []struct{ board, square, want string }{
		{"7g/8/8/8/8/3G4/8/8", "d3", "d3-a3 d3-a6 d3-b1 d3-b3 d3-b5 d3-c2 d3-c3 d3-c4 d3-d1 d3-d2 d3-d4 d3-d5 d3-d6 d3-d7 d3-d8 d3-e2 d3-e3 d3-e4 d3-f1 d3-f3 d3-f5 d3-g3 d3-g6 d3-h3 d3-h7"},
		{"7g/8/8/8/8/3L4/8/8", "d3", "d3-a3 d3-a6 d3-b3 d3-b5 d3-c3 d3-c4 d3-d1 d3-d2 d3-d4 d3-d5 d3-d6 d3-d7 d3-e2 d3-e3 d3-e4 d3-f1 d3-f3 d3-f5 d3-g3 d3-g6 d3-h3 d3-h7"},
		{"7g/8/8/8/8/3C4/8/8", "d3", "d3-a3 d3-b1 d3-b3 d3-c2 d3-c3 d3-d1 d3-d2 d3-d4 d3-d5 d3-d6 d3-e3 d3-e4 d3-f3 d3-f5 d3-g3 d3-g6"},
		{"7g/8/8/8/8/3S4/8/8", "d3", "d3-b3 d3-c3 d3-d1 d3-d2 d3-d4 d3-d5 d3-e3 d3-e4 d3-f3 d3-f5"},
		{"7g/8/8/8/8/3P4/8/8", "d3", "d3-c3 d3-d2 d3-d4 d3-e3"},
	} {
		wantMoves(t, position(t, "trench/standard", c.board+" b 0-0 0 0"), c.square, c.want)
	}
}

func TestWhiteNegatesEachDirection(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "8/8/8/3s4/8/8/8/G7 w 0-0 0 0"), "d5", "d5-b3 d5-b5 d5-c4 d5-c5 d5-d3 d5-d4 d5-d6 d5-d7 d5-e5 d5-f5")
}

func TestDirectionsNeverChangeInEnemyTerritory(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "8/6S1/8/8/8/8/8/g7 b 0-0 0 0"), "g7", "g7-e7 g7-f7 g7-g5 g7-g6 g7-g8 g7-h7 g7-h8")
}

func TestOwnPieceStopsTheWalk(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "7g/8/8/8/8/8/C2P4/GP6 b 0-0 0 0"), "a2", "a2-a3 a2-a4 a2-a5 a2-b2 a2-b3 a2-c2 a2-c4 a2-d5")
}

func TestCaptureStopsTheWalkFromOwnTerritory(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "8/8/8/1pPp4/3p4/1pGp4/1p1P4/2g5 b 0-0 0 0"), "c3",
		"c3-a5 c3-b2xb2 c3-b3xb3 c3-b4 c3-c1xc1 c3-c2 c3-c4 c3-d3xd3 c3-d4xd4")
}

func TestEnemyOnTheTrenchIsSafeFromOwnTerritory(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "7g/8/8/8/G3p3/8/8/8 b 0-0 0 0"), "a4",
		"a4-a1 a4-a2 a4-a3 a4-a5 a4-a6 a4-a7 a4-a8 a4-b3 a4-b4 a4-b5 a4-c2 a4-c4 a4-c6 a4-d1 a4-d4 a4-d7 a4-e8")
}

func TestPieceCrossesAnEmptyTrenchSquareAndCapturesBeyondOnce(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "7g/8/8/8/3P1ppp/8/8/8 b 0-0 0 0"), "d4", "d4-c4 d4-d3 d4-d5 d4-e4")
	s := position(t, "trench/standard", "8/8/8/8/2G2pp1/8/8/7g b 0-0 0 0")
	got := moves(s, "c4")
	if !slices.Contains(got, "c4-f4xf4") || slices.ContainsFunc(got, func(m string) bool { return strings.HasPrefix(m, "c4-g4") }) {
		t.Errorf("%v", got)
	}
}

func TestEnemyTerritoryCapturesOnTheTrenchToo(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "7g/8/8/8/2p1pC2/8/8/8 b 0-0 0 0"), "f4",
		"f4-c1 f4-d2 f4-e3 f4-e4xe4 f4-f1 f4-f2 f4-f3 f4-f5 f4-f6 f4-f7 f4-g4 f4-g5 f4-h4 f4-h6")
}

func TestEnemyTerritoryCapturesInBothTerritories(t *testing.T) {
	got := moves(position(t, "trench/standard", "7g/8/8/8/3p1C1p/8/8/8 b 0-0 0 0"), "f4")
	for _, want := range []string{"f4-d4xd4", "f4-h4xh4"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %v", want, got)
		}
	}
}

func TestTrenchCannotCaptureOnTheTrenchOrAtHome(t *testing.T) {
	got := moves(position(t, "trench/standard", "8/8/2p5/3G4/3pp3/8/8/7g b 0-0 0 0"), "d5")
	for _, barred := range []string{"d5-c6", "d5-b7", "d5-e4", "d5-d4", "d5-d3"} {
		if slices.ContainsFunc(got, func(m string) bool { return strings.HasPrefix(m, barred) }) {
			t.Errorf("%s is among %v", barred, got)
		}
	}
}

func TestChargeTakesEveryEnemyOnItsLine(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/4Gppp/8/8/7g b 0-0 0 0")
	got := moves(s, "e4")
	for _, want := range []string{"e4-f4xf4", "e4-g4xf4xg4", "e4-h4xf4xg4xh4"} {
		if !slices.Contains(got, want) {
			t.Fatalf("%s is not among %v", want, got)
		}
	}
	envtest.Play(t, s, "e4-h4")
	if got, want := env.PositionText(s), "8/8/8/8/7G/8/8/7g w 3-0 0 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestChargeMayLandOnAnEmptySquareBeyond(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/4Gp1p/8/8/7g b 0-0 0 0")
	envtest.Play(t, s, "e4-g4xf4")
	if got, want := env.PositionText(s), "8/8/8/8/6Gp/8/8/7g w 1-0 0 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestChargeStopsAtAnOwnPieceAndAtItsRange(t *testing.T) {
	got := moves(position(t, "trench/standard", "8/8/8/8/4SppP/8/8/7g b 0-0 0 0"), "e4")
	if !slices.Contains(got, "e4-g4xf4xg4") || slices.ContainsFunc(got, func(m string) bool { return strings.HasPrefix(m, "e4-h4") }) {
		t.Errorf("%v", got)
	}
}

func TestWhiteChargesIntoBlackTerritory(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/PPPPc3/8/8/G7 w 0-0 0 0")
	envtest.Play(t, s, "e4-b4xd4xc4xb4")
	if got, want := env.PositionText(s), "8/8/8/8/Pc6/8/8/G7 b 0-3 0 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCapturingIsNeverCompulsory(t *testing.T) {
	wantMoves(t, position(t, "trench/standard", "7g/8/8/8/8/3p4/3P4/8 b 0-0 0 0"), "d2", "d2-c2 d2-d1 d2-d3xd3 d2-e2")
}
