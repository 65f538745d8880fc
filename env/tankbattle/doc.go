// Package tankbattle plays Tank Battle as on BrainKing, on 11×11 squares or on a
// smaller custom board.
//
// Player 0 is White, whose base lies below, player 1 is Black; White moves first
// and the sides alternate. [Engine] gives the presets; [New] makes a game of
// [Rules] that a program has put together.
//
// # Actions
//
// An action is (from·8 + direction)·(size − 1) + distance − 1 in the mover's
// frame: the board as it is for White, turned by 180° for Black. A list of legal
// actions needs a slice with room for Spec.MaxLegal, of which the part behind
// the list is scratch.
//
// # Layouts
//
// A layout is part of the rule set: 5 to 11 files and ranks, two bases with
// their commanders' squares, contaminated squares and mines, disjoint. Bases of
// 14 squares belong to the published board, so a board of size 11 must have
// them; on a smaller one each base has 1 to 14 squares. A side has as many tanks
// as its base has squares. What makes a layout unequal or unplayable without
// being wrong is told by [Rules.Warnings].
//
// # Positions
//
// A position text may leave out any tanks, but hold no more than an army has,
// none on a mine and no ordinary tank on a contaminated square. It says nothing
// of ids: a commander is always the first of its army, the other tanks are
// numbered in the order of the squares.
//
// # Scores
//
// A state's points are what its player would score if the game ended now. They
// follow from the board, so that Hash, which covers board and player to move,
// decides them. A state keeps the keys since the last progress, which cannot be
// undone, at most no_progress + 1 of them, and copies no more than it has.
//
// # House rules
//
// That White moves first, the ends by no progress, repetition and want of a
// legal move are ours, and so is the layout of the presets; Spec.Ends and the
// descriptions say so.
//
// # Speed
//
// A state knows how far each tank can go in each direction and mends, after a
// move, only those of these numbers that the move can have changed, at most
// twenty-four: see reach.go. Random play is bound by instructions, nearly half of
// them in writing the list, eight actions for each direction whether it has as
// many or none; a mispredicted branch costs as much as a whole tank. Hence tried
// and slower were four actions at a time with a branch for tanks that see
// farther, or with those mended afterwards; a loop over the directions; reading
// single bytes of a reach; and taking the lesser of view and limit by a branch.
// One loop over both words of the set of tanks was no faster than two, nor were
// reaches kept in one number instead of eight bytes.
//
// A batch with packed masks and observations is bound half by list and mask, a
// quarter by the moves, and a tenth by the observation.
package tankbattle
