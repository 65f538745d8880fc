// Package external lets a program in any language play. An [Agent] starts the program as a
// process and exchanges lines of text with it over its standard input and output. The
// example folder contains such programs in Python and JavaScript.
//
// # The protocol, version 1
//
// Lines are UTF-8 and end with a line feed; blanks separate words; empty lines are
// ignored. Sandtable writes (→) and the program answers (←):
//
//	→ sandtable 1
//	← id NAME                  optional: the program's name and version, for errors
//	← wants legal              optional: send the legal moves before each go
//	← ready
//
//	→ variant DIGEST NAME      once: the rule set; NAME is its variant string
//	→ rules JSON               the complete rule set in one line
//	← ready                    or "error TEXT" if the program cannot play it
//
//	→ newgame SEED             before each game; an unsigned 64-bit number
//	← ready
//
//	→ position TEXT moves M1 M2 …
//	→ legal M1 M2 …            if wanted, in ascending order of action number
//	→ go N movetime MS [nodes NODES] [depth PLIES]
//	← info …                   any number of lines, which are ignored
//	← move N M [value V] [score S] [nodes NODES] [depth PLIES] [visits M:COUNT,M:COUNT,…]
//	← resign N                 instead of move
//
//	→ quit                     the program exits, as it does at the end of its input
//
// # Version 2, for networks
//
// A program that writes "protocol 2" before its other lines can ask for more. Programs that
// do not write it see no difference.
//
//	→ sandtable 1
//	← protocol 2
//	← wants observation bits   or "planes": send the observation before each go
//	← wants actions            send the legal actions as numbers; answers have numbers, too
//	← wants no position        do not send position lines
//	← wants batch K            send up to K questions at once
//	← ready
//	→ variant DIGEST NAME
//	→ rules JSON
//	→ layout JSON              width, height, number of actions, and the planes in order
//	← ready
//
//	→ observation BITS SCALARS the mover's view in base64; with planes: observation BYTES
//	→ actions A1 A2 …          in ascending order
//	→ go N movetime MS …
//	← move N A [value V] [visits A:COUNT,A:COUNT,…]
//
// BYTES are the planes, [plane][y][x], one byte for each element. BITS are their packed form:
// a plane with the field max in the layout is as many bit planes as max has binary digits,
// the least significant first, each of ⌈width×height/64⌉ little-endian 64-bit words; bit s%64
// of word s/64 belongs to square s. SCALARS has one byte for each plane whose elements are
// all equal (uniform), which has no bit planes. The layout has the sizes observation_words
// and observation_scalars.
//
// With batches, all games that this process plays share one program. A line "batch K"
// precedes the lines of K questions, each of which ends with its go line; go has the field
// "seed SEED" of its game, and there are no newgame lines. The program answers all K
// questions, in any order, within the time of one move. While it thinks, further questions
// collect for the next batch; so the number of games that are played at a time (--workers)
// bounds the batches. A crash or a late batch forfeits the games of its questions.
//
// # Texts and numbers
//
// The game's page defines the position and move texts (sandtable games NAME). TEXT is the
// position in which the game began, and M1, M2, … are all moves since then, of both players
// and of any random opening, because positions can repeat. While there are no moves, the
// line ends after "moves". The texts determine the player to move. Each position line has
// the whole game, so a program need not keep state. If the beginning of the game is not
// known, TEXT is the current position.
//
// N counts the go lines since the program started. The answer repeats it, so that a late
// answer is not taken for the next one. MS is the time for the move in milliseconds. It
// always applies; nodes and depth are present if the agent string sets them.
//
// The fields after a move are optional and in any order, and are recorded in the data set:
//
//   - value: the expected result for the player to move, a decimal number from −1 (lost) to
//     1 (won);
//   - score: a whole number for the player to move, in the program's own unit; the
//     resignation rule of a farm takes it as hundredths of a point;
//   - nodes: the number of positions visited;
//   - depth: the number of plies searched;
//   - visits: how often each first move was visited, each move at most once.
//
// # Forfeits
//
// A program loses on time and is killed if it answers later than the time limit plus the
// grace period. Time in which Sandtable itself stands still, as in a throttled container,
// does not count. A program counts as crashed if its output ends, if it writes a line that the
// protocol does not allow, or if a line is longer than a mebibyte. A move that is not legal
// is an illegal action. After a time-out or a crash, the program is started again for the
// next game. After [MostLost] such games in a row, and if the program cannot be started, play
// ends with an error that wraps [ErrProgram]. The last lines of its standard error become part of the report of its
// end.
//
// # Processes
//
// Each Agent has its own process; so every goroutine and seat has one. On Unix the process
// leads a process group, and closing the Agent kills the whole group. On Linux, closing it
// also kills children that left the group, for example with setsid: they are found by the
// variable EXTERNAL_AGENT, which each process inherits. On Linux the process also dies with
// this one, however this one ends. After SIGKILL of this one, only children that left the
// group survive; a service manager or a container ends those, too. No shell is involved; see
// [ParseCommand].
package external
