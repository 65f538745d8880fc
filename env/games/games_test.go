package games_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env/games"
)

var rewrite = flag.Bool("rewrite", false, "write the generated pages")

func TestEveryPresetLoadsUnderItsOwnName(t *testing.T) {
	names := games.Presets()
	digests := map[string]string{}
	for _, name := range names {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if v.Name != name || v.Game.Spec().Name != name {
			t.Errorf("%s is called %s, in its spec %s", name, v.Name, v.Game.Spec().Name)
		}
		if v.Game.Spec().Description == "" || v.Game.Spec().Source == "" {
			t.Errorf("%s lacks a description or a source", name)
		}
		digests[v.Digest] += " " + name
	}
	for _, engine := range games.Engines() {
		if engine.PresetNames()[0] != engine.Name+"/"+engine.Default {
			t.Errorf("the default of %s is not its first preset", engine.Name)
		}
	}
	if len(digests) < len(names)-1 { // ntxuva/mpale is ntxuva/8 under its own name
		t.Errorf("presets share digests: %v", digests)
	}
}

// Digests decide which data belong together; a change needs a new behaviour
// version or a new preset.
// The id of a run contains the complete rule set of its variant, texts included: a preset
// whose description changes makes runs that cannot resume the data sets of before.
func TestRuleSetsOfPresetsArePinned(t *testing.T) {
	golden(t, "testdata/rules.txt", func() string {
		text := ""
		for _, name := range games.Presets() {
			v, err := games.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s %x\n", name, sha256.Sum256(v.Rules))
		}
		return text
	}())
}

func TestDigestsArePinned(t *testing.T) {
	golden(t, "testdata/digests.txt", func() string {
		text := ""
		for _, name := range games.Presets() {
			v, err := games.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			text += name + " " + v.Digest + "\n"
		}
		return text
	}())
}

func TestPagesAreUpToDate(t *testing.T) {
	for _, engine := range games.Engines() {
		page, err := games.Page(engine)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("..", engine.Name, "README.md"), page)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date: go test ./env/games -rewrite", name)
	}
}

func TestEveryParameterSaysWhatItMeansAndMayHold(t *testing.T) {
	for _, engine := range games.Engines() {
		parameters, err := engine.Parameters()
		if err != nil {
			t.Fatal(err)
		}
		if len(parameters) == 0 {
			t.Errorf("%s has no parameters", engine.Name)
		}
		for _, p := range parameters {
			if p.Meaning == "" {
				t.Errorf("%s: %s has no tag help", engine.Name, p.Field)
			}
			if p.Values == "a whole number" {
				t.Errorf("%s: Validate checks no range of %s", engine.Name, p.Field)
			}
		}
	}
}

func TestHistoryLeadsToTheBehaviourVersion(t *testing.T) {
	for _, engine := range games.Engines() {
		for i, change := range engine.History {
			if _, err := time.Parse(time.DateOnly, change.Date); err != nil || change.Version != i+1 || change.What == "" {
				t.Errorf("%s: change %d of the history is %+v", engine.Name, i, change)
			}
		}
		if len(engine.History) != engine.Version {
			t.Errorf("%s is at behaviour version %d, its history at %d", engine.Name, engine.Version, len(engine.History))
		}
	}
}

func TestPagesCarryEverySection(t *testing.T) {
	for _, engine := range games.Engines() {
		page, err := games.Page(engine)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range []string{"How to play", "Specs of " + engine.Name + "/" + engine.Default, "Pieces", "Actions", "Observation planes",
			"Ends", "Presets", "Parameters", "Versions"} {
			if !strings.Contains(page, "\n## "+section+"\n\n") {
				t.Errorf("the page of %s lacks the section %s", engine.Name, section)
			}
		}
		if limit := 40_000; len(page) > limit {
			t.Errorf("the page of %s has %d bytes, more than %d that one reads", engine.Name, len(page), limit)
		}
	}
}
