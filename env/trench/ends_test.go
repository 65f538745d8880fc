package trench_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

func TestReachingTheTargetWinsAtOnce(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/4Cp2/8/8/7g b 24-0 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 1, env.Points)
}

func TestOnlyTheMoverReachesTheTarget(t *testing.T) {
	s := position(t, "trench/standard", "7g/8/8/8/8/8/8/G7 b 30-0 0 40")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "a1-a2")
	envtest.WantEnd(t, s, 1, env.Points)
	envtest.WantEnd(t, position(t, "trench/standard", "7g/8/8/8/8/8/8/G7 b 0-30 0 40"), -1, env.Points)
}

func TestTargetZeroIsOff(t *testing.T) {
	s := position(t, "trench/long-2013", "6pg/8/8/8/4Cp2/8/8/G7 b 24-0 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 0, env.NoReason)
}

const lastMove = "6pg/8/8/8/4Cp2/8/2c5/G1P5 b 24-22 0 40"

func TestEqualTurnsGivesWhiteOneMoreMove(t *testing.T) {
	s := position(t, "trench/equal-turns", lastMove)
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "c2-c1xc1")
	envtest.WantEnd(t, s, 1, env.Points)
}

func TestEqualTurnsEqualPointsDraw(t *testing.T) {
	s := position(t, "trench/equal-turns", "6pg/8/8/8/4Cp2/8/2c5/G1C5 b 24-22 0 40")
	envtest.Play(t, s, "e4-f4xf4", "c2-c1xc1")
	envtest.WantEnd(t, s, 0, env.Points)
}

func TestEqualTurnsWhiteMayOvertake(t *testing.T) {
	s := position(t, "trench/equal-turns", "6pg/8/8/8/4Cp2/8/2c5/G1L5 b 24-22 0 40")
	envtest.Play(t, s, "e4-f4xf4", "c2-c1xc1")
	envtest.WantEnd(t, s, -1, env.Points)
}

func TestEqualTurnsWhiteReachingFirstEndsAtOnce(t *testing.T) {
	s := position(t, "trench/equal-turns", "6pg/8/8/8/4Cp2/8/2c5/G1L5 w 24-22 0 40")
	envtest.Play(t, s, "c2-c1xc1")
	envtest.WantEnd(t, s, -1, env.Points)
}

func TestPendingMoveFollowsFromThePositionText(t *testing.T) {
	s := position(t, "trench/equal-turns", "6pg/8/8/8/8/8/8/G7 w 25-12 0 40")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "g8-f8")
	envtest.WantEnd(t, s, 1, env.Points)
	envtest.WantEnd(t, position(t, "trench/equal-turns", "6pg/8/8/8/8/8/8/G7 b 25-12 0 40"), 1, env.Points)
	envtest.WantEnd(t, position(t, "trench/equal-turns", "6pg/8/8/8/8/8/8/G7 b 25-25 0 40"), 0, env.Points)
}

func TestCapturingTheGeneralWins(t *testing.T) {
	s := position(t, "trench/general", "8/8/8/8/4Cg1p/8/8/G7 b 0-0 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 1, env.General)
	s = position(t, "trench/standard", "8/8/8/8/4Cg1p/8/8/G7 b 0-0 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 0, env.NoReason)
}

func TestMissingGeneralLosesForTheSideToMove(t *testing.T) {
	envtest.WantEnd(t, position(t, "trench/general", "8/8/8/8/5p2/8/8/G7 w 0-0 0 40"), 1, env.General)
	envtest.WantEnd(t, position(t, "trench/general", "8/8/8/8/5p2/8/8/G7 b 0-0 0 40"), 0, env.NoReason)
}

func TestTargetComesBeforeTheGeneral(t *testing.T) {
	s := position(t, "trench/general", "8/8/8/8/4Cg1p/8/8/G7 b 20-0 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 1, env.Points)
}

const generalAndTurns = `trench/general{"equal_turns":true}`

func TestWithEqualTurnsTheGeneralEndsAtOnce(t *testing.T) {
	s := position(t, generalAndTurns, "8/8/8/8/4Cg1p/8/8/G7 b 20-0 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 1, env.General)
}

func TestPendingLastMoveIsDecidedByPointsAlone(t *testing.T) {
	s := position(t, generalAndTurns, "7g/8/8/8/8/8/8/Gs6 w 25-12 0 40")
	envtest.Play(t, s, "b1-a1xa1")
	envtest.WantEnd(t, s, 1, env.Points)
}

func TestArmyWithNoPieceLeftHasLost(t *testing.T) {
	s := position(t, "trench/long-2013", "8/8/8/8/4Cg2/8/8/G7 b 0-20 0 40")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 1, env.Annihilated)
	envtest.WantEnd(t, position(t, "trench/long-2013", "8/8/8/8/8/8/8/G7 b 0-20 0 40"), 1, env.Annihilated)
	envtest.WantEnd(t, position(t, "trench/long-2013", "8/8/8/8/8/8/8/G7 w 0-20 0 40"), 1, env.Annihilated)
}

func TestMoveLimitCountsPointsAfterThatManyMovesEach(t *testing.T) {
	s := position(t, "trench/short-2013", "7g/8/8/8/8/8/8/G7 b 7-6 0 48")
	envtest.Play(t, s, "a1-a2")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "h8-h7")
	envtest.WantEnd(t, s, 1, env.MoveLimit)
	envtest.WantEnd(t, position(t, "trench/short-2013", "7g/8/8/8/8/8/8/G7 b 6-6 0 60"), 0, env.MoveLimit)
}

func TestMoveLimitComesBeforeTheArmistice(t *testing.T) {
	envtest.WantEnd(t, position(t, "trench/short-2013", "7g/8/8/8/8/8/8/G7 b 6-7 100 50"), -1, env.MoveLimit)
}

func TestArmisticeCountsPointsAfterQuietPlies(t *testing.T) {
	s := position(t, "trench/standard", "7g/8/8/8/8/8/8/G7 b 7-6 98 148")
	envtest.Play(t, s, "a1-a2")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "h8-h7")
	envtest.WantEnd(t, s, 1, env.Armistice)
}

func TestProgressIsACapture(t *testing.T) {
	s := position(t, "trench/standard", "7g/8/8/8/4Cp2/8/8/G7 b 0-0 99 148")
	envtest.Play(t, s, "e4-f4xf4")
	envtest.WantEnd(t, s, 0, env.NoReason)
	if got, want := env.PositionText(s), "7g/8/8/8/5C2/8/8/G7 w 1-0 0 149"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestArmisticeComesBeforeRepetition(t *testing.T) {
	s := position(t, `trench/standard{"no_progress":8}`, "7g/8/8/8/8/8/8/G7 b 0-1 0 0")
	envtest.Play(t, s, "a1-a2", "h8-h7", "a2-a1", "h7-h8", "a1-a2", "h8-h7", "a2-a1", "h7-h8")
	envtest.WantEnd(t, s, -1, env.Armistice)
}

func TestRepetitionDrawsWithTheStartAsFirstOccurrence(t *testing.T) {
	s := env.NewState(load(t, "trench/standard").Game)
	shuffle := []string{"a4-a5", "h5-h4", "a5-a4", "h4-h5"}
	envtest.Play(t, s, shuffle...)
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, shuffle[:3]...)
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, shuffle[3])
	envtest.WantEnd(t, s, 0, env.Repetition)
}

func TestRepetitionNeedsTheSamePlayerToMove(t *testing.T) {
	s := position(t, `trench/standard{"repetition":2}`, "6gl/8/8/8/8/8/8/GL6 b 0-0 0 0")
	envtest.Play(t, s, "a1-a3", "g8-f8", "a3-a2", "f8-g8")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "a2-a1")
	envtest.WantEnd(t, s, 0, env.NoReason) // the start board, but White is to move
}

func TestRepetitionIsBlindToWhichPieceStandsWhere(t *testing.T) {
	s := position(t, `trench/standard{"repetition":2}`, "7g/8/8/8/8/1P6/P1P5/8 b 0-0 0 0")
	envtest.Play(t, s, "a2-a3", "h8-h7", "c2-b2", "h7-h8", "a3-a2", "h8-h7", "b2-c2")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "h7-h8")
	envtest.WantEnd(t, s, 0, env.Repetition)
	s = position(t, `trench/standard{"repetition":2}`, "7g/8/8/8/8/8/P7/1P6 b 0-0 0 0")
	envtest.Play(t, s, "a2-a1", "h8-h7", "b1-b2", "h7-h8", "b2-a2", "h8-h7", "a1-b1", "h7-h8")
	envtest.WantEnd(t, s, 0, env.Repetition)
}

func TestRepetitionStartsAnewAtAPositionText(t *testing.T) {
	s := env.NewState(load(t, "trench/standard").Game)
	shuffle := []string{"a4-a5", "h5-h4", "a5-a4", "h4-h5"}
	envtest.Play(t, s, shuffle...)
	if err := s.SetPosition(env.PositionText(s)); err != nil {
		t.Fatal(err)
	}
	envtest.Play(t, s, shuffle...)
	envtest.WantEnd(t, s, 0, env.NoReason)
}

func TestRepetitionZeroIsOff(t *testing.T) {
	s := position(t, `trench/standard{"repetition":0,"no_progress":0}`, "7g/8/8/8/8/8/8/G7 b 0-1 0 0")
	for range 200 {
		envtest.Play(t, s, "a1-a2", "h8-h7", "a2-a1", "h7-h8")
	}
	envtest.WantEnd(t, s, 0, env.NoReason)
}

func TestNoLegalMoveCountsPoints(t *testing.T) {
	const blocked = `trench/standard{"pieces":{"P":{"directions":["N"]}}}`
	envtest.WantEnd(t, position(t, blocked, "P6g/8/8/8/8/8/8/8 b 3-2 0 10"), 1, env.NoMove)
	s := position(t, blocked, "7g/P7/8/8/8/8/8/8 b 2-2 0 10")
	envtest.Play(t, s, "a7-a8", "h8-h7")
	envtest.WantEnd(t, s, 0, env.NoMove)
}

func TestFinalPositionReadsBackAsFinal(t *testing.T) {
	for _, name := range presetNames {
		g := load(t, name).Game
		s, again := env.NewState(g), env.NewState(g)
		rand := env.NewRand(5)
		for range 40 {
			for s.Reset(); s.Player() != env.NoPlayer; {
				legal := s.Legal(nil)
				s.Apply(legal[rand.IntN(len(legal))])
			}
			result, reason := s.Result()
			if reason == env.Repetition {
				continue
			}
			if err := again.SetPosition(env.PositionText(s)); err != nil {
				t.Fatal(err)
			}
			envtest.WantEnd(t, again, result, reason)
		}
	}
}
