// Package tablebase solves endgames of N'txuva, and of no other game. [Solve] writes a
// table of the values of all positions in which no player has more than a given number of
// seeds, and a [Prober] looks positions up.
//
// # Values
//
// A value is the result of the game and the number of plies to its end if the winner
// hurries and the loser delays. It ignores the counters of the rules: repetition is a draw
// because neither side makes progress, and there is no limit of plies. The value holds in
// the real game
//
//   - for every draw: a side that can hold a position for ever can also hold it until a
//     counter ends the game, and counters end games only by draws;
//   - for a win or loss that takes fewer plies than the limit leaves: each ply of the
//     winner comes closer to the end, so no position on the way occurs twice. In ntxuva/4
//     with at most ten seeds per player no win takes more than 104 plies, of the 200 plies
//     without a capture that the rules allow.
//
// # Method
//
// Retrograde analysis (K. Thompson 1986, "Retrograde analysis of certain endgames";
// J. W. Romein and H. E. Bal 2003, "Solving awari with parallel retrograde analysis"). A
// capture removes seeds for good. So the positions are grouped into pairs by the seeds of
// both players, few and many, with either player to move; a pair depends only on itself
// and on earlier pairs ([Solve] orders them). Within a pair, positions are decided level by
// level, by the number of plies to the end. A position is won at an odd level if a move
// leads to a position lost at the level before; it is lost at an even level if all moves
// lead to won positions. The positions that no level decides are drawn.
//
// Three facts make the analysis fast:
//
//   - What a move does to the mover's own houses depends on these houses alone. So the
//     engine is asked once for the moves of each layout of own seeds, and the package does
//     not implement the rules again.
//   - A capture needs one occupied house of the enemy. So the positions with one own layout
//     are a row of bits, one for each layout of the enemy, and a few word operations apply a
//     move to 64 positions.
//   - Only the level at which a capture wins, or from which on all captures lose, matters.
//     It is found once, from the earlier pairs.
//
// Mirror images are not equivalent, because both players sow to the right. Turning the
// board is a symmetry: a table stores positions by the player to move.
//
// # Size
//
// The file has one byte per position. Solving takes about 1.7 bytes of memory per position
// of the largest pair. For ntxuva/4 (sandtable endgame solve ntxuva/4 --seeds N --workers 1,
// seconds of processor time on an Intel Xeon virtual machine, go1.26):
//
//	seeds  positions        longest  seconds
//	6            9,012,004       84      0.5
//	8          165,611,161       92        8
//	10       1,914,675,049      104      121
//
// A table with 14 seeds would have 102,252,213,361 positions and need 22 GB of memory; the
// 16 seeds of the start are out of reach. On other boards fewer seeds are possible: the
// number of positions is about the square of the number of layouts of one player's seeds.
//
// README.md has the results.
package tablebase
