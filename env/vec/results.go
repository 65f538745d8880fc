package vec

import "github.com/sandtable-farm/sandtable/env"

// Results are the outputs of a batch of n slots. They are allocated once and belong
// to the batch. Reset, ResetSlots, Step, Set, Load and LoadSlot overwrite them, so
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

// allocate makes the slices of the outputs that are on.
func (r *Results) allocate(n int, spec *env.Spec, o *Options) {
	on := func(out Outputs) int {
		if o.Outputs&out == out {
			return n
		}
		return 0
	}
	r.Obs = outputs[uint8](on(OutPlanes), spec.ObservationSize())
	r.Bits = outputs[uint64](on(OutBits), spec.ObservationBitWords())
	r.Scalars = outputs[uint8](on(OutBits), spec.ObservationScalars())
	if on(OutList) > 0 {
		r.LegalOffsets = make([]int32, n+1)
		r.LegalActions = spec.NewActionLists(n)
	}
	r.Mask = outputs[uint64](on(OutMask), spec.MaskWords())
	r.ToMove = outputs[env.Player](on(OutTurns), 1)
	r.Viewer = outputs[env.Player](on(OutTurns), 1)
	r.Reward = outputs[float32](on(OutReward), 2)
	if o.Opponent != nil {
		r.LearnerReward = outputs[float32](on(OutReward), 1)
	}
	r.Terminated, r.Truncated = make([]bool, n), make([]bool, n)

	r.FinalObs = outputs[uint8](on(OutFinalObs|OutPlanes), spec.ObservationSize())
	r.FinalBits = outputs[uint64](on(OutFinalObs|OutBits), spec.ObservationBitWords())
	r.FinalScalars = outputs[uint8](on(OutFinalObs|OutBits), spec.ObservationScalars())
	r.FinalViewer = outputs[env.Player](on(OutFinalInfo), 1)
	r.FinalResult = outputs[env.Result](on(OutFinalInfo), 1)
	r.FinalReason = outputs[env.Reason](on(OutFinalInfo), 1)
	r.FinalReturn = outputs[float32](on(OutFinalInfo), 2)
	r.FinalPlies = outputs[int32](on(OutFinalInfo), 1)
	r.FinalSteps = outputs[int32](on(OutFinalInfo), 1)
	r.FinalSeat = outputs[env.Player](on(OutFinalInfo), 1)
	r.FinalEpisode = outputs[int64](on(OutFinalInfo), 1)
}

// outputs returns a matrix of n rows, nil if n is 0.
func outputs[T any](n, width int) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n*width)
}

// row returns row i of a matrix.
func row[T any](matrix []T, i, width int) []T { return matrix[i*width : (i+1)*width : (i+1)*width] }
