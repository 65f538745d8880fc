package tablebase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// A sowing is what a legal move does to the mover's own circuit. It depends on
// nothing else; what it captures depends on the enemy's houses alone.
type sowing struct {
	after int32 // number of the own circuit afterwards
	prey  int8  // index into rules.preys, noPrey for a move that never captures
	drawn bool  // the game ends drawn
}

const noPrey = -1

// A prey is what a move takes that ends in one attack house: if there is a seed
// in the enemy's facing attack house, all in that house and in others.
type prey struct {
	attack int   // house of the enemy
	taken  []int // houses of the enemy, attack among them
}

// sowings are the legal moves of the circuits of some number of seeds.
type sowings struct {
	list  []sowing
	first []int32 // circuit i has list[first[i]:first[i+1]]
}

func (s *sowings) of(circuit int) []sowing { return s.list[s.first[circuit]:s.first[circuit+1]] }

// rules are the moves of a game, read off its engine.
type rules struct {
	columns  int
	circuits *circuits
	preys    []prey
	sowings  []sowings // by number of seeds
}

// gameName is that of the engine whose positions are tabled.
const gameName = "ntxuva"

// newRules asks the engine for the moves of every circuit of at most so many
// seeds. The enemy has a seed in each house, so that every capture shows.
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
			r.circuits.lay(own, n, number)
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
					after: int32(r.circuits.number(after[env.First], n)),
					prey:  r.prey(after[env.Second]),
					drawn: reason == env.Endless,
				})
			}
			s.first = append(s.first, int32(len(s.list)))
		}
	}
	return r, nil
}

// prey returns the index of what was taken from an enemy who had a seed in each
// house.
func (r *rules) prey(enemy []uint8) int8 {
	p := prey{attack: -1}
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
		return noPrey
	}
	for i := range r.preys {
		if r.preys[i].attack == p.attack {
			return int8(i)
		}
	}
	r.preys = append(r.preys, p)
	return int8(len(r.preys) - 1)
}

// positionText is the text of the position in which the first player has the own
// circuit and is to move.
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

// ClearCounters sets s to the same position at the beginning of a game, as tables
// know it.
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

// read returns the houses of each player, valid until the next call. In the list
// of pieces a house is a piece whose id tells its number.
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
