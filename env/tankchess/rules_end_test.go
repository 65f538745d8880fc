package tankchess_test

import (
	"fmt"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

// zhOpen is the Chinese text read literally, without terrain; barredOpen takes
// from it only the corners.
const (
	zhOpen     = "tankchess/16x16/zh{" + openBoard + "}"
	barredOpen = `tankchess/16x16{"corner_exit":"barred",` + openBoard + `}`
)

func wantEnd(t *testing.T, s env.State, result env.Result, reason env.Reason) {
	t.Helper()
	if gotResult, gotReason := s.Result(); gotResult != result || gotReason != reason {
		t.Errorf("%s: ends %v by %v, want %v by %v", env.PositionText(s), gotResult, gotReason, result, reason)
	}
	if over := s.Player() == env.NoPlayer; over != (reason != env.NoReason) || over != (len(s.Legal(nil)) == 0) {
		t.Errorf("%s: player %d, %d legal actions", env.PositionText(s), s.Player(), len(s.Legal(nil)))
	}
}

func TestDestroyingTheEnemyCommandTankWins(t *testing.T) {
	s := setUp(t, open16, "CLT@p1N,LT@e4NE CLT@e8E w 5 9")
	playTexts(t, s, "e4>e4/N(e8)")
	wantEnd(t, s, 1, env.CommandDestroyed)
	s = setUp(t, open16, "CLT@e4E CLT@p16S,LT@e8SE b 5 9")
	playTexts(t, s, "e8>e8/S(e4)")
	wantEnd(t, s, -1, env.CommandDestroyed)
	if got := env.PositionText(s); got != "CLT@e4# CLT@p16S,LT@e8S w 0 10" {
		t.Error(got)
	}
}

func TestTheCommandTankEscapesOverTheEnemyHomeEdge(t *testing.T) {
	s := setUp(t, open16, "CLT@h15N CLT@a1S w 3 8")
	playTexts(t, s, "h15>off")
	wantEnd(t, s, 1, env.Escaped)
	if got := env.PositionText(s); got != "CLT@off CLT@a1S b 4 9" {
		t.Error(got)
	}
	s = setUp(t, open16, "CLT@p16N CLT@h2S b 3 8")
	playTexts(t, s, "h2>off")
	wantEnd(t, s, -1, env.Escaped)
}

func TestOtherPiecesDoNotLeaveTheBoard(t *testing.T) {
	wantIllegal(t, open16, "CLT@a1N,LT@h16N CLT@p1S w 0 0", "h16>off", "a1>off")
}

func TestTheEscapeNeedsAStepToSpare(t *testing.T) {
	wantLegal(t, open16, "CLT@h12N CLT@a1S w 0 0", "h12>off")
	wantIllegal(t, open16, "CLT@h11N CLT@a1S w 0 0", "h11>off")
	wantLegal(t, open16, "CLT@h16SE CLT@a1S w 0 0", "h16>off")
	wantIllegal(t, `tankchess/16x16{"pieces":{"CLT":{"speed":1}},`+openBoard+`}`, "CLT@h15N CLT@a1S w 0 0", "h15>off")
	wantLegal(t, `tankchess/16x16{"pieces":{"CLT":{"speed":1}},`+openBoard+`}`, "CLT@h16N CLT@a1S w 0 0", "h16>off")
}

func TestTheEscapeNeedsAFreeWay(t *testing.T) {
	wantIllegal(t, open16, "CLT@h15N,LT@g16N,LT@i16N,LT@g15N,LT@i15N CLT@a1S,LT@h16S w 0 0", "h15>off")
	wantLegal(t, open16, "CLT@h15N,LT@g16N,LT@g15N,LT@i15N CLT@a1S,LT@h16S w 0 0", "h15>off")
}

func TestTheEscapeMayBeADiagonalStep(t *testing.T) {
	const slow = `tankchess/16x16{"pieces":{"CLT":{"speed":1}},` + openBoard + `}`
	wantLegal(t, slow, "CLT@h16NE CLT@a1S w 0 0", "h16>off")
	wantLegal(t, slow, "CLT@h16NW CLT@a1S w 0 0", "h16>off")
	wantIllegal(t, slow, "CLT@h16E CLT@a1S w 0 0", "h16>off")
}

func TestNobodyEscapesOverASideEdgeOrTheOwn(t *testing.T) {
	wantIllegal(t, open16, "CLT@p8E CLT@a1S w 0 0", "p8>off")
	wantIllegal(t, open16, "CLT@a8W CLT@p1S w 0 0", "a8>off")
	wantIllegal(t, open16, "CLT@h1S CLT@a1S w 0 0", "h1>off")
	wantIllegal(t, open16, "CLT@a1S CLT@h16N b 0 0", "h16>off")
}

func TestNobodyEscapesDiagonallyOutOfACorner(t *testing.T) {
	const slow = `tankchess/16x16{"pieces":{"CLT":{"speed":1}},` + openBoard + `}`
	wantIllegal(t, slow, "CLT@p16NE CLT@a1S w 0 0", "p16>off")
	wantIllegal(t, slow, "CLT@a16NW CLT@p1S w 0 0", "a16>off")
	wantIllegal(t, slow, "CLT@a16N CLT@p1SE b 0 0", "p1>off")
	wantIllegal(t, slow, "CLT@p16SW CLT@a1S w 0 0", "p16>off")
	wantLegal(t, slow, "CLT@p16N CLT@a1S w 0 0", "p16>off")
	wantLegal(t, slow, "CLT@p16NW CLT@a1S w 0 0", "p16>off")
}

func TestBarredCornersLetNobodyOut(t *testing.T) {
	const slow = `tankchess/16x16{"corner_exit":"barred","pieces":{"CLT":{"speed":1}},` + openBoard + `}`
	wantIllegal(t, slow, "CLT@p16N CLT@a1S w 0 0", "p16>off")
	wantIllegal(t, slow, "CLT@p16NW CLT@a1S w 0 0", "p16>off")
	wantLegal(t, slow, "CLT@o16NE CLT@a1S w 0 0", "o16>off")
	wantLegal(t, barredOpen, "CLT@p16W CLT@a1S w 0 0", "p16>off")
}

func TestAStepBackMayEscape(t *testing.T) {
	const slow = `tankchess/16x16{"pieces":{"CLT":{"speed":1}},` + openBoard + `}`
	for _, facing := range []string{"S", "SE", "SW"} {
		wantLegal(t, slow, "CLT@h16"+facing+" CLT@a1S w 0 0", "h16>off")
	}
	wantIllegal(t, slow, "CLT@h16E CLT@a1S w 0 0", "h16>off")
	const forward = `tankchess/16x16{"backward_escape":false,"pieces":{"CLT":{"speed":1}},` + openBoard + `}`
	wantIllegal(t, forward, "CLT@h16S CLT@a1S w 0 0", "h16>off")
	wantLegal(t, forward, "CLT@h16N CLT@a1S w 0 0", "h16>off")
}

func TestTheStepBackOffTheBoardIsCombinedWithNothing(t *testing.T) {
	const slow = `tankchess/16x16{"pieces":{"CLT":{"speed":2}},` + openBoard + `}`
	// Right, then back to the north-west.
	wantIllegal(t, slow, "CLT@p16E CLT@a1S w 0 0", "p16>off")
	wantIllegal(t, slow, "CLT@h15S CLT@a1S w 0 0", "h15>off")
}

func TestAMixedStepBackOffTheBoardIsOneOfTheSteps(t *testing.T) {
	const slow = `tankchess/16x16{"reverse":"mixed","pieces":{"CLT":{"speed":2}},` + openBoard + `}`
	wantLegal(t, slow, "CLT@p16E CLT@a1S w 0 0", "p16>off")
	wantIllegal(t, slow, "CLT@h15S CLT@a1S w 0 0", "h15>off")
	const forward = `tankchess/16x16{"reverse":"mixed","backward_escape":false,"pieces":{"CLT":{"speed":2}},` + openBoard + `}`
	wantLegal(t, forward, "CLT@h16E CLT@a1S w 0 0", "h16>off")
	wantIllegal(t, forward, "CLT@p16E CLT@a1S w 0 0", "p16>off")
}

func TestNoShotFollowsTheEscape(t *testing.T) {
	s := setUp(t, open16, "CLT@h14N CLT@a1S,LT@h16E w 0 0")
	exits := 0
	for _, text := range moveTexts(s) {
		if len(text) > 7 && text[:7] == "h14>off" {
			t.Errorf("%s is legal", text)
		}
		if text == "h14>off" {
			exits++
		}
	}
	if exits != 1 {
		t.Errorf("%d ways off the board are legal, must be one action", exits)
	}
}

func TestWithEscapeNeverNobodyLeaves(t *testing.T) {
	const never = "tankchess/16x16/no-escape{" + openBoard + "}"
	wantIllegal(t, never, "CLT@h16N CLT@a1S w 0 0", "h16>off")
	s := setUp(t, never, "CLT@h15N CLT@a1S w 0 0")
	playTexts(t, s, "h15>h16/N")
	wantEnd(t, s, 0, env.NoReason)
	if s.CanEscape(env.First) {
		t.Error("White can escape")
	}
}

func TestReachingTheLastRankWins(t *testing.T) {
	s := setUp(t, zhOpen, "CLT@h15N CLT@a2S w 5 9")
	playTexts(t, s, "h15>h16/N")
	wantEnd(t, s, 1, env.Escaped)
	if got := env.PositionText(s); got != "CLT@h16N CLT@a2S b 6 10" {
		t.Error(got)
	}
	wantEnd(t, setUp(t, zhOpen, "CLT@h16N CLT@a2S b 6 10"), 1, env.Escaped)
	s = setUp(t, zhOpen, "CLT@h15N CLT@d3SW b 5 9")
	playTexts(t, s, "d3>b1/SW")
	wantEnd(t, s, -1, env.Escaped)
}

func TestATurnOnTheLastRankWins(t *testing.T) {
	s := setUp(t, zhOpen, "CLT@h16N CLT@a2S w 5 9")
	playTexts(t, s, "h16>h16/NE")
	wantEnd(t, s, 1, env.Escaped)
}

func TestWithLastRankLeavingIsNotAMoveAndTheWinHasNoShot(t *testing.T) {
	wantIllegal(t, zhOpen, "CLT@h16NE CLT@a2S,LT@k16N w 0 0", "h16>off", "h16>h16/E(k16)")
	wantLegal(t, zhOpen, "CLT@h15E CLT@a2S,LT@k16N w 0 0", "h15>i15/NE", "h15>h16/E")
	wantIllegal(t, zhOpen, "CLT@h15E CLT@a2S,LT@k16N w 0 0", "h15>h16/E(k16)")
}

func TestAnotherPieceOnTheLastRankWinsNothing(t *testing.T) {
	s := setUp(t, zhOpen, "CLT@a2N,LT@h15N CLT@p5S w 0 0")
	playTexts(t, s, "h15>h16/N")
	wantEnd(t, s, 0, env.NoReason)
}

func TestOnlyAMoveOfTheCommandTankWinsOnTheLastRank(t *testing.T) {
	s := setUp(t, zhOpen, "CLT@h16N,LT@c3N CLT@a5S w 0 0")
	playTexts(t, s, "c3>c4/N")
	wantEnd(t, s, 0, env.NoReason)
}

func TestWithBarredCornersTheLastRanksCornersDoNotCount(t *testing.T) {
	s := setUp(t, zhOpen, "CLT@p15N CLT@a2S w 0 0")
	playTexts(t, s, "p15>p16/N")
	wantEnd(t, s, 0, env.NoReason)
	wantLegal(t, zhOpen, "CLT@p16NE CLT@a2S,LT@m16N w 0 0", "p16>p16/NW(m16)", "p16>p16/N")
	s = setUp(t, `tankchess/16x16/zh{"corner_exit":"diagonal_barred",`+openBoard+`}`, "CLT@p15N CLT@a2S w 0 0")
	playTexts(t, s, "p15>p16/N")
	wantEnd(t, s, 1, env.Escaped)
}

func TestTheLastRankIsTheEnemysHomeRank(t *testing.T) {
	s := setUp(t, zhOpen, "CLT@h2S CLT@a2S w 0 0")
	playTexts(t, s, "h2>h1/S")
	wantEnd(t, s, 0, env.NoReason)
}

func TestAHundredQuietPliesDraw(t *testing.T) {
	const position = "CLT@h1N,LT@e4NE CLT@i16S,LT@e6E w 99 300"
	s := setUp(t, open16, position)
	wantEnd(t, s, 0, env.NoReason)
	playTexts(t, s, "h1>h2/N")
	wantEnd(t, s, 0, env.NoProgress)
	wantEnd(t, setUp(t, open16, "CLT@h1N CLT@i16S w 100 300"), 0, env.NoProgress)
	wantEnd(t, setUp(t, open16, "CLT@h1N CLT@i16S w 4711 0"), 0, env.NoProgress)
}

func TestADestroyedPieceIsProgress(t *testing.T) {
	s := setUp(t, open16, "CLT@h1N,LT@e4NE CLT@i16S,LT@e6E w 99 300")
	playTexts(t, s, "e4>e4/N(e6)")
	wantEnd(t, s, 0, env.NoReason)
	if got := env.PositionText(s); got != "CLT@h1N,LT@e4N CLT@i16S,LT@e6# b 0 301" {
		t.Error(got)
	}
}

func TestEscapingComesBeforeNoProgress(t *testing.T) {
	s := setUp(t, open16, "CLT@h16N CLT@a1S w 99 300")
	playTexts(t, s, "h16>off")
	wantEnd(t, s, 1, env.Escaped)
}

func TestNoProgressComesBeforeRepetition(t *testing.T) {
	s := setUp(t, `tankchess/16x16{"no_progress":8,`+openBoard+`}`, "CLT@h1N CLT@i16S w 0 0")
	playTexts(t, s, "h1>h2/N", "i16>i15/S", "h2>h1/N", "i15>i16/S", "h1>h2/N", "i16>i15/S", "h2>h1/N")
	wantEnd(t, s, 0, env.NoReason)
	playTexts(t, s, "i15>i16/S")
	wantEnd(t, s, 0, env.NoProgress)
}

func TestTheThirdOccurrenceDraws(t *testing.T) {
	s := setUp(t, open16, "CLT@h1N CLT@i16S w 0 0")
	for range 2 {
		wantEnd(t, s, 0, env.NoReason)
		playTexts(t, s, "h1>h2/N", "i16>i15/S", "h2>h1/N", "i15>i16/S")
	}
	wantEnd(t, s, 0, env.Repetition)
}

func TestTheFacingBelongsToThePosition(t *testing.T) {
	s := setUp(t, `tankchess/16x16{"repetition":2,`+openBoard+`}`, "CLT@h1N CLT@i16S w 0 0")
	playTexts(t, s, "h1>h1/NE", "i16>i15/S", "h1>h1/E", "i15>i16/S", "h1>h1/SE", "i16>i15/S", "h1>h1/S", "i15>i16/S")
	wantEnd(t, s, 0, env.NoReason)
	playTexts(t, s, "h1>h1/SE")
	wantEnd(t, s, 0, env.Repetition)
}

func TestThePlayerToMoveBelongsToThePosition(t *testing.T) {
	// White loses a ply by a turn in three: the squares recur with Black to move.
	s := setUp(t, `tankchess/16x16{"repetition":2,`+openBoard+`}`, "CLT@h1N CLT@i16S w 0 0")
	playTexts(t, s, "h1>h1/NE", "i16>i16/SW", "h1>h1/E", "i16>i16/S", "h1>h1/N")
	wantEnd(t, s, 0, env.NoReason)
	playTexts(t, s, "i16>i15/S", "h1>h2/N", "i15>i16/S", "h2>h1/N")
	wantEnd(t, s, 0, env.Repetition)
}

func TestPiecesOfOneTypeAreInterchangeableInARepetition(t *testing.T) {
	s := setUp(t, `tankchess/16x16{"repetition":2,`+openBoard+`}`, "CLT@h1N,LT@c3N,LT@e3N CLT@i16S w 0 0")
	playTexts(t, s, "c3>d4/NE", "i16>i16/SW", "e3>c3/NW", "i16>i16/SE", "d4>e3/NE", "i16>i16/S", "e3>e3/N", "i16>i15/S", "c3>c3/N")
	wantEnd(t, s, 0, env.NoReason)
	playTexts(t, s, "i15>i16/S")
	wantEnd(t, s, 0, env.Repetition)
	if got := env.PositionText(s); got != "CLT@h1N,LT@e3N,LT@c3N CLT@i16S w 10 10" {
		t.Error(got)
	}
}

func TestTheStartCountsAsTheFirstOccurrence(t *testing.T) {
	s := env.NewState(load(t, `tankchess/16x16{"repetition":2}`).Game)
	playTexts(t, s, "h1>h2/N", "i16>i15/S", "h2>h1/N", "i15>i16/S")
	wantEnd(t, s, 0, env.Repetition)
}

func TestRepetitionOffNeverDraws(t *testing.T) {
	s := setUp(t, `tankchess/16x16{"repetition":0,"no_progress":0,`+openBoard+`}`, "CLT@h1N CLT@i16S w 0 0")
	for range 300 {
		playTexts(t, s, "h1>h2/N", "i16>i15/S", "h2>h1/N", "i15>i16/S")
	}
	wantEnd(t, s, 0, env.NoReason)
}

func TestTheStateTellsCheck(t *testing.T) {
	const unarmed = `tankchess/16x16{"pieces":{"CLT":{"power":0},"LT":{"speed":1}},` + openBoard + `}`
	s := setUp(t, unarmed, "CLT@e4E CLT@p16S,LT@e8SE w 0 0")
	if !s.InCheck(env.First) || s.InCheck(env.Second) {
		t.Errorf("in check are White %v, Black %v", s.InCheck(env.First), s.InCheck(env.Second))
	}
	// The front is as strong as the gun: no check.
	s = setUp(t, unarmed, "CLT@e4N CLT@p16S,LT@e8SE w 0 0")
	if s.InCheck(env.First) {
		t.Error("White is in check")
	}
}

func TestTheStateTellsAWayOut(t *testing.T) {
	for _, variant := range []string{open16, zhOpen} {
		s := setUp(t, variant, "CLT@h13N CLT@i10S w 0 0")
		if !s.CanEscape(env.First) || s.CanEscape(env.Second) {
			t.Errorf("%s: can escape: White %v, Black %v", variant, s.CanEscape(env.First), s.CanEscape(env.Second))
		}
	}
}

func TestAFinalTextReadsBackAsFinal(t *testing.T) {
	for text, want := range map[string]string{
		"CLT@h1# CLT@i16S w 0 0":    "second command_destroyed",
		"CLT@h1N CLT@i16# b 0 0":    "first command_destroyed",
		"CLT@off CLT@i16S b 1 1":    "first escaped",
		"CLT@h1N CLT@off w 1 1":     "second escaped",
		"CLT@h1N CLT@i16S w 100 1":  "draw no_progress",
		"CLT@h1# CLT@i16S w 100 1":  "second command_destroyed",
		"CLT@off CLT@i16S b 100 99": "first escaped",
	} {
		s := setUp(t, open16, text)
		if result, reason := s.Result(); fmt.Sprint(result, " ", reason) != want || s.Player() != env.NoPlayer {
			t.Errorf("%s: %v by %v, want %s", text, result, reason, want)
		}
	}
}
