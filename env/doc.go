// Package env is the vocabulary of Sandtable. A [Game] is an immutable rule set and a
// [State] is one position of it. Batches, self-play, data sets and the farm know games
// only through these two interfaces and the optional abilities.
//
// # What a caller does
//
//  1. Get a Game, usually from package env/games, and make all states that are needed
//     at once with [Game.NewStates]. States are reused, never freed: a search keeps
//     one state for each depth and copies with [State.CopyFrom] instead of undoing.
//  2. Ask [State.Player] who is to move. The players need not alternate.
//  3. List the legal actions with [State.Legal] into a slice that [Spec.NewActions]
//     made. Then nothing allocates.
//  4. Play one of them with [State.Apply], which does not check it.
//  5. Stop when Player returns [NoPlayer]. [State.Result] then returns who won and why.
//
// One goroutine at a time may use a State; any number may use a Game.
//
// # Frames
//
// Actions and observations are in the mover's frame: the board as the player
// concerned sees it. Move texts, position texts, [Event] squares, piece lists and
// diagrams are absolute. A square is y·Width + x, and a1 is 0. [Spec.Frame] converts
// between the two.
//
// # Abilities
//
// An ability that not every game has is a small interface in ability.go, found by type
// assertion: [Scorer], [Tracer], [PieceLister], [Remover], [PieceAdder], [Noisy],
// [Counter], [Features], [Snapshotter], [Diagrammer], [Sampler], [Masker] and
// [BitObserver] on a State, and [Symmetric] on a Game. A type without an ability does
// not have its methods. Masker and BitObserver only speed up what pack.go does for
// every game.
//
// # Truncation
//
// A State knows only the ends of its rules, house rules included. If a caller stops
// an episode after N plies, the episode is truncated and has no result.
//
// # Add a game
//
// An engine is a package below env with the game's name. Its parts that all engines
// share are in package env/engine, whose documentation is the guide to them. Copy
// env/ntxuva, the shortest engine; env/trench is the one with pieces on squares. All
// engines have the same files with the same names in them, and a file for an ability
// only if they have it:
//
//  1. doc.go: what the package plays, its actions, positions, keys and house rules.
//     rules.go: a struct Rules that embeds variant.Header and has a field, tagged json
//     and help, for each parameter, and Validate, which collects all faults in a
//     variant.Faults. A game that could last for ever has repetition and no_progress,
//     checked by Faults.RepetitionAndProgress. The functions Engine, which returns
//     engine.Register of about, and New(Rules) stand there too.
//  2. variants/standard.json: the default preset, complete, with a source, and with a
//     description that names the house rules. Further presets name it as their "base"
//     and list their differences.
//  3. engine.go: the presets, and the variable about: the engine's name, title,
//     behaviour version and default preset, and the history of its behaviour.
//  4. game.go: the exported type Game with the tables that its states share, made by
//     newGame. state.go: the exported type State, which embeds engine.Base and whose
//     slices are its own, since CopyFrom copies their contents; set, which sets up a
//     position and begins its history; and Apply, which begins with engine.CheckLegal.
//  5. moves.go: Legal, in ascending order and in the mover's frame.
//     ends.go: judge, which ends the game by the rules; Apply and set call it. A new
//     [Reason] goes after the last reason of the rules and has a name.
//  6. notation.go: the texts of moves and positions. The parsers accept what is
//     written and nothing else.
//  7. spec.go: makeSpec, with a cell of the policy planes for each action, the factors
//     of the action numbers, a bound of the legal actions and an [End] for each reason. observe.go: the planes that the
//     Spec describes, and Observe.
//  8. conformance_test.go: one line, envtest.Engine. The command go test ./env/NAME
//     -rewrite writes the golden playthroughs; read them before committing them.
//  9. The abilities: events.go (Noisy, Tracer, PieceLister, PieceAdder), features.go,
//     snapshot.go, diagram.go, remove.go, symmetry.go, pack.go (Masker, BitObserver),
//     and warnings.go, in which Rules.Warnings reports settings that are probably not
//     intended. The kit checks every ability that it finds; rewrite the playthroughs.
//     Tests require [Snapshotter] (env/vec) and [Diagrammer] (env/render) of every
//     game. The agent greedy needs [Scorer]; balance reports need [Tracer] and
//     [PieceLister]; handicaps need [Remover]; evaluators use [PieceLister],
//     [PieceAdder] and [Features]. A Rules with WithAttribute (variant.Attributer)
//     lets the pieces of one side differ.
//  10. rules_test.go: a test for each sentence of the rules, named for it. A second,
//     slow engine in the tests plays the same games.
//  11. env/games: add the engine to Engines. The command go test ./env/games
//     ./env/render -rewrite writes the page of the game, pins the digests and draws
//     its board; read and look. Now every command knows the game: sandtable games NAME,
//     rules --check, show, perft, farm, bench.
//
// This package and all packages below env import only the standard library, except for
// env/render/raster, which paints boards as pixels.
package env
