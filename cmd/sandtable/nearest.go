package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// parseMove parses a move text. Its error names the nearest legal moves.
func parseMove(s env.State, text string) (env.Action, error) {
	action, err := s.ParseAction(text)
	if err != nil {
		return env.NoAction, fmt.Errorf("%w; the nearest legal moves are %s", err, nearest(s, text))
	}
	return action, nil
}

// nearest returns the five legal moves with the smallest edit distance to text.
func nearest(s env.State, text string) string {
	const shown = 5
	type candidate struct {
		text     string
		distance int
	}
	var all []candidate
	for _, action := range s.Legal(nil) {
		move := env.ActionText(s, action)
		all = append(all, candidate{move, editDistance(move, text)})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].distance < all[j].distance })
	var texts []string
	for _, c := range all[:min(shown, len(all))] {
		texts = append(texts, c.text)
	}
	return strings.Join(texts, ", ")
}

// editDistance returns the Levenshtein distance in bytes. It compares at most the first
// 64 bytes of each text.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
