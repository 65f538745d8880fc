package tablebase_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// All positions with at most three seeds per player are solved, and one is looked up.
func Example() {
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "table")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "four.table")
	if err := tablebase.Solve(context.Background(), variant, file, tablebase.Options{Seeds: 3, Workers: 2}); err != nil {
		panic(err)
	}
	table, err := tablebase.Open(file)
	if err != nil {
		panic(err)
	}
	defer table.Close()
	state, prober := env.NewState(variant.Game), table.Prober()
	if err := state.SetPosition("0,1,0,0,0,1,0,0 0,0,1,0,0,1,0,0 n 0 0"); err != nil {
		panic(err)
	}
	value, _ := prober.Probe(state)
	fmt.Println("position:", value)
	for _, action := range state.Legal(nil) {
		value, _ := prober.After(state, action)
		fmt.Printf("move %s: %s\n", env.ActionText(state, action), value)
	}
	// Output:
	// position: win in 7
	// move 2: loss in 4
	// move 5x1: win in 7
}
