package eval_test

import (
	"fmt"
	"log"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// Evaluate a position of Trench by material and with the embedded weights.
func Example() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		log.Fatal(err)
	}
	state := env.NewState(variant.Game)
	if err := state.SetPosition("8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20"); err != nil {
		log.Fatal(err)
	}

	material, err := eval.New("material", variant.Game)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("material:", material.Evaluate(state))

	data, ok := eval.Shipped(variant.Digest)
	if !ok {
		log.Fatal("no weights for these rules")
	}
	weights, err := eval.ReadWeights(data)
	if err != nil {
		log.Fatal(err)
	}
	linear, err := weights.New(variant.Game)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("linear:", linear.Evaluate(state))
	// Output:
	// material: 400
	// linear: 960
}

// Count the parameters of a linear evaluator in a position.
func ExampleExtractor() {
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		log.Fatal(err)
	}
	layout, err := eval.NewLayout(variant.Game)
	if err != nil {
		log.Fatal(err)
	}
	state := env.NewState(variant.Game)
	if err := state.SetPosition("1,2,0,0,0,0,0,0 0,0,0,0,0,0,0,9 s 0 0"); err != nil {
		log.Fatal(err)
	}
	for _, term := range layout.NewExtractor().Extract(nil, state, state.Player()) {
		fmt.Println(layout.Name(int(term.Index)), term.Value)
	}
	// Output:
	// feature exposed seeds -9
	// feature threatening houses 1
	// feature turn 1
	// attack house count -9
	// attack house a2 with 8+ -1
	// defence house count 3
	// defence house a1 with 1 1
	// defence house b1 with 2 1
}
