package tankbattle

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Features of a state. All are own minus enemy.
const (
	commanderFeature = iota // commanders
	tankFeature             // ordinary tanks
	baseFeature             // ordinary tanks in the enemy base
	insideFeature           // commander in the enemy base
	homeFeature             // commander on the enemy commander's start square
	scoreFeature            // what a side would score now, in units of the most that it can
	goalFeature             // single steps to the nearest square of the enemy base, summed over the tanks, in units of the longest move
	mobilityFeature         // moves each side would have were it to move, in units of 10
	turnFeature             // 1 when it is one's turn, −1 when it is the enemy's, 0 when the game is over
	featureCount
)

var featureNames = [featureCount]string{
	"commander", "tanks", "tanks in enemy base", "commander in enemy base", "commander home", "score", "distance to goal", "mobility", "turn",
}

// Features implements env.Features.
func (s *State) Features(dst []float32, viewer env.Player) {
	g := s.game
	dst = dst[:featureCount]
	clear(dst)
	viewer &= 1
	for _, p := range [2]env.Player{viewer, viewer ^ 1} {
		sign := float32(1)
		if p != viewer {
			sign = -1
		}
		distance := 0
		for word, rest := range s.pieces[p] {
			for ; rest != 0; rest &= rest - 1 {
				square := g.absolute(p, word<<6|bits.TrailingZeros64(rest))
				distance += int(g.goal[p][square])
				inside := g.terrain.base[p^1].has(square)
				if !isCommander(s.at(square)) {
					dst[tankFeature] += sign
					if inside {
						dst[baseFeature] += sign
					}
					continue
				}
				dst[commanderFeature] += sign
				if inside {
					dst[insideFeature] += sign
				}
				if square == g.terrain.commander[p^1] {
					dst[homeFeature] += sign
				}
			}
		}
		dst[scoreFeature] += sign * float32(s.Points(p))
		dst[goalFeature] += sign * float32(distance)
		dst[mobilityFeature] += sign * float32(s.mobility(p))
	}
	dst[scoreFeature] /= float32(max(g.mostPoints, 1))
	dst[goalFeature] /= float32(g.longest)
	dst[mobilityFeature] /= 10
	switch s.Player() {
	case viewer:
		dst[turnFeature] = 1
	case viewer ^ 1:
		dst[turnFeature] = -1
	}
}
