package env

// A piece table holds a number for every way in which a piece can stand: for each
// owner, type and absolute square, and there for each facing of a type that turns,
// for each count of a type that counts. [PieceAdder] adds up the numbers of a
// position.

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

// PieceIndex returns where a piece that is no wreck stands in a piece table:
// ((owner·types + type)·squares + square)·details + detail. The detail is the
// facing of a type that turns and the count of others less 1; how many details
// there are is the same for all types of a game, as many as one of them needs.
func (s *Spec) PieceIndex(p *Piece) int {
	detail := int(p.Count) - 1
	if s.Pieces[p.Type].Turns {
		detail = int(p.Facing)
	}
	kind := int(p.Owner)*len(s.Pieces) + int(p.Type)
	return (kind*s.Width*s.Height+int(p.Square))*s.pieceDetails() + detail
}
