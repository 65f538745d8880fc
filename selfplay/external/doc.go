// Package external lets a program of any language play: an [Agent] starts it as
// a process and speaks with it in lines of text over its standard input and
// output. The example folder holds such a program in Python.
//
// # The protocol, version 1
//
// Lines are UTF-8 and end in a line feed; words are separated by blanks, and
// empty lines do not count. What Sandtable writes (→) and the program answers (←):
//
//	→ sandtable 1
//	← id NAME                  optional: the program's name and version, for errors
//	← wants legal              optional: write the legal moves before each go
//	← ready
//
//	→ variant DIGEST NAME      once: the rule set, NAME being its variant string
//	→ rules JSON               all of it in one line
//	← ready                    or "error TEXT", when the program cannot play it
//
//	→ newgame SEED             before each game; an unsigned 64-bit number
//	← ready
//
//	→ position TEXT moves M1 M2 …
//	→ legal M1 M2 …            where wanted, in ascending order of action number
//	→ go N movetime MS [nodes NODES] [depth PLIES]
//	← info …                   any number of lines, which are skipped
//	← move N M [value V] [score S] [nodes NODES] [depth PLIES] [visits M:COUNT,M:COUNT,…]
//	← resign N                 instead of move
//
//	→ quit                     the program ends, as it does at the end of its input
//
// Position and move texts are those of the game's own page (sandtable games
// NAME). TEXT is the position in which the game began and M1, M2, … are all moves
// since, of both sides and of a random opening too, because positions repeat;
// nothing follows "moves" while there are none. Whose turn it is follows from
// them. It is the whole game each time: a program may remember nothing. Where the
// beginning is not known, TEXT is the position itself.
//
// N counts the go lines since the program was started, and the answer repeats it,
// so that an answer that comes too late is not taken for the next. MS is the time
// for the move in milliseconds. It always limits; nodes and depth are there when
// the agent string has them.
//
// The fields after a move are optional, in any order, and go into the data set:
// the result that is expected, from the view of the player to move, a decimal
// number from −1 (lost) to 1 (won); a score of the same view in the program's own
// unit; positions visited; plies looked ahead; and how often each first move was
// visited, each move once. Score, nodes, depth and counts are whole numbers. A
// resignation rule of a farm takes scores for hundredths of a point.
//
// # What loses a game
//
// A program that answers late by more than the grace is killed and loses on time.
// It has crashed when its output ends, or holds anything else than the above or
// a line longer than a mebibyte. A move that is no text of a legal move is an
// illegal action. After time-outs and crashes it is started anew for the next
// game, unless that happened in [MostLost] games one after the other: then, and
// when it cannot be started, playing ends with an error. What the program writes
// to its standard error goes, its last lines, into the report of its end.
//
// # Processes
//
// An Agent has a process of its own, and so has each goroutine and seat. On Unix
// it leads a process group, all of which is killed when the Agent is closed; on
// Linux it also dies when this process does, whatever happens. No shell is
// involved; see [ParseCommand].
package external
