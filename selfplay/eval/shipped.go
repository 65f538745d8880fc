package eval

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
)

// shipped contains a file of weights for each default rule set.
//
//go:embed weights
var shipped embed.FS

// Shipped returns the embedded weights, as JSON, for the rules with the given digest,
// and whether there are any.
func Shipped(digest string) (data []byte, ok bool) {
	const folder = "weights"
	entries, err := shipped.ReadDir(folder)
	if err != nil {
		panic(fmt.Sprintf("eval: embedded weights: %v", err)) // cannot happen
	}
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".json" {
			continue
		}
		data, err := shipped.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			panic(fmt.Sprintf("eval: embedded weights: %v", err)) // cannot happen
		}
		var head struct{ Digest string }
		if json.Unmarshal(data, &head) == nil && head.Digest == digest {
			return data, true
		}
	}
	return nil, false
}
