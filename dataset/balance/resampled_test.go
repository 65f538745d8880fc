package balance_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/balance"
)

const (
	bootstrapped = "bootstrap, percentile, clusters"
	byFormula    = "fieller, cluster-robust"
)

func TestValuesAreBootstrappedByCluster(t *testing.T) {
	settings, list := synthetic(t, 1200, 3, false)
	of := func(goroutines, replicates int) *balance.Report {
		return analyze(t, balance.Options{Goroutines: goroutines, Replicates: replicates}, source(settings, list))
	}
	r, formula := of(2, 400), of(2, -1)
	if !bytes.Equal(encoded(t, r), encoded(t, of(1, 400))) {
		t.Error("one goroutine tells otherwise than two")
	}
	for i, v := range r.Values.Phases[0].Types {
		f := formula.Values.Phases[0].Types[i]
		if f.Value.Method != byFormula && f.Type != r.Values.Unit || f.Score.Method != "proportional odds, cluster-robust" {
			t.Errorf("%s: without a bootstrap the methods are %q and %q", v.Type, f.Value.Method, f.Score.Method)
		}
		if v.Score.Method != bootstrapped || v.Score.N != f.Score.N || math.Abs(v.Score.Estimate-f.Score.Estimate) > 1e-9 {
			t.Errorf("%s: the score is %+v, by formula %+v", v.Type, v.Score, f.Score)
		}
		if w, wf := v.Score.High-v.Score.Low, f.Score.High-f.Score.Low; math.Abs(w/wf-1) > .25 {
			t.Errorf("%s: the score is %+v, by formula %+v", v.Type, v.Score, f.Score)
		}
		if v.Type == r.Values.Unit {
			if *v.Value != *f.Value || v.Value.Low != 1 || v.Value.High != 1 {
				t.Errorf("the unit is worth %+v", v.Value)
			}
			continue
		}
		if v.Value.Method != bootstrapped || math.Abs(v.Value.Estimate-f.Value.Estimate) > 1e-9 {
			t.Errorf("%s: the value is %+v, by formula %+v", v.Type, v.Value, f.Value)
		}
		if w, wf := v.Value.High-v.Value.Low, f.Value.High-f.Value.Low; math.Abs(w/wf-1) > .25 {
			t.Errorf("%s: the value is %+v, by formula %+v", v.Type, v.Value, f.Value)
		}
	}
}

// With few clusters the bootstrap is too narrow, and a unit near nothing leaves
// ratios to Fieller's method, which knows when they have no bounds.
func TestValuesOfTooLittleForTheBootstrapAreByFormula(t *testing.T) {
	settings, list := synthetic(t, 260, 3, false)
	o := balance.Options{Replicates: 50}
	for _, v := range analyze(t, o, source(settings, list[:150])).Values.Phases[0].Types {
		if v.Score != nil && v.Score.Method == bootstrapped || v.Value != nil && v.Value.Method == bootstrapped {
			t.Errorf("%s: of 150 games the value is %+v, the score %+v", v.Type, v.Value, v.Score)
		}
	}
	for _, v := range analyze(t, o, source(settings, list)).Values.Phases[0].Types {
		if v.Score == nil || v.Score.Method != bootstrapped || v.Value == nil || v.Value.Method == bootstrapped {
			t.Errorf("%s: where the unit is near nothing the value is %+v, the score %+v", v.Type, v.Value, v.Score)
		}
	}
}
