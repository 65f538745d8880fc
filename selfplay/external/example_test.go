package external_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/selfplay/external"
)

// Quotes keep blanks together; no shell is involved.
func ExampleParseCommand() {
	command, err := external.ParseCommand(`python3 agent.py --weights "my weights.pt"`)
	if err != nil {
		panic(err)
	}
	for _, word := range command {
		fmt.Println(word)
	}
	// Output:
	// python3
	// agent.py
	// --weights
	// my weights.pt
}
