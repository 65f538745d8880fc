package tankchess

import "github.com/sandtable-farm/sandtable/env"

// Features after the differences in number of each type. All are own minus enemy.
const (
	valueFeature   = iota // value of the living pieces
	advanceFeature        // ranks gone from the home edge, summed over the living pieces but the Command Tank, in units of the board
	commandFeature        // ranks that the Command Tank has gone from its home edge, in units of the board
	escapeFeature         // 1 when the Command Tank could escape were it its side's turn
	turnFeature           // 1 when it is one's turn, −1 when it is the enemy's, 0 when the game is over
	featureCount
)

func (g *Game) features() []string {
	var names []string
	for i := range g.kinds {
		names = append(names, g.rules.Pieces[g.kinds[i].code].Name+" count")
	}
	return append(names, "value", "advance", "Command Tank advance", "Command Tank can escape", "turn")
}

// Features implements env.Features.
func (s *State) Features(dst []float32, viewer env.Player) {
	g := s.game
	dst = dst[:len(g.kinds)+featureCount]
	clear(dst)
	counts, rest := dst[:len(g.kinds)], dst[len(g.kinds):]
	viewer &= 1
	for _, p := range [2]env.Player{viewer, viewer ^ 1} {
		sign := float32(1)
		if p != viewer {
			sign = -1
		}
		for i, slot := range g.slots {
			t := s.tanks[p][i]
			if t.fate != living {
				continue
			}
			counts[slot.kind] += sign
			ranks := float32(g.frame(p, int(t.square))/g.size) / float32(g.size-1)
			if i == g.command {
				rest[commandFeature] += sign * ranks
			} else {
				rest[advanceFeature] += sign * ranks
			}
		}
		rest[valueFeature] += sign * float32(s.Points(p))
		rest[escapeFeature] += sign * float32(env.Flag(s.CanEscape(p)))
	}
	switch s.Player() {
	case viewer:
		rest[turnFeature] = 1
	case viewer ^ 1:
		rest[turnFeature] = -1
	}
}
