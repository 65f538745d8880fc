package envtest_test

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func (s *state) Hash() uint64 {
	switch s.game.flaw {
	case "hash collision":
		return s.key() & 0xff
	case "hash with counters":
		return s.key() + uint64(s.quiet)
	case "hash with history":
		return s.key() + s.past[0]
	}
	return s.key()
}

func (s *state) Observe(dst []uint8, viewer env.Player) {
	if s.game.flaw != "observation not cleared" {
		clear(dst)
	}
	for i := range area {
		piece := s.board[absolute(i, viewer)]
		if piece != 0 && owner(piece) == viewer {
			dst[i] = 1
		} else if piece != 0 && s.game.flaw != "enemy unseen" {
			dst[area+i] = 1
		}
		if viewer == env.First && s.game.flaw != "side unseen" {
			dst[2*area+i] = 1
		}
		if s.game.flaw != "quiet unseen" {
			dst[3*area+i] = uint8(s.quiet)
		}
		if s.game.flaw != "repetition unseen" {
			dst[4*area+i] = uint8(min(s.occurred(), 3))
		}
	}
	switch s.game.flaw {
	case "observation above maximum":
		dst[4*area] = 4
	case "uniform plane varies":
		dst[2*area+int(s.board[4])] ^= 1
	}
}

func (s *state) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	begin := len(dst)
	dst = s.Legal(dst)
	if s.game.flaw != "mask not cleared" {
		clear(mask)
	}
	for _, a := range dst[begin:] {
		mask[a/64] |= 1 << (a % 64)
	}
	switch {
	case s.game.flaw == "mask without the last action" && len(dst) > begin:
		mask[dst[len(dst)-1]/64] &^= 1 << (dst[len(dst)-1] % 64)
	case s.game.flaw == "list beside a mask" && len(dst)-begin > 1:
		dst[begin] = dst[begin+1]
	}
	return dst
}

func (s *state) ObserveBits(packed []uint64, scalars []uint8, viewer env.Player) {
	var planes [5 * area]uint8
	s.Observe(planes[:], viewer)
	if s.game.flaw == "bits not cleared" {
		packed[0] |= uint64(planes[0])
		return
	}
	s.game.spec.PackObservation(packed, scalars, planes[:])
	switch s.game.flaw {
	case "bits of the other side":
		packed[0], packed[1] = packed[1], packed[0]
	case "scalars swapped":
		scalars[0], scalars[1] = scalars[1], scalars[0]
	}
}

func (s *state) Points(p env.Player) (n int) {
	for _, piece := range s.board {
		if piece != 0 && owner(piece) == p {
			n++
		}
	}
	return n
}

func (s *state) Trace(a env.Action, dst []env.Event) []env.Event {
	from, to, _ := s.squares(a)
	mover := s.mover
	moved, taken := s.play(a)
	if s.game.flaw == "trace plays otherwise" {
		s.plies++
	}
	if s.game.flaw != "events left out" || taken == 0 {
		dst = append(dst, env.Event{Kind: env.Moved, Player: mover, PieceID: int16(moved - 1),
			From: int16(from), To: int16(to), Victim: env.None, VictimID: env.None, Count: 1})
	}
	if taken != 0 {
		dst = append(dst, env.Event{Kind: env.Captured, Player: mover, PieceID: int16(moved - 1),
			From: int16(from), To: int16(to), VictimID: int16(taken - 1), Count: 1})
	}
	return dst
}

func (s *state) Pieces(dst []env.Piece) []env.Piece {
	begin := len(dst)
	for square, piece := range s.board {
		if piece != 0 {
			p := env.Piece{ID: int16(piece - 1), Owner: owner(piece), Square: int16(square), Count: 1}
			switch s.game.flaw {
			case "piece without a count":
				p.Count = 0
			case "piece with a facing":
				p.Facing = env.S
			case "pieces in the mover's frame":
				p.Square = int16(s.game.spec.Frame(s.mover, square))
			}
			dst = append(dst, p)
		}
	}
	if s.game.flaw != "pieces by square" {
		slices.SortFunc(dst[begin:], func(a, b env.Piece) int { return cmp.Compare(a.ID, b.ID) })
	}
	return dst
}

func (s *state) AddPieces(table []int32) (sum int) {
	for square, piece := range s.board {
		if piece != 0 && (s.game.flaw != "a piece is not added" || square != 4) {
			sum += int(table[int(owner(piece))*len(s.board)+square])
		}
	}
	return sum
}

func (s *state) Noisy(dst []env.Action) []env.Action {
	if s.over != env.NoReason {
		return dst
	}
	for a := range env.Action(actions) {
		if _, to, ok := s.squares(a); ok && s.legal(a) && s.board[to] != 0 && (s.game.flaw != "a capture is quiet" || to != 4) {
			dst = append(dst, a)
		}
	}
	return dst
}

func (s *state) Features(dst []int32, viewer env.Player) {
	dst[0] = int32(env.Score(s, viewer))
	if s.game.flaw == "feature of one side" {
		dst[0] = int32(s.Points(viewer))
	}
	if s.game.flaw == "feature left out" {
		return
	}
	dst[1] = 0
	if centre := s.board[len(s.board)/2]; centre != 0 {
		dst[1] = int32(env.WinFor(owner(centre)).For(viewer))
	}
}

func (s *state) Sample(r *env.Rand) env.Action {
	if s.over != env.NoReason {
		return env.NoAction
	}
	var list [actions]env.Action
	legal := s.Legal(list[:0])
	if s.game.flaw == "sampler prefers" && r.IntN(2) == 0 {
		return legal[0]
	}
	return legal[r.IntN(len(legal))]
}

func (s *state) Diagram(d *env.Diagram) {
	d.Width, d.Height, d.Squares = side, side, true
	d.Cells = d.Cells[:0]
	for _, piece := range s.board {
		c := env.Cell{Owner: env.NoPlayer, Count: env.None}
		if piece != 0 && s.game.flaw != "diagram without pieces" {
			c = env.Cell{Owner: owner(piece), Symbol: "A", Spokes: 0xff, Reach: 1, Count: env.None}
		}
		d.Cells = append(d.Cells, c)
	}
	if s.game.flaw == "diagram grows" {
		d.Caption = append(d.Caption, "plies "+strconv.Itoa(s.plies))
		return
	}
	d.Caption = append(d.Caption[:0], "plies "+strconv.Itoa(s.plies))
}

func (s *state) Remove(p env.Piece) error {
	if s.game.flaw == "removal ends the game" && slices.Contains(s.Pieces(nil), p) {
		without, err := s.without(p)
		s.CopyFrom(without)
		return err
	}
	trial := env.NewState(s.game)
	err := engine.Remove(s, trial, p, func(env.Piece) string { return "that stone" }, s.without, func(p **state) { trial.CopyFrom(*p) })
	switch {
	case err != nil && s.game.flaw == "removal of nothing":
		return nil
	case err != nil && s.game.flaw == "removal refused half done":
		s.quiet++
	}
	return err
}

func (s *state) without(p env.Piece) (*state, error) {
	without := env.NewState(s.game).(*state)
	without.CopyFrom(s)
	without.quiet = 0
	square := int(p.Square)
	if s.game.flaw == "another piece is removed" {
		square = slices.IndexFunc(s.board[:], func(piece int8) bool { return piece != 0 })
	}
	without.board[square] = 0
	err := without.SetPosition(env.PositionText(without))
	if s.game.flaw == "removal with history" {
		without.kept = 0
		without.past[0] = 1
		without.kept = 1
		without.remember()
	}
	return without, err
}
