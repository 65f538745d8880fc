package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// repeatable returns a position of Trench in which both sides can move back and forth out
// of each other's reach; White to move can repeat the start.
func repeatable(t *testing.T, game env.Game, points string) env.State {
	t.Helper()
	s := at(t, game, "6pg/8/8/8/8/8/8/GP6 b "+points+" 0 10")
	play(t, s, "a1-a2", "h8-h7", "a2-a1")
	return s
}

func TestThePlayerBehindRepeats(t *testing.T) {
	game := lookup(t, `trench/standard{"repetition":2}`)
	for _, options := range []search.Options{{}, {Hash: 1}, {Plain: true}} {
		s := searcher(t, game, options)
		from := repeatable(t, game, "5-0")
		best := s.Search(from, search.Limits{Depth: 3}, 1).Best()
		if move := moves(game, from, best.Actions); move != " h7-h8" || best.Score != 0 {
			t.Errorf("%+v: White, behind, plays%s for %d", options, move, best.Score)
		}
	}
}

func TestThePlayerAheadDoesNotRepeat(t *testing.T) {
	game := lookup(t, `trench/standard{"repetition":2}`)
	s := searcher(t, game, search.Options{Hash: 1})
	from := repeatable(t, game, "0-5")
	best := s.Search(from, search.Limits{Depth: 3}, 1).Best()
	if move := moves(game, from, best.Actions[:1]); move == " h7-h8" || best.Score < 500 {
		t.Errorf("White, ahead, plays%s for %d", move, best.Score)
	}
}

// The search sees the enemy's repetition one ply ahead.
func TestThePlayerAheadDoesNotLetTheEnemyRepeat(t *testing.T) {
	game := lookup(t, `trench/standard{"repetition":2}`)
	s := searcher(t, game, search.Options{Hash: 1})
	from := at(t, game, "6pg/8/8/8/8/8/8/GP6 b 5-0 0 10")
	play(t, from, "a1-a2", "h8-h7")
	best := s.Search(from, search.Limits{Depth: 4}, 1).Best()
	if move := moves(game, from, best.Actions[:1]); move == " a2-a1" || best.Score < 500 {
		t.Errorf("Black, ahead, plays%s for %d", move, best.Score)
	}
	lines := s.Search(from, search.Limits{Depth: 4}, 100).Lines
	for _, line := range lines {
		if moves(game, from, line.Actions[:1]) == " a2-a1" && line.Score != 0 {
			t.Errorf("going back scores %d, White can repeat", line.Score)
		}
	}
}

// When a counter can end the game, the same board with different counters has another
// key: Black, who is ahead, wins by the armistice with any quiet move, although an
// earlier search with a low counter prefers a capture.
func TestCountersArePartOfTheKey(t *testing.T) {
	game := lookup(t, `trench/standard{"no_progress":20,"repetition":0}`)
	s := searcher(t, game, search.Options{Hash: 1})
	board := "6pg/8/8/8/8/p7/8/GP6 b 5-0 "
	s.Search(at(t, game, board+"0 10"), search.Limits{Depth: 6}, 1)
	best := s.Search(at(t, game, board+"17 27"), search.Limits{Depth: 4}, 1).Best()
	if plies, forced := search.Forced(best.Score); !forced || plies != 3 {
		t.Errorf("three plies before the armistice Black, ahead, scores %d", best.Score)
	}
}
