package envtest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A Case is a position with the results of another program.
type Case struct {
	Variant  string       `json:"variant"`
	Position string       `json:"position"`
	Perft    []uint64     `json:"perft"`   // from depth 1 on
	Moves    []string     `json:"moves"`   // texts of the legal actions, sorted as text
	Actions  []env.Action `json:"actions"` // legal actions, ascending
	Tags     []string     `json:"tags"`
}

// A GameRecord is a whole game that another program played.
type GameRecord struct {
	Variant string       `json:"variant"`
	Start   string       `json:"start"`
	Moves   []string     `json:"moves"`
	Actions []env.Action `json:"actions"`
	Result  [2]int       `json:"result"` // of each player
	Reason  string       `json:"reason"`
	Final   string       `json:"final"` // position text
}

// A Lookup returns the variant of a name, or nil for one that is not under test.
type Lookup func(name string) *variant.Variant

// Cases runs the file's cases of the variants that lookup knows as subtests.
func Cases(t *testing.T, lookup Lookup, file string) {
	each(t, lookup, file, func(c Case) string { return c.Variant }, func(v *variant.Variant, c Case) error {
		return c.Check(v.Game)
	})
}

// Games replays the file's games of the variants that lookup knows as subtests.
func Games(t *testing.T, lookup Lookup, file string) {
	each(t, lookup, file, func(g GameRecord) string { return g.Variant }, func(v *variant.Variant, g GameRecord) error {
		return g.Check(v.Game)
	})
}

func each[T any](t *testing.T, lookup Lookup, file string, name func(T) string, check func(*variant.Variant, T) error) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	known := 0
	for i, item := range list {
		v := lookup(name(item))
		if v == nil {
			continue
		}
		known++
		t.Run(fmt.Sprintf("%s/%d", v.Name, i), func(t *testing.T) {
			if err := guard(func() error { return check(v, item) }); err != nil {
				t.Errorf("%s, entry %d: %v", file, i, err)
			}
		})
	}
	if known == 0 {
		t.Errorf("%s: none of %d entries is of a variant under test", file, len(list))
	}
}

// Check compares the case with g and returns the first difference.
func (c Case) Check(g env.Game) error {
	s := env.NewState(g)
	if err := s.SetPosition(c.Position); err != nil {
		return err
	}
	if text := env.PositionText(s); text != c.Position {
		return fmt.Errorf("position %q is written %q", c.Position, text)
	}
	legal := s.Legal(nil)
	if !slices.Equal(legal, c.Actions) {
		return fmt.Errorf("position %q: legal actions are %v, must be %v", c.Position, legal, c.Actions)
	}
	var moves []string
	for _, a := range legal {
		moves = append(moves, env.ActionText(s, a))
	}
	slices.Sort(moves)
	if !slices.Equal(moves, c.Moves) {
		return fmt.Errorf("position %q: moves are %v, must be %v", c.Position, moves, c.Moves)
	}
	for i, want := range c.Perft {
		if got := env.Perft(g, s, i+1); got != want {
			return fmt.Errorf("position %q: perft %d is %d, must be %d", c.Position, i+1, got, want)
		}
	}
	return nil
}

// Check replays the game on g and returns the first difference.
func (r GameRecord) Check(g env.Game) error {
	s := env.NewState(g)
	if err := s.SetPosition(r.Start); err != nil {
		return err
	}
	if len(r.Moves) != len(r.Actions) {
		return fmt.Errorf("%d moves and %d actions", len(r.Moves), len(r.Actions))
	}
	for i, move := range r.Moves {
		position := env.PositionText(s)
		a, err := s.ParseAction(move)
		if err != nil {
			return fmt.Errorf("ply %d, position %q: %w", i+1, position, err)
		}
		if a != r.Actions[i] || env.ActionText(s, a) != move {
			return fmt.Errorf("ply %d, position %q: %q is action %d, written %q; must be action %d",
				i+1, position, move, a, env.ActionText(s, a), r.Actions[i])
		}
		s.Apply(a)
	}
	result, reason := s.Result()
	if reason.String() != r.Reason || result.For(env.First) != r.Result[0] || result.For(env.Second) != r.Result[1] {
		return fmt.Errorf("result is %d by %v, must be %v by %s", result, reason, r.Result, r.Reason)
	}
	if final := env.PositionText(s); final != r.Final {
		return fmt.Errorf("final position is %q, must be %q", final, r.Final)
	}
	if reason == env.Repetition || reason == env.Endless {
		return nil // a text has no history
	}
	if err := s.SetPosition(r.Final); err != nil {
		return err
	}
	if again, why := s.Result(); again != result || why != reason {
		return fmt.Errorf("final position %q reads back as %d by %v, must be %d by %v", r.Final, again, why, result, reason)
	}
	return nil
}
