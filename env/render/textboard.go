package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env"
)

const (
	arrows     = "↑↗→↘↓↙←↖"
	wreckMark  = "†"
	markedMark = "@"
)

// brackets mark the squares of the last ply, in the order of the legend.
var brackets = [...]struct {
	open, close rune
	name        string
}{
	{'(', ')', "moved from"},
	{'{', '}', "taken or destroyed"},
	{'[', ']', "moved to"},
}

const (
	movedFrom = iota
	struck
	movedTo
)

// textSquares writes a board of named squares. The column before each square is a
// space, the ground under its piece, or a bracket of the last ply.
func textSquares(out *strings.Builder, d *env.Diagram, last []env.Event) {
	wide := 1
	for _, c := range d.Cells {
		wide = max(wide, utf8.RuneCountInString(mark(c)))
	}
	between := grounds(d)
	marks := bracket(d, last, between)
	for y := d.Height - 1; y >= 0; y-- {
		line := fmt.Sprintf("%3d ", y+1)
		for x := range d.Width {
			c := d.Cells[y*d.Width+x]
			text := mark(c)
			fill := " "
			if c.Symbol == "" && !c.Marked && looks(c.Ground).solid {
				fill = text
			}
			line += string(between[y][x]) + text + strings.Repeat(fill, wide-utf8.RuneCountInString(text))
		}
		fmt.Fprintln(out, strings.TrimRight(line+string(between[y][d.Width]), " "))
	}
	line := "    "
	for x := range d.Width {
		line += fmt.Sprintf(" %-*c", wide, 'a'+x)
	}
	fmt.Fprintf(out, "%s\n", strings.TrimRight(line, " "))
	textLegend(out, textSigns(d, marks))
	fmt.Fprintln(out)
}

// grounds returns the characters between the squares of each row: the grounds under
// pieces if they matter, and spaces.
func grounds(d *env.Diagram) [][]rune {
	rows := make([][]rune, d.Height)
	for y := range rows {
		rows[y] = []rune(strings.Repeat(" ", d.Width+1))
		for x, c := range d.Cells[y*d.Width : (y+1)*d.Width] {
			if l := looks(c.Ground); c.Symbol != "" && c.Marked {
				rows[y][x], _ = utf8.DecodeRuneInString(markedMark)
			} else if c.Symbol != "" && l.kept {
				rows[y][x], _ = utf8.DecodeRuneInString(l.mark)
			}
		}
	}
	return rows
}

// bracket puts the squares of the last ply into brackets and reports which kinds of
// bracket it used. Brackets of later kinds replace earlier ones.
func bracket(d *env.Diagram, last []env.Event, between [][]rune) (used [len(brackets)]bool) {
	put := func(kind int, square int16) {
		if square < 0 || int(square) >= len(d.Cells) {
			return
		}
		used[kind] = true
		x, row := int(square)%d.Width, between[int(square)/d.Width]
		row[x], row[x+1] = brackets[kind].open, brackets[kind].close
	}
	for kind := range brackets {
		for _, e := range last {
			switch {
			case kind == movedFrom && (e.Kind == env.LeftBoard || e.Kind == env.Moved && e.From != e.To):
				put(kind, e.From)
			case kind == struck && (e.Kind == env.Captured || e.Kind == env.Destroyed),
				kind == movedTo && e.Kind == env.Moved:
				put(kind, e.To)
			}
		}
	}
	return used
}

// mark returns the text of a square: a piece with its facing, or the ground.
func mark(c env.Cell) string {
	switch {
	case c.Symbol == "" && c.Marked:
		return markedMark
	case c.Symbol == "":
		return looks(c.Ground).mark
	}
	text := strings.ToUpper(c.Symbol)
	if c.Owner == env.Second {
		text = strings.ToLower(c.Symbol)
	}
	switch {
	case c.Wreck:
		return wreckMark + text
	case c.Faced:
		return text + string([]rune(arrows)[c.Facing&7])
	}
	return text
}

// textSigns returns the entries of the legend: players, grounds, wrecks and the
// brackets that are used.
func textSigns(d *env.Diagram, marks [len(brackets)]bool) []string {
	used, marked, wreck := shown(d)
	signs := []string{"AB " + playerName(d, env.First), "ab " + playerName(d, env.Second)}
	for _, piece := range d.Pieces {
		if slices.ContainsFunc(d.Cells, func(c env.Cell) bool { return c.Symbol == piece.Symbol }) {
			signs = append(signs, piece.Symbol+" "+piece.Name)
		}
	}
	for g, is := range used {
		if l := looks(env.Ground(g)); is && l.name != "" {
			signs = append(signs, l.mark+" "+l.named(d))
		}
	}
	if marked {
		signs = append(signs, markedMark+" "+markedName)
	}
	if wreck {
		signs = append(signs, wreckMark+" "+wreckName)
	}
	for kind, is := range marks {
		if b := brackets[kind]; is {
			signs = append(signs, string(b.open)+string(b.close)+" "+b.name)
		}
	}
	return signs
}

// textLegend writes an empty line and then the signs, in lines of bounded length.
func textLegend(out *strings.Builder, signs []string) {
	const room = 73
	line := ""
	for _, s := range signs {
		if line != "" && utf8.RuneCountInString(line)+3+utf8.RuneCountInString(s) > room {
			fmt.Fprintf(out, "\n     %s", line)
			line = ""
		}
		if line != "" {
			line += "   "
		}
		line += s
	}
	if line != "" {
		fmt.Fprintf(out, "\n     %s\n", line)
	}
}
