package eval

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// A Term is a parameter of a Layout with its count in a position, a whole number.
type Term struct {
	Index int32
	Value float32
}

// An Extractor counts the parameters of a layout in positions. It must not be used
// concurrently.
type Extractor struct {
	layout   *Layout
	pieces   []env.Piece
	terms    []Term // of one piece
	features []int32
	sums     []float32 // by parameter; 0 between calls
	touched  []uint64  // bit set of the parameters whose sum may not be 0
}

// NewExtractor returns an extractor for positions of the layout's game.
func (l *Layout) NewExtractor() *Extractor {
	return &Extractor{
		layout: l, pieces: make([]env.Piece, 0, l.maxPieces), features: make([]int32, len(l.spec.Features)),
		sums: make([]float32, l.Size()), touched: make([]uint64, (l.Size()+63)/64),
	}
}

// Extract appends the terms of a running position that are not 0, by ascending index,
// from the viewer's view. The opponent's terms have the opposite signs.
func (x *Extractor) Extract(dst []Term, s env.State, viewer env.Player) []Term {
	l := x.layout
	x.pieces = s.(env.PieceLister).Pieces(x.pieces[:0])
	for i := range x.pieces {
		p := &x.pieces[i]
		if p.Wreck {
			continue
		}
		x.terms = l.terms(x.terms[:0], p)
		for _, t := range x.terms {
			if p.Owner != viewer {
				t.Value = -t.Value
			}
			x.add(t)
		}
	}
	if f, ok := s.(env.Features); ok {
		f.Features(x.features, viewer)
		for i, value := range x.features {
			x.add(Term{int32(i), float32(value)})
		}
	}
	return x.drain(dst)
}

func (x *Extractor) add(t Term) {
	x.sums[t.Index] += t.Value
	x.touched[t.Index>>6] |= 1 << (t.Index & 63)
}

// drain appends the sums that are not 0 and resets all of them.
func (x *Extractor) drain(dst []Term) []Term {
	for word, rest := range x.touched {
		for ; rest != 0; rest &= rest - 1 {
			i := word<<6 | bits.TrailingZeros64(rest)
			if x.sums[i] != 0 {
				dst = append(dst, Term{int32(i), x.sums[i]})
			}
			x.sums[i] = 0
		}
	}
	clear(x.touched)
	return dst
}
