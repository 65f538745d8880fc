package vec

import (
	"fmt"
	"math"
	"runtime"

	"github.com/sandtable-farm/sandtable/env"
)

// Options configure a batch. With the zero value, the caller plays both seats from
// the game's start position, every output is on, and autoreset is [NextStep].
type Options struct {
	Autoreset Autoreset

	// Outputs selects the results to fill; 0 means all. The others stay nil and
	// cost nothing.
	Outputs Outputs

	// MaxPlies is the number of plies after which an episode is truncated, counted
	// from its start position and including random plies. 0 means DefaultMaxPlies,
	// NoLimit means no limit.
	MaxPlies int

	// Starts lists the start positions as position texts. Each episode draws one. The
	// game must not be over in any of them. An empty list means the game's start
	// position.
	Starts []string
	// RandomPlies is the number of uniformly random plies that are played from the
	// start position before an episode begins. If they end the game, the opening is
	// drawn again.
	RandomPlies int

	// Opponent plays the seat that is not the learner's; a Step is then the
	// learner's ply and the replies to it. Nil means that the caller plays both
	// seats.
	Opponent Policy
	Seat     Seat // the learner's seat against an Opponent

	Illegal Illegal

	// FirstSlot is the number of the first slot among those of a larger batch: slot i
	// draws what slot FirstSlot+i of a batch with the same seed draws.
	FirstSlot int

	// Memory holds slices of the caller for the outputs that are on, such as arrays of
	// another language; the batch allocates those that are nil. Each has the length that
	// package vec documents, and LegalActions has length Spec.ActionListsSize(n). Code
	// outside the batch may overwrite them at any time: the batch does not trust what
	// it reads there. With LegalActions or Mask, it therefore keeps a private mask.
	Memory *Results

	// Goroutines is the number of goroutines that play the batch, including the
	// caller's. 0 means that the batch measures whether GOMAXPROCS goroutines are
	// faster than one. The results are the same for any number.
	Goroutines int
}

// DefaultMaxPlies is the value of Options.MaxPlies if it is 0.
const DefaultMaxPlies = 2000

// NoLimit as Options.MaxPlies means that only the rules end an episode.
const NoLimit = -1

// Autoreset determines when a slot whose episode has ended begins the next episode.
// The modes are those of Gymnasium 1.1 and later.
type Autoreset uint8

const (
	// NextStep begins the next episode in the next Step. That Step ignores the slot's
	// action and returns the first observation with reward 0 and no flag.
	NextStep Autoreset = iota
	// SameStep begins it in the Step that ended the last one. Reward and flags describe
	// the end of the last episode; the observation is the first of the next one.
	SameStep
	// Disabled leaves it to ResetSlots. A Step while a slot is finished is an error.
	Disabled
)

func (a Autoreset) String() string {
	switch a {
	case NextStep:
		return "next_step"
	case SameStep:
		return "same_step"
	case Disabled:
		return "disabled"
	}
	return fmt.Sprintf("Autoreset(%d)", uint8(a))
}

// Outputs is a set of a batch's results.
type Outputs uint16

const (
	OutPlanes    Outputs = 1 << iota // Obs
	OutBits                          // Bits and Scalars
	OutList                          // LegalOffsets and LegalActions
	OutMask                          // Mask
	OutTurns                         // ToMove and Viewer
	OutReward                        // Reward and, against an Opponent, LearnerReward
	OutFinalObs                      // FinalObs if OutPlanes is on; FinalBits and FinalScalars if OutBits is on
	OutFinalInfo                     // the other results whose names begin with Final

	outEnd
	everything = outEnd - 1
)

// Seat is the learner's side against an Opponent.
type Seat uint8

const (
	SeatRandom Seat = iota // drawn for each episode
	SeatFirst
	SeatSecond
)

// Illegal determines what happens after an illegal action.
type Illegal uint8

const (
	// IllegalError makes Step return an error and leave the batch unchanged.
	IllegalError Illegal = iota
	// IllegalLoses ends the episode as a loss for the player to move, with reason
	// env.IllegalAction.
	IllegalLoses
)

// check returns o with its defaults filled in.
func (o Options) check(n int, spec *env.Spec) (Options, error) {
	if most := (math.MaxInt32 - 64) / max(1, spec.MaxLegal); n < 1 || n > most {
		return o, fmt.Errorf("batch size is %d, must be 1 to %d", n, most)
	}
	if o.Autoreset > Disabled {
		return o, fmt.Errorf("option Autoreset is %d, must be NextStep, SameStep or Disabled", o.Autoreset)
	}
	if o.Outputs&^everything != 0 {
		return o, fmt.Errorf("option Outputs is %#x, must be a union of the Out constants", uint16(o.Outputs))
	}
	if o.Outputs == 0 {
		o.Outputs = everything
	}
	switch {
	case o.MaxPlies == 0:
		o.MaxPlies = DefaultMaxPlies
	case o.MaxPlies == NoLimit:
		o.MaxPlies = math.MaxInt32
	case o.MaxPlies < 0 || o.MaxPlies > math.MaxInt32:
		return o, fmt.Errorf("option MaxPlies is %d, must be positive, 0 or NoLimit", o.MaxPlies)
	}
	if o.RandomPlies < 0 || o.RandomPlies >= o.MaxPlies {
		return o, fmt.Errorf("option RandomPlies is %d, must be 0 to %d, less than MaxPlies", o.RandomPlies, o.MaxPlies-1)
	}
	if o.Seat > SeatSecond {
		return o, fmt.Errorf("option Seat is %d, must be SeatRandom, SeatFirst or SeatSecond", o.Seat)
	}
	if o.Seat != SeatRandom && o.Opponent == nil {
		return o, fmt.Errorf("option Seat is set without an Opponent, must be SeatRandom")
	}
	if o.Illegal > IllegalLoses {
		return o, fmt.Errorf("option Illegal is %d, must be IllegalError or IllegalLoses", o.Illegal)
	}
	if o.FirstSlot < 0 {
		return o, fmt.Errorf("option FirstSlot is %d, must be 0 or more", o.FirstSlot)
	}
	if o.Goroutines < 0 {
		return o, fmt.Errorf("option Goroutines is %d, must be 0 or more", o.Goroutines)
	}
	return o, nil
}

// members returns the number of goroutines that a batch of n slots may use.
func (o *Options) members(n int) int {
	if o.Goroutines > 0 {
		return min(o.Goroutines, blockCount(n))
	}
	return min(runtime.GOMAXPROCS(0), blockCount(n))
}
