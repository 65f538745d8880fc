package dataset

import "github.com/sandtable-farm/sandtable/env"

// An Episode is the record of one game: what was played by whom from where, and
// how it ended. Its owner reuses it; see Reset. It holds no timings, so that
// equal runs are equal data.
type Episode struct {
	Run    string // id of the run
	Number int64  // within the run, from 0
	Pair   int64  // the game pair it belongs to, NoPair in unpaired self-play
	// Seed is what every random choice of the episode derives from; the two
	// games of a pair share it.
	Seed         uint64
	Agents       [2]string // agent strings by player, with defaults written out
	Start        string    // position text of the first position
	OpeningPlies int       // leading plies that were drawn at random
	// ResignPly is the first ply before which the resignation rule of the settings
	// held for the player to move, NoPly where it never did. The game ends there,
	// resigned, unless it is one that is played on.
	ResignPly int

	Result     env.Result // the first player's view; 0 when truncated
	Reason     env.Reason // NoReason when truncated
	Terminated bool       // ended under its rules, or forfeited by the player to move
	Truncated  bool       // cut off by the limit of plies; no result
	Points     [2]int     // of the final position, by player
	FinalHash  uint64     // of the final position

	Steps []Step
}

// NoPair marks an episode that belongs to no game pair.
const NoPair = -1

// NoPly stands for a ply that does not exist.
const NoPly = -1

// A Step is one ply. The facts are of the position before the action.
type Step struct {
	Action     env.Action
	Player     env.Player
	Source     Source
	LegalCount int32
	Hash       uint64
	Search     Search
}

// Source says who chose an action.
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

// Search is what an agent tells of its choice. A field counts only when its bit
// in Has is set; an agent leaves out what it does not have.
type Search struct {
	Has    SearchField
	Value  float32 // expected result from the mover's view, −1 to 1
	Score  int32   // in hundredths of a point, forced results far beyond; the mover's view
	Nodes  int64   // positions visited
	Depth  int32   // plies looked ahead
	Visits []Visit // of the root, in the agent's order; owned by the Step
	Fast   bool    // a playout cap cut the search short: its visits are no policy target
}

// Visit is the visit count of one action.
type Visit struct {
	Action env.Action
	Count  int32
}

// SearchField is a set of the fields of Search.
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

// Plies returns the number of plies played, the opening's included.
func (e *Episode) Plies() int { return len(e.Steps) }

// Opened returns the hash of the position in which the agents took over.
func (e *Episode) Opened() uint64 {
	if e.OpeningPlies < len(e.Steps) {
		return e.Steps[e.OpeningPlies].Hash
	}
	return e.FinalHash
}

// Decided reports whether the result is one of play: the game was not cut off, and
// no program failed. Giving up is a judgement of the position.
func (e *Episode) Decided() bool {
	return !e.Truncated && (!e.Reason.Forfeit() || e.Reason == env.Resigned)
}

// Reset empties the record for another game and keeps its memory.
func (e *Episode) Reset() { *e = Episode{Pair: NoPair, ResignPly: NoPly, Steps: e.Steps[:0]} }

// AddStep appends an empty step and returns it, reusing the memory of a step
// that stood there before Reset. It is valid until the next call.
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
