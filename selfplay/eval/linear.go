package eval

import "github.com/sandtable-farm/sandtable/env"

// linear adds up weights. Everything is a whole number, in units of a weight
// until the end.
type linear struct {
	// standing is by owner, type, absolute square and count less one, as the first
	// player values it; facing by owner, type and absolute facing.
	standing              []int32
	facing                []int32
	kinds, squares, depth int
	pieces                []env.Piece

	own     []int32 // weights of the game's features; nil when all are 0
	numbers []int32
}

func newLinear(l *Layout, weights []int32) *linear {
	e := &linear{kinds: len(l.kinds), squares: l.spec.Width * l.spec.Height, pieces: make([]env.Piece, 0, l.listing)}
	for _, piece := range l.spec.Pieces {
		e.depth = max(e.depth, piece.MaxCount)
	}
	for owner := env.First; owner <= env.Second; owner++ {
		for kind := range l.kinds {
			for square := range e.squares {
				for count := range e.depth {
					terms := l.standing(nil, kind, l.spec.Frame(owner, square), count+1)
					e.standing = append(e.standing, worthTo(owner, terms, weights))
				}
			}
			for facing := env.N; facing <= env.NW; facing++ {
				terms := l.turned(nil, kind, facing.Turned(4*int(owner)))
				e.facing = append(e.facing, worthTo(owner, terms, weights))
			}
		}
	}
	for _, weight := range weights[:len(l.spec.Features)] {
		if weight != 0 {
			e.own = weights[:len(l.spec.Features)]
		}
	}
	e.numbers = make([]int32, len(e.own))
	return e
}

// worthTo is what the terms of an owner's piece are worth to the first player. It
// fits: a count is below 256, and nothing else is added to more than three times.
func worthTo(owner env.Player, terms []Term, weights []int32) (sum int32) {
	for _, t := range terms {
		sum += int32(t.Value) * weights[t.Index]
	}
	if owner == env.Second {
		return -sum
	}
	return sum
}

func (e *linear) Evaluate(s env.State) int {
	mover, sum := s.Player(), 0
	e.pieces = s.(env.PieceLister).Pieces(e.pieces[:0])
	for i := range e.pieces {
		p := &e.pieces[i]
		if p.Wreck {
			continue
		}
		kind := int(p.Owner)*e.kinds + int(p.Type)
		sum += int(e.standing[(kind*e.squares+int(p.Square))*e.depth+int(p.Count)-1]) + int(e.facing[kind<<3|int(p.Facing&7)])
	}
	if mover == env.Second {
		sum = -sum
	}
	if e.own != nil {
		s.(env.Features).Features(e.numbers, mover)
		for i, weight := range e.own {
			sum += int(e.numbers[i]) * int(weight)
		}
	}
	return max(-Bound, min(Bound, rounded(sum)))
}

func (e *linear) Settled() bool { return false }

// rounded turns units of a weight into units of a score, halves away from 0.
func rounded(sum int) int {
	if sum < 0 {
		return -rounded(-sum)
	}
	return (sum + Fraction/2) / Fraction
}
