package env

// A Diagram says what a picture of a position shows, so that one renderer
// draws every game. Squares are absolute.
type Diagram struct {
	Width, Height int
	Cells         []Cell   // Height × Width, a1 first
	Squares       bool     // squares are named a1, b1, …; otherwise Cells carry their own labels
	Caption       []string // lines under the picture: side to move, points, counters
	Players       [2]string
	FirstLight    bool // the first player's pieces are the light ones
}

// Cell is one square or house of a Diagram.
type Cell struct {
	Ground Ground
	Marked bool   // the square counts for more than its ground says: a commander's start
	Label  string // name of a house; empty on boards of named squares
	Owner  Player // of the piece, or of the house; NoPlayer for none
	Symbol string // of the piece type; empty for none
	// Spokes are the absolute directions in which the piece may go, bit d for
	// Direction d, and Reach how far.
	Spokes uint8
	Reach  int8
	Facing Direction
	Faced  bool // the piece has a facing
	Wreck  bool
	Count  int // seeds in a house; None where cells hold no seeds
}

// Ground is what a square is made of.
type Ground uint8

const (
	Plain Ground = iota
	FirstLand
	SecondLand
	Trench
	House
	Obstacle
	LowObstacle
	Hedge
	Water
	Mine
	Contaminated
	FirstBase
	SecondBase
)
