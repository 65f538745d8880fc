// Package tankbattle plays Tank Battle as on BrainKing, on a board of 11×11 squares
// or on a smaller custom one.
//
// Player 0 is White, whose base is at the bottom; player 1 is Black. White moves
// first and the sides alternate. [Engine] gives the presets; [New] makes a game from
// [Rules] that a program has built.
//
// # Actions
//
// An action is (from·8 + direction)·(size − 1) + distance − 1 in the mover's frame:
// the board as it is for White, turned by 180° for Black.
//
// # Layouts
//
// A layout is part of the rule set: 5 to 11 files and ranks, two bases with the
// squares of their commanders, contaminated squares and mines. No square belongs to
// two of these. On a board of size 11 each base has the published 14 squares; on a
// smaller one it has 1 to 14. A side has as many tanks as its base has squares.
// [Rules.Warnings] reports a layout that is valid but unequal or unplayable.
//
// # Positions
//
// The text of a position may leave out any tanks. A side cannot have more tanks than
// its army, tanks on mines, or ordinary tanks on contaminated squares. The text does
// not contain ids: a commander is always the first piece of its army, and the other
// tanks are numbered in the order of the squares.
//
// # Scores
//
// A state's points are what its player would score if the game ended now. They
// follow from the board, so Hash, which covers the board and the player to move,
// determines them. A state keeps the keys since the last progress, which cannot be
// undone: at most no_progress + 1 of them. It copies only those that it has.
//
// # House rules
//
// The following are house rules: White moves first; the ends by no progress, by
// repetition and without a legal move; and the layout of the presets. Spec.Ends and
// the descriptions of the presets mark them.
//
// # Speed
//
// A state knows how far each tank can go in each direction. After a move it updates
// only the numbers that the move can have changed, at most twenty-four; see reach.go.
// Random play is bound by the number of instructions. Nearly half of them write the
// list, eight actions per direction whether it has that many or none; a mispredicted
// branch costs as much as a whole tank. Therefore these were slower: four actions at
// a time with a branch for tanks that see farther, or with a second pass for those; a
// loop over the directions; reading single bytes of a reach; and a branch for the
// lesser of view and limit. One loop over both words of the set of tanks, and reaches
// in one number instead of eight bytes, made no difference.
//
// In a batch with packed masks and observations, the list and the mask take half of
// the time, the moves a quarter, and the observation a tenth.
package tankbattle
