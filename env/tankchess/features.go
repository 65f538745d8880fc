package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Features of a state, for the viewer minus for the enemy. Only pieces of the player to
// move count as under fire: a search sees at once what that player can hit.
const (
	fireFeature    = iota // value of the enemy's pieces under fire
	commandFeature        // 1 if the enemy's Command Tank is under fire
	escapeFeature         // 1 if the own Command Tank could escape, if it were its turn
	turnFeature           // 1 if the viewer is to move, −1 if the enemy is, 0 when the game is over
	featureCount
)

var featureNames = [featureCount]string{"value under fire", "Command Tank under fire", "Command Tank can escape", "turn"}

// Features implements env.Features.
func (s *State) Features(dst []int32, viewer env.Player) {
	viewer &= 1
	turn := env.Turn(s, viewer)
	value, command := int32(0), int32(0)
	if turn != 0 {
		value, command = s.underFire(s.Next)
	}
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		fireFeature:    -turn * value,
		commandFeature: -turn * command,
		escapeFeature:  int32(engine.Flag(s.CanEscape(viewer))) - int32(engine.Flag(s.CanEscape(viewer^1))),
		turnFeature:    turn,
	}
}

// underFire returns the value of p's pieces that the enemy could destroy, if it were
// the enemy's turn, and 1 if the Command Tank is among them.
func (s *State) underFire(p env.Player) (value, command int32) {
	g := s.game
	t := &s.scratch.targets
	s.listTargets(t, p)
	hit, enemy := uint32(0), p.Opponent()&1
	for slot := range g.slots {
		if s.tanks[enemy][slot&(maxSlots-1)].fate == living {
			hit |= s.hits(t, enemy, slot, hit)
		}
	}
	for slot := range g.slots {
		if s.tanks[p&1][slot&(maxSlots-1)].fate != living {
			continue
		}
		if hit&1 != 0 {
			value += int32(g.kindOf[slot&(maxSlots-1)].value)
			command |= int32(engine.Flag(slot == g.command))
		}
		hit >>= 1
	}
	return value, command
}

// hits returns the set of targets that a living piece could destroy, without those
// in known.
func (s *State) hits(t *targets, owner env.Player, slot int, known uint32) (set uint32) {
	maybe := s.mayHit(t, owner, slot) &^ known
	if maybe == 0 {
		return 0
	}
	var reached endSet
	s.reachable(owner, slot, &reached)
	n := t.n
	for t.n = 1; maybe != 0; maybe &= maybe - 1 {
		i := bits.TrailingZeros32(maybe) & (maxSlots - 1)
		t.list[0], t.list[i] = t.list[i], t.list[0]
		if s.findShots(t, owner, slot, &reached) {
			set |= 1 << i
		}
		t.list[0], t.list[i] = t.list[i], t.list[0]
	}
	t.n = n
	return set
}
