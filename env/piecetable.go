package env

// A piece table holds a number for each owner, type and absolute square, and within
// these for each facing of a type that turns or for each count of another type.
// [PieceAdder] adds up the numbers of the pieces in a position.

// pieceDetails is how many numbers a piece table has for each owner, type and square.
func (s *Spec) pieceDetails() int {
	details := 1
	for _, piece := range s.Pieces {
		details = max(details, piece.MaxCount)
		if piece.Turns {
			details = max(details, 8)
		}
	}
	return details
}

// PieceTableSize is the length of a piece table.
func (s *Spec) PieceTableSize() int {
	return 2 * len(s.Pieces) * s.Width * s.Height * s.pieceDetails()
}

// PieceIndex returns the index of a piece, which is not a wreck, in a piece table:
// ((owner·types + type)·squares + square)·details + detail. The detail is the facing
// of a type that turns, and count − 1 for other types. All types of a game have the
// same number of details, the greatest that one of them needs.
func (s *Spec) PieceIndex(p *Piece) int {
	detail := int(p.Count) - 1
	if s.Pieces[p.Type].Turns {
		detail = int(p.Facing)
	}
	kind := int(p.Owner)*len(s.Pieces) + int(p.Type)
	return (kind*s.Width*s.Height+int(p.Square))*s.pieceDetails() + detail
}
