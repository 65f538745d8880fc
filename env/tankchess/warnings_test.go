package tankchess_test

import (
	"strings"
	"testing"
)

func TestWarningsNameWhatMayNotBeMeant(t *testing.T) {
	const alone = `"white":{"CLT":["h1"],"LT":null,"MT":null,"HT":null}`
	walled := `{"layout":{"white":{"CLT":["a1"],"LT":["c1"],"MT":null,"HT":null},"obstacles":["a2","b1","b2"]}}`
	moat := `{"layout":{"white":{"CLT":["a1"],"LT":["c1"],"MT":null,"HT":null},"obstacles":[],"water":["a2","b1","b2"]}%s}`
	corner := `{"layout":{"size":8,"white":{"CLT":["a7"],"LT":null,"MT":null,"HT":null},"obstacles":["b8","b7","b6","a6"]}}`
	for _, c := range []struct{ variant, want string }{
		{`tankchess/16x16{"layout":{"obstacles":["c9"]}}`,
			"layout is not the same for both sides: c9 has obstacles and n8 has none"},
		{`tankchess/16x16{"layout":{` + alone + `,"obstacles":[],"black":{"CLT":["h16"]}}}`,
			"layout is not the same for both sides: White has CLT on h1, but Black has none on i16 facing S"},
		{`tankchess/16x16{"layout":{"white":{"CLT":["a1"],"LT":["h5"],"MT":null,"HT":null},"obstacles":[]}}`,
			"layout lets White destroy a piece at once, if it moved first, by"},
		{`tankchess/16x16{"layout":{"white":{"CLT":["a1"],"LT":["h5"],"MT":null,"HT":null},"obstacles":[]}}`,
			"layout lets Black destroy a piece at once, if it moved first, by"},
		{`tankchess/16x16{"layout":{"white":{"CLT":["a14"],"LT":null,"MT":null,"HT":null},"obstacles":[]}}`,
			"layout lets White escape at once, if it moved first"},
		{"tankchess/16x16" + walled, "layout gives White's Command Tank on a1 no way past the terrain to an escape"},
		{"tankchess/16x16" + strings.Replace(moat, "%s", "", 1), "layout gives White's Command Tank on a1 no way past the terrain to an escape"},
		{`tankchess/16x16/zh` + corner, "layout gives White's Command Tank on a7 no way past the terrain to an escape"},
		{`tankchess/16x16{"repetition":0,"no_progress":0}`, " repetition and no_progress are both 0"},
		{`tankchess/16x16/no-escape{"pieces":{"CLT":{"armour":{"front":9,"side":9,"rear":3}}}}`,
			"layout gives Black no piece that can destroy the enemy's Command Tank, and escape is never"},
		{`tankchess/20x20{"layout":{"white":{"HM":null}}}`, "pieces.HM is in no army"},
	} {
		var got []string
		for _, w := range load(t, c.variant).Warnings() {
			got = append(got, w.Field+" "+w.Text)
		}
		if !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%s warns of %q, want %q", c.variant, got, c.want)
		}
	}
	if w := load(t, `tankchess/16x16/no-escape{"pieces":{"CLT":{"armour":{"front":9,"side":9,"rear":2}}}}`).Warnings(); len(w) > 0 {
		t.Errorf("a Command Tank that Heavy Tanks can destroy is warned of: %v", w)
	}
	for _, variant := range []string{
		"tankchess/16x16/no-escape" + walled,
		"tankchess/16x16" + strings.Replace(moat, "%s", `,"pieces":{"CLT":{"amphibious":true}}`, 1),
		"tankchess/16x16" + strings.Replace(corner, `"a7"`, `"a5"`, 1),
	} {
		for _, w := range load(t, variant).Warnings() {
			if strings.Contains(w.Text, "no way") {
				t.Errorf("%s warns that the layout %s", variant, w.Text)
			}
		}
	}
}

// TestAWayOutThroughACornerCounts has only the corner square open to White's
// Command Tank.
func TestAWayOutThroughACornerCounts(t *testing.T) {
	const corner = `{"layout":{"size":8,"white":{"CLT":["a7"],"LT":null,"MT":null,"HT":null},"obstacles":["b8","b7","b6","a6"]}}`
	for variant, want := range map[string]bool{"tankchess/16x16": false, `tankchess/16x16{"corner_exit":"barred"}`: true} {
		if i := strings.Index(variant, "{"); i > 0 {
			variant = variant[:i] + strings.TrimSuffix(variant[i:], "}") + "," + corner[1:]
		} else {
			variant += corner
		}
		warned := false
		for _, w := range load(t, variant).Warnings() {
			warned = warned || strings.HasPrefix(w.Text, "gives White's Command Tank on a7 no way")
		}
		if warned != want {
			t.Errorf("%s: warned %t, want %t", variant, warned, want)
		}
	}
}
