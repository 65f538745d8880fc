package tankchess

import "github.com/sandtable-farm/sandtable/env"

// kind is a type of piece, with what the engine computes from it.
type kind struct {
	code      string
	speed     int
	value     int
	armour    [env.Rear + 1]int // by face
	power     int
	gun       Gun
	minRange  int // in effect
	maxRange  int
	shots     []shot    // ascending by number
	firstShot [8]int    // number of the first shot of each arc
	closed    int       // 1 if water is open to it: the index into State.closed
	faces     [8]uint64 // by facing: byte d is 1 + the armour that a shell flying in direction d hits
	moveTable *moveTable
	shotTable shotTable
	build     env.Build
}

// shot is one way to fire.
type shot struct {
	number   int
	arc      int // eighths of a circle clockwise from the facing
	distance int // 0 means up to the first piece on the line of fire
}

// shotNumbered returns the shot with a number.
func (k *kind) shotNumbered(number int) shot {
	for _, shot := range k.shots {
		if shot.number == number {
			return shot
		}
	}
	return shot{}
}

func (g *Game) setKinds() {
	for _, code := range g.rules.codes() {
		p := g.rules.Pieces[code]
		k := kind{
			code: code, speed: p.Speed, value: p.Value, power: p.Power, gun: p.Gun, minRange: p.Gun.minRange(), maxRange: p.Gun.maxRange(),
			armour: [...]int{env.Front: p.Armour.Front, env.Side: p.Armour.Side, env.Rear: p.Armour.Rear},
		}
		k.build = env.Build{Armour: p.Armour.Front, Arcs: len(p.Gun.Arcs), Indirect: p.Gun.Indirect, Command: code == commandCode}
		for i, arc := range p.Gun.Arcs {
			k.firstShot[i] = len(k.shots) + 1
			if !p.Gun.Indirect {
				k.shots = append(k.shots, shot{number: len(k.shots) + 1, arc: arc})
				continue
			}
			for distance := k.minRange; distance <= k.maxRange; distance++ {
				k.shots = append(k.shots, shot{number: len(k.shots) + 1, arc: arc, distance: distance})
			}
		}
		if len(k.shots) == 1 && !p.Gun.Indirect {
			k.shots[0].number, k.firstShot[0] = 2, 2 // like straight ahead for a gun with three arcs
		}
		g.kinds = append(g.kinds, k)
	}
}
