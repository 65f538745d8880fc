package envtest_test

import (
	"cmp"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/bits"
	"slices"
	"strconv"
	"strings"
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
			{Name: "first", Description: "the viewer is the first player", Max: 1},
			{Name: "quiet", Description: "quiet plies", Max: 250},
			{Name: "occurred", Description: "how often the position occurred", Max: 3},
		},
		Pieces: []env.PieceType{{Name: "stone", Symbol: "A", Count: [2]int{stones, stones}}},
		Ends: []env.End{
			{Reason: env.Annihilated, Description: "no stone left"},
			{Reason: env.NoMove, Description: "no move"},
			{Reason: env.NoProgress, Description: "too many quiet plies"},
			{Reason: env.Repetition, Description: "third occurrence"},
		},
		Features: []string{"own", "enemy"},
	}
	for d := env.N; d <= env.NW; d++ {
		g.spec.ActionPlanes = append(g.spec.ActionPlanes, d.String())
	}
	for a := range actions {
		g.spec.ActionCells = append(g.spec.ActionCells, env.ActionCell{Plane: int16(a % 8), Square: int16(a / 8)})
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
	for a := range actions {
		turned := (8 - a%8) % 8
		if g.flaw == "symmetry" && turned == 3 {
			turned = 5
		} else if g.flaw == "symmetry" && turned == 5 {
			turned = 3
		}
		s.Actions = append(s.Actions, env.Action(int(s.Squares[a/8])*8+turned))
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
	env.Snapshotter
	env.Sampler
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
	if n := s.remember(); n >= 3 && s.over == env.NoReason {
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

func (s *state) Hash() uint64 {
	switch s.game.flaw {
	case "hash collision":
		return s.key() & 0xff
	case "hash with counters":
		return s.key() + uint64(s.quiet)
	case "hash with history":
		return s.key() + s.past[0]
	}
	return s.key()
}

func (s *state) Observe(dst []uint8, viewer env.Player) {
	if s.game.flaw != "observation not cleared" {
		clear(dst)
	}
	for i := range area {
		piece := s.board[absolute(i, viewer)]
		if piece != 0 && owner(piece) == viewer {
			dst[i] = 1
		} else if piece != 0 && s.game.flaw != "enemy unseen" {
			dst[area+i] = 1
		}
		if viewer == env.First && s.game.flaw != "side unseen" {
			dst[2*area+i] = 1
		}
		if s.game.flaw != "quiet unseen" {
			dst[3*area+i] = uint8(s.quiet)
		}
		if s.game.flaw != "repetition unseen" {
			dst[4*area+i] = uint8(min(s.occurred(), 3))
		}
	}
	if s.game.flaw == "observation above maximum" {
		dst[4*area] = 4
	}
}

func (s *state) Points(p env.Player) (n int) {
	for _, piece := range s.board {
		if piece != 0 && owner(piece) == p {
			n++
		}
	}
	return n
}

func (s *state) Trace(a env.Action, dst []env.Event) []env.Event {
	from, to, _ := s.squares(a)
	mover := s.mover
	moved, taken := s.play(a)
	if s.game.flaw == "trace plays otherwise" {
		s.plies++
	}
	if s.game.flaw != "events left out" || taken == 0 {
		dst = append(dst, env.Event{Kind: env.Moved, Player: mover, PieceID: int16(moved - 1),
			From: int16(from), To: int16(to), Victim: env.None, VictimID: env.None, Count: 1})
	}
	if taken != 0 {
		dst = append(dst, env.Event{Kind: env.Captured, Player: mover, PieceID: int16(moved - 1),
			From: int16(from), To: int16(to), VictimID: int16(taken - 1), Count: 1})
	}
	return dst
}

func (s *state) Pieces(dst []env.Piece) []env.Piece {
	begin := len(dst)
	for square, piece := range s.board {
		if piece != 0 {
			dst = append(dst, env.Piece{ID: int16(piece - 1), Owner: owner(piece), Square: int16(square), Count: 1})
		}
	}
	if s.game.flaw != "pieces by square" {
		slices.SortFunc(dst[begin:], func(a, b env.Piece) int { return cmp.Compare(a.ID, b.ID) })
	}
	return dst
}

func (s *state) Noisy(dst []env.Action) []env.Action {
	if s.over != env.NoReason {
		return dst
	}
	for a := range env.Action(actions) {
		if _, to, ok := s.squares(a); ok && s.legal(a) && s.board[to] != 0 && (s.game.flaw != "a capture is quiet" || to != 4) {
			dst = append(dst, a)
		}
	}
	return dst
}

func (s *state) Features(dst []float32, viewer env.Player) {
	dst[0] = float32(s.Points(viewer))
	if s.game.flaw != "feature left out" {
		dst[1] = float32(s.Points(viewer.Opponent()))
	}
}

func (s *state) Sample(r *env.Rand) env.Action {
	if s.over != env.NoReason {
		return env.NoAction
	}
	var list [actions]env.Action
	legal := s.Legal(list[:0])
	if s.game.flaw == "sampler prefers" && r.IntN(2) == 0 {
		return legal[0]
	}
	return legal[r.IntN(len(legal))]
}

func (s *state) Diagram(d *env.Diagram) {
	d.Width, d.Height, d.Squares = side, side, true
	d.Cells = d.Cells[:0]
	for _, piece := range s.board {
		c := env.Cell{Owner: env.NoPlayer, Count: env.None}
		if piece != 0 && s.game.flaw != "diagram without pieces" {
			c = env.Cell{Owner: owner(piece), Symbol: "A", Spokes: 0xff, Reach: 1, Count: env.None}
		}
		d.Cells = append(d.Cells, c)
	}
	if s.game.flaw == "diagram grows" {
		d.Caption = append(d.Caption, "plies "+strconv.Itoa(s.plies))
		return
	}
	d.Caption = append(d.Caption[:0], "plies "+strconv.Itoa(s.plies))
}

func (s *state) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, s.game.digest...)
	for _, piece := range s.board {
		dst = append(dst, byte(piece))
	}
	dst = append(dst, byte(s.mover), byte(s.over), byte(s.result), byte(s.quiet))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.plies))
	for _, key := range s.past[:s.kept] {
		if s.game.flaw == "snapshot without history" {
			key = 0
		}
		dst = binary.LittleEndian.AppendUint64(dst, key)
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[begin:])), nil
}

func (s *state) UnmarshalBinary(data []byte) error {
	const body, sum = area + 8, 4
	head := len(s.game.digest)
	if len(data) < head+body+sum {
		return errors.New("snapshot ends too early")
	}
	if s.game.flaw == "snapshot changes before it checks" {
		s.plies++
	}
	rest := data[:len(data)-sum]
	if crc32.ChecksumIEEE(rest) != binary.LittleEndian.Uint32(data[len(rest):]) && s.game.flaw != "snapshot without checksum" {
		return errors.New("snapshot is damaged")
	}
	if string(rest[:head]) != s.game.digest && s.game.flaw != "snapshot without digest" {
		return errors.New("snapshot of other rules")
	}
	rest = rest[head:]
	keys := (len(rest) - body) / 8
	if keys > history || len(rest) != body+8*keys {
		return errors.New("snapshot is too long")
	}
	for i := range area {
		s.board[i] = int8(rest[i])
	}
	s.mover, s.over, s.result, s.quiet = env.Player(rest[area]), env.Reason(rest[area+1]), env.Result(rest[area+2]), int(rest[area+3])
	s.plies, s.kept = int(binary.LittleEndian.Uint32(rest[area+4:])), keys
	for i := range keys {
		s.past[i] = binary.LittleEndian.Uint64(rest[body+8*i:])
	}
	return nil
}

func (s *state) AppendAction(dst []byte, a env.Action) []byte {
	from, to, _ := s.squares(a)
	if s.game.flaw == "action texts shared" {
		from = 0
	}
	dst = env.AppendSquare(dst, from, side)
	dst = append(dst, '-')
	return env.AppendSquare(dst, to, side)
}

func (s *state) ParseAction(text string) (env.Action, error) {
	if s.game.flaw == "parser panics" && text[0] == '-' {
		return 0, nil
	}
	var list [actions]env.Action
	for _, a := range s.Legal(list[:0]) {
		if env.ActionText(s, a) == text || s.game.flaw == "parser guesses" && text == "a1" {
			return a, nil
		}
	}
	return 0, fmt.Errorf("%q is no legal move", text)
}

func (s *state) AppendPosition(dst []byte) []byte {
	for y := side - 1; y >= 0; y-- {
		empty := byte('0')
		for x := range side {
			piece := s.board[y*side+x]
			if piece == 0 {
				empty++
				continue
			}
			if empty > '0' {
				dst = append(dst, empty)
			}
			empty = '0'
			dst = append(dst, 'a'+byte(owner(piece)))
		}
		if empty > '0' {
			dst = append(dst, empty)
		}
		if y > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', 'a'+byte(s.mover), ' ')
	dst = strconv.AppendInt(dst, int64(s.quiet), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(s.plies), 10)
}

func (s *state) SetPosition(text string) error {
	next := &state{game: s.game, past: new([history]uint64)}
	if s.game.flaw == "position half set" {
		next = s
	}
	fields := strings.Split(text, " ")
	ranks := strings.Split(fields[0], "/")
	if len(fields) != 4 || len(ranks) != side || len(fields[1]) != 1 || fields[1] < "a" || fields[1] > "b" {
		return errors.New("a position is BOARD SIDE QUIET PLIES")
	}
	next.board = [area]int8{}
	count := [2]int8{}
	for i, rank := range ranks {
		x, y := 0, side-1-i
		for _, c := range rank {
			p := int(c - 'a')
			switch {
			case c >= '1' && c <= '3':
				x += int(c - '0')
			case p < 0 || p > 1 || x >= side || count[p] >= stones:
				return fmt.Errorf("rank %q is wrong", rank)
			default:
				count[p]++
				next.board[y*side+x] = int8(p)*stones + count[p]
				x++
			}
		}
		if x != side {
			return fmt.Errorf("rank %q is not three squares", rank)
		}
	}
	next.mover = env.Player(fields[1][0] - 'a')
	var err error
	if next.quiet, err = strconv.Atoi(fields[2]); err != nil || next.quiet > next.game.noProgress {
		return fmt.Errorf("quiet plies %q are no number up to %d", fields[2], next.game.noProgress)
	}
	if next.plies, err = strconv.Atoi(fields[3]); err != nil || bits.Len(uint(next.plies)) > 31 {
		return fmt.Errorf("plies %q are no number", fields[3])
	}
	if now := env.PositionText(next); now != text && next.game.flaw != "loose positions" {
		return fmt.Errorf("position must be written %q", now)
	}
	next.kept = 0
	next.judge()
	next.remember()
	if next != s {
		s.CopyFrom(next)
	}
	return nil
}
