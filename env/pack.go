package env

import (
	"encoding/binary"
	"math/bits"
)

// The packed form of an observation has all the information of the planes. A uniform
// plane is one byte among the scalars. Any other plane of greatest value Max is
// bits.Len(Max) bit planes, the least significant first, each of PlaneWords words:
// bit s%64 of word s/64 belongs to element s, and the bits after the last element are
// 0. Bit planes and scalars are in the order of Spec.Planes.

// MaskWords is the number of words of a packed mask of actions.
func (s *Spec) MaskWords() int { return words(s.Actions) }

// PlaneWords is the number of words of one bit plane.
func (s *Spec) PlaneWords() int { return words(s.Width * s.Height) }

// ObservationBitWords is the number of words in a packed observation.
func (s *Spec) ObservationBitWords() int {
	planes := 0
	for i := range s.Planes {
		planes += s.Planes[i].bitPlanes()
	}
	return planes * s.PlaneWords()
}

// ObservationScalars is the number of bytes in a packed observation.
func (s *Spec) ObservationScalars() int {
	n := 0
	for i := range s.Planes {
		if s.Planes[i].Uniform {
			n++
		}
	}
	return n
}

// bitPlanes is the number of bit planes of a plane, 0 if it is uniform.
func (p *Plane) bitPlanes() int {
	if p.Uniform {
		return 0
	}
	return bits.Len8(p.Max)
}

func words(n int) int { return (n + 63) / 64 }

// PackObservation overwrites dst and scalars with the packed form of the planes
// that Observe has written.
func (s *Spec) PackObservation(dst []uint64, scalars []uint8, planes []uint8) {
	squares, each := s.Width*s.Height, s.PlaneWords()
	for i := range s.Planes {
		plane := planes[i*squares : (i+1)*squares]
		if s.Planes[i].Uniform {
			scalars[0] = plane[0]
			scalars = scalars[1:]
			continue
		}
		for bit := range s.Planes[i].bitPlanes() {
			packBit(dst[:each], plane, bit)
			dst = dst[each:]
		}
	}
}

// packBit overwrites packed with one bit of each value.
func packBit(packed []uint64, plane []uint8, bit int) {
	clear(packed)
	square := 0
	for ; square+8 <= len(plane); square += 8 {
		lows := binary.LittleEndian.Uint64(plane[square:]) >> bit & 0x0101010101010101
		// The product has bit 8i of lows at bit 56+i, and its other terms at other bits.
		packed[square/64] |= lows * 0x0102040810204080 >> 56 << (square % 64)
	}
	for ; square < len(plane); square++ {
		packed[square/64] |= uint64(plane[square]>>bit&1) << (square % 64)
	}
}

// UnpackObservation is the inverse of PackObservation: it overwrites planes.
func (s *Spec) UnpackObservation(planes []uint8, packed []uint64, scalars []uint8) {
	squares, each := s.Width*s.Height, s.PlaneWords()
	for i := range s.Planes {
		plane := planes[i*squares : (i+1)*squares]
		if s.Planes[i].Uniform {
			for square := range plane {
				plane[square] = scalars[0]
			}
			scalars = scalars[1:]
			continue
		}
		clear(plane)
		for bit := range s.Planes[i].bitPlanes() {
			for square := range plane {
				plane[square] |= uint8(packed[square/64]>>(square%64)&1) << bit
			}
			packed = packed[each:]
		}
	}
}

// PackActions overwrites mask with the bits of a list of actions.
func PackActions(mask []uint64, actions []Action) {
	clear(mask)
	for _, a := range actions {
		mask[a>>6] |= 1 << (a & 63)
	}
}
