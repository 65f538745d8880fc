package engine

import (
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// Slack is how many actions an engine may write beyond the end of its list of
// legal actions: lists that env.Spec.NewActions makes have room for MaxLegal
// actions and Slack more.
const Slack = 16

// ActionSize is the size of an action in bytes.
const ActionSize = unsafe.Sizeof(env.Action(0))

// Room returns dst with room for n actions and Slack more, and the address of the first
// of them.
func Room(dst []env.Action, n int) ([]env.Action, unsafe.Pointer) {
	n += Slack
	begin := len(dst)
	if cap(dst)-begin < n {
		dst = append(dst, make([]env.Action, n)...)[:begin]
	}
	return dst, unsafe.Pointer(&dst[:begin+1][begin])
}

// Listed returns how many actions lie between two addresses. Under the build tag
// invariants it panics if there are more than most.
func Listed(start, end unsafe.Pointer, most int) int {
	n := int((uintptr(end) - uintptr(start)) / ActionSize)
	if Invariants {
		checkListed(n, most)
	}
	return n
}
