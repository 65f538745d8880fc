package replay_test

import (
	"os"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// Folder testdata/noworkers is a data set of 3 of 6 jobs whose files lack the column
// worker. The run is continued by two workers, one of which has no name.
func TestADataSetWithoutWorkersOpensContinuesAndVerifies(t *testing.T) {
	r := play(t, "ntxuva/4", "random", "greedy", 60, func(*selfplay.Config) {})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/noworkers")); err != nil {
		t.Fatal(err)
	}
	report, err := verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	if report.Episodes != 12 || report.ContentDigest != "sha256:499ef1ec04912c5e3f00db506405787d3fc6c23abfc3cead6a6c1ee955fb05ef" {
		t.Errorf("verified %d episodes, content %s", report.Episodes, report.ContentDigest)
	}
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	w, err := parquetio.OpenWriter(lock, &r.settings)
	if err != nil {
		t.Fatal(err)
	}
	names := map[int64]string{}
	for _, job := range []int64{3, 4, 5} {
		for i := range int64(4) {
			ep := r.episodes[4*job+i]
			ep.Worker = map[int64]string{3: "heron-17", 4: "", 5: "ibis-4"}[job]
			names[ep.Number] = ep.Worker
		}
	}
	for _, jobs := range [][]int64{{3, 4}, {5}} {
		if _, err := w.Commit(jobs, r.of(jobs)); err != nil {
			t.Fatal(err)
		}
	}
	if report, err = verify(dir); err != nil {
		t.Fatal(err)
	}
	var digest dataset.Digest
	for _, ep := range r.episodes {
		digest.Add(ep)
	}
	if report.Episodes != 24 || report.ContentDigest != digest.String() {
		t.Errorf("verified %d episodes, content %s, want 24 and %s", report.Episodes, report.ContentDigest, digest.String())
	}
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	tally := dataset.NewTally()
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if ep.Worker != names[ep.Number] {
			t.Errorf("episode %d was played by %q, want %q", ep.Number, ep.Worker, names[ep.Number])
		}
		tally.Add(ep)
		var single dataset.Episode
		if err := reader.Episode(ep.Number, &single); err != nil || single.Worker != ep.Worker {
			t.Errorf("episode %d alone was played by %q, want %q (error %v)", ep.Number, single.Worker, ep.Worker, err)
		}
	}
	workers := tally.Summary().Workers
	if len(workers) != 2 || workers[0] != (dataset.WorkerCount{Worker: "heron-17", Episodes: 4}) || workers[1] != (dataset.WorkerCount{Worker: "ibis-4", Episodes: 4}) {
		t.Errorf("workers are %+v", workers)
	}
}
