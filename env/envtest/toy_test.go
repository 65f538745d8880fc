package envtest_test

import (
	"embed"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Skirmish is a small game with every ability, for testing the kit: three stones
// a side on 3×3, a stone steps to any neighbour that holds no own stone and
// captures what stands there. Whoever has no stones has lost; so has whoever
// cannot move. Quiet plies and repetition draw.

//go:embed testdata/variants
var embedded embed.FS

func presetsFS() fs.FS {
	folder, err := fs.Sub(embedded, "testdata")
	if err != nil {
		panic(err)
	}
	return folder
}

type rules struct {
	variant.Header
	NoProgress int `json:"no_progress"`
}

func (r *rules) Validate() error {
	var f variant.Faults
	f.Range("no_progress", r.NoProgress, 1, 250)
	return f.Err()
}

const (
	side    = 3
	area    = side * side
	stones  = 3
	actions = area * 8
	history = 300 // at most 250 quiet plies and the position before
)

// game plays Skirmish, with one flaw or none.
type game struct {
	spec       *env.Spec
	digest     string
	noProgress int
	flaw       string
	luck       atomic.Uint64 // of the flaw "hidden luck"
}

func newGame(set variant.RuleSet) env.Game { return skirmish(set.(*rules), "") }

func skirmish(r *rules, flaw string) *game {
	g := &game{digest: r.Digest, noProgress: r.NoProgress, flaw: flaw}
	g.spec = &env.Spec{
		Game: "skirmish", Name: r.Name, Description: "Three stones a side on nine squares.", Source: "This test.", Version: 1,
		Players: [2]string{"Dark", "Light"}, Width: side, Height: side, StartText: "bbb/3/aaa a 0 0",
		Actions: actions, MaxLegal: stones * 8,
		Planes: []env.Plane{
			{Name: "own", Description: "own stones", Max: 1},
			{Name: "enemy", Description: "enemy stones", Max: 1},
			{Name: "first", Description: "the viewer is the first player", Max: 1, Uniform: true},
			{Name: "quiet", Description: "quiet plies", Max: 250},
			{Name: "occurred", Description: "how often the position occurred", Max: 3, Uniform: true},
		},
		Pieces: []env.PieceType{{Name: "stone", Symbol: "A", Count: [2]int{stones, stones}, MaxCount: 1}},
		Ends: []env.End{
			{Reason: env.Annihilated, Description: "no stone left"},
			{Reason: env.NoMove, Description: "no move"},
			{Reason: env.NoProgress, Description: "too many quiet plies"},
			{Reason: env.Repetition, Description: "third occurrence"},
		},
		Features: []string{"stones", "centre"},
	}
	for d := env.N; d <= env.NW; d++ {
		g.spec.ActionPlanes = append(g.spec.ActionPlanes, d.String())
	}
	for a := range actions {
		g.spec.ActionCells = append(g.spec.ActionCells, env.ActionCell{Plane: int16(a % 8), Square: int16(a / 8)})
	}
	squares := []int16{0, 1, 2, 3, 4, 5, 6, 7, 8}
	g.spec.ActionFactors = []env.Factor{
		{Name: "from", Description: "start square", Size: area, Squares: squares},
		{Name: "direction", Description: "0 to 7 clockwise from N", Size: 8},
	}
	switch flaw {
	case "start text":
		g.spec.StartText = "bbb/3/aaa a 0 1"
	case "piece counts":
		g.spec.Pieces[0].Count[1]++
	case "an end left out":
		g.spec.Ends = g.spec.Ends[1:]
	case "max legal":
		g.spec.MaxLegal = 5
	case "shared cells":
		for a := range g.spec.ActionCells {
			g.spec.ActionCells[a].Square = 0
		}
	case "cells swapped":
		for a := range g.spec.ActionCells {
			g.spec.ActionCells[a].Plane = int16(min(a%8, 6))
		}
		g.spec.ActionPlanes = g.spec.ActionPlanes[:7]
	case "factors missing":
		g.spec.ActionFactors = nil
	case "factors beyond the actions":
		g.spec.ActionFactors[1].Size++
	case "factor without squares":
		g.spec.ActionFactors[0].Squares = nil
	case "slot plane out of range":
		g.spec.ActionFactors[0].Squares, g.spec.SlotPlanes = nil, []int16{0, 1, 2, 3, 4, 5, 6, 7, 8}
	case "slot plane of the enemy":
		g.spec.ActionFactors = []env.Factor{{Name: "slot", Description: "all stones", Size: 1}, {Name: "rest", Description: "square and direction", Size: actions}}
		g.spec.SlotPlanes = []int16{1}
	case "squares mirrored":
		slices.Reverse(squares)
		for a := range g.spec.ActionCells {
			g.spec.ActionCells[a].Square = squares[a/8]
		}
	}
	return g
}

func (g *game) Spec() *env.Spec { return g.spec }

func (g *game) NewStates(n int) []env.State {
	block, list := make([]state, n), make([]env.State, n)
	shared := new([history]uint64)
	for i := range block {
		block[i].game = g
		block[i].past = new([history]uint64)
		if g.flaw == "shared history" {
			block[i].past = shared
		}
		block[i].Reset()
		list[i] = &block[i]
	}
	return list
}

func (g *game) Symmetries() []env.Symmetry {
	s := env.Symmetry{Name: "mirror", Planes: []int16{0, 1, 2, 3, 4}}
	for i := range area {
		s.Squares = append(s.Squares, int16(i/side*side+side-1-i%side))
	}
	s.Action = func(_ env.State, a env.Action) env.Action {
		turned := (8 - a%8) % 8
		if g.flaw == "symmetry" && turned == 3 {
			turned = 5
		} else if g.flaw == "symmetry" && turned == 5 {
			turned = 3
		}
		return env.Action(s.Squares[a/8])*8 + turned
	}
	return []env.Symmetry{s}
}

// state is a position of Skirmish. Board values are 0 or 1 + id; ids 0 to 2 are
// the first player's.
type state struct {
	game   *game
	board  [area]int8
	mover  env.Player
	over   env.Reason
	result env.Result
	quiet  int
	plies  int
	past   *[history]uint64 // keys since the last capture
	kept   int
}

var _ interface {
	env.State
	env.Scorer
	env.Tracer
	env.PieceLister
	env.Noisy
	env.Features
	env.PieceAdder
	env.Remover
	env.Snapshotter
	env.Sampler
	env.Masker
	env.BitObserver
	env.Diagrammer
} = (*state)(nil)

func (s *state) Reset() {
	quiet := s.quiet
	s.mover, s.over, s.result, s.quiet, s.plies, s.kept = env.First, env.NoReason, 0, 0, 0, 0
	s.board = [area]int8{1, 2, 3, 0, 0, 0, 4, 5, 6}
	s.remember()
	if s.game.flaw == "reset" {
		s.quiet = min(quiet, 3)
	}
}

func (s *state) CopyFrom(src env.State) {
	from := src.(*state)
	past := s.past
	*s = *from
	s.past = past
	copy(s.past[:from.kept], from.past[:from.kept])
	switch s.game.flaw {
	case "shared copies":
		s.past = from.past
	case "copy without history":
		s.kept = 0
	}
}

func (s *state) Player() env.Player {
	if s.over != env.NoReason {
		return env.NoPlayer
	}
	return s.mover
}

func (s *state) Result() (env.Result, env.Reason) {
	if s.game.flaw == "result" && s.over == env.Annihilated {
		return s.result * 2, s.over
	}
	return s.result, s.over
}

func owner(piece int8) env.Player { return env.Player((piece - 1) / stones) }

// absolute turns a square from p's frame to the board's, and back.
func absolute(square int, p env.Player) int {
	if p == env.Second {
		return area - 1 - square
	}
	return square
}

// squares returns the absolute squares of an action.
func (s *state) squares(a env.Action) (from, to int, ok bool) {
	dx, dy := env.Direction(a % 8).Delta()
	x, y := int(a/8)%side+dx, int(a/8)/side+dy
	if x < 0 || y < 0 || x >= side || y >= side {
		return 0, 0, false
	}
	return absolute(int(a/8), s.mover), absolute(y*side+x, s.mover), true
}

func (s *state) legal(a env.Action) bool {
	from, to, ok := s.squares(a)
	if ok && s.board[to] != 0 && s.game.flaw == "never ends" {
		return false
	}
	return ok && s.board[from] != 0 && owner(s.board[from]) == s.mover &&
		(s.board[to] == 0 || owner(s.board[to]) != s.mover)
}

func (s *state) Legal(dst []env.Action) []env.Action {
	if s.over != env.NoReason && s.game.flaw != "legal after the end" {
		return dst
	}
	begin := len(dst)
	for a := range env.Action(actions) {
		if s.legal(a) {
			dst = append(dst, a)
		}
	}
	switch {
	case s.game.flaw == "unsorted legal" && len(dst)-begin > 1:
		dst[begin], dst[begin+1] = dst[begin+1], dst[begin]
	case s.game.flaw == "legal twice" && len(dst) > begin:
		dst = append(dst, dst[len(dst)-1])
	case s.game.flaw == "legal overwrites":
		dst = dst[begin:]
	case s.game.flaw == "legal allocates":
		return append(dst, slices.Clone(dst[begin:])[len(dst)-begin:]...)
	}
	return dst
}

func (s *state) Apply(a env.Action) { s.play(a) }

func (s *state) play(a env.Action) (moved, taken int8) {
	from, to, _ := s.squares(a)
	moved, taken = s.board[from], s.board[to]
	s.board[from], s.board[to] = 0, moved
	s.quiet++
	s.plies++
	if taken != 0 {
		s.quiet, s.kept = 0, 0
	}
	s.mover = s.mover.Opponent()
	s.judge()
	if n := s.remember(); n >= 3 && s.over == env.NoReason && s.game.flaw != "never ends" {
		s.over = env.Repetition
	}
	if s.game.flaw == "hidden luck" && s.game.luck.Add(1)%61 == 0 {
		s.plies++
	}
	return moved, taken
}

// judge finds the ends that a position text shows.
func (s *state) judge() {
	s.over, s.result = env.NoReason, 0
	if s.game.flaw == "never ends" {
		return
	}
	last := s.mover.Opponent()
	switch {
	case s.Points(s.mover) == 0:
		s.over, s.result = env.Annihilated, env.WinFor(last)
	case s.Points(last) == 0:
		s.over, s.result = env.Annihilated, env.WinFor(s.mover)
	case s.quiet >= s.game.noProgress:
		s.over = env.NoProgress
	case !s.canMove():
		s.over, s.result = env.NoMove, env.WinFor(last)
	}
}

func (s *state) canMove() bool {
	for a := range env.Action(actions) {
		if s.legal(a) {
			return true
		}
	}
	return false
}

// remember keeps the position's key and returns how often it has occurred.
func (s *state) remember() int {
	if s.kept == history {
		s.kept = 0 // only the flaw "never ends" comes here
	}
	s.past[s.kept] = s.key()
	s.kept++
	return s.occurred()
}

func (s *state) occurred() (n int) {
	for _, key := range s.past[:s.kept] {
		if key == s.key() {
			n++
		}
	}
	return n
}

func (s *state) key() uint64 {
	key := uint64(s.mover) + 1
	for _, piece := range s.board {
		cell := uint64(0)
		if piece != 0 {
			cell = 1 + uint64(owner(piece))
		}
		key = key*3 + cell
	}
	return env.Derive(key)
}
