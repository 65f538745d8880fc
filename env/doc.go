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
// and diagrams are absolute. A square is y·Width + x with a1 at 0; [Spec.Frame]
// turns it from one into the other.
//
// # Abilities
//
// What not every game can do is a small interface of its own in ability.go,
// found by type assertion: [Scorer], [Tracer], [PieceLister], [Remover],
// [PieceAdder], [Noisy], [Counter], [Features], [Snapshotter], [Diagrammer],
// [Sampler], [Masker] and [BitObserver] on a State, [Symmetric] on a Game. A state
// that has no such ability simply does not implement it. The last two on a State only make faster what pack.go
// does for every game.
//
// # Truncation
//
// A State knows only the ends of its rules, the house rules included. Cutting an
// episode off after so many plies is the caller's affair and no result.
//
// # Add a game
//
// An engine is a package below env with the game's name. env/ntxuva is the
// shortest to copy from, env/trench the one with pieces on squares.
//
//  1. doc.go, rules.go: a struct Rules that embeds variant.Header and has a field,
//     tagged json and help, for everything that may vary, and Validate, which
//     gathers its faults in a variant.Faults. A game that could go on for ever has
//     repetition and no_progress, checked by Faults.RepetitionAndProgress; the kit
//     plays games to their end.
//  2. variants/standard.json: the default preset, complete, with a description
//     that names the house rules, and a source. Further presets name it as their
//     "base" and list what differs.
//  3. engine.go: a function Engine that returns a variant.Engine, with the presets
//     embedded and a History that begins with version 1.
//  4. game.go, state.go: the [Game] with the tables its states share, and the
//     [State], whose slices are its own: CopyFrom copies their contents. A [Reason]
//     that is new goes to the end of the constants and of their names.
//  5. moves.go: Legal, ascending and in the mover's frame, and Apply, which ends
//     with the tests of the end that SetPosition makes too.
//  6. notation.go: the texts. The parsers accept what is written and nothing else.
//  7. spec.go, observe.go: the [Spec], with a cell of the policy planes for each
//     action and an [End] for each reason, and the planes it describes.
//  8. conformance_test.go: one line, envtest.Engine. Go test ./env/NAME -rewrite
//     writes the golden playthroughs; read them before they are committed.
//  9. The abilities, a file each; the kit checks every one it finds, and the
//     playthroughs are written anew. [Snapshotter] and [Diagrammer] are wanted of
//     every game, by the tests of env/vec and env/render; [Scorer] by the agent
//     greedy; [Tracer] and [PieceLister] by the analysis of balance, [Remover] by
//     experiments with handicaps; [PieceLister], [PieceAdder] and [Features] by the
//     evaluators of package eval. Warnings on Rules tells designers what they may
//     not have meant, and WithAttribute (variant.Attributer) lets one side's pieces
//     have an attribute apart.
//  10. rules_test.go: a test for each sentence of the rules, named for it, and a
//     second, slow engine in the tests that plays along.
//  11. env/games: add the engine to Engines. Go test ./env/games ./env/render
//     -rewrite writes the page of the game, pins the digests and draws its board;
//     read and look. Every command now knows the game: sandtable games NAME, rules
//     --check, show, perft, farm, bench.
//
// Only the standard library is imported here and in every package below env.
package env
