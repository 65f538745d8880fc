package tankchess_test

import (
	"slices"
	"sort"
)

// moment is a pose on the way, and whether the one step back has been made.
type moment struct {
	pose
	backed bool
}

type move struct {
	action int
	tank   int // index in the mover's list
	to     pose
	victim int // index in the enemy's list, −1 without a shot
	shot   int // its number
	face   string
	off    bool // it leaves the board
}

// moveText writes a move of the player to move.
func (r *reference) moveText(m move) string {
	text := r.tanks[r.mover][m.tank].square() + ">"
	if m.off {
		return text + "off"
	}
	text += m.to.square() + "/" + m.to.String()[len(m.to.square()):]
	if m.victim >= 0 {
		text += "(" + r.tanks[1-r.mover][m.victim].square() + ")"
	}
	return text
}

// ways returns the moments one step after another, on a board without edges.
func (g *referenceGame) ways(m moment) []moment {
	list := []moment{{m.along(m.facing, 1), m.backed}, {m.turned(-1), m.backed}, {m.turned(1), m.backed}}
	if g.rules.Reverse == "mixed" && !m.backed {
		list = append(list, moment{m.along(m.facing+4, 1), true})
	}
	return list
}

// reached is a moment with the fewest steps to it.
type reached struct {
	moment
	steps int
}

// around is a mark for each pose that seven steps lead to.
type around [15][15][8]bool

// first marks a pose around the start and reports whether it had no mark.
func (a *around) first(start, p pose) bool {
	mark := &a[7+p.x-start.x][7+p.y-start.y][p.facing]
	was := *mark
	*mark = true
	return !was
}

// reach searches breadth first for every moment of an ordinary move, with the
// fewest steps to it; the start is among them. open reports whether a square may be
// entered.
func (g *referenceGame) reach(start pose, speed int, open func(pose) bool) []reached {
	var known [2]around // without and with the step back
	known[0].first(start, start)
	list := []reached{{moment{start, false}, 0}}
	for i := 0; i < len(list) && list[i].steps < speed; i++ {
		for _, next := range g.ways(list[i].moment) {
			marks := &known[0]
			if next.backed {
				marks = &known[1]
			}
			if open(next.pose) && marks.first(start, next.pose) {
				list = append(list, reached{next, list[i].steps + 1})
			}
		}
	}
	return list
}

// endStates returns where a move may end, each once, with the fewest steps.
func (g *referenceGame) endStates(start pose, speed int, open func(pose) bool) (ends []reached) {
	var all []reached
	if back := start.along(start.facing+4, 1); g.rules.Reverse == "alone" && open(back) {
		all = append(all, reached{moment{back, true}, 1})
	}
	var known around
	known.first(start, start)
	for _, r := range append(all, g.reach(start, speed, open)...) {
		if known.first(start, r.pose) {
			ends = append(ends, r)
		}
	}
	return ends
}

// number makes the lists of end-state templates, T and S.
func (g *referenceGame) number() {
	fastest, shots := 0, 0
	for _, code := range g.codes {
		fastest = max(fastest, g.rules.Pieces[code].Speed)
		shots = max(shots, g.shotsOf(code))
	}
	g.S = max(4, 1+shots)
	for facing := range g.templates {
		start := pose{0, 0, facing}
		back := start.along(facing+4, 1)
		list := g.endStates(start, fastest, func(pose) bool { return true })
		list = slices.DeleteFunc(list, func(r reached) bool { return r.pose == back })
		sort.Slice(list, func(i, j int) bool {
			a, b := list[i], list[j]
			return slices.Compare(
				[]int{a.steps, a.y, a.x, a.turned(-facing).facing},
				[]int{b.steps, b.y, b.x, b.turned(-facing).facing}) < 0
		})
		g.templates[facing] = map[pose]int{back: 0}
		for i, end := range list {
			g.templates[facing][end.pose] = 1 + i
		}
		g.T = max(g.T, 1+len(list))
	}
}

// template returns the number of a move's end state.
func (g *referenceGame) template(from, to pose) int {
	d := pose{to.x - from.x, to.y - from.y, to.facing}
	for ; from.facing >= 2; from.facing -= 2 {
		d = pose{-d.y, d.x, d.facing}.turned(-2)
	}
	return g.templates[from.facing][d]
}

func (g *referenceGame) shotsOf(code string) int {
	gun := g.rules.Pieces[code].Gun
	if gun.Indirect {
		return len(gun.Arcs) * (gun.Greatest - max(gun.Least, 1) + 1)
	}
	return len(gun.Arcs)
}

func (g *referenceGame) onBoard(p pose) bool {
	return p.x >= 0 && p.y >= 0 && p.x < g.size && p.y < g.size
}

// standing returns the owner and index of what stands on a square of the board,
// wrecks included; except is a tank of the mover that counts as gone.
func (r *reference) standing(square pose, except int) (owner, index int, found bool) {
	at := r.board[square.x][square.y]
	return at.owner, at.index, at.stands && !(at.owner == r.mover && at.index == except)
}

// open reports whether the mover's tank may enter a square.
func (r *reference) open(tank int, p pose) bool {
	if !r.onBoard(p) {
		return false
	}
	if _, _, found := r.standing(p, tank); found {
		return false
	}
	switch r.ground[p.x][p.y] {
	case "obstacle", "low":
		return false
	case "water":
		return r.rules.Pieces[r.tanks[r.mover][tank].code].Amphibious
	}
	return true
}

// moves returns the legal moves of a running game, in the order of their
// numbers.
func (r *reference) moves() []move {
	var list []move
	r.fillBoard()
	for i, t := range r.tanks[r.mover] {
		if !t.living() {
			continue
		}
		open := func(p pose) bool { return r.open(i, p) }
		for _, end := range r.endStates(t.pose, r.rules.Pieces[t.code].Speed, open) {
			end := end.pose
			m := move{
				action: (t.slot*r.T + r.template(t.pose, end)) * r.S,
				tank:   i, to: end, victim: -1,
			}
			list = append(list, m)
			if t.code == "CLT" && r.winsAt(r.mover, end) {
				continue
			}
			list = append(list, r.shots(m)...)
		}
		if t.code == "CLT" && r.rules.Escape == "off_board" && r.leaves(i) {
			list = append(list, move{
				action: len(r.slots) * r.T * r.S, tank: i, to: t.pose, victim: -1, off: true,
			})
		}
	}
	slices.SortFunc(list, func(a, b move) int { return a.action - b.action })
	return list
}

// leaves reports whether a command tank of the mover can go off the board.
func (r *reference) leaves(tank int) bool {
	t := r.tanks[r.mover][tank]
	speed := r.rules.Pieces[t.code].Speed
	for _, m := range r.reach(t.pose, speed, func(p pose) bool { return r.open(tank, p) }) {
		if m.steps == speed {
			continue
		}
		if r.exit(m.pose, m.along(m.facing, 1)) {
			return true
		}
		mayBack := r.rules.Reverse == "mixed" && !m.backed || r.rules.Reverse == "alone" && m.steps == 0
		if r.rules.BackwardEscape && mayBack && r.exit(m.pose, m.along(m.facing+4, 1)) {
			return true
		}
	}
	return false
}

// exit reports whether a step of the mover's command tank is one off the board.
func (r *reference) exit(from, to pose) bool {
	if r.seenBy(r.mover, to).y != r.size || to.x < 0 || to.x >= r.size {
		return false
	}
	return !(r.rules.CornerExit == "barred" && r.inCornerFile(from))
}

// shots returns a move with each shot that may follow it.
func (r *reference) shots(m move) (list []move) {
	piece := r.rules.Pieces[r.tanks[r.mover][m.tank].code]
	gun := piece.Gun
	least := max(gun.Least, 1)
	for i, arc := range gun.Arcs {
		for distance := 1; ; distance++ {
			direction := (m.to.facing + arc + 8) % 8
			at := m.to.along(direction, distance)
			if !r.onBoard(at) {
				break
			}
			owner, index, found := r.standing(at, m.tank)
			inRange := distance >= least && (gun.Greatest == 0 || distance <= gun.Greatest)
			if found && owner != r.mover && inRange {
				if victim := r.tanks[owner][index]; victim.living() && piece.Power > r.armour(victim, direction) {
					shot := m
					shot.victim, shot.shot, shot.face = index, 1+i, faceHit(victim, direction)
					switch {
					case gun.Indirect:
						shot.shot = 1 + i*(gun.Greatest-least+1) + distance - least
					case len(gun.Arcs) == 1:
						shot.shot = 2
					}
					shot.action += shot.shot
					list = append(list, shot)
				}
			}
			ground := r.ground[at.x][at.y]
			if !gun.Indirect && (found || ground == "obstacle" || ground == "hedge") {
				break
			}
		}
	}
	return list
}

// faceHit returns the side of a tank that a shell flying in a direction hits.
func faceHit(t tank, direction int) string {
	switch (direction - t.facing + 8) % 8 {
	case 4:
		return "front"
	case 0:
		return "rear"
	}
	return "side"
}

func (r *reference) armour(t tank, direction int) int {
	armour := r.rules.Pieces[t.code].Armour
	return map[string]int{"front": armour.Front, "side": armour.Side, "rear": armour.Rear}[faceHit(t, direction)]
}

// movesOf returns what a player could play if it were his move.
func (r *reference) movesOf(player int) []move {
	c := r.clone()
	c.mover = player
	return c.moves()
}

// inCheck reports whether the opponent, to move, could destroy a command tank.
func (r *reference) inCheck(player int) bool {
	return slices.ContainsFunc(r.movesOf(1-player), func(m move) bool {
		return m.victim >= 0 && r.tanks[player][m.victim].code == "CLT"
	})
}

// canEscape reports whether a player, to move, could win by an escape.
func (r *reference) canEscape(player int) bool {
	return slices.ContainsFunc(r.movesOf(player), func(m move) bool {
		return m.off || r.tanks[player][m.tank].code == "CLT" && r.winsAt(player, m.to)
	})
}
