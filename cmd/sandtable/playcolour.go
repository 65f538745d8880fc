package main

import (
	"regexp"
	"strings"
)

// ANSI escape codes.
const (
	blue     = "\x1b[1;34m"
	yellow   = "\x1b[1;33m"
	red      = "\x1b[1;31m"
	noColour = "\x1b[0m"
)

// coloured colours the ranks of a board of squares: the pieces of the players and the
// brackets around the last move. Other lines stay as they are.
func coloured(board string) string {
	rank := regexp.MustCompile(`^ *\d+ `)
	part := regexp.MustCompile(`[A-Z]+|[a-z]+|[][(){}]`)
	var out strings.Builder
	for line := range strings.Lines(board) {
		if head := rank.FindString(line); head != "" {
			line = head + part.ReplaceAllStringFunc(line[len(head):], func(text string) string {
				colour := red
				switch {
				case text[0] >= 'a' && text[0] <= 'z':
					colour = yellow
				case text[0] >= 'A' && text[0] <= 'Z':
					colour = blue
				}
				return colour + text + noColour
			})
		}
		out.WriteString(line)
	}
	return out.String()
}
