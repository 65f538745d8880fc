package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// lines collects text.
type lines struct{ strings.Builder }

// columns is the width of a terminal, and mark the prefix of commands.
const columns = 100

// wrapped writes a text in lines of at most the terminal's width; every line begins with
// the indent, but the first with head. Numbers and their unit stay together.
func (w *lines) wrapped(head, indent, text string) {
	const glued = "\x00%"
	text = strings.ReplaceAll(text, " %", glued)
	write := func(line string) { fmt.Fprintln(w, strings.ReplaceAll(line, glued, " %")) }
	line := head
	width := len([]rune(head))
	empty := true
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		if !empty && width+1+n > columns {
			write(line)
			line, width, empty = indent, len([]rune(indent)), true
		}
		if !empty {
			line, width = line+" ", width+1
		}
		line, width, empty = line+word, width+n, false
	}
	write(line)
}

// command writes a command, cut before options where it does not fit.
func (w *lines) command(text string) {
	const head, next = "  ", "      "
	line := head
	for i, part := range strings.Split(text, " --") {
		if i > 0 {
			part = "--" + part
		}
		switch {
		case i == 0:
			line += part
		case len([]rune(line))+1+len([]rune(part)) > columns-2:
			fmt.Fprintln(w, line+` \`)
			line = next + part
		default:
			line += " " + part
		}
	}
	fmt.Fprintln(w, line)
}

// firstText writes the first screen for a terminal.
func (p *Page) firstText(w *lines) {
	f := &p.First
	w.wrapped("", "", p.Title)
	for _, text := range f.About {
		w.wrapped("", "", text)
	}
	w.WriteByte('\n')
	for _, text := range f.Answers {
		w.wrapped("- ", "  ", text)
	}
	if len(f.Table.Rows) > 0 {
		f.Table.text(w)
		if f.Table.Caption != "" {
			w.wrapped("", "", f.Table.Caption)
		}
	}
	grid, listed := f.lightGrid()
	if grid != nil {
		grid.text(w)
	}
	if len(listed) > 0 {
		w.WriteByte('\n')
		subject, word := 0, 0
		for i := range listed {
			l := &listed[i]
			subject, word = max(subject, len(l.subject())), max(word, len(l.State.word()))
		}
		for i := range listed {
			l := &listed[i]
			before := fmt.Sprintf("%-*s  %s %-*s  ", subject, l.subject(), l.State.sign(), word, l.State.word())
			w.wrapped(before, strings.Repeat(" ", utf8.RuneCountInString(before)), l.Text)
		}
	}
	if limits := f.limits(); limits != "" {
		w.wrapped("", "", limits)
	}
	if len(f.Next) > 0 {
		fmt.Fprintln(w, "\nWhat to try next")
	}
	for _, s := range f.Next {
		w.wrapped("", "", s.Why+":")
		w.command(s.Command)
	}
}

// Text writes the first screen of the page for a terminal of 100 columns.
func (p *Page) Text(out io.Writer) error {
	w := new(lines)
	p.firstText(w)
	_, err := io.WriteString(out, w.String())
	return err
}

// Full writes the whole page for a terminal of 100 columns.
func (p *Page) Full(out io.Writer) error {
	w := new(lines)
	p.firstText(w)
	for _, b := range p.Blocks {
		b.text(w)
	}
	_, err := io.WriteString(out, w.String())
	return err
}

func (h Heading) text(w *lines) {
	if h.Leisure {
		return
	}
	text := h.Text
	if h.Level == 2 {
		text = strings.ToUpper(text)
	}
	w.WriteByte('\n')
	w.wrapped("", "", text)
}

func (p Paragraph) text(w *lines) {
	if !p.Leisure {
		w.wrapped("", "", p.Text)
	}
}

func (t Table) text(w *lines) {
	if t.Leisure {
		return
	}
	rows := append([][]string{t.Columns}, t.Rows...)
	limit := columns
	if tableWidth(rows, t.every(), limit) > columns {
		limit = widestCell
	}
	for _, part := range t.parts(rows, limit) {
		w.WriteByte('\n')
		table := tabwriter.NewWriter(w, 0, 0, gap, ' ', 0)
		for _, row := range rows {
			writeRow(table, row, part, limit)
		}
		_ = table.Flush() // writing to lines does not fail
	}
}

// Layout of tables for terminals, in characters.
const (
	gap        = 2  // between columns
	widestCell = 45 // of a cell of a table that is wider than the terminal; two fit
)

// every returns the indices of all columns.
func (t Table) every() []int {
	all := make([]int, len(t.Columns))
	for i := range all {
		all[i] = i
	}
	return all
}

// parts divides the columns of a table with cells of at most a number of characters, so that
// each part fits the terminal. Every part begins with the first column.
func (t Table) parts(rows [][]string, limit int) (parts [][]int) {
	part := []int{0}
	for column := 1; column < len(t.Columns); column++ {
		if len(part) > 1 && tableWidth(rows, append(slices.Clone(part), column), limit) > columns {
			parts = append(parts, part)
			part = []int{0}
		}
		part = append(part, column)
	}
	return append(parts, part)
}

// tableWidth returns the width of a table of some columns.
func tableWidth(rows [][]string, list []int, limit int) int {
	width := -gap
	for _, column := range list {
		most := 0
		for _, row := range rows {
			for _, line := range cell(row, column, limit) {
				most = max(most, len([]rune(line)))
			}
		}
		width += gap + most
	}
	return width
}

// writeRow writes some columns of a row in as many lines as its longest cell has.
func writeRow(w io.Writer, row []string, list []int, limit int) {
	height := 1
	for _, column := range list {
		height = max(height, len(cell(row, column, limit)))
	}
	for line := range height {
		texts := each(list, func(column *int) string {
			if lines := cell(row, *column, limit); line < len(lines) {
				return lines[line]
			}
			return ""
		})
		fmt.Fprintln(w, strings.TrimRight(strings.Join(texts, "\t"), "\t"))
	}
}

// cell returns the lines of a cell, with at most a number of characters each.
func cell(row []string, column, limit int) (lines []string) {
	if column >= len(row) {
		return nil
	}
	text := []rune(row[column])
	for len(text) > limit {
		cut := limit
		for cut > 0 && text[cut] != ' ' {
			cut--
		}
		if cut == 0 {
			lines, text = append(lines, string(text[:limit])), text[limit:] // one long word
			continue
		}
		lines, text = append(lines, string(text[:cut])), text[cut+1:]
	}
	return append(lines, string(text))
}

func (Figure) text(*lines) {}
