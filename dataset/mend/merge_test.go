package mend_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/mend"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// written writes some jobs of a run, each in a shard of its own. Episodes of a run are the
// same in every data set unless salt differs.
func written(t *testing.T, settings dataset.Settings, salt uint64, jobs ...int64) string {
	t.Helper()
	dir := t.TempDir()
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs {
		first, count := settings.Job(job)
		_, err := w.Commit([]int64{job}, func(yield func(*dataset.Episode, error) bool) {
			var ep dataset.Episode
			for i := range count {
				rand := env.NewRand(env.Derive(settings.Seed, uint64(first+i), salt))
				datasettest.Fill(&ep, settings.Run(), first+i, rand)
				if !yield(&ep, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// contents returns the digest of all episodes.
func contents(t *testing.T, dir string) string {
	t.Helper()
	r, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var d dataset.Digest
	for ep, err := range r.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		d.Add(ep)
	}
	return d.String()
}

func TestMergeJoinsTheJobsOfARun(t *testing.T) {
	s := datasettest.Settings(3, 22, 4) // jobs 0 to 5
	whole := written(t, s, 0, 0, 1, 2, 3, 4, 5)
	a, b := written(t, s, 0, 4, 0, 2), written(t, s, 0, 5, 2, 1)
	out := t.TempDir()
	m, err := mend.Merge(t.Context(), []string{a, b}, out, nil)
	if err != nil || m.Complete || m.Episodes != 18 || m.Jobs.String() != "0-2,4-5" || m.Known != 1 {
		t.Fatalf("the merge gives %+v, %v", m, err)
	}
	if m, err = mend.Merge(t.Context(), []string{written(t, s, 0, 3)}, out, nil); err != nil || !m.Complete || m.Jobs.String() != "3" {
		t.Fatalf("the second merge gives %+v, %v", m, err)
	}
	if got, want := contents(t, out), contents(t, whole); got != want {
		t.Errorf("the content is %s, must be %s", got, want)
	}
}

func TestMergeResumes(t *testing.T) {
	s := datasettest.Settings(3, 20, 4)
	a, out := written(t, s, 0, 0, 1, 2, 3, 4), t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := mend.Merge(ctx, []string{a}, out, func(int64) { cancel(io.ErrUnexpectedEOF) })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("error %v", err)
	}
	m, err := mend.Merge(t.Context(), []string{a}, out, nil)
	if err != nil || m.Jobs.String() != "1-4" || !m.Complete || contents(t, out) != contents(t, a) {
		t.Errorf("the merge gives %+v, %v", m, err)
	}
}

func TestMergeRefusesWhatDoesNotFit(t *testing.T) {
	s := datasettest.Settings(3, 20, 4)
	a := written(t, s, 0, 0, 1)
	rules, seed := s, s
	rules.Digest, rules.Variant = "sha256:other", "toy/other"
	seed.Seed++
	damaged := written(t, s, 0, 2)
	datasettest.Put(t, damaged, "steps/00000000.parquet", "x")
	for what, c := range map[string]struct {
		dir, want string
		is        error
	}{
		"other rules":                {written(t, rules, 0, 2), "toy/other", mend.ErrMixed},
		"another run":                {written(t, seed, 0, 2), "seed is 3 there and 4 here", mend.ErrMixed},
		"other episodes of one name": {written(t, s, 1, 1), "digest of the episode", nil},
		"a damaged shard":            {damaged, "steps/00000000.parquet", nil},
	} {
		out := t.TempDir()
		if _, err := mend.Merge(t.Context(), []string{a}, out, nil); err != nil {
			t.Fatal(err)
		}
		before := datasettest.Files(t, out)
		_, err := mend.Merge(t.Context(), []string{a, c.dir}, out, nil)
		var fault *dataset.Fault
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) || c.is == nil && !errors.As(err, &fault) {
			t.Errorf("%s: error %v, must contain %q", what, err, c.want)
		}
		if !maps.Equal(before, datasettest.Files(t, out)) {
			t.Errorf("%s: the data set has changed", what)
		}
	}
}
