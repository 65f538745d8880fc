//go:build invariants

package engine_test

import (
	"testing"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// panics returns what f panics with.
func panics(f func()) (text any) {
	defer func() { text = recover() }()
	f()
	return nil
}

func TestInvariantsPanic(t *testing.T) {
	s := &fake{legal: []env.Action{3, 5}}
	if got := panics(func() { engine.CheckLegal(s, 5) }); got != nil {
		t.Errorf("a legal action: %v", got)
	}
	if got := panics(func() { engine.CheckLegal(s, 4) }); got != "engine: action 4 is not legal in position" {
		t.Errorf("an illegal action: %v", got)
	}
	var list [8]env.Action
	p := unsafe.Pointer(&list)
	if got := panics(func() { engine.Listed(p, unsafe.Add(p, 5*engine.ActionSize), 4) }); got != "engine: 5 legal actions were written, at most 4 are possible" {
		t.Errorf("a list that is too long: %v", got)
	}
}
