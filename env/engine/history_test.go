package engine_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func historyOf(room int, keys ...uint64) *engine.History {
	h := &engine.History{Keys: make([]uint64, 0, room)}
	for _, key := range keys {
		h.Add(key)
	}
	return h
}

// A key for each number, drawn so that many share a bit of the filter.
func TestHistoryCountsEveryOtherPosition(t *testing.T) {
	r := env.NewRand(11)
	for range 100 {
		h := historyOf(2000)
		var played []uint64
		for ply := range 2000 {
			key := uint64(r.IntN(300))<<1 | uint64(ply&1)
			if ply%3 == 0 {
				key <<= 50
			}
			h.Add(key)
			played = append(played, key)
			times := 0
			for i := ply; i >= 0; i -= 2 {
				if played[i] == key {
					times++
				}
			}
			if h.Times() != times {
				t.Fatalf("ply %d: the position has occurred %d times, want %d", ply, h.Times(), times)
			}
			if r.IntN(500) == 0 && ply&1 == 1 {
				h.Forget()
				for i := range played {
					played[i] = ^uint64(0) - uint64(i)
				}
			}
		}
	}
}

func TestAForgottenPositionIsNew(t *testing.T) {
	h := historyOf(9, 1, 2, 1)
	if h.Times() != 2 {
		t.Fatalf("occurred %d times, want 2", h.Times())
	}
	h.Forget()
	h.Add(1)
	if h.Times() != 1 || !slices.Equal(h.Keys, []uint64{1}) {
		t.Errorf("occurred %d times in %v", h.Times(), h.Keys)
	}
}

func TestAFullHistoryCountsNoMore(t *testing.T) {
	h := historyOf(2, 1, 2, 1)
	if h.Times() != 1 || len(h.Keys) != 2 {
		t.Errorf("occurred %d times in %v", h.Times(), h.Keys)
	}
	if h = historyOf(0, 1, 2, 1); h.Times() != 1 || len(h.Keys) != 0 {
		t.Errorf("without room: occurred %d times in %v", h.Times(), h.Keys)
	}
}

func TestAKeptHistoryGoesOnByItself(t *testing.T) {
	source, kept := historyOf(9, 1, 2, 1, 2), historyOf(9, 5)
	engine.Copy(kept, source, kept, source)
	source.Forget()
	source.Add(8)
	kept.Add(1)
	if kept.Times() != 3 || !slices.Equal(kept.Keys, []uint64{1, 2, 1, 2, 1}) {
		t.Errorf("occurred %d times in %v", kept.Times(), kept.Keys)
	}
}

func TestAHistoryGoesOnFromItsBytes(t *testing.T) {
	h, restored := historyOf(9, 1, 2, 1, 2), historyOf(9, 7)
	data := h.Append([]byte{42})
	if err := restored.Restore(data[1:]); err != nil {
		t.Fatal(err)
	}
	if again := restored.Append(nil); restored.Times() != 2 || !bytes.Equal(again, data[1:]) {
		t.Errorf("%v comes back as %v", data[1:], again)
	}
	if restored.Add(1); restored.Times() != 3 {
		t.Errorf("occurred %d times, want 3", restored.Times())
	}
}

func TestBytesThatAreNoHistoryChangeNothing(t *testing.T) {
	whole := historyOf(9, 1, 2, 1).Append(nil)
	for name, data := range map[string][]byte{
		"nothing":             nil,
		"a part":              whole[:len(whole)-1],
		"more":                append(slices.Clone(whole), 0),
		"a key missing":       whole[:len(whole)-8],
		"too many keys":       historyOf(9, 1, 2, 3, 4, 5, 6).Append(nil),
		"no occurrence":       append([]byte{0}, whole[1:]...),
		"too many occurrence": append([]byte{4}, whole[1:]...),
	} {
		h := historyOf(5, 7, 8, 7)
		if err := h.Restore(data); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if h.Times() != 2 || !slices.Equal(h.Keys, []uint64{7, 8, 7}) {
			t.Errorf("%s: the history has changed to %v", name, h.Keys)
		}
	}
}
