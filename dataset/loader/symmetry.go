package loader

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// A mirror applies a symmetry to packed observations and lists of actions.
type mirror struct {
	env.Symmetry
	planes  []int // image of each bit plane
	scalars []int // image of each scalar
	words   int   // of a bit plane
	mask    []uint64
}

// newMirrors returns the symmetries of a game except for the identity.
func newMirrors(g env.Game) []*mirror {
	s, ok := g.(env.Symmetric)
	if !ok {
		return nil
	}
	spec := g.Spec()
	firsts := make([]int, len(spec.Planes)) // bit plane or scalar of each plane
	planes, scalars := 0, 0
	for i, p := range spec.Planes {
		if p.Uniform {
			firsts[i] = scalars
			scalars++
			continue
		}
		firsts[i] = planes
		planes += bits.Len8(p.Max)
	}
	var list []*mirror
	for _, symmetry := range s.Symmetries() {
		m := &mirror{
			Symmetry: symmetry, planes: make([]int, planes), scalars: make([]int, scalars),
			words: spec.PlaneWords(), mask: make([]uint64, spec.MaskWords()),
		}
		for i, p := range spec.Planes {
			image := firsts[symmetry.Planes[i]]
			if p.Uniform {
				m.scalars[firsts[i]] = image
				continue
			}
			for bit := range bits.Len8(p.Max) {
				m.planes[firsts[i]+bit] = image + bit
			}
		}
		list = append(list, m)
	}
	return list
}

// observation overwrites the destination with the image of a packed observation.
func (m *mirror) observation(toBits []uint64, toScalars []uint8, packed []uint64, scalars []uint8) {
	clear(toBits)
	for plane, image := range m.planes {
		to := toBits[image*m.words:][:m.words]
		for w, word := range packed[plane*m.words:][:m.words] {
			for ; word != 0; word &= word - 1 {
				square := m.Squares[w<<6|bits.TrailingZeros64(word)]
				to[square>>6] |= 1 << (square & 63)
			}
		}
	}
	for i, image := range m.scalars {
		toScalars[image] = scalars[i]
	}
}

// actions replaces a list of legal actions in s by their images, in ascending order.
func (m *mirror) actions(s env.State, list []env.Action) {
	for _, a := range list {
		image := m.Action(s, a)
		m.mask[image>>6] |= 1 << (image & 63)
	}
	list = list[:0]
	for w, word := range m.mask {
		for ; word != 0; word &= word - 1 {
			list = append(list, env.Action(w<<6|bits.TrailingZeros64(word)))
		}
		m.mask[w] = 0
	}
}
