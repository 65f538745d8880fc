package tankbattle_test

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env/tankbattle"
)

// reference is Tank Battle straight from the rule page, on letters by square
// name, with the whole history as a map of texts. It shares no code with the
// engine.
type reference struct {
	rules        tankbattle.Rules
	size         int
	at           map[string]byte // by square, absolute; absent is empty
	black        bool            // Black is to move, or would be
	quiet, plies int
	seen         map[string]int
	over         bool
	reason       string
	result       int
	mines        map[string]bool
	contaminated map[string]bool
	base         [2]map[string]bool
	mark         [2]string
}

var compass = [8][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func newReference(rules tankbattle.Rules, text string) *reference {
	l := rules.Layout
	r := &reference{
		rules: rules, size: l.Size, at: map[string]byte{}, seen: map[string]int{},
		mines: setOf(l.Mines), contaminated: setOf(l.Contaminated),
		base: [2]map[string]bool{setOf(l.WhiteBase), setOf(l.BlackBase)},
		mark: [2]string{l.WhiteCommander, l.BlackCommander},
	}
	fields := strings.Fields(text)
	for i, row := range strings.Split(fields[0], "/") {
		x, run := 0, 0
		for _, c := range []byte(row) {
			if c >= '0' && c <= '9' {
				run = run*10 + int(c-'0')
				continue
			}
			x += run
			run = 0
			r.at[squareName(x, r.size-1-i)] = c
			x++
		}
	}
	r.black = fields[1] == "b"
	r.quiet, _ = strconv.Atoi(fields[2])
	r.plies, _ = strconv.Atoi(fields[3])
	r.seen[r.boardAndSide()] = 1
	r.judge()
	return r
}

func squareName(x, y int) string { return string(rune('a'+x)) + strconv.Itoa(y+1) }

func (r *reference) boardAndSide() string {
	var rows []string
	for y := r.size - 1; y >= 0; y-- {
		row, empty := "", 0
		for x := range r.size {
			c := r.at[squareName(x, y)]
			if c == 0 {
				empty++
				continue
			}
			if empty > 0 {
				row += strconv.Itoa(empty)
			}
			empty = 0
			row += string(rune(c))
		}
		if empty > 0 {
			row += strconv.Itoa(empty)
		}
		rows = append(rows, row)
	}
	if r.black {
		return strings.Join(rows, "/") + " b"
	}
	return strings.Join(rows, "/") + " w"
}

func (r *reference) text() string {
	return fmt.Sprintf("%s %d %d", r.boardAndSide(), r.quiet, r.plies)
}

func isBlack(c byte) bool { return c >= 'a' }

func isCommander(c byte) bool { return c == 'C' || c == 'c' }

// side is 0 for a piece of White, 1 for one of Black.
func side(c byte) int {
	if isBlack(c) {
		return 1
	}
	return 0
}

type refMove struct {
	action   int
	text     string
	from, to string
	capture  bool
}

func (r *reference) moves() []refMove {
	var all []refMove
	if r.over {
		return nil
	}
	for y := range r.size {
		for x := range r.size {
			if c := r.at[squareName(x, y)]; c != 0 && isBlack(c) == r.black {
				all = append(all, r.movesFrom(x, y)...)
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].action < all[j].action })
	return all
}

func (r *reference) movesFrom(x, y int) []refMove {
	var all []refMove
	from := squareName(x, y)
	piece := r.at[from]
	enemyBase := r.base[1-side(piece)]
	for d := range 8 { // in the mover's sight
		dx, dy := compass[d][0], compass[d][1]
		square := y*r.size + x
		if r.black {
			dx, dy, square = -dx, -dy, r.size*r.size-1-square
		}
		for n := 1; ; n++ {
			tx, ty := x+n*dx, y+n*dy
			to := squareName(tx, ty)
			if tx < 0 || tx >= r.size || ty < 0 || ty >= r.size || r.mines[to] {
				break
			}
			if r.contaminated[to] && !isCommander(piece) {
				break
			}
			if enemyBase[from] && !enemyBase[to] {
				break
			}
			other := r.at[to]
			if other != 0 && (isBlack(other) == isBlack(piece) || r.mayNotCapture(piece, from, other, to)) {
				break
			}
			m := refMove{action: (square*8+d)*(r.size-1) + n - 1, from: from, to: to, capture: other != 0, text: from + "-" + to}
			if m.capture {
				m.text = from + "x" + to
			}
			all = append(all, m)
			if m.capture {
				break
			}
		}
	}
	return all
}

// mayNotCapture is the duel of the commanders.
func (r *reference) mayNotCapture(piece byte, from string, other byte, to string) bool {
	if !isCommander(piece) || !isCommander(other) {
		return false
	}
	return r.contaminated[to] || (r.rules.Duel == "either" && r.contaminated[from])
}

func (r *reference) play(m refMove) {
	piece := r.at[m.from]
	enemyBase := r.base[1-side(piece)]
	r.quiet++
	r.plies++
	if m.capture || (enemyBase[m.to] && !enemyBase[m.from]) {
		r.quiet = 0
	}
	delete(r.at, m.from)
	r.at[m.to] = piece
	r.black = !r.black
	r.seen[r.boardAndSide()]++
	r.judge()
}

// allHome tells whether every surviving tank of a side is in the enemy base.
func (r *reference) allHome(of int) bool {
	for square, c := range r.at {
		if side(c) == of && !r.base[1-of][square] {
			return false
		}
	}
	return true
}

func (r *reference) score(of int) int {
	sum, p := 0, r.rules.Points
	for square, c := range r.at {
		switch {
		case side(c) != of:
		case isCommander(c) && square == r.mark[1-of]:
			sum += p.CommanderHome
		case isCommander(c) && r.base[1-of][square]:
			sum += p.CommanderInBase
		case r.base[1-of][square]:
			sum += p.TankInBase
		default:
			sum += p.Elsewhere
		}
	}
	return sum
}

// judge looks for an end, the player not to move having just moved.
func (r *reference) judge() {
	mover, next := 1, 0
	if r.black {
		mover, next = 0, 1
	}
	byScore := func(reason string) {
		r.over, r.reason = true, reason
		switch white, black := r.score(0), r.score(1); {
		case white > black:
			r.result = 1
		case white < black:
			r.result = -1
		}
	}
	switch {
	case r.allHome(mover) || (r.rules.EndCheck == "both" && r.allHome(next)):
		byScore("all_home")
	case r.rules.NoProgress > 0 && r.quiet >= r.rules.NoProgress:
		byScore("no_progress")
	case r.rules.Repetition > 0 && r.seen[r.boardAndSide()] >= r.rules.Repetition:
		r.over, r.reason = true, "repetition"
	case len(r.moves()) == 0:
		byScore("no_move")
	}
}
