package loader

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// A game is an episode in the compact form that the loader keeps in memory.
type game struct {
	number   int64
	start    string // empty for the start position of the rule set
	plies    []byte // written by a plyWriter
	final    uint64 // hash of the final position
	score    int32  // the first player's points minus the second's
	length   int32  // plies
	opening  int32  // plies of the opening
	eligible int32  // positions that the options select
	result   env.Result
	ended    bool   // it has a result
	verified uint32 // atomic: 1 after a replay that found all actions legal
}

// A ply is what the loader needs of a dataset.Step.
type ply struct {
	action env.Action
	fast   bool
	valued bool
	value  float32 // of the search, if valued
	visits []dataset.Visit
}

const (
	hasVisits = 1 << iota
	hasValue
	isFast
	plyBits = iota
)

// A plyWriter writes plies one after the other.
type plyWriter struct {
	data   []byte
	visits []dataset.Visit // reused
}

// add appends a step: its action and flags as one number, the bits of the value, the
// number of visited actions, and for each of them in ascending order the difference from
// the one before and the count.
func (w *plyWriter) add(s *dataset.Step) {
	head := uint64(s.Action) << plyBits
	visits := w.visits[:0]
	if s.Search.Has&dataset.HasVisits != 0 {
		for _, v := range s.Search.Visits {
			if v.Count > 0 {
				visits = append(visits, v)
			}
		}
	}
	if len(visits) > 0 {
		head |= hasVisits
	}
	if s.Search.Has&dataset.HasValue != 0 {
		head |= hasValue
	}
	if isShortened(s) {
		head |= isFast
	}
	dst := binary.AppendUvarint(w.data, head)
	if head&hasValue != 0 {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(s.Search.Value))
	}
	if head&hasVisits != 0 {
		slices.SortFunc(visits, func(a, b dataset.Visit) int { return int(a.Action) - int(b.Action) })
		dst = binary.AppendUvarint(dst, uint64(len(visits)))
		last := env.Action(0)
		for _, v := range visits {
			dst = binary.AppendUvarint(dst, uint64(v.Action-last))
			dst = binary.AppendUvarint(dst, uint64(v.Count))
			last = v.Action
		}
	}
	w.data, w.visits = dst, visits
}

// isShortened reports whether a playout cap shortened the search of a step.
func isShortened(s *dataset.Step) bool {
	return s.Search.Has&dataset.HasFast != 0 && s.Search.Fast
}

// read overwrites p with the next ply of data and returns the rest.
func (p *ply) read(data []byte) []byte {
	head, n := binary.Uvarint(data)
	data = data[n:]
	p.action, p.fast, p.valued = env.Action(head>>plyBits), head&isFast != 0, head&hasValue != 0
	p.visits = p.visits[:0]
	if p.valued {
		p.value = math.Float32frombits(binary.LittleEndian.Uint32(data))
		data = data[4:]
	}
	if head&hasVisits != 0 {
		count, n := binary.Uvarint(data)
		data = data[n:]
		last := env.Action(0)
		for range count {
			step, n := binary.Uvarint(data)
			visits, m := binary.Uvarint(data[n:])
			data = data[n+m:]
			last += env.Action(step)
			p.visits = append(p.visits, dataset.Visit{Action: last, Count: int32(visits)})
		}
	}
	return data
}
