package search_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

func TestNodesAreKeptExactly(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		s := searcher(t, game, search.Options{Hash: 1})
		for _, nodes := range []int64{1, 2, 50, 1000, 12345} {
			from := env.NewState(game)
			result := s.Search(from, search.Limits{Nodes: nodes}, 2)
			if result.Nodes != nodes {
				t.Errorf("%s: %d nodes visited, the limit is %d", variant, result.Nodes, nodes)
			}
			legal := map[env.Action]bool{}
			for _, a := range from.Legal(nil) {
				legal[a] = true
			}
			for _, line := range result.Lines {
				if len(line.Actions) == 0 || !legal[line.Actions[0]] {
					t.Errorf("%s: after %d nodes the lines are %+v", variant, nodes, result.Lines)
				}
				delete(legal, line.Actions[0])
			}
		}
	}
}

// A search that is stopped in the middle of an iteration still returns different lines, and
// those of the iteration before it in order.
func TestLinesDifferWheneverTheSearchStops(t *testing.T) {
	game := lookup(t, "trench/standard")
	s := searcher(t, game, search.Options{Hash: 1})
	walk(game, 7, 11, 10, func(from env.State) {
		for nodes := int64(1); nodes < 3000; nodes += 1 + nodes/16 {
			s.Begin(1)
			result := s.Search(from, search.Limits{Nodes: nodes}, 3)
			first := map[env.Action]bool{}
			for _, line := range result.Lines {
				first[line.Actions[0]] = true
			}
			if len(first) != 3 {
				t.Fatalf("%s: after %d nodes the lines are %+v", env.PositionText(from), nodes, result.Lines)
			}
			if whole := len(result.Whole); whole != 0 && whole != 3 || (whole > 0) != (result.Depth > 0) {
				t.Fatalf("%s: after %d nodes and depth %d the whole lines are %+v", env.PositionText(from), nodes, result.Depth, result.Whole)
			}
			for i, line := range result.Whole {
				if line.Depth != result.Depth || i > 0 && line.Score > result.Whole[i-1].Score {
					t.Fatalf("%s: after %d nodes and depth %d the whole lines are %+v", env.PositionText(from), nodes, result.Depth, result.Whole)
				}
			}
		}
	})
}

func TestDepthIsKept(t *testing.T) {
	game := lookup(t, "trench/standard")
	s := searcher(t, game, search.Options{Hash: 1, MaxDepth: 4})
	for limit, want := range map[int]int{1: 1, 3: 3, 4: 4, 9: 4, 0: 4} {
		if got := s.Search(env.NewState(game), search.Limits{Depth: limit}, 1).Depth; got != want {
			t.Errorf("limit %d: depth is %d, must be %d", limit, got, want)
		}
	}
}

func TestTimeAndInterruptionEndTheSearch(t *testing.T) {
	game := lookup(t, "trench/standard")
	s := searcher(t, game, search.Options{Hash: 1})
	if result := s.Search(env.NewState(game), search.Limits{Time: 5 * time.Millisecond}, 1); result.Depth == search.MaxDepth {
		t.Error("the search ignores its time limit")
	}
	done := make(chan struct{})
	close(done)
	if result := s.Search(env.NewState(game), search.Limits{Done: done}, 1); result.Nodes > 1024 {
		t.Errorf("an interrupted search visits %d nodes", result.Nodes)
	}
}

func TestAForcedResultWithinTheDepthEndsTheSearch(t *testing.T) {
	game := lookup(t, "trench/standard")
	from := at(t, game, "7g/8/8/8/8/3Gs3/8/8 b 23-0 0 0")
	result := searcher(t, game, search.Options{}).Search(from, search.Limits{Depth: 20}, 1)
	if plies, forced := search.Forced(result.Best().Score); !forced || plies != 1 || result.Depth != 1 {
		t.Errorf("depth %d, %+v", result.Depth, result.Best())
	}
}

func TestForcedReturnsPliesOfBothSigns(t *testing.T) {
	for score, want := range map[int]int{search.Win - 1: 1, search.Win - 7: 7, 4 - search.Win: -4, -search.Win: 0} {
		if plies, ok := search.Forced(score); !ok || plies != want {
			t.Errorf("Forced(%d) = %d, %v, must be %d", score, plies, ok, want)
		}
	}
	for _, score := range []int{0, 900_000, -900_000} {
		if _, ok := search.Forced(score); ok {
			t.Errorf("%d is forced", score)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	game := lookup(t, "trench/standard")
	for want, options := range map[string]search.Options{
		"hash is -1, must be 0 to 65536": {Hash: -1}, "noise is 10001, must be 0 to 10000": {Noise: 10001},
		"depth is 65, must be 0 to 64": {MaxDepth: 65},
	} {
		if _, err := search.New(game, nil, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error is %v, must be %s", options, err, want)
		}
	}
}

// summary formats what a search found.
func summary(r *search.Result) string { return fmt.Sprint(r.Depth, r.Nodes, r.Lines) }

// searchEpisode returns the results of consecutive searches of one game.
func searchEpisode(game env.Game, s *search.AlphaBeta, seed uint64) []string {
	s.Begin(seed)
	var all []string
	from := env.NewState(game)
	for range 8 {
		if from.Player() == env.NoPlayer {
			break
		}
		result := s.Search(from, search.Limits{Nodes: 3000}, 2)
		all = append(all, summary(result))
		from.Apply(result.Best().Actions[0])
	}
	return all
}

func TestTheSameSearchTwiceGivesTheSameResult(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		for _, options := range []search.Options{{}, {Hash: 1}, {Hash: 1, Noise: 40}} {
			used, fresh := searcher(t, game, options), searcher(t, game, options)
			want := searchEpisode(game, fresh, 7)
			for episode := range uint64(4) {
				searchEpisode(game, used, episode)
			}
			if got := searchEpisode(game, used, 7); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %+v: after other episodes the search finds\n%v\nand at first\n%v", variant, options, got, want)
			}
		}
	}
}

// The transposition table numbers the searches, and must survive more of them than it
// has numbers.
func TestManyEpisodesDoNotChangeTheTable(t *testing.T) {
	game := lookup(t, "ntxuva/basic")
	used, fresh := searcher(t, game, search.Options{Hash: 1}), searcher(t, game, search.Options{Hash: 1})
	from := env.NewState(game)
	many := func(s *search.AlphaBeta, n int) (last string) {
		for range n {
			last = summary(s.Search(from, search.Limits{Depth: 2}, 1))
		}
		return last
	}
	for episode := range uint64(300) {
		used.Begin(episode)
		many(used, 7)
	}
	used.Begin(1)
	if got, want := many(used, 2500), many(fresh, 2500); got != want {
		t.Errorf("after many episodes the search finds %s, at first %s", got, want)
	}
}

func TestNoiseDependsOnTheSeedAndStaysInItsBounds(t *testing.T) {
	game := lookup(t, "tankbattle/standard")
	s, silent := searcher(t, game, search.Options{Noise: 30, Plain: true}), searcher(t, game, search.Options{Plain: true})
	want := silent.Search(env.NewState(game), search.Limits{Depth: 1}, 1).Best().Score
	seen := map[env.Action]bool{}
	for seed := range uint64(40) {
		s.Begin(seed)
		best := s.Search(env.NewState(game), search.Limits{Depth: 1}, 1).Best()
		seen[best.Actions[0]] = true
		if best.Score < want-30 || best.Score > want+30 {
			t.Errorf("seed %d: score is %d, without noise %d", seed, best.Score, want)
		}
	}
	if len(seen) < 20 {
		t.Errorf("40 seeds choose %d actions", len(seen))
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		s := searcher(t, game, search.Options{Hash: 1, Noise: 5})
		from := env.NewState(game)
		s.Search(from, search.Limits{Nodes: 100}, 3)
		seed := uint64(0)
		if n := testing.AllocsPerRun(5, func() {
			seed++
			s.Begin(seed)
			s.Search(from, search.Limits{Nodes: 5000}, 3)
		}); n != 0 {
			t.Errorf("%s: %v allocations", variant, n)
		}
	}
}

func TestReportIsCalledAfterEachIteration(t *testing.T) {
	game := lookup(t, "trench/standard")
	s := searcher(t, game, search.Options{})
	var depths []int
	s.Report(func(r *search.Result) { depths = append(depths, r.Depth) })
	s.Search(env.NewState(game), search.Limits{Depth: 3}, 1)
	if !reflect.DeepEqual(depths, []int{1, 2, 3}) {
		t.Errorf("iterations of depth %v are reported", depths)
	}
}

// The signature of a search is everything it finds with a fixed number of nodes. Any
// change of the search changes it. Version 1 must never change: recorded games rely on it.
func TestSignatures(t *testing.T) {
	for version, file := range map[int]string{1: "signatures.txt", 2: "signatures-2.txt"} {
		text := ""
		for _, variant := range defaults {
			game := lookup(t, variant)
			s := searcher(t, game, search.Options{Hash: 1, Version: version})
			walk(game, 9, 9, 6, func(from env.State) {
				s.Begin(1)
				result := s.Search(from, search.Limits{Nodes: 10_000}, 2)
				text += fmt.Sprintf("%s %s depth %d\n", variant, env.PositionText(from), result.Depth)
				for _, line := range result.Lines {
					text += fmt.Sprintf("\t%d%s\n", line.Score, moves(game, from, line.Actions))
				}
			})
		}
		envtest.Golden(t, "testdata/"+file, []byte(text))
	}
}
