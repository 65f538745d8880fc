package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env"
)

// Text returns the board of s with coordinates and captions, in lines that end
// in a newline. Capitals are the first player's. A state that does not describe
// its picture gives its position text.
func Text(s env.State) string {
	drawer, ok := s.(env.Diagrammer)
	if !ok {
		return env.PositionText(s) + "\n"
	}
	var d env.Diagram
	drawer.Diagram(&d)
	var out strings.Builder
	if d.Squares {
		textSquares(&out, &d)
	} else {
		textHouses(&out, &d)
	}
	for _, line := range d.Caption {
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

func textSquares(out *strings.Builder, d *env.Diagram) {
	wide := 1
	for _, c := range d.Cells {
		wide = max(wide, utf8.RuneCountInString(mark(c)))
	}
	for y := d.Height - 1; y >= 0; y-- {
		fmt.Fprintf(out, "%3d ", y+1)
		for x := range d.Width {
			text := mark(d.Cells[y*d.Width+x])
			out.WriteString(" " + text)
			if x < d.Width-1 {
				out.WriteString(strings.Repeat(" ", wide-utf8.RuneCountInString(text)))
			}
		}
		out.WriteByte('\n')
	}
	out.WriteString("    ")
	for x := range d.Width {
		fmt.Fprintf(out, " %-*c", wide, 'a'+x)
	}
	trim(out)
	out.WriteString("\n")
	if l := legend(d); l != "" {
		out.WriteString("\n     " + l + "\n")
	}
	out.WriteByte('\n')
}

// trim takes the blanks from the end of what has been written.
func trim(out *strings.Builder) {
	text := strings.TrimRight(out.String(), " ")
	out.Reset()
	out.WriteString(text)
}

// mark is a square in a text: a piece with its facing, or the ground.
func mark(c env.Cell) string {
	if c.Symbol == "" {
		return looks(c.Ground).mark
	}
	text := strings.ToUpper(c.Symbol)
	if c.Owner == env.Second {
		text = strings.ToLower(c.Symbol)
	}
	switch {
	case c.Wreck:
		text += "†"
	case c.Faced:
		text += string([]rune("↑↗→↘↓↙←↖")[c.Facing&7])
	}
	return text
}

// legend explains the grounds of a board that has several.
func legend(d *env.Diagram) string {
	var used [256]bool
	for _, c := range d.Cells {
		used[c.Ground] = true
	}
	var parts []string
	for g, is := range used {
		if is {
			l := looks(env.Ground(g))
			parts = append(parts, l.mark+" "+l.name)
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, "   ")
}

// textHouses writes a row of house names and a row of counts for each row of
// houses, the names on the outside.
func textHouses(out *strings.Builder, d *env.Diagram) {
	for y := d.Height - 1; y >= 0; y-- {
		row := d.Cells[y*d.Width : (y+1)*d.Width]
		names, counts := " ", " "
		for _, c := range row {
			names += fmt.Sprintf(" %4s ", c.Label)
			counts += fmt.Sprintf(" [%3s]", seedCount(c.Count))
		}
		names = strings.TrimRight(names, " ")
		if 2*y >= d.Height {
			fmt.Fprintf(out, "%s\n%s\n", names, counts)
		} else {
			fmt.Fprintf(out, "%s\n%s\n", counts, names)
		}
		if 2*y == d.Height {
			fmt.Fprintf(out, "  %s\n", strings.Repeat("-", 6*d.Width-1))
		}
	}
	out.WriteByte('\n')
}

func seedCount(n int) string {
	if n == 0 {
		return "."
	}
	return fmt.Sprint(n)
}
