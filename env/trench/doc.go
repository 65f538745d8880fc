// Package trench plays Trench (R. A. Monteiro, 2013) on 8×8 squares.
//
// Player 0 is Black with the home corner a1, player 1 is White with h8; Black
// moves first and the sides alternate. [Engine] gives the presets; [New] makes
// a game of [Rules] that a program has put together.
//
// # Actions
//
// An action is (from·8 + direction)·R + distance − 1 in the mover's frame: the
// board as it is for Black, turned by 180° for White. R is the longest move of
// any rank of either side, 5 by default, so a rule set that changes it changes
// the action count too: ask Spec. A list of legal actions needs a slice with room
// for Spec.MaxLegal, of which the part behind the list is scratch.
//
// # Positions
//
// A position text may leave out any pieces, but hold no more of a rank than an
// army has. Where the rules name no winner, because both armies or both
// Generals are gone, the side to move has lost. A missing General is looked for
// after every move, so that a position reads back as it was left.
//
// # Keys and copies
//
// Repetition compares 64-bit keys of board and side to move. Hash covers the
// captured points as well. A state keeps the keys since the last capture, at
// most no_progress + 1 of them, and copies no more than it has.
//
// # House rules
//
// Armistice, repetition and the end for want of a legal move are ours, and so
// is the draw by equal points of equal turns; Spec.Ends marks them. So is a rank
// that goes farther for one side than for the other.
//
// # Speed
//
// Random play is bound by listing, some eighty short directions a ply of which
// few are blocked at once: tried and slower were bounds-checked writes, eight
// actions at a time for every rank, separate code for Soldiers and Sergeants
// (their order is not predictable), line-wise layouts of the board with shifts
// in place of multiplications, counting all directions before writing any, and
// keeping the stop sets in the state.
//
// A batch with packed masks and observations is bound by the same listing, which
// takes two thirds of a step: thirteen instructions for each of those directions,
// the mask's included. Slower was a mask made from the finished list; so were
// counts that are needed twice as bytes, which the compiler spilled.
package trench
