package vec

import "github.com/sandtable-farm/sandtable/env"

// Results are the outputs of a batch of n slots. They are allocated once, belong
// to the batch and are overwritten by Reset, ResetSlots, Step, Set and Load; the
// caller reads them, and copies what it wants to keep. Slot i has element i, or
// the row i of a matrix. Shapes are C-contiguous, slot first. What Options.Outputs
// leaves out is nil.
type Results struct {
	// Obs are the observation planes as Viewer sees them: [n, planes, height, width].
	Obs []uint8
	// Bits and Scalars are the same observation in the packed form of package
	// env: [n, Spec.ObservationBitWords()] and [n, Spec.ObservationScalars()].
	Bits    []uint64
	Scalars []uint8

	// LegalActions[LegalOffsets[i]:LegalOffsets[i+1]] are the legal actions of
	// slot i, ascending; LegalOffsets is [n+1]. A finished slot has none.
	LegalOffsets []int32
	LegalActions []env.Action
	// Mask is the same as bits, [n, Spec.MaskWords()]: bit a%64 of word a/64 of
	// row i stands for action a. All zero in a finished slot.
	Mask []uint64

	// ToMove is the player to move, NoPlayer in a finished slot: [n].
	ToMove []env.Player
	// Viewer is the player whose view the observation is: [n]. It is the learner's
	// seat against an Opponent. Otherwise it is the player to move; of a finished
	// game, the opponent of the player who moved last.
	Viewer []env.Player

	// Reward is what the last Step, or the plies in it, brought each player:
	// [n, 2], +1 and −1 to winner and loser, else 0.
	Reward []float32
	// LearnerReward is the learner's share of Reward: [n]. Nil without an Opponent.
	LearnerReward []float32
	// Terminated and Truncated tell of the episode that the last Step continued:
	// it has ended under its rules or by a forfeit, or was cut off by MaxPlies. Both are [n],
	// always there, and never both true for a slot.
	Terminated []bool
	Truncated  []bool

	// What follows tells of the episode of a slot that ended last, in every
	// autoreset mode: it is new where Terminated or Truncated is true.

	// FinalObs, FinalBits and FinalScalars are its last observation, as
	// FinalViewer sees it, in the shapes of Obs, Bits and Scalars.
	FinalObs     []uint8
	FinalBits    []uint64
	FinalScalars []uint8
	FinalViewer  []env.Player // [n]
	// FinalResult and FinalReason say how it ended: [n]. NoReason when truncated.
	FinalResult []env.Result
	FinalReason []env.Reason
	// FinalReturn is the sum of each player's rewards: [n, 2].
	FinalReturn []float32
	// FinalPlies counts its plies, random opening included; FinalSteps the Steps: [n].
	FinalPlies []int32
	FinalSteps []int32
	// FinalSeat was the learner's seat, NoPlayer without an Opponent: [n].
	FinalSeat []env.Player
	// FinalEpisode is its number among the episodes of the slot, from 0: [n].
	FinalEpisode []int64
}

// allocate makes the slices that are on.
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
		r.LegalActions = make([]env.Action, 0, n*spec.MaxLegal)
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

// outputs makes a matrix of n rows, nil when n is 0.
func outputs[T any](n, width int) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n*width)
}

// row is row i of a matrix.
func row[T any](matrix []T, i, width int) []T { return matrix[i*width : (i+1)*width : (i+1)*width] }
