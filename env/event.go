package env

import "fmt"

// EventKind is what happened in an Event.
type EventKind uint8

const (
	Moved EventKind = iota
	Fired
	Destroyed
	Captured
	Sown
	LeftBoard
)

func (k EventKind) String() string {
	names := [...]string{"moved", "fired", "destroyed", "captured", "sown", "left_board"}
	if int(k) >= len(names) {
		return fmt.Sprintf("EventKind(%d)", uint8(k))
	}
	return names[k]
}

// Face is the side of a piece that a shot hits.
type Face int8

const (
	NoFace Face = iota
	Front
	Side
	Rear
)

// None is the value of a field of an Event or a Piece that does not apply.
const None = -1

// An Event is one thing that happened in a ply. Squares are absolute, types are
// indices into Spec.Pieces, and ids number the pieces of both players over the whole
// game. Fields that do not apply are None (NoFace for Face).
type Event struct {
	Kind     EventKind
	Player   Player // who did it
	Piece    int16  // type of the acting piece
	PieceID  int16
	From, To int16 // squares; for Captured and Destroyed, To is where the victim stood
	Victim   int16 // type of the victim
	VictimID int16
	Face     Face
	Count    int16 // seeds sown or captured, or points won; otherwise 1
}

// A Piece is one piece on the board.
type Piece struct {
	Type   int16 // index into Spec.Pieces
	ID     int16 // stays with the piece during the game
	Owner  Player
	Square int16     // absolute
	Facing Direction // N if the type does not turn
	Wreck  bool
	Count  int16 // seeds in a house; 1 for a piece
}
