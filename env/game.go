package env

// Action is an action number, 0 to Spec.Actions−1, in the mover's frame. Each
// engine documents its encoding.
type Action int32

// A Game is an immutable rule set, safe for concurrent use.
type Game interface {
	// Spec returns the static facts of the rule set. The caller must not change it.
	Spec() *Spec
	// NewStates returns n states at the start position. Their memory is
	// allocated together, so that a batch lies side by side.
	NewStates(n int) []State
}

// A State is one position with the history that its rules need. Its owner
// reuses it; no method allocates, apart from growth of a slice given to it and
// the building of errors.
type State interface {
	// Reset returns to the start position of the rule set.
	Reset()
	// CopyFrom makes the state equal to src, history included. src must be a
	// state of the same Game.
	CopyFrom(src State)
	// Player returns the player to move, or NoPlayer when the game is over.
	Player() Player
	// Legal appends the legal actions to dst in ascending order. It appends
	// nothing exactly when the game is over.
	Legal(dst []Action) []Action
	// Apply plays a, which must be legal. It does not check: an action that is
	// not legal leaves the state undefined.
	Apply(a Action)
	// Result returns how the game ended. While it runs the reason is NoReason
	// and the result 0.
	Result() (Result, Reason)
	// Hash is a 64-bit key of everything that decides the future and the
	// meaning of actions (slots, points), counters and repetition aside.
	Hash() uint64
	// Observe writes the observation planes as viewer sees them into dst, which
	// must have Spec.ObservationSize() elements, [plane][y][x] row by row from
	// the viewer's own left corner. It is defined in finished positions too.
	Observe(dst []uint8, viewer Player)

	Notation
}

// Notation is the text form of the actions and positions of a state. Texts are
// absolute: they do not depend on who is to move.
type Notation interface {
	// AppendAction appends the move text of a, which must be legal.
	AppendAction(dst []byte, a Action) []byte
	// ParseAction returns the legal action that text names. The error says
	// what is wrong with the text; a text that names a well-formed but illegal
	// move gives an error too. It never panics and never changes the state.
	ParseAction(text string) (Action, error)
	// AppendPosition appends the position text, one line without its end.
	AppendPosition(dst []byte) []byte
	// SetPosition sets up the position that text describes, with a history that
	// starts there. Every text that AppendPosition writes is accepted, and no text
	// that it would not write back to the letter. Positions that no game reaches
	// may be accepted: in Tank Chess pieces may be missing, and those of one type
	// stand in any order, which gives them their slots. After an error the state is
	// as it was. It never panics.
	SetPosition(text string) error
}

// ActionText returns the move text of a legal action.
func ActionText(s State, a Action) string { return string(s.AppendAction(nil, a)) }

// PositionText returns the position text of s.
func PositionText(s State) string { return string(s.AppendPosition(nil)) }

// NewState returns one state of g at its start position.
func NewState(g Game) State { return g.NewStates(1)[0] }
