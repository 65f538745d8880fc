package tankchess_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

// The boards without terrain on which most rules are shown.
const (
	open16 = "tankchess/16x16{" + openBoard + "}"
	open20 = "tankchess/20x20{" + openBoard + "}"
)

func moveTexts(s env.State) (texts []string) {
	for _, a := range s.Legal(nil) {
		texts = append(texts, env.ActionText(s, a))
	}
	return texts
}

// wantLegal demands that the moves are legal in a position of a variant.
func wantLegal(t *testing.T, variant, position string, moves ...string) {
	t.Helper()
	texts := moveTexts(setUp(t, variant, position))
	for _, move := range moves {
		if !slices.Contains(texts, move) {
			t.Errorf("%s in %s: %s is not legal", variant, position, move)
		}
	}
}

// wantIllegal demands that they are not.
func wantIllegal(t *testing.T, variant, position string, moves ...string) {
	t.Helper()
	s := setUp(t, variant, position)
	texts := moveTexts(s)
	for _, move := range moves {
		if slices.Contains(texts, move) {
			t.Errorf("%s in %s: %s is legal", variant, position, move)
		}
		if a, err := s.ParseAction(move); err == nil {
			t.Errorf("%s in %s: %s parses as %d", variant, position, move, a)
		}
	}
}

// movesFrom returns the movements of the piece on a square, shots left aside.
func movesFrom(t *testing.T, variant, position, square string) (texts []string) {
	t.Helper()
	for _, text := range moveTexts(setUp(t, variant, position)) {
		if strings.HasPrefix(text, square+">") && !strings.HasSuffix(text, ")") {
			texts = append(texts, text)
		}
	}
	return texts
}

func wantCount(t *testing.T, variant, position, square string, want int) {
	t.Helper()
	if got := movesFrom(t, variant, position, square); len(got) != want {
		t.Errorf("%s in %s: %d moves from %s, want %d: %v", variant, position, len(got), square, want, got)
	}
}

func TestTheMoverMovesOneOwnLivingPiece(t *testing.T) {
	const position = "CLT@p1N,LT@e8N,LT@m8# CLT@a16S,LT@n14S w 0 0"
	wantCount(t, open16, position, "e8", 131)
	wantCount(t, open16, position, "m8", 0)
	wantCount(t, open16, position, "n14", 0)
	s := setUp(t, open16, position)
	playTexts(t, s, "e8>e9/N")
	if got := env.PositionText(s); got != "CLT@p1N,LT@e9N,LT@m8# CLT@a16S,LT@n14S b 1 1" {
		t.Error(got)
	}
}

func TestThereIsNoPassingAndNoFiringWithoutMoving(t *testing.T) {
	wantIllegal(t, open16, "CLT@p1N,LT@e4N CLT@a16S,LT@e6E w 0 0", "e4>e4/N", "e4>e4/N(e6)", "p1>p1/N")
}

func TestOnlyThePieceThatMovedFires(t *testing.T) {
	for _, text := range moveTexts(setUp(t, open16, "CLT@p1N,LT@e4N CLT@a16S,LT@e6E w 0 0")) {
		if strings.HasPrefix(text, "p1>") && strings.HasSuffix(text, "(e6)") {
			t.Errorf("%s is legal", text)
		}
	}
}

func TestStepsAndTurnsMixUpToTheSpeed(t *testing.T) {
	const position = "CLT@p1N,LT@e8N,MT@h8N,HT@k8N CLT@a16S w 0 0"
	wantLegal(t, open16, position,
		"e8>e13/N", "e8>e8/S", "e8>g11/NE", "e8>f11/E", "e8>d9/W", "e8>f9/NW", "h8>h12/N", "k8>k11/N", "k8>k8/SE", "k8>l10/NE")
	wantIllegal(t, open16, position, "e8>e14/N", "e8>e13/NE", "e8>g12/N", "h8>h13/N", "k8>k12/N", "k8>k8/S", "k8>l11/NE")
}

func TestOnAnEmptyBoardSpeedFiveHas131EndStatesFourHas64ThreeHas28(t *testing.T) {
	for _, facing := range []string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"} {
		position := "CLT@a1N,LT@h8" + facing + " CLT@a16S w 0 0"
		wantCount(t, open16, position, "h8", 131)
		wantCount(t, open16, strings.Replace(position, "LT@h8", "MT@h8", 1), "h8", 64)
		wantCount(t, open16, strings.Replace(position, "LT@h8", "HT@h8", 1), "h8", 28)
	}
}

func TestAPieceMayGoOneSquareStraightBack(t *testing.T) {
	wantLegal(t, open16, "CLT@p1N,LT@e8NE CLT@a16S w 0 0", "e8>d7/NE")
	wantLegal(t, open16, "CLT@p1N CLT@a16S,HT@e8S b 0 0", "e8>e9/S")
}

func TestTheStepBackIsCombinedWithNothing(t *testing.T) {
	wantIllegal(t, open16, "CLT@p1N,HT@e8N CLT@a16S w 0 0", "e8>e6/N", "e8>e7/NE", "e8>e7/NW", "e8>d7/N", "e8>f7/N", "e8>d8/N")
}

func TestMixedReverseIsOneOfTheSteps(t *testing.T) {
	const mixed = `tankchess/16x16/zh{` + openBoard + `}`
	const position = "CLT@p1N,LT@e8N,HT@k8N CLT@a16S w 0 0"
	wantLegal(t, mixed, position, "e8>e7/N", "e8>e7/NE", "e8>e7/NW", "e8>d7/N", "k8>k7/NE", "k8>l8/NE")
	wantIllegal(t, mixed, position, "e8>e6/N", "k8>k7/SE", "k8>k6/N")
}

func TestAMixedStepBackMayComeBetweenOthers(t *testing.T) {
	// Speed 3: right, back to the south-west, left.
	wantLegal(t, `tankchess/16x16/zh{`+openBoard+`}`, "CLT@p1N,HT@k8N CLT@a16S w 0 0", "k8>j7/N")
}

func TestEnteredSquaresAreOnTheBoardAndEmpty(t *testing.T) {
	const walled = `tankchess/16x16{"layout":{"obstacles":["d9"]}}`
	const position = "CLT@p1N,LT@e9N,LT@f8#,HT@e8N CLT@a16S,MT@f9S w 0 0"
	got := movesFrom(t, walled, position, "e8")
	slices.Sort(got)
	// Left of e8 only d8 is open, behind it e7.
	want := []string{"e8>d8/W", "e8>e7/N", "e8>e8/E", "e8>e8/NE", "e8>e8/NW", "e8>e8/SE", "e8>e8/SW", "e8>e8/W"}
	if !slices.Equal(got, want) {
		t.Errorf("moves are %v, want %v", got, want)
	}
	wantIllegal(t, walled, position, "e8>e9/N", "e8>f9/NE", "e8>d9/NW", "e8>f8/E", "e8>e10/N")
	wantIllegal(t, walled, "CLT@p1N,LT@a1SW CLT@a16S w 0 0", "a1>a0/S", "p1>q1/E")
}

func TestALivingPieceAWreckAndAnObstacleBlockTheStepBackToo(t *testing.T) {
	const walled = `tankchess/16x16{"layout":{"obstacles":["e7"]}}`
	wantIllegal(t, walled, "CLT@p1N,LT@e8N CLT@a16S w 0 0", "e8>e7/N")
	wantIllegal(t, walled, "CLT@p1N,LT@g8N CLT@a16S,LT@g7# w 0 0", "g8>g7/N")
	wantIllegal(t, walled, "CLT@p1N,LT@g8N,LT@g7N CLT@a16S w 0 0", "g8>g7/N")
	wantIllegal(t, walled, "CLT@p1N,LT@g1N CLT@a16S w 0 0", "g1>g0/N")
}

func TestADiagonalStepBetweenTwoBlockedSquaresIsLegal(t *testing.T) {
	const walled = `tankchess/16x16{"layout":{"obstacles":["e9","f8"]}}`
	wantLegal(t, walled, "CLT@p1N,HT@e8NE CLT@a16S w 0 0", "e8>f9/NE", "e8>g10/NE")
	wantLegal(t, open16, "CLT@p1N,LT@e9#,HT@e8NE CLT@a16S,LT@f8N w 0 0", "e8>f9/NE")
	wantLegal(t, walled, "CLT@p1N,HT@f9NE CLT@a16S w 0 0", "f9>e8/NE")
}

func TestTheStartSquareCountsAsEmptyWhileMoving(t *testing.T) {
	// Walled in, a piece turns on its square; mixed, speed 4: forward, right,
	// right, back needs a free square, so it can only turn here.
	const walled = `tankchess/16x16{"layout":{"obstacles":["d7","d8","d9","e7","e9","f7","f8","f9"]}}`
	got := movesFrom(t, walled, "CLT@p1N,LT@e8N CLT@a16S w 0 0", "e8")
	if len(got) != 7 {
		t.Errorf("a walled-in piece has the moves %v, must have seven turns", got)
	}
}

func TestTheEndStateDiffersFromTheStartState(t *testing.T) {
	// Mixed, forward and back would return.
	for _, variant := range []string{open16, `tankchess/16x16/zh{` + openBoard + `}`} {
		wantIllegal(t, variant, "CLT@p1N,LT@e8N CLT@a16S w 0 0", "e8>e8/N")
	}
}

func TestEveryWayToAnEndStateIsTheSameMove(t *testing.T) {
	for _, variant := range []string{"tankchess/16x16", "tankchess/16x16/zh", "tankchess/lakes"} {
		texts := moveTexts(env.NewState(load(t, variant).Game))
		slices.Sort(texts)
		if n := len(texts); len(slices.Compact(texts)) != n {
			t.Errorf("%s lists a move twice", variant)
		}
	}
}

func TestAPathRoundABlockIsFound(t *testing.T) {
	// e9 is blocked: e10 is still reached by two diagonal steps and two turns.
	const walled = `tankchess/16x16{"layout":{"obstacles":["e9"]}}`
	wantLegal(t, walled, "CLT@p1N,LT@e8N CLT@a16S w 0 0", "e8>e10/NW", "e8>e10/NE")
	wantIllegal(t, walled, "CLT@p1N,LT@e8N CLT@a16S w 0 0", "e8>e10/N", "e8>e11/N")
}

// ground is a small board with every kind of terrain on the way of a piece.
const ground = `tankchess/16x16{"pieces":{"MT":{"amphibious":true}},"layout":{"obstacles":["h9"],"water":["e9"],"low":["k9"],"hedges":["n9"]}}`

func TestWaterBlocksMovementExceptOfAmphibiousTypes(t *testing.T) {
	wantIllegal(t, ground, "CLT@p1N,LT@e8N CLT@a16S w 0 0", "e8>e9/N", "e8>e10/N")
	wantLegal(t, ground, "CLT@p1N,MT@e8N CLT@a16S w 0 0", "e8>e9/N", "e8>e10/N", "e8>e9/NE")
}

func TestLowObstaclesBlockMovement(t *testing.T) {
	wantIllegal(t, ground, "CLT@p1N,LT@k8N CLT@a16S w 0 0", "k8>k9/N", "k8>k10/N")
	wantIllegal(t, ground, "CLT@p1N,MT@k8N CLT@a16S w 0 0", "k8>k9/N", "k8>k10/N")
}

func TestHedgesDoNotBlockMovement(t *testing.T) {
	wantLegal(t, ground, "CLT@p1N,LT@n8N CLT@a16S w 0 0", "n8>n9/N", "n8>n10/N")
}

func TestObstaclesBlockMovementOfAmphibiousTypesToo(t *testing.T) {
	wantIllegal(t, ground, "CLT@p1N,MT@h8N CLT@a16S w 0 0", "h8>h9/N", "h8>h10/N")
}

func TestACommandTankThatCanTurnHasALegalAction(t *testing.T) {
	const walled = `tankchess/16x16{"layout":{"obstacles":["d7","d8","d9","e7","e9","f7","f8","f9"]}}`
	s := setUp(t, walled, "CLT@e8N CLT@a16S w 0 0")
	if n := len(s.Legal(nil)); n != 7 {
		t.Errorf("%d legal actions, want 7", n)
	}
}
