package envtest

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// playthroughs is the folder of golden playthroughs beside an engine.
const playthroughs = "testdata/playthroughs"

// Engine runs the kit over every preset of an engine, compares their golden
// playthroughs in testdata/playthroughs and looks for files there that belong
// to no preset.
func Engine(t *testing.T, e variant.Engine) {
	var presets []*variant.Variant
	for _, name := range e.PresetNames() {
		v, err := variant.Load([]variant.Engine{e}, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		presets = append(presets, v)
		t.Run(name, func(t *testing.T) {
			Run(t, v)
			t.Run("playthrough", func(t *testing.T) { Playthrough(t, v, playthroughs) })
		})
	}
	t.Run("strays", func(t *testing.T) { strays(t, presets, playthroughs) })
	t.Run("foreign snapshots", func(t *testing.T) {
		if err := ForeignSnapshots(presets); err != nil {
			t.Error(err)
		}
	})
}

// Run runs every Check on a variant as a subtest. The corpus begins at the start
// position and at the given ones.
func Run(t *testing.T, v *variant.Variant, starts ...string) {
	subject, err := NewSubject(v.Game, starts...)
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if spec := v.Game.Spec(); spec.Name != v.Name {
		t.Errorf("Spec.Name is %q in variant %s", spec.Name, v.Name)
	}
	for _, check := range Checks() {
		t.Run(check.Name, func(t *testing.T) {
			if err := check.Find(subject); err != nil {
				t.Errorf("%s: %v", v.Name, err)
			}
		})
	}
}

// A Check is one demand on every game.
type Check struct {
	Name string
	find func(*Subject) error
}

// Find returns the first fault it finds, or nil. A panic of the game is a fault.
func (c Check) Find(s *Subject) error {
	return guard(func() error { return c.find(s) })
}

// Checks returns all checks in the order in which they run: later ones rely on
// what earlier ones have checked.
func Checks() []Check {
	return []Check{
		{"spec", checkSpec},
		{"legal actions", everywhere((*Subject).legalFault)},
		{"action cells", checkActionCells},
		{"results", everywhere((*Subject).resultFault)},
		{"random play ends", checkEnds},
		{"reset", checkReset},
		{"fresh states", checkFresh},
		{"copies", checkCopies},
		{"same seed, same game", checkDeterminism},
		{"action texts", checkActionTexts},
		{"damaged action texts", checkDamagedActions},
		{"position texts", checkPositions},
		{"damaged position texts", checkDamagedPositions},
		{"hash", checkHash},
		{"hash and counters", checkHashCounters},
		{"observations", checkObservations},
		{"observations decide legal actions", checkObservationsDecide},
		{"observations show quiet plies", checkQuietShows},
		{"observations show repetition", checkRepetitionShows},
		{"packed masks", checkMasks},
		{"packed observations", checkObserveBits},
		{"pieces", everywhere((*Subject).pieceFault)},
		{"piece sums", checkPieceSums},
		{"removed pieces", checkRemoval},
		{"frames", checkFrames},
		{"diagram", checkDiagram},
		{"trace", checkTrace},
		{"action factors", checkActionFactors},
		{"noisy actions", checkNoisy},
		{"counters", checkCounters},
		{"features", checkFeatures},
		{"snapshots", checkSnapshots},
		{"damaged snapshots", checkDamagedSnapshots},
		{"symmetries", checkSymmetries},
		{"sampler", checkSampler},
		{"allocations", checkAllocations},
	}
}

// guard turns a panic of f into an error.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
