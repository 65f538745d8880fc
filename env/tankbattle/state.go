package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// State is one position of a Game with its history.
type State struct {
	game *Game
	// pieces[p] are the squares of p's pieces in p's own frame.
	pieces    [2]squareSet
	lines     [lines]uint16
	limit     [ids]distances
	reach     [ids]distances
	board     [cells]id // wall outside of the board
	key       uint64
	tally     [2]worth // of each player's tanks
	commander [2]uint8 // cell of each player's commander, 0 for none
	safe      [2]bool  // the other commander may not capture it

	// The history begins with the last progress: captured tanks do not return,
	// and tanks in the enemy base do not leave it.
	engine.Base

	// States of different goroutines may lie side by side. Each fills whole cache
	// lines of 64 bytes, so that writing to one does not slow the others down.
	_ [16]byte
}

// position is what a position text says.
type position struct {
	engine.Turn
	board board
}

// set sets up a position with a history that starts there.
func (s *State) set(p *position) {
	s.lay(p)
	s.Begin(s.key)
	s.judge()
}

// lay sets up a position and leaves the history as it is, and the game running.
func (s *State) lay(p *position) {
	g := s.game
	*s = State{game: g, Base: s.At(p.Turn), lines: g.terrain.edges()}
	for cell := range s.board {
		s.board[cell] = wall
	}
	for square := range g.terrain.squares() {
		s.board[g.terrain.cell(square)] = vacant
	}
	for square, piece := range p.board {
		if piece != vacant {
			s.place(piece, square)
		}
	}
	s.setSafe()
	if s.Next == env.Second {
		s.key ^= g.blackTurn
	}
}

// place adds a piece to an empty square.
func (s *State) place(piece id, square int) {
	g := s.game
	owner, cell := ownerOf(piece), g.terrain.cell(square)
	placement := &g.placements[piece][cell]
	s.pieces[owner].add(g.rays.Absolute(env.Player(owner), square))
	s.board[cell] = piece
	s.key ^= placement.key
	s.tally[owner] += placement.worth
	if isCommander(piece) {
		s.commander[owner] = cell
	}
	s.occupy(cell, piece)
}

// setSafe finds out which commanders are safe from the other one.
func (s *State) setSafe() {
	g := s.game
	var safe [2]bool
	for p, cell := range s.commander {
		safe[p] = g.contaminated[cell]
	}
	for p := range s.safe {
		s.safe[p] = safe[p] || (g.either && safe[p^1])
	}
	s.duel()
}

// Reset implements env.State.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom implements env.State.
func (s *State) CopyFrom(src env.State) {
	o := src.(*State)
	engine.Copy(s, o, &s.History, &o.History)
}

// Hash implements env.State. It covers the board, which decides the points, and
// the player to move.
func (s *State) Hash() uint64 { return s.key }

// Points implements env.Scorer: what p would score if the game ended now.
func (s *State) Points(p env.Player) int { return s.tally[p&1].points() }

// Apply implements env.State.
func (s *State) Apply(a env.Action) {
	engine.CheckLegal(s, a)
	g := s.game
	me := s.Next & 1
	square, d, distance := g.rays.Decode(a)
	landing := g.rays.Landing(square, d, distance)
	// The squares are 0 to 120 already; the masks spare the bounds checks.
	from, to := g.cells[me][square&127], g.cells[me][landing&127]
	piece, victim := s.board[from], s.board[to]
	placements := g.placements[piece%ids]
	gain := placements[to].worth - placements[from].worth
	s.Ply()
	s.Next = me ^ 1
	s.key ^= placements[from].key ^ placements[to].key ^ g.blackTurn
	s.tally[me] += gain
	own := &s.pieces[me]
	own.remove(square)
	own.add(landing)

	s.board[from] = vacant
	s.vacate(from)
	s.board[to] = piece
	if victim != vacant {
		s.capture(victim, to, landing)
	}
	s.occupy(to, piece)
	if isCommander(piece) {
		s.commander[me] = to
		s.setSafe()
	} else if s.safe[0] || s.safe[1] {
		s.duel()
	}
	if victim != vacant || gain.away() != 0 {
		s.Progress()
	}
	s.History.Add(s.key)
	s.judge()
}

// Pass implements env.Passer.
func (s *State) Pass() {
	s.Ply()
	s.Next ^= 1
	s.key ^= s.game.blackTurn
	s.History.Add(s.key)
	s.judge()
}

// capture takes an enemy off the board; its square is in the mover's frame.
func (s *State) capture(victim id, cell uint8, square int) {
	enemy := ownerOf(victim)
	placement := &s.game.placements[victim%ids][cell]
	s.pieces[enemy].remove(s.game.last - square)
	s.key ^= placement.key
	s.tally[enemy] -= placement.worth
	if isCommander(victim) {
		s.commander[enemy] = 0
		s.setSafe()
	}
}
