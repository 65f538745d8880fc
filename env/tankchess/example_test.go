package tankchess_test

import (
	"fmt"
	"maps"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A program changes a preset and makes its own game of it.
func ExampleNew() {
	preset, err := variant.Load([]variant.Engine{tankchess.Engine()}, "tankchess/16x16", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := preset.Game.(*tankchess.Game).Rules()
	rules.Name = "tankchess/fast-heavies"
	rules.Pieces = maps.Clone(rules.Pieces)
	heavy := rules.Pieces["HT"]
	heavy.Speed = 5
	rules.Pieces["HT"] = heavy
	game, err := tankchess.New(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(env.NewState(preset.Game).Legal(nil)), "legal actions with slow Heavy Tanks")

	s := env.NewState(game).(*tankchess.State)
	fmt.Println(len(s.Legal(nil)), "with fast ones")
	a, err := s.ParseAction("c1>c2/NW")
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Apply(a)
	fmt.Println("can Black escape?", s.CanEscape(env.Second))

	heavy.Speed = 9
	rules.Pieces["HT"] = heavy
	_, err = tankchess.New(rules)
	fmt.Println(err)
	// Output:
	// 549 legal actions with slow Heavy Tanks
	// 622 with fast ones
	// can Black escape? false
	// tankchess: pieces.HT.speed is 9, must be 1 to 7
}
