package tankchess_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func TestFireIsOptional(t *testing.T) {
	wantLegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e6E w 0 0", "e4>e4/N", "e4>e4/N(e6)")
}

func TestFireFollowsTheMovement(t *testing.T) {
	const position = "CLT@p1N,LT@e4N CLT@a16S,LT@e8E w 0 0"
	wantLegal(t, open16, position, "e4>e5/N(e8)", "e4>e6/N(e8)")
	wantIllegal(t, open16, position, "e4>e7/N(e8)", "e4>e5/E(e8)")
}

func TestAShotMayFollowTheStepBack(t *testing.T) {
	wantLegal(t, open16, "CLT@p1N,LT@e4N CLT@a16S,LT@e8E w 0 0", "e4>e3/N(e8)")
}

func TestTheTargetIsALivingEnemy(t *testing.T) {
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE,LT@e6E CLT@a16S w 0 0", "e4>e4/N(e6)")
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e6# w 0 0", "e4>e4/N(e6)")
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e7E w 0 0", "e4>e4/N(e6)")
}

func TestThreeLinesOfFireAheadAndBothFrontDiagonals(t *testing.T) {
	for _, code := range []string{"LT", "MT", "HT"} {
		position := "CLT@p1N," + code + "@h8NE CLT@a16S,LT@e11E,LT@h11E,LT@k11N,LT@k8N w 0 0"
		wantLegal(t, open16, position, "h8>h8/N(e11)", "h8>h8/N(h11)", "h8>h8/N(k11)")
		wantIllegal(t, open16, position, "h8>h8/N(k8)", "h8>h8/E(h11)", "h8>h8/E(e11)")
	}
	wantLegal(t, open16, "CLT@h8NE CLT@a16S,LT@e11E,LT@h11E,LT@k11N w 0 0", "h8>h8/N(e11)", "h8>h8/N(h11)", "h8>h8/N(k11)")
}

func TestTheTankDestroyerFiresAheadOnly(t *testing.T) {
	const position = "CLT@t1N,TD@h8NE CLT@a20S,LT@e11E,LT@h11E,LT@k11N w 0 0"
	wantLegal(t, open20, position, "h8>h8/N(h11)", "h8>h8/NW(e11)")
	wantIllegal(t, open20, position, "h8>h8/N(e11)", "h8>h8/N(k11)")
}

func TestRangeTwoMeansExactlyOneSquareBetween(t *testing.T) {
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e5E w 0 0", "e4>e4/N(e5)")
	wantLegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e6E w 0 0", "e4>e4/N(e6)")
}

func TestDirectFireHasNoGreatestRange(t *testing.T) {
	wantLegal(t, open16, "CLT@p1N,LT@e1NE CLT@a16S,LT@e16E w 0 0", "e1>e1/N(e16)")
	wantLegal(t, open20, "CLT@t1N,LT@a1N CLT@a20S,LT@t20N w 0 0", "a1>a1/NE(t20)")
}

func TestAGreatestRangeOfADirectGunEndsItsFire(t *testing.T) {
	const short = `tankchess/16x16{"pieces":{"LT":{"gun":{"greatest":4}}},` + openBoard + `}`
	wantLegal(t, short, "CLT@p1N,LT@e4NE CLT@a16S,LT@e8E w 0 0", "e4>e4/N(e8)")
	wantIllegal(t, short, "CLT@p1N,LT@e4NE CLT@a16S,LT@e9E w 0 0", "e4>e4/N(e9)")
}

func TestTheFirstThingOnTheLineIsTheTarget(t *testing.T) {
	const position = "CLT@p1N,LT@e4NE CLT@a16S,LT@e6E,LT@e9E w 0 0"
	wantLegal(t, open16, position, "e4>e4/N(e6)")
	wantIllegal(t, open16, position, "e4>e4/N(e9)")
}

func TestAnEnemyTooNearHidesTheOneBehind(t *testing.T) {
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e5E,LT@e9E w 0 0", "e4>e4/N(e5)", "e4>e4/N(e9)")
}

func TestEverySquareBetweenIsEmpty(t *testing.T) {
	const walled = `tankchess/16x16{"layout":{"obstacles":["e6"]}}`
	wantIllegal(t, walled, "CLT@p1N,LT@e4NE CLT@a16S,LT@e8E w 0 0", "e4>e4/N(e8)")
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE,MT@e6N CLT@a16S,LT@e8E w 0 0", "e4>e4/N(e8)")
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e6#,LT@e8E w 0 0", "e4>e4/N(e8)")
	wantIllegal(t, open16, "CLT@p1N,LT@e4NE,MT@e6# CLT@a16S,LT@e8E w 0 0", "e4>e4/N(e8)")
}

func TestTheStartSquareCountsAsEmptyWhileFiring(t *testing.T) {
	// Forward, then about: the shell passes the square that the tank left.
	wantLegal(t, open16, "CLT@p1N,LT@e8N CLT@a16S,LT@e5E w 0 0", "e8>e9/S(e5)")
}

func TestCornersThatTouchTheLineDoNotBlockFire(t *testing.T) {
	const walled = `tankchess/16x16{"layout":{"obstacles":["e5","f4","f6","g5"]}}`
	wantLegal(t, walled, "CLT@p1N,LT@e4N CLT@a16S,LT@g6N w 0 0", "e4>e4/NE(g6)")
	wantLegal(t, open16, "CLT@p1N,LT@e4N,LT@e5#,MT@f4N CLT@a16S,LT@g6N,MT@f6S,MT@g5S w 0 0", "e4>e4/NE(g6)")
}

func TestTheMortarReachesDistancesThreeFourAndFive(t *testing.T) {
	for square, reached := range map[string]bool{"e6": false, "e7": true, "e8": true, "e9": true, "e10": false} {
		position := "CLT@t1N,HM@e4NE CLT@a20S,HT@" + square + "S w 0 0"
		if shot := "e4>e4/N(" + square + ")"; reached {
			wantLegal(t, open20, position, shot)
		} else {
			wantIllegal(t, open20, position, shot)
		}
	}
}

func TestTheMortarFiresOverAnything(t *testing.T) {
	const walled = `tankchess/20x20{"layout":{"obstacles":["e5"],"hedges":["e8"]}}`
	wantLegal(t, walled, "CLT@t1N,LT@e6N,HM@e4NE CLT@a20S,LT@e7#,HT@e9S w 0 0", "e4>e4/N(e9)")
	wantLegal(t, walled, "CLT@t1N,HM@e4NE CLT@a20S,HT@e8S,HT@e9S w 0 0", "e4>e4/N(e8)", "e4>e4/N(e9)")
}

func TestTheMortarFiresAheadOnlyDiagonalsToo(t *testing.T) {
	const position = "CLT@t1N,HM@e4N CLT@a20S,HT@h7S,HT@e8S w 0 0"
	wantLegal(t, open20, position, "e4>e4/NE(h7)", "e4>e5/N(e8)")
	wantIllegal(t, open20, position, "e4>e5/N(h8)", "e4>e4/NE(e8)", "e4>e3/N(h6)")
}

func TestTheMortarHitsOnlyLivingEnemies(t *testing.T) {
	wantIllegal(t, open20, "CLT@t1N,LT@e8N,HM@e4NE CLT@a20S,HT@e7# w 0 0", "e4>e4/N(e7)", "e4>e4/N(e8)")
}

func TestTheShellHitsFrontRearOrOneOfSixSides(t *testing.T) {
	for facing, face := range map[string]env.Face{
		"S": env.Front, "N": env.Rear, "NE": env.Side, "E": env.Side, "SE": env.Side, "SW": env.Side, "W": env.Side, "NW": env.Side,
	} {
		s := setUp(t, open16, "CLT@p1N,HT@e4NE CLT@a16S,LT@e8"+facing+" w 0 0")
		a, err := s.ParseAction("e4>e4/N(e8)")
		if err != nil {
			t.Errorf("target facing %s: %v", facing, err)
			continue
		}
		events := s.Trace(a, nil)
		if got := events[len(events)-1]; got.Kind != env.Destroyed || got.Face != face {
			t.Errorf("target facing %s: %+v", facing, got)
		}
	}
}

func TestPowerMustBeGreaterThanTheArmourThere(t *testing.T) {
	for _, c := range []struct {
		gun, target, destroyedFrom string
	}{
		{"LT", "LT", "side rear"}, {"LT", "MT", "rear"}, {"LT", "HT", ""}, {"LT", "CLT", "side rear"},
		{"MT", "LT", "front side rear"}, {"MT", "MT", "side rear"}, {"MT", "HT", "rear"}, {"MT", "TD", "side rear"}, {"MT", "HM", "front side rear"},
		{"HT", "MT", "front side rear"}, {"HT", "HT", "side rear"}, {"HT", "TD", "front side rear"},
		{"TD", "HT", "front side rear"}, {"HM", "HT", "front side rear"}, {"HM", "MT", "front side rear"},
	} {
		for face, facing := range map[string]string{"front": "S", "side": "E", "rear": "N"} {
			enemies := "CLT@a20S," + c.target + "@e8" + facing
			if c.target == "CLT" {
				enemies = "CLT@e8" + facing
			}
			position := "CLT@t1N," + c.gun + "@e4NE " + enemies + " w 0 0"
			if strings.Contains(c.destroyedFrom, face) {
				wantLegal(t, open20, position, "e4>e4/N(e8)")
			} else {
				wantIllegal(t, open20, position, "e4>e4/N(e8)")
			}
		}
	}
}

func TestAShotThatWouldNotDestroyIsNoLegalAction(t *testing.T) {
	s := setUp(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,HT@e8N w 0 0")
	for _, text := range moveTexts(s) {
		if strings.HasSuffix(text, "(e8)") {
			t.Errorf("%s is legal", text)
		}
	}
}

func TestADestroyedPieceIsAWreckOnItsSquareForTheRestOfTheGame(t *testing.T) {
	s := setUp(t, open16, "CLT@p1N,LT@e4NE CLT@a16S,LT@e6E w 7 9")
	playTexts(t, s, "e4>e4/N(e6)", "a16>a15/S", "p1>p2/N", "a15>a14/S")
	if got := env.PositionText(s); got != "CLT@p2N,LT@e4N CLT@a14S,LT@e6# w 3 13" {
		t.Error(got)
	}
}

func TestAWreckBlocksMovementAndDirectFireOfBothSides(t *testing.T) {
	const wreck = "CLT@p1N,LT@e4N CLT@a16S,LT@e6#,LT@e8S"
	wantIllegal(t, open16, wreck+" w 0 0", "e4>e6/N", "e4>e5/N(e8)", "e4>e3/N(e8)")
	wantIllegal(t, open16, wreck+" b 0 0", "e8>e6/S", "e8>e7/S(e4)", "e8>e9/S(e4)")
}

func TestWaterDoesNotBlockFire(t *testing.T) {
	wantLegal(t, ground, "CLT@p1N,LT@e7NE CLT@a16S,LT@e11E w 0 0", "e7>e7/N(e11)")
}

func TestLowObstaclesDoNotBlockFire(t *testing.T) {
	wantLegal(t, ground, "CLT@p1N,LT@k7NE CLT@a16S,LT@k11E w 0 0", "k7>k7/N(k11)")
}

func TestHedgesBlockDirectFireWhenStrictlyBetween(t *testing.T) {
	wantIllegal(t, ground, "CLT@p1N,LT@n7NE CLT@a16S,LT@n11E w 0 0", "n7>n7/N(n11)")
}

func TestAHedgeUnderTheShooterOrTheTargetDoesNotBlock(t *testing.T) {
	wantLegal(t, ground, "CLT@p1N,LT@n9NE CLT@a16S,LT@n11E w 0 0", "n9>n9/N(n11)")
	wantLegal(t, ground, "CLT@p1N,LT@n7NE CLT@a16S,LT@n9E w 0 0", "n7>n7/N(n9)")
}
