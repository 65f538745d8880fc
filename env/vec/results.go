package vec

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Results are the outputs of a batch of n slots. They are allocated once, unless
// Options.Memory provides them, and belong to the batch. Reset, ResetSlots, Step, Set, Load and LoadSlot overwrite them, so
// the caller must copy what it wants to keep. Slot i has element i, or row i of a
// matrix. Matrices are C-contiguous, slot first. Slices that Options.Outputs leaves
// out are nil.
type Results struct {
	// Obs holds the observation planes as Viewer sees them: [n, planes, height, width].
	Obs []uint8
	// Bits and Scalars hold the same observation in the packed form of package
	// env: [n, Spec.ObservationBitWords()] and [n, Spec.ObservationScalars()].
	Bits    []uint64
	Scalars []uint8

	// LegalActions[LegalOffsets[i]:LegalOffsets[i+1]] are the legal actions of
	// slot i, ascending; LegalOffsets is [n+1]. A finished slot has none.
	LegalOffsets []int32
	LegalActions []env.Action
	// Mask holds the legal actions as bits, [n, Spec.MaskWords()]: bit a%64 of word
	// a/64 of row i stands for action a. The row of a finished slot is zero.
	Mask []uint64

	// ToMove is the player to move, NoPlayer in a finished slot: [n].
	ToMove []env.Player
	// Viewer is the player whose view the observation is: [n]. Against an Opponent
	// it is the learner's seat. Otherwise it is the player to move or, after the end
	// of the game, the opponent of the player who moved last.
	Viewer []env.Player

	// Reward is each player's reward for the last Step: [n, 2]. It is +1 for the
	// winner and −1 for the loser if the game ended in that Step, and 0 otherwise.
	Reward []float32
	// LearnerReward is the learner's column of Reward: [n]. It is nil without an
	// Opponent.
	LearnerReward []float32
	// Terminated and Truncated describe the episode that the last Step continued.
	// Terminated: the rules or a forfeit ended it. Truncated: MaxPlies cut it off.
	// Both are [n], never nil, and never both true for a slot.
	Terminated []bool
	Truncated  []bool

	// The Final results describe the last episode that ended in a slot, in every
	// autoreset mode. They are new if Terminated or Truncated is true.

	// FinalObs, FinalBits and FinalScalars are the last observation of the episode,
	// as FinalViewer sees it, in the shapes of Obs, Bits and Scalars.
	FinalObs     []uint8
	FinalBits    []uint64
	FinalScalars []uint8
	FinalViewer  []env.Player // [n]
	// FinalResult and FinalReason describe how the episode ended: [n]. The reason is
	// NoReason if it was truncated.
	FinalResult []env.Result
	FinalReason []env.Reason
	// FinalReturn is the sum of each player's rewards: [n, 2].
	FinalReturn []float32
	// FinalPlies is the number of its plies, including the random opening, and
	// FinalSteps the number of its Steps: [n].
	FinalPlies []int32
	FinalSteps []int32
	// FinalSeat is the learner's seat in it, NoPlayer without an Opponent: [n].
	FinalSeat []env.Player
	// FinalEpisode is its number among the slot's episodes, from 0: [n].
	FinalEpisode []int64
}

// allocate makes the slices of the outputs that are on, or takes them from o.Memory.
func (r *Results) allocate(n int, spec *env.Spec, o *Options) error {
	var m Results
	if o.Memory != nil {
		m = *o.Memory
	}
	a := allocator{n: n, outputs: o.Outputs}
	r.Obs = output(&a, "Obs", m.Obs, OutPlanes, spec.ObservationSize())
	r.Bits = output(&a, "Bits", m.Bits, OutBits, spec.ObservationBitWords())
	r.Scalars = output(&a, "Scalars", m.Scalars, OutBits, spec.ObservationScalars())
	r.Mask = output(&a, "Mask", m.Mask, OutMask, spec.MaskWords())
	r.ToMove = output(&a, "ToMove", m.ToMove, OutTurns, 1)
	r.Viewer = output(&a, "Viewer", m.Viewer, OutTurns, 1)
	r.Reward = output(&a, "Reward", m.Reward, OutReward, 2)
	learner := OutReward
	if o.Opponent == nil {
		learner = never
	}
	r.LearnerReward = output(&a, "LearnerReward", m.LearnerReward, learner, 1)
	r.Terminated = output(&a, "Terminated", m.Terminated, 0, 1)
	r.Truncated = output(&a, "Truncated", m.Truncated, 0, 1)

	r.FinalObs = output(&a, "FinalObs", m.FinalObs, OutFinalObs|OutPlanes, spec.ObservationSize())
	r.FinalBits = output(&a, "FinalBits", m.FinalBits, OutFinalObs|OutBits, spec.ObservationBitWords())
	r.FinalScalars = output(&a, "FinalScalars", m.FinalScalars, OutFinalObs|OutBits, spec.ObservationScalars())
	r.FinalViewer = output(&a, "FinalViewer", m.FinalViewer, OutFinalInfo, 1)
	r.FinalResult = output(&a, "FinalResult", m.FinalResult, OutFinalInfo, 1)
	r.FinalReason = output(&a, "FinalReason", m.FinalReason, OutFinalInfo, 1)
	r.FinalReturn = output(&a, "FinalReturn", m.FinalReturn, OutFinalInfo, 2)
	r.FinalPlies = output(&a, "FinalPlies", m.FinalPlies, OutFinalInfo, 1)
	r.FinalSteps = output(&a, "FinalSteps", m.FinalSteps, OutFinalInfo, 1)
	r.FinalSeat = output(&a, "FinalSeat", m.FinalSeat, OutFinalInfo, 1)
	r.FinalEpisode = output(&a, "FinalEpisode", m.FinalEpisode, OutFinalInfo, 1)

	// The list has no rows.
	a.n = 1
	r.LegalOffsets = output(&a, "LegalOffsets", m.LegalOffsets, OutList, n+1)
	r.LegalActions = output(&a, "LegalActions", m.LegalActions, OutList, spec.ActionListsSize(n))[:0]
	return a.fault
}

// An allocator makes the outputs of a batch.
type allocator struct {
	n       int
	outputs Outputs
	fault   error // of the first output whose memory is unusable
}

// never is a set of outputs that is never on.
const never = outEnd

// output returns a matrix of a.n rows in the caller's memory, or in new memory if given
// is nil. It returns nil unless all outputs of needs are on.
func output[T any](a *allocator, name string, given []T, needs Outputs, width int) []T {
	length := a.n * width
	switch {
	case a.outputs&needs != needs:
		if given != nil && a.fault == nil {
			a.fault = fmt.Errorf("option Memory.%s is set, must be nil because the output is off", name)
		}
		return nil
	case given == nil:
		return make([]T, length)
	case len(given) != length && a.fault == nil:
		a.fault = fmt.Errorf("option Memory.%s has length %d, must be %d", name, len(given), length)
	}
	return given[:len(given):len(given)]
}

// row returns row i of a matrix.
func row[T any](matrix []T, i, width int) []T { return matrix[i*width : (i+1)*width : (i+1)*width] }
