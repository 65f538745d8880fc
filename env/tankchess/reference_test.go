package tankchess_test

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env/tankchess"
)

// referenceGame is a rule set spelled out in the plainest form, for the slow
// engine that the real one is compared with.
type referenceGame struct {
	rules     tankchess.Rules
	size      int
	ground    [24][24]string   // "obstacle", "water", "low" or "hedge" by file and rank
	places    map[string]place // what may follow the @ of a position text, off excepted
	codes     []string         // types in their order
	slots     []string         // type of each slot
	templates [2]map[pose]int  // numbers of the end states for the facings N and NE
	T, S      int
	start     *reference
}

// A pose is a square and a facing, absolute, or both relative to others.
type pose struct{ x, y, facing int }

type place struct {
	pose
	wreck bool
}

type tank struct {
	code  string
	slot  int
	pose  // where it was destroyed, for a wreck
	wreck bool
	off   bool // it left the board
}

func (t tank) living() bool { return !t.wreck && !t.off }

// reference is one position with its history.
type reference struct {
	*referenceGame
	tanks        [2][]tank // in slot order; empty slots are left out
	mover        int
	quiet, plies int
	past         map[string]int
	reason       string
	winner       int // −1 for neither
	legal        []move
	board        [24][24]standing // see fillBoard
}

// standing is what stands on a square.
type standing struct {
	stands       bool
	owner, index int
}

// compass names a direction and gives its step.
func compass(direction int) (name string, dx, dy int) {
	switch (direction + 16) % 8 {
	case 0:
		return "N", 0, 1
	case 1:
		return "NE", 1, 1
	case 2:
		return "E", 1, 0
	case 3:
		return "SE", 1, -1
	case 4:
		return "S", 0, -1
	case 5:
		return "SW", -1, -1
	case 6:
		return "W", -1, 0
	}
	return "NW", -1, 1
}

// along returns the square some steps away in a direction, the facing kept.
func (p pose) along(direction, steps int) pose {
	_, dx, dy := compass(direction)
	return pose{p.x + steps*dx, p.y + steps*dy, p.facing}
}

func (p pose) turned(eighths int) pose { return pose{p.x, p.y, (p.facing + eighths + 16) % 8} }

func (p pose) square() string { return string(rune('a'+p.x)) + strconv.Itoa(p.y+1) }

// faced returns the pose with another facing; facing N stands for a square.
func (p pose) faced(facing int) pose { return pose{p.x, p.y, facing} }

func (p pose) String() string {
	name, _, _ := compass(p.facing)
	return p.square() + name
}

func newReferenceGame(rules tankchess.Rules) *referenceGame {
	g := &referenceGame{rules: rules, size: rules.Layout.Size, places: map[string]place{}}
	for x := range g.size {
		for y := range g.size {
			g.places[pose{x, y, 0}.square()+"#"] = place{pose{x, y, 0}, true}
			for facing := range 8 {
				g.places[pose{x, y, facing}.String()] = place{pose{x, y, facing}, false}
			}
		}
	}
	for name, squares := range map[string][]string{
		"obstacle": rules.Layout.Obstacles, "water": rules.Layout.Water, "low": rules.Layout.Low, "hedge": rules.Layout.Hedges,
	} {
		for _, square := range squares {
			at := g.places[square+"N"]
			g.ground[at.x][at.y] = name
		}
	}
	g.codes = slices.Collect(maps.Keys(rules.Pieces))
	sort.Slice(g.codes, func(i, j int) bool { return rules.Pieces[g.codes[i]].Order < rules.Pieces[g.codes[j]].Order })
	armies := [2]map[string][]pose{g.army(0), g.army(1)}
	g.start = &reference{referenceGame: g}
	for _, code := range g.codes {
		for owner, army := range armies {
			for i, p := range army[code] {
				g.start.tanks[owner] = append(g.start.tanks[owner], tank{code: code, slot: len(g.slots) + i, pose: p})
			}
		}
		for range max(len(armies[0][code]), len(armies[1][code])) {
			g.slots = append(g.slots, code)
		}
	}
	g.number()
	g.start.begin()
	return g
}

// army returns the start poses of a side, each type in the order of the squares
// as the side sees them.
func (g *referenceGame) army(owner int) map[string][]pose {
	table, turned := g.rules.Layout.White, false
	if owner == 1 {
		if table, turned = g.rules.Layout.Black, false; table == nil {
			table, turned = g.rules.Layout.White, true
		}
	}
	army := map[string][]pose{}
	for code, starts := range table {
		for _, text := range starts {
			at, given := g.places[text]
			if !given {
				at = g.places[text+"N"]
				if owner == 1 && !turned {
					at = g.places[text+"S"]
				}
			}
			if turned {
				at.pose = g.turnedBoard(at.pose)
			}
			army[code] = append(army[code], at.pose)
		}
		sort.Slice(army[code], func(i, j int) bool {
			a, b := g.seenBy(owner, army[code][i]), g.seenBy(owner, army[code][j])
			return a.y*g.size+a.x < b.y*g.size+b.x
		})
	}
	return army
}

func (g *referenceGame) turnedBoard(p pose) pose {
	return pose{g.size - 1 - p.x, g.size - 1 - p.y, (p.facing + 4) % 8}
}

// seenBy returns a pose in the frame of a player.
func (g *referenceGame) seenBy(player int, p pose) pose {
	if player == 1 {
		return g.turnedBoard(p)
	}
	return p
}

// begin starts the history at the position.
func (r *reference) begin() {
	r.past = map[string]int{}
	r.judge(r.commandOnLastRank(1 - r.mover))
}

func (r *reference) clone() *reference {
	c := *r
	c.past = maps.Clone(r.past)
	for p := range c.tanks {
		c.tanks[p] = slices.Clone(r.tanks[p])
	}
	return &c
}

// play makes one of the legal moves.
func (r *reference) play(m move) {
	t := &r.tanks[r.mover][m.tank]
	t.pose, t.off = m.to, m.off
	r.quiet++
	r.plies++
	if m.victim >= 0 {
		r.tanks[1-r.mover][m.victim].wreck = true
		r.quiet = 0
	}
	breakthrough := t.code == "CLT" && r.commandOnLastRank(r.mover)
	r.mover = 1 - r.mover
	r.judge(breakthrough)
}

// judge counts the position and finds the end of the game, the player who is not
// to move having just moved.
func (r *reference) judge(breakthrough bool) {
	key := r.key()
	r.past[key]++
	r.reason, r.winner = "none", -1
	r.legal = r.moves()
	last := 1 - r.mover
	switch {
	case r.command(r.mover).wreck:
		r.reason, r.winner = "command_destroyed", last
	case r.command(last).off || breakthrough:
		r.reason, r.winner = "escaped", last
	case r.rules.NoProgress > 0 && r.quiet >= r.rules.NoProgress:
		r.reason = "no_progress"
	case r.rules.Repetition > 0 && r.past[key] >= r.rules.Repetition:
		r.reason = "repetition"
	case len(r.legal) == 0:
		r.reason = "no_move"
	}
	if r.reason != "none" {
		r.legal = nil
	}
}

// fillBoard notes what stands where, wrecks included.
func (r *reference) fillBoard() {
	r.board = [24][24]standing{}
	for owner, tanks := range r.tanks {
		for i, t := range tanks {
			if !t.off {
				r.board[t.x][t.y] = standing{true, owner, i}
			}
		}
	}
}

// command returns a side's command tank.
func (r *reference) command(player int) tank {
	return r.tanks[player][slices.IndexFunc(r.tanks[player], func(t tank) bool { return t.code == "CLT" })]
}

// commandOnLastRank reports whether a side's command tank stands where a move of
// it wins with escape = last_rank.
func (r *reference) commandOnLastRank(player int) bool {
	return r.command(player).living() && r.winsAt(player, r.command(player).pose)
}

func (g *referenceGame) winsAt(player int, p pose) bool {
	return g.rules.Escape == "last_rank" && g.seenBy(player, p).y == g.size-1 && !(g.rules.CornerExit == "barred" && g.inCornerFile(p))
}

func (g *referenceGame) inCornerFile(p pose) bool { return p.x == 0 || p.x == g.size-1 }

// key is the position as repetition sees it.
func (r *reference) key() string {
	var list []string
	for owner, tanks := range r.tanks {
		for _, t := range tanks {
			switch {
			case t.wreck:
				list = append(list, "# "+t.square())
			case !t.off:
				list = append(list, fmt.Sprint(owner, t.code, " ", t.pose))
			}
		}
	}
	sort.Strings(list)
	return fmt.Sprint(strings.Join(list, ","), " ", r.mover)
}

// points is the value of a side's living pieces.
func (r *reference) points(player int) (sum int) {
	for _, t := range r.tanks[player] {
		if t.living() {
			sum += r.rules.Pieces[t.code].Value
		}
	}
	return sum
}
