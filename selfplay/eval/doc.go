// Package eval values running positions. An [Evaluator] answers in hundredths of
// a point of the game from the view of the player to move; its numbers are
// integers, so that a search that compares them plays the same game on every
// processor.
//
//	score     the game's own score, own minus enemy (env.Score)
//	material  the pieces on the board, each worth its type's attribute "value",
//	          else its "points", else 1; wrecks count nothing
//
// In Trench, Tank Chess and N'txuva the two agree as long as points and board do;
// in Tank Battle only the score knows what an enemy base is worth.
//
// [Weights] make a third, linear one: fitted numbers for the types of pieces, where
// and how they stand, and what else the game counts ([Layout]). [Shipped] has
// those that are part of the program.
//
// # Speed
//
// Pieces cost a look into a table each ([env.PieceAdder]), what the game counts a
// good deal more, in Trench about half of a search. So a linear evaluator remembers
// the values of the last positions by their hashes, which takes a tenth off the time
// of a node in Trench and a fifth in N'txuva (BenchmarkSearch of package search); and
// one whose weights of the game's own features are all 0 does not ask for them.
package eval
