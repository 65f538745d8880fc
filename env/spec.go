package env

import (
	"fmt"
	"slices"
	"strings"
)

// Spec holds the static facts of a rule set. All users share it and must not change
// it.
type Spec struct {
	Game        string // the engine: "trench"
	Name        string // the variant: "trench/standard", or a custom rule set's name
	Description string // a sentence or two for people
	Source      string // where the rules come from
	Version     int    // behaviour version of the engine

	Players       [2]string // what the players are called
	Width, Height int       // of the board in squares, and of every plane
	StartText     string    // position text of the start

	Actions      int          // action numbers are 0 to Actions−1
	Encoding     string       // of an action number, for people
	MaxLegal     int          // upper bound of the number of legal actions
	ActionPlanes []string     // planes of a convolutional policy, by index
	ActionCells  []ActionCell // the cell of each action in those planes
	// ActionFactors write an action number as a tuple, one number for each factor, with
	// the last factor counting fastest: Factors converts. Actions from Factored on have no
	// tuple. The first factor says which piece or house acts.
	ActionFactors []Factor

	Planes []Plane // observation planes, by index
	// SlotPlanes has an observation plane for each value of the first factor, if that is a
	// slot instead of a square: 1 on the square where the viewer's piece of the slot stands,
	// alive or as a wreck, and 0 elsewhere. It is nil if the first factor has Squares.
	SlotPlanes []int16

	Pieces []PieceType // piece types, by index
	Ends   []End       // the reasons with which this rule set can end a game
	// MultipleCapture is what the rules call an action that captures several pieces,
	// for people. It is empty if they have no word for it.
	MultipleCapture string
	Features        []string // names of the Features of a state, by index; nil without that ability
}

// Factored is the number of actions that have a tuple of factors: the product of the
// sizes of ActionFactors. The actions from Factored on have none.
func (s *Spec) Factored() int {
	n := 1
	for _, f := range s.ActionFactors {
		n *= f.Size
	}
	return n
}

// Factors appends the tuple of an action to dst, a number for each factor in
// ActionFactors. It appends nothing for an action that has no tuple.
func (s *Spec) Factors(dst []int, a Action) []int {
	below := s.Factored()
	if int(a) >= below {
		return dst
	}
	rest := int(a)
	for _, f := range s.ActionFactors {
		below /= f.Size
		dst = append(dst, rest/below)
		rest %= below
	}
	return dst
}

// ObservationSize is the number of elements that Observe writes:
// len(Planes) × Height × Width.
func (s *Spec) ObservationSize() int { return len(s.Planes) * s.Height * s.Width }

// Frame converts an absolute square to p's frame, and back: the second player sees
// the board turned by 180°.
func (s *Spec) Frame(p Player, square int) int {
	if p == Second {
		return s.Width*s.Height - 1 - square
	}
	return square
}

// NewActions returns an empty list with room for the legal actions of any
// position, so that Legal does not allocate.
func (s *Spec) NewActions() []Action { return s.NewActionLists(1) }

// NewActionLists returns an empty list with room for the legal actions of n
// positions, one after another: its capacity is ActionListsSize(n).
func (s *Spec) NewActionLists(n int) []Action { return make([]Action, 0, s.ActionListsSize(n)) }

// ActionListsSize is the number of actions for which lists of n positions, one after
// another, need room. They fill whole cache lines of 64 bytes, so that lists of
// different goroutines do not share one.
func (s *Spec) ActionListsSize(n int) int {
	const (
		line    = 16 // actions
		scratch = 16 // actions that engines may overwrite beyond the end: engine.Slack
	)
	return (n*s.MaxLegal + scratch + line - 1) / line * line
}

// Plane describes one observation plane.
type Plane struct {
	Name        string
	Description string // what an element means and how it is scaled
	Max         uint8  // the greatest value: 1 for a plane of zeros and ones
	Uniform     bool   // all elements are equal in every position
}

// PieceType describes one type of piece as data, from which balance reports work.
type PieceType struct {
	Name       string
	Symbol     string
	Count      [2]int // pieces of each player at the start
	MaxCount   int    // greatest Piece.Count: 1, or the number of seeds that a house can hold
	Turns      bool   // its pieces have a Piece.Facing
	Attributes []Attribute
}

// PieceType returns the index in Pieces of the type of the given name or symbol.
func (s *Spec) PieceType(text string) (int, error) {
	i := slices.IndexFunc(s.Pieces, func(t PieceType) bool { return t.Name == text || t.Symbol == text })
	if i < 0 || text == "" {
		var known []string
		for _, t := range s.Pieces {
			known = append(known, fmt.Sprintf("%s (%s)", t.Name, t.Symbol))
		}
		return 0, fmt.Errorf("%q is not a piece type of %s, must be one of %s", text, s.Name, strings.Join(known, ", "))
	}
	return i, nil
}

// Attribute is a number that belongs to a piece type, such as its longest move.
type Attribute struct {
	Name  string
	Value int
}

// End is a way in which a game of a rule set can end.
type End struct {
	Reason      Reason
	Description string
	HouseRule   bool // the published rules are silent, and Sandtable adds this end
}

// Factor is one part of an action, such as the start square or the direction.
type Factor struct {
	Name        string
	Description string // what the numbers mean
	Size        int    // the numbers are 0 to Size−1
	// Squares has the square of each number in the mover's frame. It is nil if the
	// numbers do not stand for squares.
	Squares []int16
}

// ActionCell is the place of an action in the planes of a convolutional policy:
// a plane of Spec.ActionPlanes and a square, both in the mover's frame.
type ActionCell struct {
	Plane, Square int16
}
