package search

import "github.com/sandtable-farm/sandtable/env"

// A Result is the result of a search. Its slices belong to the search and are valid
// until the next one.
type Result struct {
	Lines []Line // best first; at least one
	// Whole are the lines of the last complete iteration, best first, for a search of several
	// lines. Unlike those of a stopped iteration, they can be compared. It is empty for a
	// tree and before the first complete iteration.
	Whole []Line
	Depth int   // plies: of the last complete iteration, or of the deepest leaf of a tree
	Nodes int64 // positions entered
}

// Best returns the best line.
func (r *Result) Best() *Line { return &r.Lines[0] }

// A Line is an action and the play expected after it.
type Line struct {
	Score   int // from the view of the player to move at the root; see Win
	Depth   int // plies: of the iteration that found it, or its length in a tree
	Actions []env.Action
}
