package openings_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

func lookup(t *testing.T, name string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// search is a quick search for openings of a variant.
func search(t *testing.T, name, judge string) *openings.Search {
	t.Helper()
	v := lookup(t, name)
	spec, err := agent.Parse(judge, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &openings.Search{Variant: v, Judge: spec, Plies: 6, Within: 100, Count: 12, Seed: 3, Workers: 1}
}

func run(t *testing.T, s *openings.Search) []string {
	t.Helper()
	positions, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return positions
}

// level fails unless positions are different ones of a variant in which the game
// runs and the score is what it was at the start.
func level(t *testing.T, v *variant.Variant, positions []string) {
	t.Helper()
	s := env.NewState(v.Game)
	start := env.Score(s.(env.Scorer), env.First)
	seen := map[uint64]bool{}
	for _, text := range positions {
		if err := s.SetPosition(text); err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if env.PositionText(s) != text || s.Player() == env.NoPlayer || seen[s.Hash()] || env.Score(s.(env.Scorer), env.First) != start {
			t.Errorf("%s: %s is no opening", v.Name, text)
		}
		seen[s.Hash()] = true
	}
}

func TestTheDefaultVariantsHaveSuites(t *testing.T) {
	files := 0
	for range openings.Suites {
		files++
	}
	names := []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankchess/20x20", "tankbattle/standard"}
	for _, name := range names {
		v := lookup(t, name)
		positions, ok := openings.Stored(v.Digest)
		if !ok || len(positions) != 300 {
			t.Errorf("%s has %d openings; after a change of its rules: go generate ./selfplay/openings", name, len(positions))
		}
		level(t, v, positions)
	}
	if files != len(names) {
		t.Errorf("there are %d suites, must be %d: those of no rule set are of no use", files, len(names))
	}
}

// A player that looks one ply ahead must not lose on its first move because of the opening.
func TestNoOpeningOfTankChessLeavesACommandTankInTheLineOfFire(t *testing.T) {
	v := lookup(t, "tankchess/16x16")
	positions, _ := openings.Stored(v.Digest)
	states := v.Game.NewStates(3)
	for _, text := range positions {
		if err := states[0].SetPosition(text); err != nil {
			t.Fatal(err)
		}
		mover := states[0].Player()
		moves := states[0].Legal(nil)
		const stride = 48 // of about 500 moves; a threat leaves few that do not lose
		losing, tried := 0, 0
		for i := 0; i < len(moves); i += stride {
			tried++
			states[1].CopyFrom(states[0])
			states[1].Apply(moves[i])
			if slices.ContainsFunc(states[1].Legal(nil), func(reply env.Action) bool {
				states[2].CopyFrom(states[1])
				states[2].Apply(reply)
				result, _ := states[2].Result()
				return states[2].Player() == env.NoPlayer && result.For(mover) < 0
			}) {
				losing++
			}
		}
		if 2*losing > tried {
			t.Errorf("%d of %d moves lose at once after %s", losing, tried, text)
		}
	}
}

func TestOpeningsAreLevelForTheirJudge(t *testing.T) {
	for _, name := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"} {
		s := search(t, name, "alphabeta:depth=2,noise=0")
		positions := run(t, s)
		if len(positions) != s.Count {
			t.Errorf("%s: %d openings", name, len(positions))
		}
		level(t, s.Variant, positions)
		judge, err := s.Judge.New(s.Variant.Game)
		if err != nil {
			t.Fatal(err)
		}
		state := env.NewState(s.Variant.Game)
		for _, text := range positions {
			if err := state.SetPosition(text); err != nil {
				t.Fatal(err)
			}
			judge.Begin(1)
			if score := judge.(agent.Analyst).Analyze(state, 1, nil, nil).Best().Score; max(score, -score) > s.Within {
				t.Errorf("%s: %s has the score %d", name, text, score)
			}
		}
	}
}

func TestMoreWorkersFindTheSameOpenings(t *testing.T) {
	s := search(t, "ntxuva/basic", "mcts:sims=20")
	alone := run(t, s)
	s.Workers = 3
	if together := run(t, s); !slices.Equal(together, alone) {
		t.Errorf("one worker finds\n%q\nthree find\n%q", alone, together)
	}
	s.Count = 5
	if few := run(t, s); !slices.Equal(few, alone[:5]) {
		t.Errorf("5 openings are %q, 12 are %q", few, alone)
	}
	s.Seed++
	if other := run(t, s); slices.Equal(other, alone[:5]) {
		t.Error("another seed finds the same openings")
	}
}

func TestASuiteIsReadAsItWasWritten(t *testing.T) {
	v := lookup(t, "trench/standard")
	var text bytes.Buffer
	if err := openings.Write(&text, "sandtable openings …", v, []string{"a b", "c"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\n# command: sandtable openings …\n# digest: "+v.Digest+"\na b\nc\n") {
		t.Errorf("the suite is\n%s", text.String())
	}
	text.WriteString("\n  d \n# e\n")
	if got, err := openings.Read(&text); err != nil || !slices.Equal(got, []string{"a b", "c", "d"}) {
		t.Errorf("%q is read, %v", got, err)
	}
}

func TestALineThatIsNoTextIsNamed(t *testing.T) {
	if got, err := openings.Read(strings.NewReader("a\nb\n" + strings.Repeat("x", 1<<20))); got != nil || !errors.Is(err, bufio.ErrTooLong) || !strings.Contains(err.Error(), "line 3: ") {
		t.Errorf("%q is read, %v", got, err)
	}
}

func TestAMatchTakesItsSuiteInTheOrderOfItsSeed(t *testing.T) {
	v := lookup(t, "ntxuva/basic")
	one, again, two := openings.Of(v, 1), openings.Of(v, 1), openings.Of(v, 2)
	if one.Plies != 0 || !slices.Equal(one.Starts, again.Starts) || slices.Equal(one.Starts, two.Starts) {
		t.Errorf("%d plies after %.3q, %.3q and %.3q", one.Plies, one.Starts, again.Starts, two.Starts)
	}
	stored, _ := openings.Stored(v.Digest)
	if !slices.Equal(slices.Sorted(slices.Values(one.Starts)), slices.Sorted(slices.Values(stored))) {
		t.Error("the order of a seed is no permutation of the suite")
	}
	other := openings.Of(lookup(t, `ntxuva/basic{"columns":5}`), 1)
	if other.Plies != openings.DefaultPlies || other.Policy.Name != dataset.SampledOpenings || other.Starts != nil {
		t.Errorf("a rule set without a suite has %+v", other)
	}
}

// A match that is resumed or repeated begins its pairs as before.
func TestTheOrderOfASuiteIsPinned(t *testing.T) {
	for _, c := range []struct {
		variant string
		seed    uint64
		want    string // digest of the positions in order
	}{
		{"ntxuva/basic", 0, "706e673ef065c799"}, {"ntxuva/basic", 1, "5ed142f016890760"},
		{"trench/standard", 1, "09a433739f8b3ed9"}, {"trench/standard", 2, "dbd5e331ebd20ee5"},
	} {
		starts := openings.Of(lookup(t, c.variant), c.seed).Starts
		if sum := sha256.Sum256([]byte(strings.Join(starts, "\n"))); hex.EncodeToString(sum[:8]) != c.want {
			t.Errorf("%s, seed %d: the suite begins with %q and has the digest %x", c.variant, c.seed, starts[:3], sum[:8])
		}
	}
}

func TestWrongSearchesAreRefused(t *testing.T) {
	for _, c := range []struct {
		judge  string
		change func(*openings.Search)
		want   string
	}{
		{"greedy", nil, "agent greedy does not evaluate positions by a search"},
		{"alphabeta:time=1s", nil, "has a time limit"},
		{"alphabeta", func(s *openings.Search) { s.Plies = 0 }, "plies is 0, must be 1 to"},
		{"alphabeta", func(s *openings.Search) { s.Plies = math.MaxInt }, "plies is 9223372036854775807, must be 1 to"},
		{"alphabeta", func(s *openings.Search) { s.Count = 0 }, "count is 0, must be 1 to"},
		{"alphabeta", func(s *openings.Search) { s.Count = math.MaxInt }, "count is 9223372036854775807, must be 1 to"},
		{"alphabeta", func(s *openings.Search) { s.Within = -1 }, "the greatest score is -1, must be 0 or more"},
		{"alphabeta:depth=1", func(s *openings.Search) { s.Plies = 1 }, "of 2400 random openings of 1 plies are distinct and level"},
		{"alphabeta:depth=1", func(s *openings.Search) { s.Plies = 400 }, "use fewer opening plies"},
	} {
		s := search(t, "ntxuva/4", c.judge)
		if c.change != nil {
			c.change(s)
		}
		if found, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) || found != nil {
			t.Errorf("%s: %v, %v; must say %s", c.judge, found, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search(t, "ntxuva/4", "alphabeta").Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that is stopped gives %v", err)
	}
}

// silent is an Analyst whose choices have no scores.
type silent struct{ agent.Analyst }

func (silent) Begin(uint64) {}

func (silent) Choose(_ env.State, legal []env.Action, _ *dataset.Search) env.Action { return legal[0] }

func TestAJudgeWithoutScoresFindsNoOpening(t *testing.T) {
	s := search(t, "ntxuva/4", "alphabeta:depth=1")
	s.Judge = agent.Custom("silent", false, func(env.Game) (agent.Agent, error) { return silent{}, nil })
	s.Count = 1
	if found, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "only 0 of 200 random openings") {
		t.Errorf("openings are %q, %v", found, err)
	}
}

// Each opening that is judged takes its random plies and one of the judge.
func TestTheProgressOfASearchCountsPlies(t *testing.T) {
	s := search(t, "ntxuva/4", "alphabeta:depth=1")
	s.Workers = 1
	calls, last := int64(0), int64(0)
	s.Progress = func(found, plies int64) {
		calls++
		if last = found; plies != calls*int64(s.Plies+1) || found > calls {
			t.Errorf("%d openings found with %d plies after %d openings", found, plies, calls)
		}
	}
	if run(t, s); last != int64(s.Count) {
		t.Errorf("%d openings found at the end", last)
	}
}
