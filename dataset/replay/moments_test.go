package replay_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

func TestMomentsAreThePositionsWithWhatLedToThem(t *testing.T) {
	r := play(t, "trench/standard", "greedy", "greedy", 2000)
	one, err := replay.New(&r.settings)
	if err != nil {
		t.Fatal(err)
	}
	other, err := replay.New(&r.settings)
	if err != nil {
		t.Fatal(err)
	}
	ep := r.episodes[3]
	var hashes []uint64
	for s, err := range one.Positions(ep) {
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, s.Hash())
	}
	ply := 0
	for m, err := range other.Moments(ep) {
		if err != nil {
			t.Fatal(err)
		}
		last := ply == len(ep.Steps)
		if m.State.Hash() != hashes[ply] || last != (len(m.Legal) == 0) || !last && int(ep.Steps[ply].LegalCount) != len(m.Legal) {
			t.Fatalf("ply %d has another position or %d legal actions", ply, len(m.Legal))
		}
		moved := slices.ContainsFunc(m.Events, func(e env.Event) bool { return e.Kind == env.Moved && e.Player == ep.Steps[ply-1].Player })
		if moved != (ply > 0) {
			t.Fatalf("ply %d has the events %+v", ply, m.Events)
		}
		ply++
	}
	if ply != len(hashes) {
		t.Errorf("%d moments, %d positions", ply, len(hashes))
	}
	ep.Steps[2].Action = -1
	var fault *dataset.Fault
	for m, err := range other.Moments(ep) {
		if err != nil && (m != nil || !errors.As(err, &fault) || fault.Ply != 2) {
			t.Errorf("the error is %v", err)
		}
	}
	if fault == nil {
		t.Error("an illegal action is passed over")
	}
}
