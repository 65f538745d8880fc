package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// sideFeatures are counted for a player; Features gives the viewer's and then the
// opponent's, in this order.
var sideFeatures = [...]string{
	"seeds in attack",
	"seeds in defence",
	"houses of two or more",
	"single seeds",
	"exposed pairs", // columns whose attack house is not empty
	"exposed seeds", // what stands in them, as far as a capture would take it
	"threatening houses",
}

const featuresPerSide = len(sideFeatures)

func featureNames() []string {
	var names []string
	for _, side := range []string{"own ", "enemy "} {
		for _, name := range sideFeatures {
			names = append(names, side+name)
		}
	}
	return append(names, "to move")
}

// Features writes the features as viewer counts them.
func (s *State) Features(dst []float32, viewer env.Player) {
	s.side(dst[:featuresPerSide], viewer)
	s.side(dst[featuresPerSide:2*featuresPerSide], viewer.Opponent())
	dst[2*featuresPerSide] = float32(env.Flag(s.player == viewer))
}

// side writes the features of one player. A threatening house is an empty attack
// house that faces an occupied one: a move that ends there captures.
func (s *State) side(dst []float32, p env.Player) {
	columns := s.game.rules.Columns
	var attack, defence, many, singles, pairs, exposed, threats int
	for column := range columns {
		a, d := s.count(p, 2*columns-1-column), s.count(p, column)
		attack += a
		defence += d
		many += int(env.Flag(a >= 2)) + int(env.Flag(d >= 2))
		singles += int(env.Flag(a == 1)) + int(env.Flag(d == 1))
		if a != 0 {
			pairs++
			exposed += a
			if s.game.rules.Capture == pair {
				exposed += d
			}
		} else if s.count(p.Opponent(), columns+column) != 0 {
			threats++
		}
	}
	for i, n := range [featuresPerSide]int{attack, defence, many, singles, pairs, exposed, threats} {
		dst[i] = float32(n)
	}
}
