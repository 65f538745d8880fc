package tablebase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/env"
)

// Verify checks all values against their checksums, and the values of samples random
// positions against the values to which the engine's actions lead. The error for a wrong
// value wraps ErrDamaged. progress, unless nil, is called with the number of bytes read and
// of all bytes.
func (t *Table) Verify(ctx context.Context, samples int, seed uint64, progress func(done, total int64)) error {
	var done, all int64
	for i := range t.pairs {
		all += t.pairs[i].size(t.circuits)
	}
	for i := range t.pairs {
		if err := t.verifyPair(ctx, &t.pairs[i]); err != nil {
			return err
		}
		done += t.pairs[i].size(t.circuits)
		if progress != nil {
			progress(done, all)
		}
	}
	r, p, s := env.NewRand(seed), t.Prober(), env.NewState(t.variant.Game)
	legal := t.variant.Game.Spec().NewActions()
	for range samples {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := t.Random(r, s)
		if err != nil {
			return err
		}
		best := Value{Result: -1}
		legal = s.Legal(legal[:0])
		for i, a := range legal {
			v, ok := p.After(s, a)
			if !ok {
				return fmt.Errorf("position %s: action %d leads to a position that is missing: %w", env.PositionText(s), a, ErrDamaged)
			}
			if i == 0 || v.Compare(best) > 0 {
				best = v
			}
		}
		if value != best {
			return fmt.Errorf("position %s: value is %v, its actions lead to %v: %w", env.PositionText(s), value, best, ErrDamaged)
		}
	}
	return nil
}

// verifyPair checks the values of a pair against their checksum.
func (t *Table) verifyPair(ctx context.Context, p *placed) error {
	sum := sha256.New()
	const piece = 1 << 22
	for begin, end := p.values, p.values+p.size(t.circuits); begin < end; begin += piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.Copy(sum, io.NewSectionReader(t.file, begin, min(piece, end-begin))); err != nil {
			return err
		}
	}
	if !bytes.Equal(sum.Sum(nil), p.Values[:]) {
		return fmt.Errorf("positions of %d seeds against %d do not match their checksum: %w", p.Few, p.Many, ErrDamaged)
	}
	return nil
}

// Random sets s, a state of the table's game, to a uniformly random position of the table
// with South to move, and returns its value. The game may be over in that position, because
// the player to move has no legal move.
func (t *Table) Random(r *env.Rand, s env.State) (Value, error) {
	var all int64
	for i := range t.pairs {
		all += t.pairs[i].size(t.circuits)
	}
	if all == 0 {
		return Value{}, fmt.Errorf("endgame table has no positions yet")
	}
	n := int64(r.IntN(int(all)))
	i := 0
	for ; n >= t.pairs[i].size(t.circuits); i++ {
		n -= t.pairs[i].size(t.circuits)
	}
	p := &t.pairs[i]
	var value [1]byte
	if _, err := t.file.ReadAt(value[:], p.values+n); err != nil {
		return Value{}, err
	}
	mover, other := int(p.Few), int(p.Many)
	if half := int64(t.circuits.count(mover)) * int64(t.circuits.count(other)); n >= half {
		n -= half
		mover, other = other, mover
	}
	own, enemy := make([]uint8, t.circuits.houses), make([]uint8, t.circuits.houses)
	row := int64(t.circuits.count(mover))
	t.circuits.unrank(own, mover, int(n%row))
	t.circuits.unrank(enemy, other, int(n/row))
	return decode(value[0]), s.SetPosition(positionText(own, enemy))
}
