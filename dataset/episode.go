package dataset

import "github.com/sandtable-farm/sandtable/env"

// An Episode is the record of one game: its players, start position and actions, and how
// it ended. Its owner can reuse it; see Reset. It has no timings, so that equal runs have
// equal data.
type Episode struct {
	Run    string // id of the run
	Number int64  // within the run, from 0
	Pair   int64  // number of its game pair, or NoPair in unpaired self-play
	// Seed is the seed of every random choice in the episode. The two games of a pair
	// share it.
	Seed         uint64
	Agents       [2]string // agent strings by player, with defaults written out
	Start        string    // position text of the first position
	OpeningPlies int       // number of plies of the opening, which precede those of the agents
	// ResignPly is the first ply before which the resignation rule of the settings applied
	// to the player to move, or NoPly if it never did. The player resigns there, unless the
	// game is played on (see Assignment).
	ResignPly int

	Result     env.Result // from the first player's point of view; 0 if truncated
	Reason     env.Reason // NoReason if truncated
	Terminated bool       // ended under the rules, or forfeited by the player to move
	Truncated  bool       // ended by the ply limit, without a result
	Points     [2]int     // of the final position, by player
	FinalHash  uint64     // of the final position

	// Worker names the worker process that played the game; it is empty if that is unknown.
	// It is a note about the record and not a part of it: neither the wire format nor Digest
	// contains it.
	Worker string

	Steps []Step
}

// NoPair is the Pair of an episode without a game pair.
const NoPair = -1

// NoPly is the ResignPly of an episode in which the resignation rule never applied.
const NoPly = -1

// A Step is one ply. LegalCount and Hash are those of the position before the action.
type Step struct {
	Action     env.Action
	Player     env.Player
	Source     Source
	LegalCount int32
	Hash       uint64
	Search     Search
}

// A Source is the origin of an action.
type Source uint8

const (
	FromAgent Source = iota
	FromOpening
)

func (s Source) String() string {
	if s == FromOpening {
		return "opening"
	}
	return "agent"
}

// Search holds the search statistics that an agent reports for its choice. A field is
// valid only if its bit in Has is set.
type Search struct {
	Has    SearchField
	Value  float32 // expected result, −1 to 1, from the mover's point of view
	Score  int32   // in hundredths of a point, from the mover's point of view; forced results are far outside
	Nodes  int64   // number of positions visited
	Depth  int32   // search depth in plies
	Visits []Visit // at the root, in the agent's order; owned by the Step
	Fast   bool    // a playout cap shortened the search, so its visits are not a policy target
}

// Visit is the visit count of one action.
type Visit struct {
	Action env.Action
	Count  int32
}

// A SearchField is a set of fields of Search.
type SearchField uint8

const (
	HasValue SearchField = 1 << iota
	HasScore
	HasNodes
	HasDepth
	HasVisits
	HasFast
	searchFields
)

// Plies returns the number of plies, including the opening.
func (e *Episode) Plies() int { return len(e.Steps) }

// Opened returns the hash of the position after the opening.
func (e *Episode) Opened() uint64 {
	if e.OpeningPlies < len(e.Steps) {
		return e.Steps[e.OpeningPlies].Hash
	}
	return e.FinalHash
}

// SideToMove returns the player who was to move when the agents took over.
func (e *Episode) SideToMove() env.Player {
	switch {
	case e.OpeningPlies < len(e.Steps):
		return e.Steps[e.OpeningPlies].Player
	case e.Result == env.WinFor(env.First): // the player to move forfeited the game
		return env.Second
	}
	return env.First
}

// earlyPlies is the number of plies of the agents within which a game counts as decided by
// its opening.
const earlyPlies = 2

// DecidedEarly reports whether the game ended within two plies of the agents' taking over.
// Its result then says more about the opening than about play. A game that a program
// forfeited, other than by resigning, does not count.
func (e *Episode) DecidedEarly() bool {
	return e.Decided() && len(e.Steps)-e.OpeningPlies <= earlyPlies
}

// Decided reports whether play decided the result: the game was not truncated, and no
// program forfeited it other than by resigning.
func (e *Episode) Decided() bool {
	return !e.Truncated && (!e.Reason.Forfeit() || e.Reason == env.Resigned)
}

// Reset clears the record for another game and keeps its memory.
func (e *Episode) Reset() { *e = Episode{Pair: NoPair, ResignPly: NoPly, Steps: e.Steps[:0]} }

// AddStep appends an empty step and returns it. It reuses the memory of a step from before
// Reset. The pointer is valid until the next call.
func (e *Episode) AddStep() *Step {
	if len(e.Steps) < cap(e.Steps) {
		e.Steps = e.Steps[:len(e.Steps)+1]
	} else {
		e.Steps = append(e.Steps, Step{})
	}
	s := &e.Steps[len(e.Steps)-1]
	*s = Step{Search: Search{Visits: s.Search.Visits[:0]}}
	return s
}
