package main

import (
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

const (
	plainColumns = 80  // of text that does not go to a terminal
	leastColumns = 40  // below which text is not wrapped further
	mostColumns  = 100 // above which lines are hard to read
)

// columns returns the width to which the text of a stream is wrapped.
func columns(stream any) int {
	return min(max(terminalColumns(stream), leastColumns), mostColumns)
}

// terminalColumns returns the width of a terminal, or 80 for another stream.
func terminalColumns(stream any) int {
	file, ok := stream.(*os.File)
	if !ok {
		return plainColumns
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		return plainColumns
	}
	return width
}

// reflow wraps a text. Lines that begin with a space keep their breaks, and their
// continuations stand below the text that follows their first gap of two spaces.
func reflow(text string, width int) string {
	var b strings.Builder
	var paragraph []string
	flush := func() {
		if paragraph != nil {
			wrapLine(&b, strings.Join(paragraph, " "), 0, width)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		wrapLine(&b, line, hanging(line), width)
	}
	flush()
	return b.String()
}

// hanging returns the indent of the continuations of a line that begins with a space.
func hanging(line string) int {
	const most = 44 // columns before the text of a list
	own := len(line) - len(strings.TrimLeft(line, " "))
	if gap := strings.Index(line[own:], "  "); gap >= 0 {
		text := own + gap + len(line[own+gap:]) - len(strings.TrimLeft(line[own+gap:], " "))
		if column := utf8.RuneCountInString(line[:text]); column <= most {
			return column
		}
	}
	return own + 2
}

// wrapLine writes a line and its continuations, which are indented.
func wrapLine(b *strings.Builder, line string, indent, width int) {
	for {
		if utf8.RuneCountInString(line) <= width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			return
		}
		column, cut := 0, -1
		for i, r := range line {
			if r == ' ' && column > indent && strings.TrimLeft(line[:i], " ") != "" && (column <= width || cut < 0) {
				cut = i
			}
			column++
		}
		if cut < 0 {
			b.WriteString(line + "\n")
			return
		}
		b.WriteString(strings.TrimRight(line[:cut], " ") + "\n")
		line = strings.Repeat(" ", indent) + strings.TrimLeft(line[cut:], " ")
	}
}
