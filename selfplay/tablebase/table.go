package tablebase

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// A Table is an open tablebase file. It is safe for concurrent use.
type Table struct {
	file     *os.File
	variant  *variant.Variant
	circuits *circuits
	pairs    []placed
	end      int64 // where the next pair goes
	digest   [sha256.Size]byte
}

// placed is a pair with the offset of its values.
type placed struct {
	pair
	values int64
}

// Open opens a table for reading. The error names the file; it wraps ErrDamaged if the
// heads are damaged. Verify checks the values.
func Open(path string) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := newTable(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return t, nil
}

// newTable reads the heads of a file, of which the table takes ownership.
func newTable(file *os.File) (*Table, error) {
	v, offset, err := readFileHead(file)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	most := seedsOf(v.Game)
	t := &Table{file: file, variant: v, circuits: newCircuits(2*v.Game.Spec().Width, most), end: offset}
	sum := sha256.New()
	sum.Write(fileHead(v))
	for few, many := 1, 1; many <= most; few, many = following(few, many) {
		p, ok, err := readPair(file, t.end)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if int(p.Few) != few || int(p.Many) != many {
			return nil, fmt.Errorf("has positions of %d seeds against %d in place of %d against %d: %w", p.Few, p.Many, few, many, ErrDamaged)
		}
		values := t.end + headSize
		if info.Size() < values+p.size(t.circuits) {
			return nil, fmt.Errorf("file ends within the positions of %d seeds against %d: %w", few, many, ErrDamaged)
		}
		t.add(p)
		sum.Write(p.append(nil))
	}
	sum.Sum(t.digest[:0])
	return t, nil
}

// add adds the pair at the end of the file.
func (t *Table) add(p pair) {
	values := t.end + headSize
	t.pairs = append(t.pairs, placed{p, values})
	t.end = aligned(values + p.size(t.circuits))
}

// Close closes the file.
func (t *Table) Close() error { return t.file.Close() }

// Variant returns the rule set.
func (t *Table) Variant() *variant.Variant { return t.variant }

// Digest returns "sha256:…" of the heads, which contain the rule set and the checksums of
// all values.
func (t *Table) Digest() string { return "sha256:" + hex.EncodeToString(t.digest[:]) }

// A Pair describes the positions in which one player has Few seeds and the other Many,
// Few ≤ Many. If the numbers are equal, ManyToMove is empty.
type Pair struct {
	Few, Many             int
	FewToMove, ManyToMove Count
}

// Pairs returns the pairs of the table in the order in which they were solved.
func (t *Table) Pairs() []Pair {
	pairs := make([]Pair, len(t.pairs))
	for i := range t.pairs {
		p := &t.pairs[i]
		pairs[i] = Pair{int(p.Few), int(p.Many), p.Sides[0], p.Sides[1]}
	}
	return pairs
}

// Seeds returns the greatest n for which the table contains all positions with at most n
// seeds per player.
func (t *Table) Seeds() int {
	n := 0
	for n < t.circuits.most() && t.has(n+1, n+1) {
		n++
	}
	return n
}

// pairIndex returns the index of a pair in the order of solution.
func pairIndex(few, many int) int { return (many-1)*many/2 + few - 1 }

// has reports whether the table contains the positions in which a player with own seeds
// is to move against an enemy with enemy seeds.
func (t *Table) has(own, enemy int) bool {
	return own > 0 && enemy > 0 && pairIndex(min(own, enemy), max(own, enemy)) < len(t.pairs)
}

// row returns the offset of the values of these positions for one layout of the enemy.
func (t *Table) row(own, enemy, circuit int) int64 {
	offset := t.pairs[pairIndex(min(own, enemy), max(own, enemy))].values + int64(circuit)*int64(t.circuits.count(own))
	if own > enemy {
		offset += int64(t.circuits.count(own)) * int64(t.circuits.count(enemy))
	}
	return offset
}
