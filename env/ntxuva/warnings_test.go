package ntxuva_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ntxuva/basic", "these first moves capture: 4x4, 5x4, 6x4, 7x4, 8x4, 9x4"},
		{`ntxuva/basic{"seeds":4}`, "seeds is 4: some relays are so long"},
		{`ntxuva/basic{"repetition":0,"no_progress":0}`, "neither player captures never ends"},
		{`ntxuva/basic{"no_progress":1}`, "these first moves end the game at once: 0 (no_progress), 1 (no_progress)"},
	} {
		v, err := variant.Load([]variant.Engine{ntxuva.Engine()}, c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, w := range v.Warnings() {
			lines = append(lines, strings.TrimSpace(w.Field+" "+w.Text))
		}
		if got := strings.Join(lines, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: warned of %q, want %q", c.text, got, c.want)
		}
	}
}
