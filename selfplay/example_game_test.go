package selfplay_test

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A game that this program does not have, Nim, plays like any other.
func ExampleConfig_customGame() {
	config := selfplay.Config{Variant: &variant.Variant{Name: "nim/21", Game: nim{}}, Seed: 1}
	perfect := agent.Custom("perfect", false, func(env.Game) (agent.Agent, error) { return perfect{}, nil })
	random, err := agent.Parse("random", config.Variant, nil)
	if err != nil {
		panic(err)
	}
	config.Agents = [2]agent.Spec{perfect, random}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		panic(err)
	}
	won := 0
	err = selfplay.PlayAll(context.Background(), plan, "", 0, 1000, 2, func(ep *dataset.Episode) error {
		if winner := map[env.Result]int{1: 0, -1: 1}[ep.Result]; ep.Agents[winner] == perfect.String() {
			won++
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s wins %d of 1000 games\n", perfect, won)
	// Output: custom:perfect wins 1000 of 1000 games
}

// nim is a heap of 21 counters. Players take one, two or three in turn; whoever takes
// the last one wins.
type nim struct{}

const heap = 21

func (nim) Spec() *env.Spec {
	return &env.Spec{
		Game: "nim", Name: "nim/21", Players: [2]string{"first", "second"}, StartText: "21", Width: 1, Height: 1,
		Actions: 3, MaxLegal: 3, Ends: []env.End{{Reason: env.Annihilated, Description: "the heap is empty"}},
	}
}

func (nim) NewStates(n int) []env.State {
	states := make([]env.State, n)
	for i := range states {
		states[i] = &nimState{left: heap}
	}
	return states
}

// nimState is a position of nim. Action a takes a+1 counters.
type nimState struct {
	left  int
	mover env.Player
}

func (s *nimState) Reset()                 { *s = nimState{left: heap} }
func (s *nimState) CopyFrom(src env.State) { *s = *src.(*nimState) }

func (s *nimState) Player() env.Player {
	if s.left == 0 {
		return env.NoPlayer
	}
	return s.mover
}

func (s *nimState) Legal(dst []env.Action) []env.Action {
	for a := range min(3, s.left) {
		dst = append(dst, env.Action(a))
	}
	return dst
}

func (s *nimState) Apply(a env.Action) {
	s.left -= int(a) + 1
	s.mover = s.mover.Opponent()
}

func (s *nimState) Result() (env.Result, env.Reason) {
	if s.left > 0 {
		return 0, env.NoReason
	}
	return env.WinFor(s.mover.Opponent()), env.Annihilated
}

func (s *nimState) Hash() uint64                { return uint64(s.left)<<1 | uint64(s.mover) }
func (s *nimState) Observe([]uint8, env.Player) {} // it has no planes

func (s *nimState) AppendAction(dst []byte, a env.Action) []byte {
	return strconv.AppendInt(dst, int64(a)+1, 10)
}

func (s *nimState) ParseAction(text string) (env.Action, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > min(3, s.left) {
		return env.NoAction, fmt.Errorf("%q is not a number of counters to take, 1 to %d", text, min(3, s.left))
	}
	return env.Action(n - 1), nil
}

func (s *nimState) AppendPosition(dst []byte) []byte {
	return fmt.Appendf(dst, "%d %d", s.left, s.mover)
}

func (s *nimState) SetPosition(text string) error {
	var p nimState
	if n, err := fmt.Sscanf(text, "%d %d", &p.left, &p.mover); n < 2 || err != nil || p.left < 0 || p.left > heap {
		return fmt.Errorf("%q is not a position of nim", text)
	}
	*s = p
	return nil
}

// perfect leaves a multiple of four counters where it can.
type perfect struct{}

func (perfect) Begin(uint64) {}

func (perfect) Choose(s env.State, legal []env.Action, _ *dataset.Search) env.Action {
	extra := s.(*nimState).left % 4
	return legal[max(0, extra-1)]
}
