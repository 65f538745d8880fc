package tankbattle_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

func wantScore(t *testing.T, s env.State, white, black int) {
	t.Helper()
	scorer := s.(env.Scorer)
	if scorer.Points(env.First) != white || scorer.Points(env.Second) != black {
		t.Errorf("%s: %d : %d, want %d : %d", env.PositionText(s), scorer.Points(env.First), scorer.Points(env.Second), white, black)
	}
	if env.Score(scorer, env.Second) != black-white {
		t.Errorf("Black's score is %d", env.Score(scorer, env.Second))
	}
}

func TestGameEndsWhenAllSurvivingTanksOfTheMoverAreInTheEnemyBase(t *testing.T) {
	for _, variant := range presetNames {
		s := pieces(t, variant, "w", "Tc8 Tb9 tf4")
		envtest.WantEnd(t, s, 0, env.NoReason)
		envtest.Play(t, s, "c8-c9")
		envtest.WantEnd(t, s, 1, env.AllHome)
		wantScore(t, s, 4, 1)
	}
}

func TestGameEndsWhenTheOtherPlayerIsAllHomeAfterAMove(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta4 tb5 th2")
	envtest.Play(t, s, "a4xb5")
	envtest.WantEnd(t, s, -1, env.AllHome)
	wantScore(t, s, 1, 2)
}

func TestEndCheckMoverTestsOnlyTheMover(t *testing.T) {
	s := pieces(t, "tankbattle/mover-ends", "w", "Ta4 tb5 th2")
	envtest.Play(t, s, "a4xb5")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "h2-i2")
	envtest.WantEnd(t, s, -1, env.AllHome)
}

func TestPlayerWithoutTanksCountsAsAllHomeWithScoreZero(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta4 tb5")
	envtest.Play(t, s, "a4xb5")
	envtest.WantEnd(t, s, 1, env.AllHome)
	wantScore(t, s, 1, 0)
	envtest.WantEnd(t, pieces(t, "tankbattle/mover-ends", "w", "tb5"), -1, env.NoMove)
	envtest.WantEnd(t, pieces(t, "tankbattle/mover-ends", "b", "tb5"), -1, env.AllHome)
}

func TestMoverEndsByNoMoveWhenTheLastEnemyTankIsTaken(t *testing.T) {
	s := pieces(t, "tankbattle/mover-ends", "w", "Ta4 tb5")
	envtest.Play(t, s, "a4xb5")
	envtest.WantEnd(t, s, 1, env.NoMove)
}

// minedCorner is a layout in which a tank can be shut in a corner.
const minedCorner = `tankbattle/standard{"layout":{"size":5,"white_base":["d1","e1"],"white_commander":"e1",` +
	`"black_base":["c5","d5","e5"],"black_commander":"c5","contaminated":[],"mines":["a4","b4"]}}`

func TestNoLegalMoveEndsTheGameAndScores(t *testing.T) {
	s := pieces(t, minedCorner, "b", "Ta5 Cb5 tc3 td3 cc5")
	envtest.Play(t, s, "d3-d4")
	envtest.WantEnd(t, s, 0, env.NoReason) // b5xc5
	s = pieces(t, minedCorner, "b", "Ta5 tb3 td3")
	envtest.Play(t, s, "b3-c3")
	envtest.WantEnd(t, s, 0, env.NoReason) // a5-b5
	s = pieces(t, `tankbattle/standard{"layout":{"size":5,"white_base":["d1","e1"],"white_commander":"e1",`+
		`"black_base":["c5","d5","e5"],"black_commander":"c5","contaminated":[],"mines":["a4","b4","b5"]}}`, "b", "Ta5 tc3 td3")
	envtest.Play(t, s, "d3-d4")
	envtest.WantEnd(t, s, -1, env.NoMove)
	wantScore(t, s, 1, 2)
}

func TestNoProgressEndsTheGameAndScores(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w 98 300", "Ta4 Tb4 tk11")
	envtest.Play(t, s, "a4-a5")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "k11-k10")
	envtest.WantEnd(t, s, 1, env.NoProgress)
	wantScore(t, s, 2, 1)
	envtest.WantEnd(t, pieces(t, "tankbattle/standard", "w 150 300", "Ta4 tk11"), 0, env.NoProgress)
}

func TestCaptureIsProgress(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w 99 300", "Ta4 ta5 tk11")
	envtest.Play(t, s, "a4xa5")
	envtest.WantEnd(t, s, 0, env.NoReason)
	if got, want := env.PositionText(s), boardText(11, "Ta5 tk11")+" b 0 301"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestEnteringTheEnemyBaseIsProgress(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w 99 300", "Ta4 Tb1 tk11")
	envtest.Play(t, s, "a4-a8")
	envtest.WantEnd(t, s, 0, env.NoReason)
	envtest.Play(t, s, "k11-k4")
	envtest.WantEnd(t, s, 1, env.AllHome)
}

func TestMovesInsideTheEnemyBaseAndIntoTheOwnOneAreNoProgress(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w 99 300", "Ta8 Tb1 tk11")
	envtest.Play(t, s, "a8-a9")
	envtest.WantEnd(t, s, 1, env.NoProgress)
	s = pieces(t, "tankbattle/standard", "b 99 300", "Tb1 tk11")
	envtest.Play(t, s, "k11-e11")
	envtest.WantEnd(t, s, 0, env.NoProgress)
}

func TestThirdOccurrenceOfAPositionDraws(t *testing.T) {
	s := env.NewState(load(t, "tankbattle/standard").Game)
	shuffle := []string{"j4-i5", "b8-c7", "i5-j4", "c7-b8"}
	for range 2 {
		envtest.WantEnd(t, s, 0, env.NoReason)
		envtest.Play(t, s, shuffle...)
	}
	envtest.WantEnd(t, s, 0, env.Repetition)
}

func TestRepetitionIsOfBoardAndPlayerNotOfSingleTanks(t *testing.T) {
	// Two white tanks change their places, and Black returns with the other side to move.
	s := pieces(t, `tankbattle/no-mines{"repetition":2}`, "w", "Ta1 Tb1 tk11 Ck5")
	envtest.Play(t, s, "a1-a2", "k11-k10", "b1-a1", "k10-k11", "a2-b1")
	if r, why := s.Result(); why != env.NoReason {
		t.Errorf("%d %v with Black to move", r, why)
	}
	envtest.Play(t, s, "k11-k10", "k5-k6", "k10-k9", "k6-k5", "k9-k11")
	envtest.WantEnd(t, s, 0, env.Repetition)
}

func TestAllHomeComesBeforeNoProgressAndThatBeforeRepetition(t *testing.T) {
	s := pieces(t, `tankbattle/standard{"no_progress":4,"repetition":2}`, "w", "Ta1 tk11 tk10")
	envtest.Play(t, s, "a1-a2", "k11-j11", "a2-a1", "j11-k11")
	envtest.WantEnd(t, s, -1, env.NoProgress)
	envtest.WantEnd(t, pieces(t, "tankbattle/standard", "w 100 300", "Ta1 th2"), -1, env.AllHome)
}

func TestRepetitionAndNoProgressCanBeSwitchedOff(t *testing.T) {
	s := env.NewState(load(t, `tankbattle/standard{"repetition":0,"no_progress":0}`).Game)
	for range 60 {
		envtest.Play(t, s, "j4-i5", "b8-c7", "i5-j4", "c7-b8")
	}
	envtest.WantEnd(t, s, 0, env.NoReason)
}

// The check value of the rules.
func TestScoreFourToSeven(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Cb9 Td4 Te3 ck1 ti3 tj4")
	wantScore(t, s, 4, 7)
	envtest.WantEnd(t, s, -1, env.AllHome)
}

func TestEachSurvivingTankScoresByWhereItStands(t *testing.T) {
	for _, c := range []struct {
		list         string
		white, black int
	}{
		{"Ca11 Td4 te4", 4, 1}, // commander on the mark
		{"Cb9 Td4 te4", 3, 1},  // commander elsewhere in the base
		{"Ta11 Td4 te4", 3, 1}, // ordinary tank on the mark
		{"Ck1 Td4 te4", 2, 1},  // commander on its own mark
		{"Td4 ck1 te4", 1, 4},
		{"Td4 ch2 te4", 1, 3},
		{"Td4 tk1 te4", 1, 3},
	} {
		s := pieces(t, "tankbattle/standard", "w", c.list)
		wantScore(t, s, c.white, c.black)
	}
}

func TestPointsAreAParameter(t *testing.T) {
	const variant = `tankbattle/standard{"points":{"commander_home":30,"commander_in_base":7,"tank_in_base":5,"elsewhere":0}}`
	wantScore(t, pieces(t, variant, "w", "Ca11 Td4 tk4 te4"), 30, 5)
	wantScore(t, pieces(t, variant, "w", "Ca10 Ta9 Td4 tk4 ck1"), 12, 35)
}

func TestScoreRunsWithTheGame(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ca4 Tb1 tk11 tk10")
	wantScore(t, s, 2, 2)
	envtest.Play(t, s, "a4-a10")
	wantScore(t, s, 3, 2)
	envtest.Play(t, s, "k11-j11", "a10-a11")
	wantScore(t, s, 4, 2)
	s = pieces(t, "tankbattle/standard", "b", "Ta10 Tb1 ca11 tk10")
	wantScore(t, s, 3, 2)
	envtest.Play(t, s, "a11xa10")
	wantScore(t, s, 1, 2)
}

func TestEndingTheGameWhileBehindLosesIt(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Tc8 ch2 tg4")
	envtest.Play(t, s, "c8-c9")
	envtest.WantEnd(t, s, -1, env.AllHome)
	wantScore(t, s, 2, 3)
}

func TestAllHomeIsDrawnWithEqualPoints(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Tc8 th4 tg4")
	envtest.Play(t, s, "c8-c9")
	envtest.WantEnd(t, s, 0, env.AllHome)
}

func TestFinalPositionsReadBackAsFinal(t *testing.T) {
	for _, name := range presetNames {
		envtest.WalkGames(load(t, name).Game, 5, func(s env.State) {
			result, reason := s.Result()
			if reason == env.NoReason || reason == env.Repetition {
				return
			}
			envtest.WantEnd(t, position(t, name, env.PositionText(s)), result, reason)
		})
	}
}
