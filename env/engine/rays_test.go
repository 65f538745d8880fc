package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

var boards = [][2]int{{5, 4}, {8, 1}, {8, 5}, {8, 7}, {11, 10}}

func raysOf(board [2]int) engine.Rays {
	return engine.NewRays(board[0], board[1], [2]string{"White", "Black"})
}

func TestMovesAreNumberedBySquareDirectionAndDistance(t *testing.T) {
	for _, board := range boards {
		r, next := raysOf(board), env.Action(0)
		for square := range r.Squares() {
			for d := env.N; d <= env.NW; d++ {
				for distance := 1; distance <= r.Longest; distance++ {
					from, back, steps := r.Decode(next)
					if a := r.Encode(square, d, distance); a != next || from != square || back != d || steps != distance {
						t.Fatalf("board %v: (%d %v %d) has number %d, which is (%d %v %d)", board, square, d, distance, a, from, back, steps)
					}
					next++
				}
			}
		}
		var spec env.Spec
		r.Describe(&spec)
		if spec.Actions != int(next) || len(spec.ActionCells) != int(next) || len(spec.ActionPlanes) != 8*board[1] || spec.Width != board[0] || spec.Height != board[0] {
			t.Errorf("board %v: %d actions, %d cells, %d planes, %d×%d", board, spec.Actions, len(spec.ActionCells), len(spec.ActionPlanes), spec.Width, spec.Height)
		}
		if a := r.Encode(7, env.SE, 1); spec.ActionCells[a] != (env.ActionCell{Plane: int16(3 * board[1]), Square: 7}) || spec.ActionPlanes[3*board[1]] != "SE 1" {
			t.Errorf("board %v: one step from square 7 to the southeast lies at %+v", board, spec.ActionCells[a])
		}
		if !strings.Contains(spec.Encoding, "for White, turned by 180° for Black") || spec.Players != r.Players {
			t.Errorf("board %v: %s", board, spec.Encoding)
		}
	}
}

func TestStraightMovesStayOnTheirLine(t *testing.T) {
	for _, board := range boards {
		r := raysOf(board)
		for square := range r.Squares() {
			for d := env.N; d <= env.NW; d++ {
				dx, dy := d.Delta()
				x, y := square%r.Size, square/r.Size
				room := r.ToEdge(square, d)
				for n := 1; n <= room; n++ {
					if got, want := r.Landing(square, d, n), (y+n*dy)*r.Size+x+n*dx; got != want {
						t.Fatalf("board %v: %d steps %v from %d end on %d, want %d", board, n, d, square, got, want)
					}
				}
				if x, y = x+(room+1)*dx, y+(room+1)*dy; x >= 0 && x < r.Size && y >= 0 && y < r.Size {
					t.Fatalf("board %v: more than %d steps lead from %d to the %v", board, room, square, d)
				}
			}
			if r.Absolute(env.First, square) != square || r.Absolute(env.Second, square) != r.Squares()-1-square {
				t.Fatalf("board %v: square %d in the frames is %d and %d", board, square, r.Absolute(env.First, square), r.Absolute(env.Second, square))
			}
		}
	}
}

// A reflection maps a step in a direction to a step in the direction's image, and
// twice it is the identity.
func TestReflectionsKeepLines(t *testing.T) {
	r := raysOf([2]int{5, 4})
	names := map[string]bool{}
	for x := range engine.Reflections {
		names[x.String()] = true
		symmetry := r.Symmetry(x, 3)
		if symmetry.Name != x.String() || !slices.Equal(symmetry.Planes, []int16{0, 1, 2}) || len(symmetry.Squares) != 25 {
			t.Errorf("%v: %+v", x, symmetry)
		}
		for square := range r.Squares() {
			image := int(symmetry.Squares[square])
			if image != x.Square(square, 5) || x.Square(image, 5) != square {
				t.Fatalf("%v: square %d has image %d, which has %d", x, square, image, x.Square(image, 5))
			}
			for d := env.N; d <= env.NW; d++ {
				if x.Direction(x.Direction(d)) != d {
					t.Fatalf("%v: direction %v has image %v", x, d, x.Direction(d))
				}
				for n := 1; n <= r.ToEdge(square, d); n++ {
					from, to, steps := r.Decode(symmetry.Action(nil, r.Encode(square, d, n)))
					if end := r.Landing(from, to, steps); from != image || end != x.Square(r.Landing(square, d, n), 5) {
						t.Fatalf("%v: %d steps %v from %d have the image %d to %d", x, n, d, square, from, end)
					}
				}
			}
		}
	}
	if len(names) != 4 || engine.LeftRight.Direction(env.NE) != env.NW || engine.TopBottom.Direction(env.N) != env.S ||
		engine.RisingDiagonal.Direction(env.N) != env.E || engine.FallingDiagonal.Direction(env.N) != env.W {
		t.Errorf("reflections are %v", names)
	}
}

func TestMoveTextsAreReadAsTheyAreWritten(t *testing.T) {
	r := raysOf([2]int{8, 5})
	even, odd := r.Encode(0, env.N, 3), r.Encode(1, env.NE, 1) // a1-a4 and b1-c2 for White
	spec := &env.Spec{Pieces: []env.PieceType{{Name: "Rook"}, {Name: "Bishop"}, {Name: "King"}, {Name: "Pawn"}}, MaxLegal: 9}
	pieces := []env.Piece{
		{Type: 0, Owner: env.First, Square: 0}, {Type: 1, Owner: env.First, Square: 1},
		{Type: 2, Owner: env.First, Square: 2}, {Type: 3, Owner: env.Second, Square: 9},
	}
	form := engine.MoveText{Signs: "-x", Example: "as in a1-a4"}
	if even%2 != 0 || odd%2 == 0 {
		t.Fatalf("actions are %d and %d", even, odd)
	}
	s := &fake{rays: &r, pieces: pieces, legal: []env.Action{even, odd, r.Encode(1, env.N, 1)}}
	short := form
	short.Short = true
	for _, x := range []struct {
		form engine.MoveText
		text string
		want env.Action
	}{{form, "a1-a4", even}, {form, "b1-c2!", odd}, {short, "b1-c2!", odd}, {short, "b1-c2", odd}} {
		if a, err := r.ParseAction(s, spec, x.text, x.form); a != x.want || err != nil {
			t.Errorf("%q is %d, %v, want %d", x.text, a, err, x.want)
		}
	}
	for text, want := range map[string]string{
		"":        `move "": "" does not begin with a square such as a1; as in a1-a4`,
		"a1":      `move "a1": "" follows the start square, must be - or x and the landing square; as in a1-a4`,
		"a1+a4":   `move "a1+a4": "+a4" follows the start square, must be - or x and the landing square; as in a1-a4`,
		"a1-a9":   `move "a1-a9": square a9 is off the board, which is a1 to h8`,
		"a1xa4":   `move "a1xa4": the move is written a1-a4`,
		"b1-c2":   `move "b1-c2": the move is written b1-c2!`,
		"a1-a4!":  `move "a1-a4!": the move is written a1-a4`,
		"c3-c4":   `move "c3-c4": there is no piece on c3`,
		"b2-b3":   `move "b2-b3": the Pawn on b2 belongs to Black, and White is to move`,
		"c1-c2":   `move "c1-c2": the King on c1 has no legal move`,
		"b1-b3":   `move "b1-b3": the move is not legal; the Bishop on b1 may go to c2, b2`,
		"b1-b3xx": `move "b1-b3xx": the move is not legal; the Bishop on b1 may go to c2, b2`,
	} {
		if a, err := r.ParseAction(s, spec, text, form); err == nil || err.Error() != want || a != env.NoAction {
			t.Errorf("%d, %v, want %s", a, err, want)
		}
	}
	s.player, s.reason = env.NoPlayer, env.NoMove
	if _, err := r.ParseAction(s, spec, "a1-a4", form); err == nil || err.Error() != `move "a1-a4": the game is over (no_move)` {
		t.Errorf("after the end: %v", err)
	}
	if got := string(r.AppendMove(nil, env.Second, even, 'x')); got != "h8xh5" {
		t.Errorf("Black's move is %s, want h8xh5", got)
	}
}
