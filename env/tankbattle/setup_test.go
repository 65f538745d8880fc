package tankbattle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func load(t testing.TB, text string) *variant.Variant {
	t.Helper()
	return envtest.Load(t, tankbattle.Engine(), text)
}

// position returns a state of a variant in the position of a text.
func position(t testing.TB, variant, text string) env.State {
	t.Helper()
	return envtest.At(t, load(t, variant).Game, text)
}

// moves returns the texts of the legal moves from a square, of all when it is "",
// sorted.
func moves(s env.State, square string) []string {
	return slices.DeleteFunc(envtest.MoveTexts(s), func(text string) bool {
		return square != "" && text[:strings.IndexAny(text, "-x")] != square
	})
}

func wantMoves(t *testing.T, s env.State, square, want string) {
	t.Helper()
	sorted := strings.Fields(want)
	slices.Sort(sorted)
	if got := moves(s, square); !slices.Equal(got, sorted) {
		t.Errorf("%s: moves from %s are %q, want %q", env.PositionText(s), square, got, sorted)
	}
}
