package trench

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env/engine"
)

const (
	width   = 8
	squares = width * width
)

// Ranks, by index into Spec.Pieces.
const (
	general = iota
	colonel
	captain
	sergeant
	soldier
	ranks
)

const letters = "GLCSP"

var (
	armyCounts  = [ranks]int{1, 2, 3, 4, 6}
	playerNames = [2]string{"Black", "White"}
)

// armySize is the number of pieces of each side at the start.
const armySize = 16

// firstID is the first piece id of each rank in an army; ids of White follow
// those of Black.
var firstID = [ranks + 1]int{0, 1, 3, 6, 10, armySize}

// A code is what stands on a square: id·8 + rank, or vacant. Bit 7 is the owner.
type code = uint8

const vacant code = 0xff

func makeCode(owner, id, rank int) code { return code((owner*armySize+id)<<3 | rank) }

func ownerOf(c code) int { return int(c >> 7) }
func rankOf(c code) int  { return int(c & 7) }
func idOf(c code) int    { return int(c >> 3) }

// figureOf is owner·8 + rank: what decides how a piece moves.
func figureOf(c code) int { return int(c>>4&8 | c&7) }

func pieceLetter(owner, rank int) byte { return letters[rank] + byte(owner)*('a'-'A') }

// Zones from the point of view of the player whose frame it is.
const (
	ownLand = iota
	trench
	enemyLand
	zones
)

func zoneOf(square int) int {
	switch s := square%width + square/width; {
	case s < width-1:
		return ownLand
	case s == width-1:
		return trench
	}
	return enemyLand
}

// trenchSquares and enemySquares are the zones as sets, the same in both frames.
const (
	trenchSquares uint64 = 0x0102040810204080
	enemySquares  uint64 = 0xfefcf8f0e0c08000
)

// board holds a code for each absolute square.
type board [squares]code

func vacantBoard() (b board) {
	for square := range b {
		b[square] = vacant
	}
	return b
}

func (b *board) counts() (counts [2][ranks]int) {
	for _, c := range b {
		if c != vacant {
			counts[ownerOf(c)][rankOf(c)]++
		}
	}
	return counts
}

// parseBoard reads a board field. Within a rank, ids ascend with the square.
func parseBoard(text string) (board, error) {
	b := vacantBoard()
	err := engine.ParseBoard(text, width, func(square int, letter byte) error {
		owner, rank := parsePiece(letter)
		if rank < 0 {
			return errors.New("pieces (GLCSP, glcsp) and digits 1 to 8")
		}
		b[square] = makeCode(owner, 0, rank)
		return nil
	})
	if err != nil {
		return b, err
	}
	return b, b.number()
}

// number gives the pieces their ids.
func (b *board) number() error {
	var seen [2][ranks]int
	for square, c := range b {
		if c == vacant {
			continue
		}
		owner, rank := ownerOf(c), rankOf(c)
		if seen[owner][rank] == armyCounts[rank] {
			return fmt.Errorf("has more than %d %c, which is all %s has", armyCounts[rank], pieceLetter(owner, rank), playerNames[owner])
		}
		b[square] = makeCode(owner, firstID[rank]+seen[owner][rank], rank)
		seen[owner][rank]++
	}
	return nil
}

func parsePiece(letter byte) (owner, rank int) {
	if i := strings.IndexByte(letters, letter); i >= 0 {
		return 0, i
	}
	return 1, strings.IndexByte("glcsp", letter)
}

// appendText appends the board field.
func (b *board) appendText(dst []byte) []byte {
	return engine.AppendBoard(dst, width, func(square int) byte {
		c := b[square]
		if c == vacant {
			return 0
		}
		return pieceLetter(ownerOf(c), rankOf(c))
	})
}
