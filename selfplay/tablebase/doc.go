// Package tablebase solves N'txuva from the end: [Solve] writes a table of the value
// of every position in which no player has more than so many seeds, and a [Prober]
// looks positions up in it.
//
// # What a value is
//
// The result of the game and the plies to its end, when the winner hurries and the
// loser delays. The counters of the rules are left out: repetition is a draw
// because nobody gets any further, and no limit of plies is kept. So a position's
// value is that of the game as it is played
//
//   - where it is a draw: whoever can hold it for ever can hold it for a while, and
//     counters end games by nothing but draws;
//   - where it is won or lost in fewer plies than the limit leaves: every ply of the
//     winner brings the end nearer, so that none of the positions ahead comes
//     twice. In ntxuva/4 with at most ten seeds a player no win takes more than 104
//     plies, of the 200 that the rules allow without a capture.
//
// # Method
//
// Retrograde analysis (K. Thompson 1986, "Retrograde analysis of certain
// endgames"; J. W. Romein and H. E. Bal 2003, "Solving awari with parallel
// retrograde analysis"). A capture takes seeds off the board for good, so the
// positions fall into pairs by what the players have, few or many to move, and a
// pair needs only itself and pairs before it ([Solve] orders them). Within a pair
// positions are decided by the plies to the end, level by level: won at odd
// levels, where a move leads to a position lost at the level before; lost at even
// ones, where all moves lead to positions that are won. What is left when nothing
// more is found is drawn.
//
// Three things make it fast. What a move does to the mover's own houses depends on
// them alone, so the moves of all circuits are asked of the engine once, and there
// is no other implementation of the rules here. What a capture needs of the enemy
// is one occupied house. So the positions with one own circuit are a row of bits,
// by the enemy's circuit, and a move is a handful of word operations for 64
// positions. And of the captures only the level matters at which they win, or from
// which on all of them lose: it is found once, from the pairs before.
//
// The mirror image of a position is none of its symmetries, since everybody sows
// to the right; turning the board is one, and is used: a table knows only the
// player to move.
//
// # Size
//
// A byte a position in the file, and some 1.7 bytes of memory for each of the
// greatest pair. On ntxuva/4 (sandtable endgame solve ntxuva/4 --seeds N --workers 1,
// seconds of processor time on an Intel Xeon virtual machine, go1.26):
//
//	seeds  positions        longest  seconds
//	6            9,012,004       84      0.5
//	8          165,611,161       92        8
//	10       1,914,675,049      104      121
//
// With 14 it would be 102,252,213,361 positions, and 22 GB of memory; all 16 of the
// start are out of reach. Other boards take fewer seeds: the number of ways to lay
// them in all houses of a player, squared, is what counts.
//
// What came out is told in README.md.
package tablebase
