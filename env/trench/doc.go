// Package trench plays Trench (R. A. Monteiro, 2013) on a board of 8×8 squares.
//
// Player 0 is Black, whose home corner is a1; player 1 is White, whose home corner
// is h8. Black moves first and the sides alternate. [Engine] gives the presets;
// [New] makes a game from [Rules] that a program has built.
//
// # Actions
//
// An action is (from·8 + direction)·R + distance − 1 in the mover's frame: the
// board as it is for Black, turned by 180° for White. R is the longest move of any
// rank of either side, 5 by default. Rules that change it change the number of
// actions too: see Spec.Actions.
//
// # Positions
//
// The text of a position may leave out any pieces, but a side cannot have more
// pieces of a rank than an army has. If both armies or both Generals are missing,
// the rules name no winner, and the side to move has lost. A missing General is
// detected after every move, so that every position reads back as it was written.
//
// # Keys and copies
//
// Repetition compares 64-bit keys of the board and the side to move. Hash covers
// the captured points as well. A state keeps the keys since the last capture, at
// most no_progress + 1 of them, and copies only those that it has.
//
// # House rules
//
// Armistice, repetition, the end without a legal move, and the draw when points are
// equal after equal turns are house rules; Spec.Ends marks them. A longest move that
// differs between the sides is a house rule too.
//
// # Speed
//
// The list of legal actions takes most of the time of random play: some eighty short
// directions per ply, few of which are blocked at once. These were tried and were
// slower: writes with bounds checks; writes of eight actions for every rank; separate
// code for Soldiers and Sergeants, whose order is not predictable; layouts of the
// board by line, with shifts in place of multiplications; counting all directions
// before the first write; and stop sets that the state keeps.
//
// In a batch with packed masks and observations, the list and the mask take two
// thirds of a step, with thirteen instructions per direction. A mask made from the
// finished list was slower, and so were counts stored as bytes, which the compiler
// spilled to memory.
package trench
