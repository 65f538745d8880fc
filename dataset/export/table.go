package export

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// A table holds rows by column.
type table struct {
	rows    int
	columns []*values

	episode, ply, player, hash           *values
	obsBits, obsScalars, obsPlanes       *values // nil if left out, as are the next two
	legalMask, legalList                 *values
	action, result, decided              *values
	opening, fast, value, actions, count *values

	spec    *env.Spec
	bits    []uint64 // of one observation
	scalars []uint8
	planes  []uint8
	mask    []uint64
}

// newTable returns a table with room for some rows.
func newTable(spec *env.Spec, o *Options, rows int) *table {
	t := &table{
		spec: spec,
		bits: make([]uint64, spec.ObservationBitWords()), scalars: make([]uint8, spec.ObservationScalars()),
		planes: make([]uint8, spec.ObservationSize()), mask: make([]uint64, spec.MaskWords()),
	}
	byName := map[string]*values{}
	for _, c := range Columns(spec, o) {
		v := &values{Column: c}
		if !c.List {
			v.data = make([]byte, 0, rows*c.rowBytes())
		}
		t.columns = append(t.columns, v)
		byName[c.Name] = v
	}
	t.episode, t.ply, t.player, t.hash = byName[episodeColumn], byName[plyColumn], byName[playerColumn], byName[hashColumn]
	t.obsBits, t.obsScalars, t.obsPlanes = byName[bitsColumn], byName[scalarsColumn], byName[planesColumn]
	t.legalMask, t.legalList = byName[maskColumn], byName[legalColumn]
	t.action, t.result, t.decided = byName[actionColumn], byName[resultColumn], byName[decidedColumn]
	t.opening, t.fast, t.value = byName[openingColumn], byName[fastColumn], byName[valueColumn]
	t.actions, t.count = byName[visitActionsColumn], byName[visitCountsColumn]
	t.reset()
	return t
}

func (t *table) reset() {
	t.rows = 0
	for _, c := range t.columns {
		c.reset()
	}
}

// add replays an episode and appends its rows. A fault of the episode is a *dataset.Fault.
func (t *table) add(r *replay.Replayer, ep *dataset.Episode) error {
	ply := 0
	for s, err := range r.Positions(ep) {
		if err != nil {
			return err
		}
		if ply == len(ep.Steps) {
			if found := s.Hash(); found != ep.FinalHash {
				return &dataset.Fault{Episode: ep.Number, Ply: dataset.None, What: "final_hash", Found: fmt.Sprint(ep.FinalHash), Want: fmt.Sprint(found)}
			}
			break
		}
		step := &ep.Steps[ply]
		if mover := s.Player(); step.Player != mover {
			return &dataset.Fault{Episode: ep.Number, Ply: ply, What: "player", Found: fmt.Sprint(step.Player), Want: fmt.Sprint(mover)}
		}
		t.observe(s)
		t.legal(r.Legal())
		t.facts(ep, ply, step)
		ply++
	}
	t.rows += len(ep.Steps)
	return nil
}

// observe appends the observation of a position.
func (t *table) observe(s env.State) {
	if t.obsPlanes != nil {
		s.Observe(t.planes, s.Player())
		t.obsPlanes.data = append(t.obsPlanes.data, t.planes...)
	}
	if t.obsBits == nil {
		return
	}
	if o, ok := s.(env.BitObserver); ok {
		o.ObserveBits(t.bits, t.scalars, s.Player())
	} else {
		s.Observe(t.planes, s.Player())
		t.spec.PackObservation(t.bits, t.scalars, t.planes)
	}
	t.obsBits.words(t.bits)
	t.obsScalars.data = append(t.obsScalars.data, t.scalars...)
}

// legal appends the legal actions of a position.
func (t *table) legal(actions []env.Action) {
	if t.legalMask != nil {
		env.PackActions(t.mask, actions)
		t.legalMask.words(t.mask)
	}
	if t.legalList != nil {
		for _, a := range actions {
			t.legalList.number4(int32(a))
		}
		t.legalList.endList()
	}
}

// facts appends what the data set records about a ply.
func (t *table) facts(ep *dataset.Episode, ply int, step *dataset.Step) {
	t.episode.number8(uint64(ep.Number))
	t.ply.number4(int32(ply))
	t.player.byte1(uint8(step.Player))
	t.hash.number8(step.Hash)
	t.action.number4(int32(step.Action))
	t.result.byte1(uint8(ep.Result.For(step.Player)))
	t.decided.byte1(truth(ep.Terminated))
	t.opening.byte1(truth(step.Source == dataset.FromOpening))
	t.fast.byte1(truth(step.Search.Has&dataset.HasFast != 0 && step.Search.Fast))
	value := math.Float32bits(float32(math.NaN()))
	if step.Search.Has&dataset.HasValue != 0 {
		value = math.Float32bits(step.Search.Value)
	}
	t.value.number4(int32(value))
	for _, v := range step.Search.Visits {
		t.actions.number4(int32(v.Action))
		t.count.number4(v.Count)
	}
	t.actions.endList()
	t.count.endList()
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
