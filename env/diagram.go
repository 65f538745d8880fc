package env

// A Diagram describes the picture of a position, so that one renderer draws every
// game. Squares are absolute.
type Diagram struct {
	Width, Height int
	Cells         []Cell   // Height × Width, a1 first
	Squares       bool     // squares are named a1, b1, …; otherwise Cells carry their own labels
	Caption       []string // lines under the picture: side to move, points, counters
	Players       [2]string
	FirstLight    bool        // the first player has the light pieces
	Pieces        []PieceType // whose names the legend shows; shared, must not be changed
}

// Cell is one square or house of a Diagram.
type Cell struct {
	Ground Ground
	Marked bool   // the square is special apart from its ground: a commander's start
	Label  string // name of a house; empty on boards of named squares
	Owner  Player // of the piece or the house; NoPlayer for none
	Symbol string // of the piece type; empty for none
	// Spokes has bit d set if the piece may go in the absolute Direction d. Reach is
	// how far it may go.
	Spokes uint8
	Reach  int8
	Facing Direction
	Faced  bool // the piece has a facing
	Wreck  bool
	Build  *Build // how a piece with a facing is built; nil if unknown
	Count  int    // seeds in a house; None if cells do not hold seeds
}

// Build is what a picture shows of a tank's type, apart from its symbol.
type Build struct {
	Armour   int  // in front
	Arcs     int  // lines of fire; 0 for a tank without a gun
	Indirect bool // the gun fires over things
	Command  bool // the game depends on the tank
}

// Ground is the terrain of a square.
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
