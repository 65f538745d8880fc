// Package tankchess plays Tank Chess (D. and P. Lazović, 2016) and custom games
// of its kind: boards of 8 to 24 squares a side, own piece types, own armies.
//
// Player 0 is White with home rank 1, player 1 is Black; White moves first and
// the sides alternate. [Engine] gives the presets; [New] makes a game of [Rules]
// that a program has put together.
//
// # Actions
//
// An action is (slot·T + template)·S + shot, the last one the escape. Slots
// number a side's pieces, templates the end states of a movement relative to
// where a piece stands and faces, shots the ways to fire. T and S follow from
// the fastest type and the gun with the most shots of the rule set, types that
// no army has included: ask Spec. A template means the same to both players,
// because the two frames differ by half a turn and templates turn with the
// facing.
//
// # Positions
//
// The Command Tank can always turn, so a player to move always has an action.
// A position text whose sides contradict its Command Tanks, such as one that is
// off the board with its own side to move, is refused. Where escape is
// last_rank, a position text with the Command Tank of the player who is not to
// move on that rank is won, as if it had just come there.
//
// # Observations
//
// The planes of slots show wrecks too: which slot a wreck belongs to decides
// nothing but says what the score counts.
//
// # Keys and copies
//
// Repetition compares 64-bit keys in which pieces of one type are
// interchangeable; Hash tells their slots apart. A state keeps the keys since
// the last destroyed piece, at most no_progress + 1 of them, and copies no more
// than it has. What blocks movement and fire is kept in each state.
//
// # House rules
//
// No progress, repetition and the values of the types are ours; Spec.Ends marks
// the ends.
//
// # Speed
//
// Random play is bound by how many steps listing takes, some 380 actions of nine
// pieces on 16×16: a fifth each go into the end states (movetable.go), into writing
// the list (actionlist.go) and into which shots are possible (shottable.go, lines.go), and a
// quarter into the five lines of fire that are. Nothing is searched. Tried and
// slower or no faster: a loop over the closed squares in place of tables; tables
// of four squares each; keeping the end states and finding anew only those of
// pieces near which something changed (what it saves, telling which they are
// costs); one list of enemies for each power. Writing the list is a seventh of
// the time, so drawing an action without it would gain little: there is no
// env.Sampler.
//
// A batch with packed masks and observations is bound by the same listing, which
// takes seven tenths of a step; mask and observation take a tenth each.
package tankchess
