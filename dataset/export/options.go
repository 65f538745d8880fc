package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Formats of an export.
const (
	NPZ     = "npz"     // NumPy archives
	Parquet = "parquet" // compressed by Zstandard
	CSV     = "csv"
	JSONL   = "jsonl" // a JSON object on each line
	Text    = "text"  // games as headers and move texts
)

// Forms of observations and of legal actions. A column that is None is left out.
const (
	None   = "none"
	Bits   = "bits"   // observations in the packed form of env.Spec
	Planes = "planes" // observations as bytes, [plane][y][x]
	Mask   = "mask"   // legal actions as packed bits
	List   = "list"   // legal actions as ascending numbers
)

// Formats returns the names of all formats.
func Formats() []string { return []string{NPZ, Parquet, CSV, JSONL, Text} }

// Options say what an export contains.
type Options struct {
	Format       string `json:"format"`
	Observations string `json:"observations"` // Bits, Planes or None
	Legal        string `json:"legal"`        // Mask, List or None
	Compress     bool   `json:"compress"`     // deflate in NPZ, gzip for texts; Parquet is always compressed
	// Rows is the number of rows after which a file ends with the game. 0 stands for as many
	// as fit into about 64 MiB, at most 131,072.
	Rows int `json:"rows"`
	// Parts divide the games. The default is one part without a name.
	Parts []Part `json:"parts,omitempty"`
	// Seed changes which games go to which part.
	Seed uint64 `json:"seed,string"`
}

// A Part is a share of the games, in a separate folder. The hash of the start and the
// actions of a game decides its part, so that equal games always go to the same part, in
// every data set.
type Part struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"` // of the games, more than 0; the shares add up to 1
}

// Default returns the options of an export without parts.
func Default() Options { return Options{Format: NPZ, Observations: Bits, Legal: Mask} }

// Validate checks the options.
func (o *Options) Validate() error {
	for _, c := range []struct {
		what, value string
		known       []string
	}{
		{"format", o.Format, Formats()},
		{"observations", o.Observations, []string{Bits, Planes, None}},
		{"legal", o.Legal, []string{Mask, List, None}},
	} {
		if !slices.Contains(c.known, c.value) {
			return fmt.Errorf("%s is %q, must be %s", c.what, c.value, alternatives(c.known))
		}
	}
	if o.Rows < 0 {
		return fmt.Errorf("rows is %d, must be 0 (by size) or more", o.Rows)
	}
	total := 0.0
	for _, p := range o.Parts {
		if p.Share <= 0 {
			return fmt.Errorf("the share of %s is %g, must be more than 0", p.Name, p.Share)
		}
		total += p.Share
	}
	if len(o.Parts) > 0 && (total < 0.999999 || total > 1.000001) {
		return fmt.Errorf("the shares add up to %g, must add up to 1", total)
	}
	return nil
}

// alternatives returns "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Bounds of the number of rows of a file if Options.Rows is 0.
const (
	fileBytes = 64 << 20
	leastRows = 1 << 10
	mostRows  = 1 << 17
)

// rows returns the number of rows after which a file ends.
func (o *Options) rows(spec *env.Spec) int {
	if o.Rows > 0 {
		return o.Rows
	}
	size := 0
	for _, c := range Columns(spec, o) {
		size += c.rowBytes()
		if c.List {
			size += c.size() * spec.MaxLegal / 4
		}
	}
	return min(max(fileBytes/size, leastRows), mostRows)
}
