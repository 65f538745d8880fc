// Package eval evaluates running positions. An [Evaluator] returns hundredths of a
// point of the game, from the view of the player to move. Values are integers, so that a
// search plays the same game on every processor.
//
//	score     the game's own score, own minus enemy (env.Score)
//	material  the pieces on the board, each worth its type's attribute "value", or
//	          else "points", or else 1; wrecks count 0
//
// In Trench, Tank Chess and N'txuva the two agree if the points match the pieces
// missing from the board. In Tank Battle only the score includes the enemy bases.
//
// [Weights] make a linear evaluator: fitted weights for the number, squares and facings
// of each type of piece, and for the game's own features (see [Layout]). [Shipped]
// returns the weights embedded in the program.
//
// # Speed
//
// A linear evaluator needs one table look-up per piece ([env.PieceAdder]). The game's
// own features cost more: in Trench, half the time of a search. If the weights of all
// features are 0, the evaluator does not compute them. It caches the values of recent
// positions by hash, which saves a tenth of the time per node in Trench and a fifth in
// N'txuva (BenchmarkSearch of package search).
package eval
