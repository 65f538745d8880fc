// Package engine holds what every game engine needs and a caller of package env
// does not: the parts from which the packages below env build their [env.Game] and
// [env.State]. It is a guide for engine builders; env/ntxuva is the engine to copy,
// and the numbered recipe is in the documentation of package env.
//
// # The parts, in the order of the recipe
//
//   - [Register] and [New]: the entry in the table of games and the constructor of
//     rule sets that a program makes.
//   - [Base] and [Turn]: the fields and methods that all states have.
//   - [NewStates] and [Copy]: states side by side, with memory for their histories.
//   - [Limits]: the limits of quiet plies, occurrences and plies, with their planes,
//     the last lines of a diagram and [env.Counter].
//   - [History]: the occurrences of the present position.
//   - [Room], [Listed] and [Slack]: lists of legal actions that are written through a
//     pointer.
//   - [Rays]: numbers, texts, policy planes and reflections of moves that go straight.
//   - [SetPosition], [ParseTurn], [ParseCounts], [ParseCount], [ParseBoard] and
//     [AppendBoard]: position texts. [ParseAction]: the errors of move texts.
//   - [NewSpec], [Ends], [Planes] and [Scale]: the Spec and its descriptions.
//   - [Fill]: uniform planes.
//   - [SnapshotHead] and [RestorePast]: snapshots.
//   - [Remove] and [NameOn]: taking a piece off the board.
//   - [BeginDiagram] and [Limits.EndDiagram]: the parts that all diagrams share.
//
// # A State
//
// A state embeds Base, which has the counters and the history. It also has a pointer
// to its Game and the position, and fills whole cache lines of 64 bytes, because
// states of different goroutines lie side by side. The struct position holds what a
// position text says. Method set sets up a position and begins the history there;
// lay does so without touching the history, for snapshots; judge, which set and
// Apply call, finds the end of the game.
//
// # Unsafe writes
//
// An engine that writes its list through a pointer writes blocks of fixed width
// and advances by the number of legal actions in them, so that no branch depends
// on it. It may write up to Slack actions beyond its list. [Room] makes space for
// env.Spec.MaxLegal and Slack actions; [Listed] ends every such write.
//
// # Invariants
//
// With the build tag invariants, [CheckLegal], with which every Apply begins,
// panics on an illegal action, and [Listed] panics on a list that is longer than
// MaxLegal. Without it both cost nothing.
package engine
