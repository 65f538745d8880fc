package env

import "encoding"

// Scorer is a State that keeps a score. Points are a player's own; what search
// and agents compare is own minus enemy ([Score]).
type Scorer interface {
	Points(p Player) int
}

// Score is p's points minus the opponent's.
func Score(s Scorer, p Player) int { return s.Points(p) - s.Points(p.Opponent()) }

// Tracer is a State that can tell what an action did.
type Tracer interface {
	// Trace plays a as Apply does and appends what happened to dst, in order.
	Trace(a Action, dst []Event) []Event
}

// PieceLister is a State that can list what stands on the board.
type PieceLister interface {
	// Pieces appends every piece, wrecks included, in ascending order of id.
	Pieces(dst []Piece) []Piece
}

// Remover is a State from which a piece can be taken away, for experiments that
// ask what the piece is worth.
type Remover interface {
	// Remove takes p, a living piece as Pieces lists it, off the board as if it had
	// never been there; of a house with seeds it takes one seed. What is left is
	// what the position's text says: the other pieces may get other ids, the history
	// begins anew and no ply is quiet. Plies played and points that were won stay.
	// An error says why a piece cannot be missing: it is not there, the game is
	// over, or it would be over without it; then the state is as it was. Remove may
	// allocate and never panics.
	Remove(p Piece) error
}

// PieceAdder is a State that adds up a piece table over its pieces faster than
// they can be listed.
type PieceAdder interface {
	// AddPieces returns the sum of the numbers at Spec.PieceIndex of every piece
	// but the wrecks. The table has Spec.PieceTableSize() elements.
	AddPieces(table []int32) int
}

// Noisy is a State that can list the actions a quiescence search follows:
// captures and shots.
type Noisy interface {
	// Noisy appends the legal actions that capture or destroy, in ascending order.
	Noisy(dst []Action) []Action
}

// Counter is a State that tells what its Hash leaves out: the counters that can
// end the game.
type Counter interface {
	// Counters returns the fewest plies after which a limit of plies can end the
	// game, math.MaxInt32 where there is none, and how often the position has
	// occurred since the history began, itself included. It is asked of running
	// positions.
	Counters() (left, times int)
}

// Features is a State that describes itself in numbers for a linear evaluator, as
// far as it cannot add them up from the list of pieces by type, square, facing and
// count. All are own minus enemy: for the opponent each has the other sign. They
// follow from what Hash covers.
type Features interface {
	// Features overwrites dst, which has len(Spec.Features) elements, with the
	// numbers as viewer counts them.
	Features(dst []int32, viewer Player)
}

// Snapshotter is a State that can be stored whole, history included.
// AppendBinary never fails. UnmarshalBinary refuses bytes of another rule set,
// of another version, or damaged ones, and then leaves the state as it was; it
// never panics.
type Snapshotter interface {
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// Sampler is a State that can draw a uniformly random legal action without
// listing all, where that is faster.
type Sampler interface {
	// Sample returns NoAction when the game is over.
	Sample(r *Rand) Action
}

// NoAction is what a Sampler returns when there is nothing to play.
const NoAction Action = -1

// Masker is a State that writes the packed mask of its legal actions together
// with their list, faster than the mask can be made from the list ([PackActions]).
type Masker interface {
	// LegalMask appends the legal actions to dst as Legal does and overwrites
	// mask, which must have Spec.MaskWords() elements, with the same actions: bit
	// a%64 of word a/64 stands for action a.
	LegalMask(dst []Action, mask []uint64) []Action
}

// BitObserver is a State that writes its observation in the packed form, faster
// than it can be packed from the planes ([Spec.PackObservation]).
type BitObserver interface {
	// ObserveBits overwrites bits and scalars, which must have
	// Spec.ObservationBitWords() and Spec.ObservationScalars() elements, with what
	// PackObservation makes of Observe's planes for the same viewer.
	ObserveBits(bits []uint64, scalars []uint8, viewer Player)
}

// Symmetric is a Game with symmetries beside the identity. They map a game
// played by the rules to another one, and serve for augmentation.
type Symmetric interface {
	Symmetries() []Symmetry
}

// Symmetry is one symmetry in the mover's frame. Element i of every observation
// plane moves to Squares[i] and plane p to Planes[p].
type Symmetry struct {
	Name    string
	Squares []int16
	Planes  []int16
	// Action returns the image of an action that is legal in s. It may depend on
	// s where an action number means different things in different positions.
	Action func(s State, a Action) Action
}

// Diagrammer is a State that can describe its picture.
type Diagrammer interface {
	// Diagram overwrites d, reusing its slices.
	Diagram(d *Diagram)
}
