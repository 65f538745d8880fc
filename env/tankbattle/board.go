package tankbattle

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env/engine"
)

// maxSquares is the number of squares of the largest board.
const maxSquares = maxSize * maxSize

var playerNames = [2]string{"White", "Black"}

// An id is a piece over the whole game: even for White, odd for Black. The first
// two are the commanders.
type id = uint8

const (
	ids       = 32
	vacant id = 0xff
	// wall is an id that no piece has. It stands beyond the edge of the board.
	wall id = ids - 1
)

// makeID returns the id of a player's commander, number 0, or of another tank.
func makeID(owner, number int) id { return id(2*number + owner) }

func ownerOf(i id) int { return int(i & 1) }

func numberOf(i id) int { return int(i) / 2 }

func isCommander(i id) bool { return i < 2 }

// A kind is an owner and whether the piece is a commander.
type kind int

const kinds = 4

func makeKind(owner int, commander bool) kind {
	if commander {
		return kind(owner*2 + 1)
	}
	return kind(owner * 2)
}

func kindOf(i id) kind { return makeKind(ownerOf(i), isCommander(i)) }

func (k kind) owner() int { return int(k) >> 1 }

func (k kind) commander() bool { return k&1 != 0 }

// Piece types, by index into Spec.Pieces.
const (
	commanderType = iota
	tankType
)

const symbols = "CT"

var typeNames = [2]string{"Commander", "Tank"}

func typeOf(i id) int {
	if isCommander(i) {
		return commanderType
	}
	return tankType
}

func letterOf(i id) byte { return symbols[typeOf(i)] + byte(ownerOf(i))*('a'-'A') }

// board holds an id or vacant for each absolute square, size·y + x.
type board [maxSquares]id

func vacantBoard() (b board) {
	for square := range b {
		b[square] = vacant
	}
	return b
}

// parseBoard reads a board field. The tanks of a player are numbered in the
// order of the squares.
func (t *terrain) parseBoard(text string) (board, error) {
	b := vacantBoard()
	err := engine.ParseBoard(text, t.size, func(square int, letter byte) error {
		if b[square] = parsePiece(letter); b[square] == vacant {
			return errors.New("pieces (C, T, c, t) and numbers of empty squares")
		}
		return nil
	})
	if err != nil {
		return b, err
	}
	return b, t.number(&b)
}

// parsePiece returns the id of the commander or the first tank of a player.
func parsePiece(letter byte) id {
	switch letter {
	case 'C':
		return makeID(0, 0)
	case 'T':
		return makeID(0, 1)
	case 'c':
		return makeID(1, 0)
	case 't':
		return makeID(1, 1)
	}
	return vacant
}

// number gives the tanks their ids and checks that all pieces can stand where
// they do.
func (t *terrain) number(b *board) error {
	var tanks, commanders [2]int
	for square, piece := range b[:t.squares()] {
		if piece == vacant {
			continue
		}
		owner := ownerOf(piece)
		if err := t.standing(piece, square); err != nil {
			return err
		}
		if isCommander(piece) {
			commanders[owner]++
			continue
		}
		tanks[owner]++
		b[square] = makeID(owner, min(tanks[owner], armySize))
	}
	for owner := range 2 {
		if commanders[owner] > 1 {
			return fmt.Errorf("has %d commanders of %s, may have 1", commanders[owner], playerNames[owner])
		}
		if most := t.base[owner].len() - 1; tanks[owner] > most {
			return fmt.Errorf("has %d tanks of %s, may have %d besides the commander", tanks[owner], playerNames[owner], most)
		}
	}
	return nil
}

// standing returns why a piece cannot stand on a square, or nil.
func (t *terrain) standing(piece id, square int) error {
	switch {
	case t.mines.has(square):
		return fmt.Errorf("has %c on the mine %s", letterOf(piece), t.name(square))
	case t.contaminated.has(square) && !isCommander(piece):
		return fmt.Errorf("has %c on the contaminated square %s, where only commanders go", letterOf(piece), t.name(square))
	}
	return nil
}
