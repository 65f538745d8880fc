package render_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/render/raster"
)

// pixels returns a line with the size and the digest of an image.
func pixels(t *testing.T, name string, s env.State, o render.Options) string {
	t.Helper()
	m, err := raster.Image(s, o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return fmt.Sprintf("%s %dx%d %x\n", name, m.Rect.Dx(), m.Rect.Dy(), sha256.Sum256(m.Pix))
}

func TestPixelsAreAsTheyWere(t *testing.T) {
	var lines []string
	for name, p := range pictures() {
		lines = append(lines, pixels(t, name, p.state, p.options))
	}
	lines = append(lines,
		pixels(t, "tanks", battle(t), render.Options{Last: shot(t)}),
		pixels(t, "tanks-wide", battle(t), render.Options{Last: shot(t), Width: 1200, View: env.Second}))
	for _, engine := range games.Engines() {
		for _, name := range engine.PresetNames() {
			v, err := games.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, pixels(t, name, env.NewState(v.Game), render.Options{Width: 240}))
		}
	}
	slices.Sort(lines)
	envtest.Golden(t, filepath.Join("testdata", "pixels.txt"), []byte(strings.Join(lines, "")))
}
