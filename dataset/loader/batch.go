package loader

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// A Batch is memory for positions, which the caller owns. B is the number of rows; a row
// is a position from its mover's view. Where the lists of rows follow one another, the
// list of row i lies between element i and i+1 of the offsets.
type Batch struct {
	Bits    []uint64 // [B, Spec.ObservationBitWords()] packed observations
	Scalars []uint8  // [B, Spec.ObservationScalars()]

	LegalOffsets []int32      // [B+1]
	LegalActions []env.Action // [Sizes.Legal] legal actions, ascending in each row
	Policy       []float32    // [Sizes.Legal] target of each legal action; the sum of a row is PolicyWeight
	PolicyWeight []float32    // [B] 1, or 0 without a policy target

	Value       []float32 // [B] result: 1 won, 0 drawn or unknown, −1 lost
	ValueWeight []float32 // [B] 1, or 0 if the game was truncated
	WDL         []uint8   // [B] class of the result: 0 won, 1 drawn or unknown, 2 lost
	Score       []float32 // [B] own minus enemy points at the end; 0 in games without points
	SearchValue []float32 // [B] value by the search, −1 to 1; NaN if there is none

	// The opponent's reply is the policy target of the next ply, in the frame of its mover. A
	// row has no reply if the game ended, if the same player moved again, or if the next ply
	// has no policy target.
	NextOffsets []int32      // [B+1]
	NextActions []env.Action // [Sizes.Next] actions with a positive target
	NextPolicy  []float32    // [Sizes.Next]

	Weight   []float32 // [B] importance weight; 1 unless Options.Correction is positive
	Episode  []int64   // [B] number within the data set
	Set      []int32   // [B] index of the data set
	Ply      []int32   // [B]
	Symmetry []uint8   // [B] 0, or 1 + the index of the symmetry in env.Symmetric
}

// Sizes are the lengths that the arrays of a batch need.
type Sizes struct {
	Rows  int // B
	Legal int // of LegalActions and Policy
	Next  int // of NextActions and NextPolicy
}

// lengths yields the name, length and wanted length of each array.
func (b *Batch) lengths(s Sizes, shape *shape, yield func(name string, length, want int)) {
	yield("Bits", len(b.Bits), s.Rows*shape.words)
	yield("Scalars", len(b.Scalars), s.Rows*shape.scalars)
	yield("LegalOffsets", len(b.LegalOffsets), s.Rows+1)
	yield("LegalActions", len(b.LegalActions), s.Legal)
	yield("Policy", len(b.Policy), s.Legal)
	yield("PolicyWeight", len(b.PolicyWeight), s.Rows)
	yield("Value", len(b.Value), s.Rows)
	yield("ValueWeight", len(b.ValueWeight), s.Rows)
	yield("WDL", len(b.WDL), s.Rows)
	yield("Score", len(b.Score), s.Rows)
	yield("SearchValue", len(b.SearchValue), s.Rows)
	yield("NextOffsets", len(b.NextOffsets), s.Rows+1)
	yield("NextActions", len(b.NextActions), s.Next)
	yield("NextPolicy", len(b.NextPolicy), s.Next)
	yield("Weight", len(b.Weight), s.Rows)
	yield("Episode", len(b.Episode), s.Rows)
	yield("Set", len(b.Set), s.Rows)
	yield("Ply", len(b.Ply), s.Rows)
	yield("Symmetry", len(b.Symmetry), s.Rows)
}

// check checks that each array has the length that s asks for.
func (b *Batch) check(s Sizes, shape *shape) (err error) {
	b.lengths(s, shape, func(name string, length, want int) {
		if length != want && err == nil {
			err = fmt.Errorf("the batch has %d elements of %s, must have %d", length, name, want)
		}
	})
	return err
}

// resize gives each array the length that s asks for.
func (b *Batch) resize(s Sizes, shape *shape) {
	b.Bits = resized(b.Bits, s.Rows*shape.words)
	b.Scalars = resized(b.Scalars, s.Rows*shape.scalars)
	b.LegalOffsets = resized(b.LegalOffsets, s.Rows+1)
	b.LegalActions = resized(b.LegalActions, s.Legal)
	b.Policy = resized(b.Policy, s.Legal)
	b.PolicyWeight = resized(b.PolicyWeight, s.Rows)
	b.Value = resized(b.Value, s.Rows)
	b.ValueWeight = resized(b.ValueWeight, s.Rows)
	b.WDL = resized(b.WDL, s.Rows)
	b.Score = resized(b.Score, s.Rows)
	b.SearchValue = resized(b.SearchValue, s.Rows)
	b.NextOffsets = resized(b.NextOffsets, s.Rows+1)
	b.NextActions = resized(b.NextActions, s.Next)
	b.NextPolicy = resized(b.NextPolicy, s.Next)
	b.Weight = resized(b.Weight, s.Rows)
	b.Episode = resized(b.Episode, s.Rows)
	b.Set = resized(b.Set, s.Rows)
	b.Ply = resized(b.Ply, s.Rows)
	b.Symmetry = resized(b.Symmetry, s.Rows)
}
