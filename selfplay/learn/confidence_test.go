package learn_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// confidence fits the confidence in the scores of a data set again, with or without the
// games that are truncated or held out.
func confidence(t *testing.T, dir string, truncated, heldOut bool) float64 {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := stats.NewRows(1)
	add := func(score, target, weight float64) {
		if err := rows.Append([]stats.Term{{Value: float32(score / eval.Scale)}}, target, weight); err != nil {
			t.Fatal(err)
		}
	}
	add(eval.Scale, 1/(1+math.Exp(-1)), 10) // a confidence of 1 with the weight of ten games
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if ep.Truncated && !truncated || ep.Number%10 == 9 && !heldOut {
			continue
		}
		for _, step := range ep.Steps[ep.OpeningPlies:] {
			if score := float64(step.Search.Score); math.Abs(score) < 20_000 { // no forced win
				add(score, float64(ep.Result.For(step.Player)+1)/2, 1/float64(ep.Plies()))
			}
		}
	}
	fit, err := stats.Logistic{Penalty: []float64{0}}.Fit(rows)
	if err != nil {
		t.Fatal(err)
	}
	return fit.Coefficients[0]
}

func TestTheConfidenceLeavesHeldOutAndTruncatedGamesOut(t *testing.T) {
	r := run(t)
	plan := r.Plan.Config()
	plan.MaxPlies = 60 // truncates some games
	r.Plan = selfplaytest.Must(t, plan)
	r.Stop.Iterations, r.Recipe.Gate.Pairs = 1, 2
	fit := train(t, r).Iterations[0].Fit
	data := filepath.Join(r.Dir, "iterations", "0001", "data")
	if want := confidence(t, data, false, false); fit.Truncated < 5 || fit.Truncated > 100 || math.Abs(fit.Confidence-want) > 1e-9 {
		t.Errorf("%d games are truncated, the confidence is %v, must be %v", fit.Truncated, fit.Confidence, want)
	}
	for _, with := range [][2]bool{{true, false}, {false, true}} {
		if other := confidence(t, data, with[0], with[1]); math.Abs(fit.Confidence-other) < 1e-6 {
			t.Errorf("with truncated games %v and held-out games %v it is %v, too, so this test tests nothing", with[0], with[1], other)
		}
	}
}
