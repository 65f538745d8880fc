//go:build invariants

package engine

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Invariants reports whether the build checks what engines otherwise rely on.
const Invariants = true

// CheckLegal panics when a is not legal in s.
func CheckLegal(s env.State, a env.Action) {
	if !slices.Contains(s.Legal(nil), a) {
		panic(fmt.Sprintf("engine: action %d is not legal in %s", a, env.PositionText(s)))
	}
}

func checkListed(n, most int) {
	if n < 0 || n > most {
		panic(fmt.Sprintf("engine: %d legal actions were written, at most %d are possible", n, most))
	}
}
