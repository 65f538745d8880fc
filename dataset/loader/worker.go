package loader

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// A worker replays games and writes rows. One goroutine at a time uses it.
type worker struct {
	options *Options
	shape   *shape
	state   env.State
	bits    env.BitObserver // the state, or nil
	mirrors []*mirror       // with the option Symmetry
	rand    env.Rand
	ply     ply
	legal   []env.Action // in the state
	actions []env.Action // of a row: legal, or its image
	target  []target
	planes  []uint8  // if the state is not a BitObserver
	packed  []uint64 // before a symmetry
	scalars []uint8

	block *block
	chunk []env.Action // the current chunk
	index int32        // of it
	used  int          // elements of it

	waiting *row // the row of the ply before, which lacks the reply, or nil
	mover   env.Player
	mirror  *mirror // of waiting, or nil
}

// A target is one action of a policy target.
type target struct {
	action env.Action
	weight float32
}

func newWorker(g env.Game, o *Options, shape *shape) *worker {
	w := &worker{
		options: o, shape: shape, state: env.NewState(g), legal: shape.spec.NewActions(), actions: shape.spec.NewActions(),
		packed: make([]uint64, shape.words), scalars: make([]uint8, shape.scalars),
	}
	w.bits, _ = w.state.(env.BitObserver)
	if w.bits == nil {
		w.planes = make([]uint8, shape.spec.ObservationSize())
	}
	if o.Symmetry {
		w.mirrors = newMirrors(g)
	}
	return w
}

// begin makes the worker write to a block.
func (w *worker) begin(b *block) { w.block, w.chunk, w.used = b, nil, 0 }

// replay writes the rows of a draw. The first replay of a game checks it.
func (w *worker) replay(d *draw) (err error) {
	at := -1
	defer func() {
		if fault := recover(); fault != nil {
			err = d.shard.fault(&dataset.Fault{Episode: d.number, Ply: at, What: "replay", Found: fmt.Sprint(fault)})
		}
	}()
	if err := w.start(d); err != nil {
		return err
	}
	verified := atomic.LoadUint32(&d.verified) == 1
	w.rand.Seed(d.seed)
	rest, row, left, need := d.plies, d.first, d.eligible, d.rows
	from := w.options.first(d.game)
	w.waiting = nil
	for at = range int(d.length) {
		if need == 0 && w.waiting == nil && verified {
			return nil
		}
		rest = w.ply.read(rest)
		chosen := false
		if at >= from && !(w.options.DropFast && w.ply.fast) {
			chosen = need == left || need > 0 && int32(w.rand.IntN(int(left))) < need
			left--
		}
		if chosen || !verified {
			w.legal = w.state.Legal(w.legal[:0])
		}
		if !verified {
			if err := w.check(d, at); err != nil {
				return err
			}
		}
		if w.waiting != nil {
			w.reply(d, at)
		}
		if chosen {
			w.row(d, row, at)
			row++
			need--
		}
		w.state.Apply(w.ply.action)
	}
	at = dataset.None
	if found := w.state.Hash(); !verified && found != d.final {
		return d.shard.fault(&dataset.Fault{Episode: d.number, Ply: at, What: "final_hash", Found: fmt.Sprint(d.final), Want: fmt.Sprint(found)})
	}
	atomic.StoreUint32(&d.verified, 1)
	return nil
}

// start sets up the first position of a draw.
func (w *worker) start(d *draw) error {
	if d.start == "" {
		w.state.Reset()
		return nil
	}
	if err := w.state.SetPosition(d.start); err != nil {
		return d.shard.fault(&dataset.Fault{Episode: d.number, Ply: dataset.None, What: "start", Found: fmt.Sprintf("%q: %v", d.start, err)})
	}
	return nil
}

// check checks that the action of the ply and the visited actions are legal.
func (w *worker) check(d *draw, at int) error {
	fault := func(what string, a env.Action) error {
		return d.shard.fault(&dataset.Fault{Episode: d.number, Ply: at, What: what, Found: fmt.Sprint(a),
			Want: fmt.Sprintf("one of the %d legal ones", len(w.legal))})
	}
	if _, legal := slices.BinarySearch(w.legal, w.ply.action); !legal {
		return fault("action", w.ply.action)
	}
	for _, v := range w.ply.visits {
		if _, legal := slices.BinarySearch(w.legal, v.Action); !legal {
			return fault("visit_actions", v.Action)
		}
	}
	return nil
}

// row writes the row of the position before ply at.
func (w *worker) row(d *draw, index int32, at int) {
	place := int(w.block.places[index])
	mover := w.state.Player()
	w.waiting, w.mover, w.mirror = &w.block.meta[place], mover, nil
	symmetry := w.rand.IntN(len(w.mirrors) + 1)
	if symmetry > 0 {
		w.mirror = w.mirrors[symmetry-1]
	}
	w.observe(place, mover)
	actions := w.legal
	w.targets(d, at)
	if w.mirror != nil {
		w.actions = append(w.actions[:0], w.legal...)
		w.mirror.actions(w.state, w.actions)
		actions = w.actions
	}
	w.room(len(actions) + 2*len(w.target) + 2*w.shape.spec.MaxLegal)
	r := w.waiting
	*r = row{
		episode: d.number, set: d.shard.source.index, ply: int32(at), chunk: w.index, at: int32(w.used),
		legal: int32(len(actions)), policy: int32(len(w.target)),
		search: float32(math.NaN()), weight: d.weight, ended: d.ended, symmetry: uint8(symmetry),
	}
	if d.ended {
		r.value = int8(d.result.For(mover))
	}
	r.score = float32(d.score)
	if mover == env.Second {
		r.score = -r.score
	}
	if w.ply.valued {
		r.search = w.ply.value
	}
	w.used += copy(w.chunk[w.used:], actions)
	for _, t := range w.target {
		i, _ := slices.BinarySearch(actions, t.action)
		w.write(env.Action(i), t.weight)
	}
}

// reply adds the policy target of this ply, under the symmetry of the waiting row, as the
// opponent's reply to it.
func (w *worker) reply(d *draw, at int) {
	if w.state.Player() != w.mover {
		w.targets(d, at)
		for _, t := range w.target {
			w.write(t.action, t.weight)
		}
		w.waiting.reply = int32(len(w.target))
	}
	w.waiting = nil
}

// observe writes the observation of a row.
func (w *worker) observe(place int, mover env.Player) {
	n, m := w.shape.words, w.shape.scalars
	toBits, toScalars := w.block.bits[place*n:][:n], w.block.scalars[place*m:][:m]
	packed, scalars := toBits, toScalars
	if w.mirror != nil {
		packed, scalars = w.packed, w.scalars
	}
	if w.bits != nil {
		w.bits.ObserveBits(packed, scalars, mover)
	} else {
		w.state.Observe(w.planes, mover)
		w.shape.spec.PackObservation(packed, scalars, w.planes)
	}
	if w.mirror != nil {
		w.mirror.observation(toBits, toScalars, packed, scalars)
	}
}

// targets sets the policy target of the ply, under the symmetry of the waiting row.
func (w *worker) targets(d *draw, at int) {
	w.target = w.target[:0]
	switch {
	case w.ply.fast || at < int(d.opening):
		return
	case len(w.ply.visits) == 0:
		w.target = append(w.target, target{w.ply.action, 1})
	default:
		total := float32(0)
		for _, v := range w.ply.visits {
			total += float32(v.Count)
		}
		for _, v := range w.ply.visits {
			w.target = append(w.target, target{v.Action, float32(v.Count) / total})
		}
	}
	if w.mirror != nil {
		for i := range w.target {
			w.target[i].action = w.mirror.Action(w.state, w.target[i].action)
		}
	}
}

// room makes the chunk one with room for n more elements.
func (w *worker) room(n int) {
	if w.used+n > len(w.chunk) {
		w.index, w.chunk = w.block.lists.take(n)
		w.used = 0
	}
}

// write appends a number and a weight to the lists of a row.
func (w *worker) write(n env.Action, weight float32) {
	w.chunk[w.used], w.chunk[w.used+1] = n, env.Action(math.Float32bits(weight))
	w.used += 2
}
