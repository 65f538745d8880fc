package search_test

import "github.com/sandtable-farm/sandtable/env"

// heap is a game in which a player may move several times in a row. A move takes one to
// three stones from a heap; a player who takes two moves again; taking the last stone
// wins. The score is the stones taken. It implements only what a search needs.
type heap struct {
	env.Notation
	stones int
	taken  [2]int
	mover  env.Player
}

const heapStones = 12

type heapGame struct{}

func (heapGame) Spec() *env.Spec {
	return &env.Spec{Game: "heap", Name: "heap/standard", Actions: 3, MaxLegal: 3}
}

func (heapGame) NewStates(n int) []env.State {
	states := make([]env.State, n)
	for i := range states {
		states[i] = &heap{stones: heapStones}
	}
	return states
}

func (h *heap) Reset()                 { *h = heap{stones: heapStones} }
func (h *heap) CopyFrom(src env.State) { *h = *src.(*heap) }
func (h *heap) Observe([]uint8, env.Player) {
}

func (h *heap) Player() env.Player {
	if h.stones == 0 {
		return env.NoPlayer
	}
	return h.mover
}

func (h *heap) Legal(dst []env.Action) []env.Action {
	for a := range env.Action(min(3, h.stones)) {
		dst = append(dst, a)
	}
	return dst
}

// Noisy implements env.Noisy: taking three stones.
func (h *heap) Noisy(dst []env.Action) []env.Action {
	if h.stones >= 3 {
		dst = append(dst, 2)
	}
	return dst
}

func (h *heap) Apply(a env.Action) {
	h.stones -= int(a) + 1
	h.taken[h.mover] += int(a) + 1
	if a != 1 && h.stones > 0 {
		h.mover ^= 1
	}
}

func (h *heap) Result() (env.Result, env.Reason) {
	if h.stones > 0 {
		return 0, env.NoReason
	}
	return env.WinFor(h.mover), env.NoMove
}

func (h *heap) Hash() uint64 {
	return env.Derive(uint64(h.stones), uint64(h.taken[0]), uint64(h.taken[1]), uint64(h.mover))
}

func (h *heap) Points(p env.Player) int { return h.taken[p] }
