package env

import "fmt"

// EventKind says what an Event tells.
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

// None fills a field of an Event or a Piece that does not apply.
const None = -1

// An Event is one thing that happened in a ply. Squares are absolute, types are
// indices into Spec.Pieces, ids number the pieces of both players over the whole
// game. What does not apply is None (NoFace for the face).
type Event struct {
	Kind     EventKind
	Player   Player // who did it
	Piece    int16  // type of the acting piece
	PieceID  int16
	From, To int16 // squares; for Captured and Destroyed, To is where the victim stood
	Victim   int16 // type of the victim
	VictimID int16
	Face     Face
	Count    int16 // seeds sown or captured, points won; 1 where nothing else is said
}

// A Piece is one piece on the board.
type Piece struct {
	Type   int16 // index into Spec.Pieces
	ID     int16 // stays with the piece over the game
	Owner  Player
	Square int16     // absolute
	Facing Direction // N where pieces have none
	Wreck  bool
	Count  int16 // seeds in a house; 1 for a piece
}
