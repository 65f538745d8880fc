package env

// Action is the number of an action, 0 to Spec.Actions−1, in the mover's frame.
// Spec.Encoding describes it.
type Action int32

// A Game is an immutable rule set, safe for concurrent use.
type Game interface {
	// Spec returns the static facts of the rule set. The caller must not change it.
	Spec() *Spec
	// NewStates returns n states at the start position, side by side in memory.
	NewStates(n int) []State
}

// A State is one position with the history that its rules need. Its owner reuses
// it. No method allocates, except to grow a slice that it was given and to make an
// error.
type State interface {
	// Reset returns to the start position of the rule set.
	Reset()
	// CopyFrom makes the state equal to src, history included. src must be a
	// state of the same Game.
	CopyFrom(src State)
	// Player returns the player to move, or NoPlayer when the game is over.
	Player() Player
	// Legal appends the legal actions to dst in ascending order. There are none
	// exactly when the game is over. It may overwrite dst beyond the list that it
	// returns, up to its capacity.
	Legal(dst []Action) []Action
	// Apply plays a, which must be legal. It does not check that: after an illegal
	// action the state is undefined.
	Apply(a Action)
	// Result returns how the game ended. While the game runs, the result is 0 and
	// the reason is NoReason.
	Result() (Result, Reason)
	// Hash returns a 64-bit key of everything that decides the rest of the game and
	// the meaning of actions (slots, points), except counters and repetition.
	Hash() uint64
	// Observe writes the observation planes in viewer's frame to dst, which must
	// have Spec.ObservationSize() elements: [plane][y][x], beginning in the viewer's
	// left corner. It works in finished positions too.
	Observe(dst []uint8, viewer Player)

	Notation
}

// Notation is the text form of the actions and positions of a state. Texts are
// absolute: they do not depend on the player to move.
type Notation interface {
	// AppendAction appends the move text of a, which must be legal.
	AppendAction(dst []byte, a Action) []byte
	// ParseAction returns the legal action that text names. The error states what
	// is wrong with the text, or why the move is illegal. ParseAction never panics
	// and never changes the state.
	ParseAction(text string) (Action, error)
	// AppendPosition appends the position text: one line, without a line feed.
	AppendPosition(dst []byte) []byte
	// SetPosition sets up the position that text describes, with a history that
	// begins there. It accepts exactly the texts that AppendPosition writes, and
	// also those of positions that no game reaches. In Tank Chess, for example,
	// pieces may be missing, and the order of the pieces of one type gives them
	// their slots. After an error the state is unchanged. SetPosition never panics.
	SetPosition(text string) error
}

// ActionText returns the move text of a legal action.
func ActionText(s State, a Action) string { return string(s.AppendAction(nil, a)) }

// PositionText returns the position text of s.
func PositionText(s State) string { return string(s.AppendPosition(nil)) }

// NewState returns one state of g at its start position.
func NewState(g Game) State { return g.NewStates(1)[0] }
