package envtest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// portrait holds everything that the methods of a state return.
type portrait struct {
	text     string
	player   env.Player
	result   env.Result
	reason   env.Reason
	hash     uint64
	legal    []env.Action
	seen     [2][]uint8 // observation of each viewer
	points   [2]int
	pieces   []env.Piece
	features [2][]int32
	snapshot string
}

func (s *Subject) portray(state env.State) portrait {
	p := portrait{
		text:   env.PositionText(state),
		player: state.Player(),
		hash:   state.Hash(),
		legal:  state.Legal(nil),
		seen:   [2][]uint8{s.observe(state, env.First), s.observe(state, env.Second)},
		points: points(state),
	}
	p.result, p.reason = state.Result()
	if lister, ok := state.(env.PieceLister); ok {
		p.pieces = lister.Pieces(nil)
	}
	if f, ok := state.(env.Features); ok {
		for viewer := range p.features {
			p.features[viewer] = make([]int32, len(s.spec.Features))
			f.Features(p.features[viewer], env.Player(viewer))
		}
	}
	if snap, ok := state.(env.Snapshotter); ok {
		data, err := snap.AppendBinary(nil)
		p.snapshot = string(data)
		if err != nil {
			p.snapshot = "error: " + err.Error()
		}
	}
	return p
}

// differs returns an error that names the first difference between p and q, or nil.
func (p portrait) differs(q portrait) error {
	if err := p.differsNow(q); err != nil {
		return err
	}
	switch {
	case !p.seesAs(q):
		return fmt.Errorf("observations of position %q differ", p.text)
	case !slices.Equal(p.pieces, q.pieces):
		return fmt.Errorf("pieces are %v and %v", p.pieces, q.pieces)
	case p.snapshot != q.snapshot:
		return fmt.Errorf("snapshots are %s and %s", hex.EncodeToString([]byte(p.snapshot)), hex.EncodeToString([]byte(q.snapshot)))
	}
	return nil
}

// differsNow is like differs, but ignores what a position text does not contain:
// the history and the ids of pieces.
func (p portrait) differsNow(q portrait) error {
	switch {
	case p.text != q.text:
		return fmt.Errorf("positions are %q and %q", p.text, q.text)
	case p.player != q.player:
		return fmt.Errorf("players to move are %d and %d", p.player, q.player)
	case p.result != q.result || p.reason != q.reason:
		return fmt.Errorf("results are %d (%v) and %d (%v)", p.result, p.reason, q.result, q.reason)
	case p.hash != q.hash:
		return fmt.Errorf("hashes of position %q are %#x and %#x", p.text, p.hash, q.hash)
	case !slices.Equal(p.legal, q.legal):
		return fmt.Errorf("legal actions are %v and %v", p.legal, q.legal)
	case p.points != q.points:
		return fmt.Errorf("points are %v and %v", p.points, q.points)
	case !slices.Equal(p.features[0], q.features[0]) || !slices.Equal(p.features[1], q.features[1]):
		return fmt.Errorf("features are %v and %v", p.features, q.features)
	case !slices.Equal(anonymous(p.pieces), anonymous(q.pieces)):
		return fmt.Errorf("pieces are %v and %v", p.pieces, q.pieces)
	}
	return nil
}

// seesAs reports whether the observations of both viewers are those of q.
func (p portrait) seesAs(q portrait) bool {
	return bytes.Equal(p.seen[0], q.seen[0]) && bytes.Equal(p.seen[1], q.seen[1])
}

func (s *Subject) observe(state env.State, viewer env.Player) []uint8 {
	planes := make([]uint8, s.spec.ObservationSize())
	state.Observe(planes, viewer)
	return planes
}

func points(state env.State) (p [2]int) {
	if scorer, ok := state.(env.Scorer); ok {
		p = [2]int{scorer.Points(env.First), scorer.Points(env.Second)}
	}
	return p
}

func pieces(state env.State) []env.Piece {
	if lister, ok := state.(env.PieceLister); ok {
		return lister.Pieces(nil)
	}
	return nil
}

// anonymous returns the pieces without their ids, by square.
func anonymous(pieces []env.Piece) []env.Piece {
	list := slices.Clone(pieces)
	for i := range list {
		list[i].ID = 0
	}
	slices.SortFunc(list, func(a, b env.Piece) int { return int(a.Square) - int(b.Square) })
	return list
}
