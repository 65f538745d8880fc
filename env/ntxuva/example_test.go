package ntxuva_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A program can put its own rule set together.
func ExampleNew() {
	game, err := ntxuva.New(ntxuva.Rules{
		Header:  variant.Header{Game: "ntxuva", Name: "ntxuva/small"},
		Columns: 4, Seeds: 2, Singles: "always", SingleStep: "empty_only",
		Endless: "illegal", Capture: "pair", NoProgress: 100, Repetition: 3,
	})
	if err != nil {
		panic(err)
	}
	state := env.NewState(game)
	for _, action := range state.Legal(nil) {
		fmt.Print(env.ActionText(state, action), " ")
	}
	// Output: 0 1 2 3 4x4 5x4 6x4 7x4
}
