package env

import "encoding"

// Scorer is a State that keeps a score. Points returns a player's own points;
// search and agents compare own minus enemy ([Score]).
type Scorer interface {
	Points(p Player) int
}

// Score is p's points minus the opponent's.
func Score(s Scorer, p Player) int { return s.Points(p) - s.Points(p.Opponent()) }

// Tracer is a State that can report what an action did.
type Tracer interface {
	// Trace plays a as Apply does and appends the events to dst, in order.
	Trace(a Action, dst []Event) []Event
}

// PieceLister is a State that can list the pieces on the board.
type PieceLister interface {
	// Pieces appends every piece, wrecks included, in ascending order of id.
	Pieces(dst []Piece) []Piece
}

// Remover is a State from which a piece can be removed, for experiments that
// measure what the piece is worth.
type Remover interface {
	// Remove takes p, a living piece as Pieces lists it, off the board as if it had
	// never been there; from a house with seeds it takes one seed. The rest of the
	// state is what its position text says: the other pieces may get different ids,
	// the history begins again, and no ply counts as quiet. The plies played and the
	// points won stay. An error states why the piece cannot be removed: it does not
	// exist, the game is over, or the game would be over without the piece. After an
	// error the state is unchanged. Remove may allocate and never panics.
	Remove(p Piece) error
}

// PieceAdder is a State that can add up a piece table over its pieces faster than
// a caller can list them.
type PieceAdder interface {
	// AddPieces returns the sum of the numbers at Spec.PieceIndex of all pieces
	// except wrecks. The table has Spec.PieceTableSize() elements.
	AddPieces(table []int32) int
}

// Noisy is a State that can list the actions a quiescence search follows:
// captures and shots.
type Noisy interface {
	// Noisy appends the legal actions that capture or destroy, in ascending order.
	Noisy(dst []Action) []Action
}

// Prizer is a Noisy State that can say what a capture or shot wins without playing it.
type Prizer interface {
	// Prize returns the points of what a, an action that Noisy lists, captures or
	// destroys, and Decisive if it wins the game.
	Prize(a Action) int
}

// Decisive is the Prize of an action that wins the game. Other prizes are far below.
const Decisive = 1 << 20

// Finisher is a State in which a player may be able to win at once by an action that is
// not a capture or a shot.
type Finisher interface {
	// Finish returns a legal action that wins at once and that Noisy does not list, or
	// NoAction if it finds none.
	Finish() Action
}

// Passer is a State in which a player could nearly always find a move that is at least as
// good as none. A search then asks what happens if a player does not move at all.
type Passer interface {
	// Pass hands the turn of a running game to the opponent. It counts as a ply.
	Pass()
}

// Counter is a State that reports the counters that can end the game, which its Hash
// leaves out.
type Counter interface {
	// Counters returns the fewest plies after which a limit of plies can end the
	// game, math.MaxInt32 without such a limit, and how often the position has
	// occurred since the history began, this time included. The game must be running.
	Counters() (left, times int)
}

// Features is a State that describes itself in numbers for a linear evaluator: those
// that the evaluator cannot add up from the pieces by type, square, facing and count.
// Each number is own minus enemy, so that it has the opposite sign for the opponent.
// The numbers depend only on what Hash covers.
type Features interface {
	// Features overwrites dst, which has len(Spec.Features) elements, with the
	// numbers from viewer's point of view.
	Features(dst []int32, viewer Player)
}

// BriefFeatures is a Features State some of whose features take long to count.
type BriefFeatures interface {
	// BriefFeatures overwrites dst as Features does, but with 0 for those features. It
	// overwrites spans with a number for each feature, 0 for those that it counts: the
	// absolute value hardly ever exceeds it, as measured in games.
	BriefFeatures(dst, spans []int32, viewer Player)
}

// Snapshotter is a State that can be stored with its history. AppendBinary never
// fails. UnmarshalBinary returns an error for damaged bytes, for another rule set and
// for another version, and then leaves the state unchanged. It never panics.
type Snapshotter interface {
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// Sampler is a State that can draw a uniformly random legal action faster than by
// listing all of them.
type Sampler interface {
	// Sample returns NoAction when the game is over.
	Sample(r *Rand) Action
}

// NoAction is not an action: Sample returns it when the game is over.
const NoAction Action = -1

// Masker is a State that can write the packed mask of its legal actions together
// with their list, faster than [PackActions] can make the mask from the list.
type Masker interface {
	// LegalMask appends the legal actions to dst as Legal does and overwrites
	// mask, which must have Spec.MaskWords() elements, with the same actions: bit
	// a%64 of word a/64 stands for action a.
	LegalMask(dst []Action, mask []uint64) []Action
}

// BitObserver is a State that can write its observation in the packed form, faster
// than [Spec.PackObservation] can make it from the planes.
type BitObserver interface {
	// ObserveBits overwrites bits and scalars, which must have
	// Spec.ObservationBitWords() and Spec.ObservationScalars() elements, with the
	// packed form of Observe's planes for the same viewer.
	ObserveBits(bits []uint64, scalars []uint8, viewer Player)
}

// Symmetric is a Game with symmetries besides the identity. They map a game played
// by the rules to another such game, and serve to augment training data.
type Symmetric interface {
	Symmetries() []Symmetry
}

// Symmetry is one symmetry in the mover's frame. Element i of every observation
// plane moves to element Squares[i], and plane p becomes plane Planes[p].
type Symmetry struct {
	Name    string
	Squares []int16
	Planes  []int16
	// Action returns the image of an action that is legal in s. It depends on s if
	// an action number means different things in different positions.
	Action func(s State, a Action) Action
}

// Diagrammer is a State that can describe itself as a Diagram.
type Diagrammer interface {
	// Diagram overwrites d, reusing its slices.
	Diagram(d *Diagram)
}

// Router is a State that can list the way of an action, for pictures.
type Router interface {
	// Route appends the squares through which a legal action of the player to move goes
	// to dst, from the first to the last: those that a piece drives through, or the houses
	// in which the laps of a sowing begin and the house of its last seed. A piece that
	// leaves the board ends on the last square before. An endless sowing has the start
	// house alone. Route may allocate.
	Route(a Action, dst []int16) []int16
}
