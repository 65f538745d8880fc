package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env"
)

const (
	listWidth   = 78  // width of a list of moves, in characters
	movesOfPage = 100 // number of moves on a page
)

// movesWith returns the legal moves for which want returns true, by action number.
func (s *session) movesWith(want func(move string) bool) []string {
	var moves []string
	for _, action := range s.now.Legal(nil) {
		if move := env.ActionText(s.now, action); want(move) {
			moves = append(moves, move)
		}
	}
	return moves
}

// several returns the error text for an ambiguous prefix.
func several(text string, moves []string) string {
	const shown = 5
	more := ""
	if n := len(moves) - shown; n > 0 {
		more = fmt.Sprintf(" and %d more; type moves %s to list all", n, text)
	}
	return fmt.Sprintf("%s is ambiguous: %s%s", text, strings.Join(moves[:min(shown, len(moves))], ", "), more)
}

func (s *session) movesCommand(_ context.Context, words []string) error {
	if err := s.running(); err != nil {
		return err
	}
	if len(words) == 0 {
		s.surveyMoves()
		return nil
	}
	moves := s.movesWith(func(move string) bool { return strings.HasPrefix(move, words[0]) })
	if len(moves) == 0 {
		moves = s.movesWith(func(move string) bool { return strings.Contains(move, words[0]) })
	}
	if len(moves) == 0 {
		return fmt.Errorf("no legal move contains %s; type moves for an overview", words[0])
	}
	page, pages := 1, (len(moves)+movesOfPage-1)/movesOfPage
	if len(words) > 1 {
		var err error
		if page, err = strconv.Atoi(words[1]); err != nil || page < 1 || page > pages {
			return fmt.Errorf("PAGE is %s, must be 1 to %[3]d for the moves with %[2]s", words[1], words[0], pages)
		}
	}
	fmt.Fprintf(s.out, "%d legal moves with %s", len(moves), words[0])
	if pages > 1 {
		fmt.Fprintf(s.out, ", page %d of %d", page, pages)
	}
	fmt.Fprintln(s.out)
	first := (page - 1) * movesOfPage
	s.columns(moves[first:min(first+movesOfPage, len(moves))])
	if page < pages {
		fmt.Fprintf(s.out, "type moves %s %d for the next page\n", words[0], page+1)
	}
	return nil
}

// surveyMoves prints a line for each origin square with as many of its moves as fit. If
// all origins differ, it prints all moves in columns.
func (s *session) surveyMoves() {
	moves := s.movesWith(func(string) bool { return true })
	var origins []string
	from := map[string][]string{}
	for _, move := range moves {
		origin := originOf(move)
		if from[origin] == nil {
			origins = append(origins, origin)
		}
		from[origin] = append(from[origin], move)
	}
	fmt.Fprintf(s.out, "%d legal moves\n", len(moves))
	if len(origins) == len(moves) {
		s.columns(moves)
		return
	}
	for _, origin := range origins {
		line := fmt.Sprintf("  %-4s %3d ", origin, len(from[origin]))
		for i, move := range from[origin] {
			rest := ""
			if i+1 < len(from[origin]) {
				rest = " …"
			}
			if utf8.RuneCountInString(line+" "+move+rest) > listWidth {
				line += " …"
				break
			}
			line += " " + move
		}
		fmt.Fprintln(s.out, line)
	}
	fmt.Fprintf(s.out, "type moves %s for all moves from %[1]s\n", origins[0])
}

// originOf returns the first square or house in a move text.
func originOf(move string) string {
	if i := strings.IndexFunc(move, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i > 0 {
		return move[:i]
	}
	return move
}

// columns prints moves in columns.
func (s *session) columns(moves []string) {
	wide := 0
	for _, move := range moves {
		wide = max(wide, utf8.RuneCountInString(move))
	}
	across := max(1, (listWidth-1)/(wide+2))
	for i, move := range moves {
		if last := i+1 == len(moves); last || (i+1)%across == 0 {
			fmt.Fprintf(s.out, "  %s\n", move)
		} else {
			fmt.Fprintf(s.out, "  %-*s", wide, move)
		}
	}
}
