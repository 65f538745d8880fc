package variant_test

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A variant string names a preset and may change some of its fields.
func ExampleLoad() {
	v, err := variant.Load(games.Engines(), `trench/standard{"target_points":20}`, nil)
	if err != nil {
		panic(err)
	}
	preset, differences, err := v.Nearest()
	if err != nil {
		panic(err)
	}
	for _, d := range differences {
		fmt.Printf("%s, but %s is %s, not %s\n", preset, d.Field, d.To, d.From)
	}
	// Output: trench/standard, but target_points is 20, not 25
}

// An Invalid lists all faults of a rule set.
func ExampleInvalid() {
	_, err := variant.Load(games.Engines(), `ntxuva/basic{"columns":99,"seed":3}`, nil)
	var invalid *variant.Invalid
	if errors.As(err, &invalid) {
		for _, fault := range invalid.Faults {
			fmt.Println(fault.Message())
		}
	}
	// Output:
	// columns is 99, must be 2 to 16
	// seed is unknown; did you mean seeds?
}
