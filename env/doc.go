// Package env is the vocabulary of Sandtable: a [Game] is an immutable rule
// set, a [State] one position of it, and everything above (batches, self-play,
// data sets, the farm) speaks of games only through these two interfaces and
// the optional abilities beside them.
//
// # What a caller does
//
//  1. Get a Game, usually from package env/games, and ask it for as many states
//     as are needed at once ([Game.NewStates]). States are reused, never freed:
//     search keeps one for each depth and copies with [State.CopyFrom] instead
//     of undoing.
//  2. Ask [State.Player] who is to move. Do not assume that sides alternate.
//  3. List the legal actions with [State.Legal] into a slice of one's own with
//     room for [Spec.MaxLegal] actions, such as [Spec.NewActions] makes; then
//     nothing allocates.
//  4. Give [State.Apply] one of them. Apply does not check.
//  5. Stop when Player is [NoPlayer]; [State.Result] then tells who won and why.
//
// A State belongs to one goroutine at a time; a Game to everybody.
//
// # Frames
//
// Actions and observations are in the mover's frame: the board as the player
// concerned sees it. Move texts, position texts, [Event] squares, piece lists
// and diagrams are absolute. A square is y·Width + x with a1 at 0.
//
// # Abilities
//
// What not every game can do is a small interface of its own in ability.go,
// found by type assertion: [Scorer], [Tracer], [PieceLister], [Noisy],
// [Features], [Snapshotter], [Diagrammer], [Sampler], [Masker] and [BitObserver]
// on a State, [Symmetric] on a Game. A state that has no such ability simply
// does not implement it. The last two on a State only make faster what pack.go
// does for every game.
//
// # Truncation
//
// A State knows only the ends of its rules, the house rules included. Cutting an
// episode off after so many plies is the caller's affair and no result.
//
// Only the standard library is imported here and in every package below env.
package env
