package eval_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

func TestShippedWeightsFitTheirRules(t *testing.T) {
	files, err := filepath.Glob("weights/*.json")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range games.Presets() {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		data, ok := eval.Shipped(v.Digest)
		if !ok {
			continue
		}
		found++
		w, err := eval.ReadWeights(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := w.New(v.Game); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if variant, digest := w.Rules(); variant != name || digest != v.Digest {
			t.Errorf("the weights for %s name the rules %s, %s", name, variant, digest)
		}
		if !bytes.Equal(w.JSON(), data) {
			t.Errorf("the weights for %s are not as JSON writes them", name)
		}
	}
	if found != len(files) {
		t.Errorf("%d of %d files of weights are for presets; train new weights after a change of rules: %v", found, len(files), files)
	}
	for _, name := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankchess/20x20", "tankbattle/standard"} {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := eval.Shipped(v.Digest); !ok {
			t.Errorf("no weights are shipped for %s", name)
		}
	}
	if _, ok := eval.Shipped("sha256:0"); ok {
		t.Error("there are weights for an unknown digest")
	}
}
