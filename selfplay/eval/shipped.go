package eval

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
)

// shipped holds a file of weights for each default rule set.
//
//go:embed weights
var shipped embed.FS

// Shipped returns the file of weights that the program has for the rules of a
// digest, and whether it has one.
func Shipped(digest string) (data []byte, ok bool) {
	const folder = "weights"
	entries, err := shipped.ReadDir(folder)
	if err != nil {
		panic(fmt.Sprintf("shipped weights: %v", err)) // the folder is part of the program
	}
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".json" {
			continue
		}
		data, err := shipped.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			panic(fmt.Sprintf("shipped weights: %v", err))
		}
		var head struct{ Digest string }
		if json.Unmarshal(data, &head) == nil && head.Digest == digest {
			return data, true
		}
	}
	return nil, false
}
