package tablebase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// A sowing is the effect of a legal move on the mover's own layout, on which alone it
// depends. What the move captures depends only on the enemy's houses.
type sowing struct {
	after  int32 // rank of the own layout afterwards
	target int8  // index into rules.targets; noTarget for a move that cannot capture
	drawn  bool  // the game ends in a draw
}

const noTarget = -1

// A target is what a move that ends in a certain attack house captures: if the facing attack
// house of the enemy has a seed, all seeds in that house and in certain others.
type target struct {
	attack int   // the facing attack house
	taken  []int // houses that are captured, attack included
}

// sowings are the legal moves of the layouts of a number of seeds.
type sowings struct {
	list  []sowing
	first []int32 // the layout of rank i has list[first[i]:first[i+1]]
}

func (s *sowings) of(circuit int) []sowing { return s.list[s.first[circuit]:s.first[circuit+1]] }

// rules are the moves of a game, as its engine gives them.
type rules struct {
	columns  int
	circuits *circuits
	targets  []target
	sowings  []sowings // by number of seeds
}

// gameName is the name of the game that the package solves.
const gameName = "ntxuva"

// newRules asks the engine for the moves of every layout of at most most seeds. The enemy
// has a seed in each house, so that every capture shows.
func newRules(game env.Game, most int) (*rules, error) {
	spec := game.Spec()
	r := &rules{columns: spec.Width, circuits: newCircuits(2*spec.Width, most), sowings: make([]sowings, most+1)}
	q := newReader(game)
	own, enemy := make([]uint8, r.circuits.houses), make([]uint8, r.circuits.houses)
	for house := range enemy {
		enemy[house] = 1
	}
	from, to := env.NewState(game), env.NewState(game)
	legal := spec.NewActions()
	for n := 1; n <= most; n++ {
		s := &r.sowings[n]
		s.first = append(s.first, 0)
		for number := range r.circuits.count(n) {
			r.circuits.unrank(own, n, number)
			if err := from.SetPosition(positionText(own, enemy)); err != nil {
				return nil, fmt.Errorf("%s: %w", spec.Name, err)
			}
			legal = from.Legal(legal[:0])
			for _, a := range legal {
				to.CopyFrom(from)
				to.Apply(a)
				_, reason := to.Result()
				after := q.read(to)
				s.list = append(s.list, sowing{
					after:  int32(r.circuits.rank(after[env.First], n)),
					target: r.target(after[env.Second]),
					drawn:  reason == env.Endless,
				})
			}
			s.first = append(s.first, int32(len(s.list)))
		}
	}
	return r, nil
}

// target returns the index of the target whose capture left the given houses of an enemy
// who had a seed in each house.
func (r *rules) target(enemy []uint8) int8 {
	p := target{attack: -1}
	for house, left := range enemy {
		if left != 0 {
			continue
		}
		p.taken = append(p.taken, house)
		if house >= r.columns {
			p.attack = house
		}
	}
	if p.attack < 0 {
		return noTarget
	}
	for i := range r.targets {
		if r.targets[i].attack == p.attack {
			return int8(i)
		}
	}
	r.targets = append(r.targets, p)
	return int8(len(r.targets) - 1)
}

// positionText returns the text of the position in which the first player has the own
// layout and is to move.
func positionText(own, enemy []uint8) string {
	var text []byte
	for _, circuit := range [...][]uint8{own, enemy} {
		for house, seeds := range circuit {
			if house > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(text, int64(seeds), 10)
		}
		text = append(text, ' ')
	}
	return string(append(text, "s 0 0"...))
}

// ClearCounters sets s to the same position with all counters 0, as tables know it.
func ClearCounters(s env.State) error {
	fields := strings.Fields(env.PositionText(s))
	const houses = 3 // fields: of both players, and the side to move
	return s.SetPosition(strings.Join(fields[:houses], " ") + " 0 0")
}

// A reader reads the houses of states. It belongs to one goroutine.
type reader struct {
	pieces []env.Piece
	seeds  [2][]uint8 // by player
}

func newReader(game env.Game) *reader {
	houses := 2 * game.Spec().Width
	return &reader{
		pieces: make([]env.Piece, 0, 2*houses),
		seeds:  [2][]uint8{make([]uint8, houses), make([]uint8, houses)},
	}
}

// read returns the houses of each player, valid until the next call. In the list of pieces
// each house is a piece, and the piece's id is the index of the house.
func (r *reader) read(s env.State) [2][]uint8 {
	clear(r.seeds[env.First])
	clear(r.seeds[env.Second])
	r.pieces = s.(env.PieceLister).Pieces(r.pieces[:0])
	for i := range r.pieces {
		p := &r.pieces[i]
		r.seeds[p.Owner][int(p.ID)-int(p.Owner)*len(r.seeds[0])] = uint8(p.Count)
	}
	return r.seeds
}
