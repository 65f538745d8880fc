package eval

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// A Term is a parameter of a Layout and how much of it a position has: a whole number.
type Term struct {
	Index int32
	Value float32
}

// An Extractor counts the parameters of a layout in positions. It belongs to one
// goroutine.
type Extractor struct {
	layout  *Layout
	pieces  []env.Piece
	terms   []Term // of one piece
	own     []int32
	sums    []float32 // by parameter, 0 between calls
	touched []uint64  // the parameters whose sum may differ from 0, as a set
}

// NewExtractor makes an extractor of positions of the layout's game.
func (l *Layout) NewExtractor() *Extractor {
	return &Extractor{
		layout: l, pieces: make([]env.Piece, 0, l.listing), own: make([]int32, len(l.spec.Features)),
		sums: make([]float32, l.Size()), touched: make([]uint64, (l.Size()+63)/64),
	}
}

// Extract appends the terms of a running position as viewer counts them: those
// that are not 0, by ascending index. For the opponent each has the other sign.
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
	if described, ok := s.(env.Features); ok {
		described.Features(x.own, viewer)
		for i, value := range x.own {
			x.add(Term{int32(i), float32(value)})
		}
	}
	return x.drain(dst)
}

func (x *Extractor) add(t Term) {
	x.sums[t.Index] += t.Value
	x.touched[t.Index>>6] |= 1 << (t.Index & 63)
}

// drain appends the sums that are not 0 and forgets them all.
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
