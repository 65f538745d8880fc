package learn_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// written returns the files of a run by name: the contents of JSON files and the content
// digests of data sets.
func written(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case entry.Name() == dataset.ManifestName:
			report, err := replay.Verify(t.Context(), filepath.Dir(path), 1, nil)
			if err != nil {
				return err
			}
			files[name] = report.ContentDigest
		case filepath.Ext(name) == ".json":
			data, err := os.ReadFile(path)
			files[name] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t testing.TB, got, want map[string]string) {
	t.Helper()
	if names, wanted := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(names, wanted) {
		t.Errorf("files are %v, want %v", names, wanted)
	}
	for name, content := range want {
		if got[name] != content {
			t.Errorf("%s is\n%s\nwant\n%s", name, got[name], content)
		}
	}
}

// cutShort trains and interrupts a stage of the second iteration.
func cutShort(t *testing.T, r learn.Run, at learn.Stage) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	r.Watch = func(iteration int, stage learn.Stage, games int64) func(games, plies int64) {
		return func(done, _ int64) {
			if iteration == 2 && stage == at && done == 3 {
				cancel(interrupted)
			}
		}
	}
	if _, err := learn.Train(ctx, r); !errors.Is(err, interrupted) {
		t.Fatalf("interrupted while %s, the error is %v", at, err)
	}
}

func TestAnInterruptedRunResumesToTheSameRun(t *testing.T) {
	short := func() learn.Run {
		r := run(t)
		r.Recipe.Episodes, r.Recipe.Gate.Pairs = 40, 20
		return r
	}
	straight := short()
	whole := train(t, straight)
	want := written(t, straight.Dir)
	for _, stage := range []learn.Stage{learn.Playing, learn.Learning, learn.Gating} {
		r := short()
		r.Workers = 1
		cutShort(t, r, stage)
		r.Workers = 3
		outcome := train(t, r)
		same(t, written(t, r.Dir), want)
		if outcome.Best != whole.Best || !reflect.DeepEqual(outcome.Curve, whole.Curve) {
			t.Errorf("interrupted while %s, the outcome is %+v, want %+v", stage, outcome, whole)
		}
	}
}

// kill -9 leaves the files of the steps before and a partly written one.
func TestAStepWhoseFileIsMissingIsDoneAgain(t *testing.T) {
	r := run(t)
	train(t, r)
	want := written(t, r.Dir)
	r.Watch = func(_ int, stage learn.Stage, _ int64) func(int64, int64) {
		if stage == learn.Playing {
			t.Error("existing games are played again")
		}
		return nil
	}
	for _, missing := range [][]string{
		{"best.json", "curve.json"},
		{"iterations/0002/report.json"},
		{"iterations/0002/report.json", "iterations/0002/weights.json"},
		{"iterations/0002/report.json", "iterations/0002/weights.json", "iterations/0002/fit.json"},
	} {
		for _, name := range missing {
			if err := os.Remove(filepath.Join(r.Dir, name)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(r.Dir, name+dataset.TempSuffix), []byte("half"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		train(t, r)
		same(t, written(t, r.Dir), want)
	}
}

func TestAFinishedRunIsReadAndCanBeExtended(t *testing.T) {
	r := run(t)
	r.Stop.Iterations = 1
	train(t, r)
	r.Watch = func(iteration int, stage learn.Stage, _ int64) func(int64, int64) {
		if iteration == 1 {
			t.Errorf("iteration 1 is %s again", stage)
		}
		return nil
	}
	if o := train(t, r); len(o.Iterations) != 1 {
		t.Errorf("%d iterations", len(o.Iterations))
	}
	r.Stop.Iterations = 2
	train(t, r)
	straight := run(t)
	train(t, straight)
	same(t, written(t, r.Dir), written(t, straight.Dir))
}

func TestADifferentRunIsRefused(t *testing.T) {
	r := run(t)
	r.Stop.Iterations = 1
	train(t, r)
	for want, change := range map[string]func(*learn.Run){
		"different run: seed is 1 there and 2 here": func(r *learn.Run) { r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Seed = 2 }) },
		"different run: agents is": func(r *learn.Run) {
			spec, err := agent.Parse("alphabeta:nodes=61", r.Plan.Config().Variant, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Agents = [2]agent.Spec{spec, spec} })
		},
		"different run: l2 is 1 there and 2 here":    func(r *learn.Run) { r.Recipe.L2 = 2 },
		"different run: mix is 0.5 there and 1 here": func(r *learn.Run) { r.Recipe.Mix = 1 },
		"different run: gate is":                     func(r *learn.Run) { r.Recipe.Gate.Pairs = 7 },
	} {
		other := r
		plan := *r.Plan
		other.Plan = &plan
		change(&other)
		if other.ID() == r.ID() {
			t.Errorf("%s: both runs are %s", want, r.ID())
		}
		if _, err := learn.Train(t.Context(), other); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	lock, err := dataset.AcquireLock(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Train(t.Context(), r); !errors.Is(err, dataset.ErrLocked) {
		t.Errorf("the error for a folder in use is %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}

func TestAFolderOfSomethingElseIsRefused(t *testing.T) {
	r := run(t)
	r.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(r.Dir, "manifest.json"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Train(t.Context(), r); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "contains manifest.json but no train.json") {
		t.Errorf("error is %v", err)
	}
}

func TestInconsistentFilesAreReported(t *testing.T) {
	r := run(t)
	o := train(t, r)
	for name, c := range map[string]struct{ from, to, want string }{
		"iterations/0001/weights.json": {`"version": 1`, `"version":  1`, "digest is sha256:"},
		"iterations/0002/report.json":  {`"player": "`, `"player": "x`, "the player of iteration 2 is xalphabeta"},
		"iterations/0001/report.json":  {`"iteration": 1`, `"iteration": 3`, "iteration is 3, must be 1"},
		"train.json":                   {`"version": 1`, `"version": 9`, "version is 9, must be 1"},
	} {
		path := filepath.Join(o.Dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, damaged := range []struct{ content, want string }{
			{strings.Replace(string(data), c.from, c.to, 1), c.want},
			{"{", name},
		} {
			if err := os.WriteFile(path, []byte(damaged.content), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := learn.Train(t.Context(), r); err == nil || !strings.Contains(err.Error(), damaged.want) {
				t.Errorf("%s: error is %v, want %q", name, err, damaged.want)
			}
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	train(t, r)
}
