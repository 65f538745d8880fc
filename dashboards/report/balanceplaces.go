package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A board has the squares of a rule set for maps in the frame of the first player.
type board struct {
	env.Diagram
	spec *env.Spec // nil if the rules are unknown
}

// boardOf returns the board of a variant. If that is nil, squares have names but no ground.
func boardOf(v *variant.Variant, width, height int) *board {
	b := &board{Diagram: env.Diagram{Width: width, Height: height, Squares: true}}
	if v == nil {
		return b
	}
	b.spec = v.Game.Spec()
	if state, ok := v.Game.NewStates(1)[0].(env.Diagrammer); ok {
		state.Diagram(&b.Diagram)
	}
	return b
}

// square names a square.
func (b *board) square(i int) string {
	if !b.Squares && i < len(b.Cells) {
		return b.Cells[i].Label
	}
	return string(env.AppendSquare(nil, i, b.Width))
}

// coordinates returns the names of columns and rows, or none for a board of houses.
func (b *board) coordinates() (across, up []string) {
	if !b.Squares {
		return nil, nil
	}
	for x := range b.Width {
		across = append(across, b.square(x)[:1])
	}
	for y := range b.Height {
		up = append(up, b.square(y * b.Width)[1:])
	}
	return across, up
}

// grounds returns the ground of each square.
func (b *board) grounds() []plot.Ground {
	return each(b.Cells, func(c *env.Cell) plot.Ground {
		switch c.Ground {
		case env.Obstacle, env.LowObstacle:
			return plot.Blocked
		case env.Trench, env.Hedge, env.Water, env.Mine, env.Contaminated:
			return plot.Special
		}
		return plot.Plain
	})
}

// starts returns the squares on which pieces of a type start, in their owner's frame.
func (b *board) starts(name string) []bool {
	starts := make([]bool, len(b.Cells))
	if b.spec == nil || !b.Squares {
		return nil
	}
	t, err := b.spec.PieceType(name)
	if err != nil {
		return nil
	}
	for i, c := range b.Cells {
		if c.Symbol == b.spec.Pieces[t].Symbol && c.Owner != env.NoPlayer {
			starts[b.spec.Frame(c.Owner, i)] = true
		}
	}
	return starts
}

func balancePlacement(p *Page, r *balance.Report) {
	m := r.Placement
	if r.Activity.Turns == 0 {
		return
	}
	b := boardOf(variantOf(r.Variant, r.Digest, r.Rules), m.Width, m.Height)
	p.heading(2, "Where do the pieces stand, take and die?")
	p.say(fmt.Sprintf("Maps are in per cent of n; darker squares have greater shares. They show the board as %s sees it; the squares of %s are turned by half a turn. "+
		"An orange frame marks a square on which a piece of the type starts. Hatched squares have special ground, such as a trench, and grey squares are obstacles. "+
		"The maps do not rate squares: pieces stand where they start, and die where they meet.", r.Players[0], r.Players[1]))
	for i := range m.Types {
		placement(p, b, &m.Types[i])
	}
}

// placement adds the maps of a type.
func placement(p *Page, b *board, t *balance.TypeMaps) {
	maps := []*balance.Map{&t.Presence, &t.Kills, &t.Deaths}
	f := Figure{Table: Table{
		Columns: []string{"square", "stands", "kills", "dies"},
		Caption: fmt.Sprintf("%s: the squares where it stands (n = %s positions of a player), where its victims stand (n = %s), and where it is taken (n = %s). The table omits squares where none of these occurred.",
			t.Type, Count(t.Presence.N), Count(t.Kills.N), Count(t.Deaths.N)),
	}}
	across, up := b.coordinates()
	var boards []plot.Board
	for k, of := range maps {
		boards = append(boards, plot.Board{
			Title: fmt.Sprintf("%s %s, n = %s", t.Type, f.Table.Columns[k+1], Count(of.N)), Width: b.Width, Shares: of.Estimate,
			Columns: across, Rows: up, Grounds: b.grounds(), Start: b.starts(t.Type),
		})
	}
	for square := range b.Width * b.Height {
		row, seen := []string{b.square(square)}, false
		for _, of := range maps {
			row = append(row, mapCell(of, square))
			seen = seen || square < len(of.Estimate) && of.Estimate[square] > 0
		}
		if seen { // most squares of large boards are not
			f.Table.Rows = append(f.Table.Rows, row)
		}
	}
	f.Draw = func(w io.Writer) error { return plot.Boards(w, boards) }
	p.add(f)
}

// mapCell formats a square's share with its interval.
func mapCell(m *balance.Map, square int) string {
	if square >= len(m.Estimate) {
		return "-"
	}
	return fmt.Sprintf("%.2f %% (%.2f to %.2f)", 100*m.Estimate[square], 100*m.Low[square], 100*m.High[square])
}
