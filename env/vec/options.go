package vec

import (
	"fmt"
	"math"
	"runtime"

	"github.com/sandtable-farm/sandtable/env"
)

// Options say how a batch plays. The zero value is a batch of alternating play
// from the game's start with every output on, as [NextStep] has it.
type Options struct {
	Autoreset Autoreset

	// Outputs are those to fill; 0 means all. What is off stays nil and costs
	// nothing.
	Outputs Outputs

	// MaxPlies truncates an episode after so many plies from its start position,
	// random ones included. 0 means DefaultMaxPlies, NoLimit switches it off.
	MaxPlies int

	// Start positions, as position texts in which the game runs; none means the
	// game's start. Each episode draws one.
	Starts []string
	// RandomPlies is the number of uniformly random plies played from there
	// before an episode begins. Openings that end the game are drawn anew.
	RandomPlies int

	// Opponent plays the other seat where it is not nil; a Step is then the
	// learner's ply and the replies to it. Otherwise both seats are the caller's.
	Opponent Policy
	Seat     Seat // the learner's, against an Opponent

	Illegal Illegal

	// Goroutines that play the batch, the caller's included. 0 lets the batch
	// measure whether more than one pays, up to GOMAXPROCS. The results are the
	// same for any number.
	Goroutines int
}

// DefaultMaxPlies is where episodes are truncated when nothing else is said.
const DefaultMaxPlies = 2000

// NoLimit as Options.MaxPlies lets episodes end by the rules alone.
const NoLimit = -1

// Autoreset says when a slot whose episode has ended begins the next one. The
// modes are those of Gymnasium 1.1 and later.
type Autoreset uint8

const (
	// NextStep begins it in the next Step, which ignores the slot's action and
	// returns the first observation with no reward and no flag.
	NextStep Autoreset = iota
	// SameStep begins it in the Step that ended the episode: reward and flags are
	// those of the end, the observation is the first of the next episode.
	SameStep
	// Disabled leaves it to ResetSlots. A Step with a finished slot is an error.
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

// Outputs is a set of outputs of a batch.
type Outputs uint16

const (
	OutPlanes    Outputs = 1 << iota // Obs
	OutBits                          // Bits and Scalars
	OutList                          // LegalOffsets and LegalActions
	OutMask                          // Mask
	OutTurns                         // ToMove and Viewer
	OutReward                        // Reward and, against an Opponent, LearnerReward
	OutFinalObs                      // FinalObs with OutPlanes, FinalBits and FinalScalars with OutBits
	OutFinalInfo                     // the other results that begin with Final

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

// Illegal says what becomes of an illegal action.
type Illegal uint8

const (
	// IllegalError makes Step return an error; the batch is unchanged.
	IllegalError Illegal = iota
	// IllegalLoses ends the episode as lost for the mover, reason env.IllegalAction.
	IllegalLoses
)

// check returns o with its defaults written out.
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
		return o, fmt.Errorf("option Seat is set without an Opponent, whom it is about")
	}
	if o.Illegal > IllegalLoses {
		return o, fmt.Errorf("option Illegal is %d, must be IllegalError or IllegalLoses", o.Illegal)
	}
	if o.Goroutines < 0 {
		return o, fmt.Errorf("option Goroutines is %d, must be 0 or more", o.Goroutines)
	}
	return o, nil
}

// members is the number of goroutines that a batch of n slots may use.
func (o *Options) members(n int) int {
	if o.Goroutines > 0 {
		return min(o.Goroutines, blockCount(n))
	}
	return min(runtime.GOMAXPROCS(0), blockCount(n))
}
