package env_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// A caller plays a game knowing only the interfaces: here uniformly random actions,
// and a copy of the position instead of undoing.
func ExampleState() {
	v, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	states := v.Game.NewStates(2)
	state, child := states[0], states[1]
	random, legal := env.NewRand(1), v.Game.Spec().NewActions()

	plies := 0
	for state.Player() != env.NoPlayer {
		legal = state.Legal(legal[:0])
		action := legal[random.IntN(len(legal))]
		if plies == 0 {
			child.CopyFrom(state)
			child.Apply(action)
			fmt.Println(len(legal), "legal actions; after", env.ActionText(state, action)+":")
			fmt.Println(env.PositionText(child))
		}
		state.Apply(action)
		plies++
	}
	result, reason := state.Result()
	fmt.Println("after", plies, "plies:", result, "by", reason)
	// Output:
	// 14 legal actions; after b4-b5:
	// 4sclg/4pscl/4ppsc/1P2ppps/S1PP4/CSPP4/LCSP4/GLCS4 w 0-0 1 1
	// after 135 plies: first by points
}
