package games_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env/games"
)

func ExampleLookup() {
	v, err := games.Lookup(`tankchess/16x16{"pieces":{"HT":{"speed":2}}}`)
	if err != nil {
		panic(err)
	}
	spec := v.Game.Spec()
	fmt.Printf("%d×%d squares, %d actions\n", spec.Width, spec.Height, spec.Actions)
	for _, piece := range spec.Pieces[:2] {
		fmt.Println(piece.Symbol, piece.Name, piece.Count)
	}

	_, err = games.Lookup("trench/standrad")
	fmt.Println(err)
	// Output:
	// 16×16 squares, 5241 actions
	// CLT Command Tank [1 1]
	// LT Light Tank [4 4]
	// variant trench/standrad: preset trench/standrad is unknown; known are trench/standard, trench/equal-turns, trench/general, trench/long-2013, trench/short-2013
}
