// Package tankchess plays Tank Chess (D. and P. Lazović, 2016) and custom games
// of its kind: boards of 8 to 24 squares per side, custom types of pieces and armies.
//
// Player 0 is White with home rank 1, player 1 is Black. White moves first and the
// sides alternate. [Engine] provides the presets; [New] makes a game from [Rules] that
// a program has built.
//
// # Actions
//
// An action is (slot·T + template)·S + shot; the last action is the escape. Slots
// number the pieces of a side. Templates number the end states of a movement, relative
// to the square and the facing of the piece. Shots number the ways to fire. T and S
// follow from the fastest type and the gun with the most shots in the rule set, even if
// no army has them: see Spec. A template means the same to both players, because their
// frames differ by half a turn and templates rotate with the facing.
//
// # Positions
//
// The Command Tank can always turn, so the player to move always has an action. A
// position text is refused if its side to move contradicts the Command Tanks, for
// example if the player to move has already escaped. If escape is last_rank and the
// Command Tank of the player who is not to move stands on its last rank, the position
// is won, as if that tank had just arrived.
//
// # Observations
//
// The planes of slots show wrecks too. The slot of a wreck decides nothing except what
// the score counts.
//
// # Keys and copies
//
// Repetition compares 64-bit keys in which pieces of the same type are interchangeable;
// Hash distinguishes their slots. A state keeps the keys since the last destroyed piece,
// at most no_progress + 1, and copies only those it has.
//
// # House rules
//
// Draws by no progress and by repetition and the values of the types are house rules.
// Spec.Ends marks the ends among them.
//
// # How legal actions are listed
//
// Nothing is searched. The end states of a piece come from a table of the squares that
// block its routes (movetable.go, routes.go, templates.go). The possible shots come from
// a table of the distances at which targets must be exposed (shottable.go, lines.go,
// targets.go), and the few that remain are examined (shots.go). The list is written
// eight actions at a time (actionlist.go). Only an escape off the board walks the graph
// of movements (escape.go).
//
// # Speed
//
// In random play, listing takes most of the time: about 380 actions of nine pieces on
// 16×16. A fifth of that goes into each of the end states, the writing of the list and the
// table of shots, and a quarter into the shots that remain. The following was tried and was
// slower or no faster: a loop over the closed squares instead of tables; tables of four
// squares instead of six; keeping the end states of pieces near which nothing changed; a list
// of enemies for each power. Writing the list takes a seventh of the time, so drawing an
// action without it would gain little, and there is no env.Sampler.
//
// In a batch with packed masks and observations, listing takes seven tenths of a step;
// mask and observation take a tenth each.
package tankchess
