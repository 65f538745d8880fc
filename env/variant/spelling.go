package variant

import (
	"fmt"
	"slices"
	"strings"
)

// suggest names the member with the spelling closest to name, or all members if none
// is similar.
func suggest(name string, members []member) string {
	var known []string
	for _, m := range members {
		known = append(known, m.name)
	}
	if near, ok := Nearest(name, known); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	slices.Sort(known)
	return "known are " + strings.Join(known, ", ")
}

// Nearest returns the name at the smallest edit distance from word, if that is small
// for the length of word.
func Nearest(word string, names []string) (near string, ok bool) {
	best := max(1, len(word)/3) + 1
	for _, name := range names {
		if d := editDistance(strings.ToLower(word), strings.ToLower(name)); d < best {
			best, near, ok = d, name, true
		}
	}
	return near, ok
}

// editDistance is the optimal string alignment distance: the number of letters that
// are omitted, added or changed, or swapped with a neighbour.
func editDistance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			changed := above[j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			row[j] = min(changed, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
