package engine

import (
	"encoding/binary"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// NewSpec returns a Spec with the facts from the header of a rule set and from the
// start position. Behaviour is the engine's behaviour version.
func NewSpec(header *variant.Header, behaviour int, start env.State) env.Spec {
	return env.Spec{
		Game:        header.Game,
		Name:        header.Name,
		Description: header.Description,
		Source:      header.Source,
		Version:     behaviour,
		StartText:   env.PositionText(start),
	}
}

// Ends collects the ends of a rule set, in the order of its rule page.
type Ends []env.End

// Add adds an end if the rule set has it. House marks a house rule.
func (e *Ends) Add(has bool, reason env.Reason, house bool, format string, args ...any) {
	if has {
		*e = append(*e, env.End{Reason: reason, HouseRule: house, Description: fmt.Sprintf(format, args...)})
	}
}

// Planes collects the observation planes of a rule set: first those that differ
// by square, then the uniform ones.
type Planes []env.Plane

// Add adds a plane of zeros and ones.
func (p *Planes) Add(name, format string, args ...any) {
	*p = append(*p, env.Plane{Name: name, Description: fmt.Sprintf(format, args...), Max: 1})
}

// AddUniform adds a plane whose elements are all equal and at most top.
func (p *Planes) AddUniform(top int, name, format string, args ...any) {
	*p = append(*p, env.Plane{Name: name, Description: fmt.Sprintf(format, args...), Max: uint8(top), Uniform: true})
}

// AddTurn adds the planes of the player to move and of the viewer's side, given the
// name of the first player.
func (p *Planes) AddTurn(first string) {
	p.AddUniform(1, "to move", "1 everywhere when the viewer is to move, 0 also when the game is over")
	p.AddUniform(1, first, "1 everywhere when the viewer is %s", first)
}

// AddScaled adds a uniform plane of a number; the scale completes the description.
func (p *Planes) AddScaled(scale Scale, name, description string) {
	p.AddUniform(scale.Max(), name, "%s, %v", description, scale)
}

// AddScores adds a scaled plane of a number of the viewer and one of the same number
// of the enemy. The %s in the description stands for whose it is.
func (p *Planes) AddScores(scale Scale, name, description string) {
	p.AddScaled(scale, "own "+name, fmt.Sprintf(description, "the viewer"))
	p.AddScaled(scale, "enemy "+name, fmt.Sprintf(description, "the enemy"))
}

// Fill sets every element of consecutive planes, each plane to its own value. The
// planes must be zero before, and size must be at least 8.
func Fill(dst []uint8, size int, values []uint8) {
	for i, value := range values {
		if value != 0 {
			fill(dst[i*size:][:size], value)
		}
	}
}

func fill(plane []uint8, value uint8) {
	eight := uint64(value) * 0x0101010101010101
	binary.LittleEndian.PutUint64(plane[len(plane)-8:], eight)
	for ; len(plane) >= 64; plane = plane[64:] {
		block := (*[64]uint8)(plane)
		binary.LittleEndian.PutUint64(block[0:], eight)
		binary.LittleEndian.PutUint64(block[8:], eight)
		binary.LittleEndian.PutUint64(block[16:], eight)
		binary.LittleEndian.PutUint64(block[24:], eight)
		binary.LittleEndian.PutUint64(block[32:], eight)
		binary.LittleEndian.PutUint64(block[40:], eight)
		binary.LittleEndian.PutUint64(block[48:], eight)
		binary.LittleEndian.PutUint64(block[56:], eight)
	}
	for ; len(plane) >= 8; plane = plane[8:] {
		binary.LittleEndian.PutUint64(plane, eight)
	}
}
