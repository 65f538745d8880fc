package tankchess_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

// mirrored is a layout with a middle file, which a single Command Tank needs to
// be its own image. Guns of all sorts, and facings that the mirror changes.
const mirrored = `{"layout":{"size":11,"white":{"CLT":["f1"],"LT":["b2NE","j2NW"],"MT":["d1","h1"],"HT":["f2"],"TD":["c2W","i2E"],"HM":["a1","k1"]},` +
	`"obstacles":["a5","k5","d6","h6","f4","f8"],"water":["b6","j6"],"low":["c4","i4","e7","g7"],"hedges":["e5","g5","b8","j8"]}%s}`

func patched(more string) string {
	return "tankchess/20x20" + mirrored[:len(mirrored)-len("%s}")] + more + "}"
}

func TestReflectionMapsGamesToGames(t *testing.T) {
	checked := 0
	for _, more := range []string{
		``,
		`,"reverse":"mixed","escape":"last_rank","corner_exit":"barred"`,
		`,"pieces":{"LT":{"gun":{"arcs":[-3,-1,0,1,3,4]}},"HM":{"gun":{"arcs":[-2,2],"least":1,"greatest":6,"indirect":true}},"MT":{"speed":7}}`,
	} {
		v := load(t, patched(more))
		if n := len(v.Game.(env.Symmetric).Symmetries()); n != 1 {
			t.Fatalf("%s has %d symmetries, want 1", v.Name, n)
		}
		subject, err := envtest.NewSubject(v.Game)
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range envtest.Checks() {
			if check.Name != "symmetries" {
				continue
			}
			if err := check.Find(subject); err != nil {
				t.Errorf("%s: %v", v.Name, err)
			}
			checked++
		}
	}
	if checked != 3 {
		t.Errorf("the kit checked %d symmetries, want 3", checked)
	}
}

func TestNoReflectionWhereSomethingIsOneSided(t *testing.T) {
	for name, variant := range map[string]string{
		"armies":        "tankchess/16x16",
		"an obstacle":   patched(`,"escape":"never"`)[:len("tankchess/20x20")] + `{"layout":{"size":11,"white":{"CLT":["f1"],"LT":null,"MT":null,"HT":null,"TD":null,"HM":null},"obstacles":["a5"]}}`,
		"a gun":         patched(`,"pieces":{"HT":{"gun":{"arcs":[-1,0]}}}`),
		"a facing":      "tankchess/20x20" + `{"layout":{"size":11,"white":{"CLT":["f1NE"],"LT":null,"MT":null,"HT":null,"TD":null,"HM":null},"obstacles":[]}}`,
		"types":         "tankchess/20x20" + `{"layout":{"size":11,"white":{"CLT":["f1"],"LT":["a1"],"MT":["k1"],"HT":null,"TD":null,"HM":null},"obstacles":[]}}`,
		"only one army": "tankchess/20x20" + `{"layout":{"size":11,"white":{"CLT":["f1"],"LT":["a1","k1"],"MT":null,"HT":null,"TD":null,"HM":null},"black":{"CLT":["f11"],"LT":["f9"]},"obstacles":[]}}`,
	} {
		if s := load(t, variant).Game.(env.Symmetric).Symmetries(); s != nil {
			t.Errorf("%s: %d symmetries, want none", name, len(s))
		}
	}
}

// TestTheSameNumberMeansDifferentMovesInDifferentFacings shows why the image of
// an action depends on the position.
func TestTheSameNumberMeansDifferentMovesInDifferentFacings(t *testing.T) {
	g := load(t, patched("")).Game
	sym := g.(env.Symmetric).Symmetries()[0]
	straight, diagonal := setUp(t, patched(""), "CLT@f1N,LT@e2N CLT@f11S w 0 0"), setUp(t, patched(""), "CLT@f1N,LT@e2NE CLT@f11S w 0 0")
	differ := 0
	for template := range 131 {
		a := env.Action((131 + template) * 4)
		if sym.Action(straight, a) != sym.Action(diagonal, a) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("every template has the same image for the facings N and NE")
	}
}
