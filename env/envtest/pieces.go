package envtest

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sandtable-farm/sandtable/env"
)

// pieceFault checks the piece list of one position.
func (s *Subject) pieceFault(state env.State) error {
	lister, ok := state.(env.PieceLister)
	if !ok {
		return nil
	}
	listed, err := appended("Pieces", env.Piece{ID: -77}, lister.Pieces)
	if err != nil {
		return err
	}
	squares := map[int16]bool{}
	for i, p := range listed {
		switch {
		case i > 0 && p.ID <= listed[i-1].ID:
			return fmt.Errorf("piece id %d follows %d, must ascend", p.ID, listed[i-1].ID)
		case int(p.Type) < 0 || int(p.Type) >= len(s.spec.Pieces):
			return fmt.Errorf("piece %+v has an unknown type; there are %d types", p, len(s.spec.Pieces))
		case p.Owner != env.First && p.Owner != env.Second:
			return fmt.Errorf("piece %+v does not belong to a player", p)
		case int(p.Square) < 0 || int(p.Square) >= s.spec.Width*s.spec.Height:
			return fmt.Errorf("piece %+v is off the board", p)
		case squares[p.Square]:
			return fmt.Errorf("piece %+v shares its square with another piece with another piece", p)
		case p.Count < 1 || int(p.Count) > s.spec.Pieces[p.Type].MaxCount:
			return fmt.Errorf("piece %+v has a count that is not 1 to %d", p, s.spec.Pieces[p.Type].MaxCount)
		case p.Facing != env.N && !s.spec.Pieces[p.Type].Turns:
			return fmt.Errorf("piece %+v has a facing and is of a type that does not turn", p)
		}
		squares[p.Square] = true
	}
	return nil
}

// checkPieceSums compares the sum of a piece table with that over the list of pieces.
func checkPieceSums(s *Subject) error {
	r, table := env.NewRand(12), make([]int32, s.spec.PieceTableSize())
	for i := range table {
		table[i] = int32(r.IntN(1 << 20))
	}
	return walkAs(s, 1, func(at spot, adder env.PieceAdder) error {
		sum := 0
		for _, p := range pieces(at.state) {
			if !p.Wreck {
				sum += int(table[s.spec.PieceIndex(&p)])
			}
		}
		if got := adder.AddPieces(table); got != sum {
			return fmt.Errorf("AddPieces returns %d, but the sum over the list of pieces is %d", got, sum)
		}
		return nil
	})
}

// checkFrames demands that what a ply changes in the list of pieces changes the
// observation too, at the same squares turned into the viewer's frame.
func checkFrames(s *Subject) error {
	squares := s.spec.Width * s.spec.Height
	var before []env.Piece
	var seen [2][]uint8
	return s.walk(1, func(at spot) error {
		after := make([]env.Piece, squares)
		for _, p := range pieces(at.state) {
			p.ID = 0
			after[p.Square] = p
		}
		for viewer := env.First; viewer <= env.Second; viewer++ {
			planes := s.observe(at.state, viewer)
			for square := range squares {
				if at.ply > 0 && before[square] != after[square] && !s.changed(seen[viewer], planes, s.spec.Frame(viewer, square)) {
					return fmt.Errorf("viewer %d: the last ply changed square %d, but the observation is unchanged at %d of the frame", viewer, square, s.spec.Frame(viewer, square))
				}
			}
			seen[viewer] = planes
		}
		before = after
		return nil
	})
}

// changed reports whether two observations differ on a square. A plane that differs
// everywhere shows nothing about a single square.
func (s *Subject) changed(a, b []uint8, square int) bool {
	squares := s.spec.Width * s.spec.Height
	for p := range s.spec.Planes {
		old, fresh := a[p*squares:][:squares], b[p*squares:][:squares]
		everywhere := true
		for i := range old {
			everywhere = everywhere && old[i] != fresh[i]
		}
		if old[square] != fresh[square] && !everywhere {
			return true
		}
	}
	return false
}

// checkDiagram demands that a diagram overwrites what was in it, and shows the
// pieces where they stand.
func checkDiagram(s *Subject) error {
	var used env.Diagram
	return walkAs(s, 3, func(at spot, drawer env.Diagrammer) error {
		var fresh env.Diagram
		drawer.Diagram(&fresh)
		drawer.Diagram(&used)
		if !reflect.DeepEqual(fresh, used) {
			return errors.New("method Diagram does not overwrite what it is given")
		}
		if fresh.Width != s.spec.Width || fresh.Height != s.spec.Height || len(fresh.Cells) != fresh.Width*fresh.Height {
			return fmt.Errorf("diagram is %d×%d with %d cells, the board %d×%d",
				fresh.Width, fresh.Height, len(fresh.Cells), s.spec.Width, s.spec.Height)
		}
		stand := 0
		for _, p := range pieces(at.state) {
			cell := fresh.Cells[p.Square]
			if cell.Owner != p.Owner {
				return fmt.Errorf("piece %+v stands on a cell of player %d", p, cell.Owner)
			}
			if cell.Count == env.None && (cell.Symbol != s.spec.Pieces[p.Type].Symbol || cell.Wreck != p.Wreck) {
				return fmt.Errorf("piece %+v is drawn as %+v", p, cell)
			}
			if cell.Count != env.None && cell.Count != int(p.Count) {
				return fmt.Errorf("piece %+v is drawn with count %d", p, cell.Count)
			}
			stand++
		}
		drawn := 0
		for i, cell := range fresh.Cells {
			if cell.Symbol != "" || cell.Count > 0 {
				drawn++
			}
			if !fresh.Squares && cell.Label == "" {
				return fmt.Errorf("cell %d has no label on a board without square names", i)
			}
		}
		if _, lists := at.state.(env.PieceLister); lists && drawn != stand {
			return fmt.Errorf("%d pieces are drawn, %d stand on the board", drawn, stand)
		}
		return nil
	})
}
