package tablebase

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// A Prober looks positions up without allocating. It belongs to one goroutine.
type Prober struct {
	table  *Table
	reader *reader
	next   env.State
	value  [1]byte
}

// Prober returns a new prober of the table.
func (t *Table) Prober() *Prober {
	return &Prober{table: t, reader: newReader(t.variant.Game), next: env.NewState(t.variant.Game)}
}

// Probe returns the value of a running position of the table's game, ignoring its
// counters. ok is false if the table does not contain the position or its file cannot be
// read.
func (p *Prober) Probe(s env.State) (v Value, ok bool) {
	mover := s.Player()
	if mover == env.NoPlayer {
		return v, false
	}
	seeds, c := p.reader.read(s), p.table.circuits
	own, enemy := seeds[mover], seeds[mover.Opponent()]
	n, m := total(own), total(enemy)
	if !p.table.has(n, m) {
		return v, false
	}
	offset := p.table.row(n, m, c.rank(enemy, m)) + int64(c.rank(own, n))
	if _, err := p.table.file.ReadAt(p.value[:], offset); err != nil {
		return v, false
	}
	return decode(p.value[0]), true
}

// After returns the value of a legal action of a running position to its mover: the value
// of the position to which it leads, one ply later. If a counter ends the game, that is a
// draw.
func (p *Prober) After(s env.State, a env.Action) (v Value, ok bool) {
	p.next.CopyFrom(s)
	p.next.Apply(a)
	if result, reason := p.next.Result(); reason != env.NoReason {
		if v.Result = result.For(s.Player()); v.Result != 0 {
			v.Plies = 1
		}
		return v, true
	}
	v, ok = p.Probe(p.next)
	return v.before(), ok
}

// SearchProber returns a new prober of the table for a search.
func (t *Table) SearchProber() search.Prober { return scores{t.Prober()} }

// scores gives a search the scores of positions.
type scores struct{ prober *Prober }

// Probe implements search.Prober. A win is not known if the counters of the rules may
// leave it too few plies.
func (p scores) Probe(s env.State) (score int, ok bool) {
	v, ok := p.prober.Probe(s)
	if !ok || v.Result == 0 {
		return 0, ok
	}
	if left, _ := s.(env.Counter).Counters(); v.Plies >= left {
		return 0, false
	}
	return v.Result * (search.Win - v.Plies), true
}
