package trench_test

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/trench"
)

// reference is Trench straight from the rule page, on an array of letters, with
// the whole history as a map of texts. It shares no code with the engine.
type reference struct {
	rules  trench.Rules
	at     [8][8]byte // at[y][x], absolute; 0 is empty
	white  bool       // White is to move, or would be
	points [2]int
	quiet  int
	plies  int
	seen   map[string]int
	over   bool
	reason string
	result int
}

var compass = [8][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}

func newReference(rules trench.Rules, text string) *reference {
	r := &reference{rules: rules, seen: map[string]int{}}
	fields := strings.Fields(text)
	for i, row := range strings.Split(fields[0], "/") {
		x := 0
		for _, c := range []byte(row) {
			if c >= '1' && c <= '8' {
				x += int(c - '0')
				continue
			}
			r.at[7-i][x] = c
			x++
		}
	}
	r.white = fields[1] == "w"
	fmt.Sscanf(fields[2], "%d-%d", &r.points[0], &r.points[1])
	r.quiet, _ = strconv.Atoi(fields[3])
	r.plies, _ = strconv.Atoi(fields[4])
	r.seen[r.boardAndSide()] = 1
	r.judge()
	return r
}

func (r *reference) boardAndSide() string {
	var out strings.Builder
	for y := 7; y >= 0; y-- {
		empty := 0
		for x := range 8 {
			if r.at[y][x] == 0 {
				empty++
				continue
			}
			if empty > 0 {
				fmt.Fprint(&out, empty)
			}
			empty = 0
			out.WriteByte(r.at[y][x])
		}
		if empty > 0 {
			fmt.Fprint(&out, empty)
		}
		if y > 0 {
			out.WriteByte('/')
		}
	}
	if r.white {
		return out.String() + " w"
	}
	return out.String() + " b"
}

func (r *reference) text() string {
	return fmt.Sprintf("%s %d-%d %d %d", r.boardAndSide(), r.points[0], r.points[1], r.quiet, r.plies)
}

func isWhite(c byte) bool { return c >= 'a' }

func (r *reference) rank(c byte) trench.Piece {
	letter := strings.ToUpper(string(c))
	piece := r.rules.Pieces[letter]
	if apart, is := r.rules.White[letter]; is && isWhite(c) {
		piece.LongestMove = apart.LongestMove
	}
	return piece
}

// land is 0 in Black's territory, 1 in White's, 2 in the trench.
func land(x, y int) int {
	switch {
	case x+y < 7:
		return 0
	case x+y > 7:
		return 1
	}
	return 2
}

type refMove struct {
	action   int
	text     string
	x, y     int
	toX, toY int
	captures [][2]int
}

func (r *reference) longest() int {
	longest := 0
	for _, p := range r.rules.Pieces {
		longest = max(longest, p.LongestMove)
	}
	for _, p := range r.rules.White {
		longest = max(longest, p.LongestMove)
	}
	return longest
}

func (r *reference) moves() []refMove {
	var all []refMove
	if r.over {
		return nil
	}
	for y := range 8 {
		for x := range 8 {
			if c := r.at[y][x]; c != 0 && isWhite(c) == r.white {
				all = append(all, r.movesFrom(x, y)...)
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].action < all[j].action })
	return all
}

func (r *reference) movesFrom(x, y int) []refMove {
	var all []refMove
	piece := r.rank(r.at[y][x])
	own, foe := 0, 1
	if r.white {
		own, foe = 1, 0
	}
	for d := range 8 { // in the mover's sight
		if !piece.Directions.Has(env.Direction(d)) {
			continue
		}
		dx, dy := compass[d][0], compass[d][1]
		from := y*8 + x
		if r.white {
			dx, dy, from = -dx, -dy, 63-from
		}
		var captures [][2]int
	walk:
		for n := 1; n <= piece.LongestMove; n++ {
			tx, ty := x+n*dx, y+n*dy
			if tx < 0 || tx > 7 || ty < 0 || ty > 7 {
				break
			}
			last := false
			if c := r.at[ty][tx]; c != 0 {
				if isWhite(c) == r.white {
					break
				}
				switch land(x, y) {
				case own:
					if land(tx, ty) == 2 {
						break walk
					}
					last = true
				case foe:
					last = true
				case 2:
					if land(tx, ty) != foe {
						break walk
					}
				}
				captures = append(captures, [2]int{tx, ty})
			}
			m := refMove{action: (from*8+d)*r.longest() + n - 1, x: x, y: y, toX: tx, toY: ty}
			m.captures = append(m.captures, captures...)
			m.text = squareName(x, y) + "-" + squareName(tx, ty)
			for _, c := range captures {
				m.text += "x" + squareName(c[0], c[1])
			}
			all = append(all, m)
			if last {
				break
			}
		}
	}
	return all
}

func squareName(x, y int) string { return string(rune('a'+x)) + strconv.Itoa(y+1) }

func (r *reference) play(m refMove) {
	mover := 0
	if r.white {
		mover = 1
	}
	r.quiet++
	r.plies++
	for _, c := range m.captures {
		r.points[mover] += r.rank(r.at[c[1]][c[0]]).Points
		r.at[c[1]][c[0]] = 0
		r.quiet = 0
	}
	r.at[m.toY][m.toX] = r.at[m.y][m.x]
	r.at[m.y][m.x] = 0
	r.white = !r.white
	r.seen[r.boardAndSide()]++
	r.judge()
}

func (r *reference) has(white bool, rank string) bool {
	for _, row := range r.at {
		for _, c := range row {
			if c != 0 && isWhite(c) == white && (rank == "" || strings.ToUpper(string(c)) == rank) {
				return true
			}
		}
	}
	return false
}

// judge looks for an end, the player not to move having just moved.
func (r *reference) judge() {
	mover := 1
	if r.white {
		mover = 0
	}
	win := 1 - 2*mover
	byPoints := 0
	if r.points[0] != r.points[1] {
		byPoints = 1
		if r.points[1] > r.points[0] {
			byPoints = -1
		}
	}
	end := func(result int, reason string) { r.over, r.result, r.reason = true, result, reason }
	target := r.rules.TargetPoints
	if target > 0 && !r.rules.EqualTurns && r.points[mover] >= target {
		end(win, "points")
		return
	}
	if target > 0 && r.rules.EqualTurns && mover == 1 {
		if r.points[0] >= target {
			end(byPoints, "points")
			return
		}
		if r.points[1] >= target {
			end(-1, "points")
			return
		}
	}
	switch {
	case r.rules.GeneralWins && !r.has(r.white, "G"):
		end(win, "general")
	case !r.has(r.white, ""):
		end(win, "annihilated")
	case !r.has(!r.white, ""):
		end(-win, "annihilated")
	case r.rules.MovesEach > 0 && r.plies >= 2*r.rules.MovesEach:
		end(byPoints, "move_limit")
	case r.rules.NoProgress > 0 && r.quiet >= r.rules.NoProgress:
		end(byPoints, "armistice")
	case r.rules.Repetition > 0 && r.seen[r.boardAndSide()] >= r.rules.Repetition:
		end(0, "repetition")
	case len(r.moves()) == 0:
		end(byPoints, "no_move")
	}
}
