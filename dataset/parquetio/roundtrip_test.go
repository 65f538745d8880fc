package parquetio_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// A run is a random data set as it must read back.
type run struct {
	settings dataset.Settings
	episodes []*dataset.Episode
}

func randomRun(seed uint64, episodes, jobEpisodes int64) *run {
	r := &run{settings: datasettest.Settings(seed, episodes, jobEpisodes)}
	rand := env.NewRand(seed)
	for i := range episodes {
		ep := new(dataset.Episode)
		datasettest.Fill(ep, r.settings.Run(), i, rand)
		r.episodes = append(r.episodes, ep)
	}
	return r
}

// of yields the episodes of jobs in ascending order.
func (r *run) of(jobs ...int64) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		for _, job := range slices.Sorted(slices.Values(jobs)) {
			first, count := r.settings.Job(job)
			for i := range count {
				if !yield(r.episodes[first+i], nil) {
					return
				}
			}
		}
	}
}

func openWriter(t testing.TB, dir string, settings *dataset.Settings) *parquetio.Writer {
	t.Helper()
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	})
	w, err := parquetio.OpenWriter(lock, settings)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (r *run) write(t testing.TB, dir string, shards ...[]int64) *parquetio.Writer {
	t.Helper()
	w := openWriter(t, dir, &r.settings)
	for _, jobs := range shards {
		if _, err := w.Commit(jobs, r.of(jobs...)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// wire is the form in which episodes are compared: everything that counts.
func wire(ep *dataset.Episode) string { return string(dataset.AppendEpisode(nil, ep)) }

// check reads the whole data set and compares it with the episodes of jobs.
func (r *run) check(t testing.TB, dir string, jobs ...int64) {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, wire(ep))
	}
	for ep := range r.of(jobs...) {
		want = append(want, wire(ep))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%d episodes read back differ from the %d written", len(got), len(want))
	}
}

func TestEpisodesReadBackAsWrittenInOrderOfNumber(t *testing.T) {
	r := randomRun(1, 95, 10)
	dir := t.TempDir()
	w := r.write(t, dir, []int64{3, 0}, []int64{9, 1, 2}, []int64{4, 8, 6}, []int64{5, 7})
	if !w.Manifest().Complete {
		t.Error("all jobs are there, but the manifest is not complete")
	}
	r.check(t, dir, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
}

func TestOneEpisodeByNumber(t *testing.T) {
	r := randomRun(2, 60, 10)
	dir := t.TempDir()
	r.write(t, dir, []int64{3, 0}, []int64{1, 4, 2})
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var ep dataset.Episode
	for number := range int64(50) {
		if err := reader.Episode(number, &ep); err != nil {
			t.Fatal(err)
		}
		if wire(&ep) != wire(r.episodes[number]) {
			t.Fatalf("episode %d read back differs", number)
		}
	}
	for _, number := range []int64{-1, 50, 60, 1 << 40} {
		if err := reader.Episode(number, &ep); err == nil {
			t.Errorf("episode %d, which is not there, was read", number)
		}
	}
}

// 2000 games have more distinct values in some columns than go into a
// dictionary, and more plies than go onto a page.
func TestColumnsThatOutgrowTheirDictionaryReadBack(t *testing.T) {
	r := randomRun(14, 2000, 2000)
	dir := t.TempDir()
	r.write(t, dir, []int64{0})
	r.check(t, dir, 0)
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var ep dataset.Episode
	for _, number := range []int64{0, 1000, 1777, 1999} {
		if err := reader.Episode(number, &ep); err != nil {
			t.Fatal(err)
		}
		if wire(&ep) != wire(r.episodes[number]) {
			t.Errorf("episode %d read back differs", number)
		}
	}
}

// 4096 games of some 100 plies fill a row group of the table of plies, which
// ends within a game.
func TestAGameAcrossTwoRowGroupsReadsBack(t *testing.T) {
	r := &run{settings: datasettest.Settings(15, 4096, 4096)}
	r.episodes = games(&r.settings, true)
	dir := t.TempDir()
	r.write(t, dir, []int64{0})
	r.check(t, dir, 0)
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	const groupRows = 1 << 18
	var before, across int
	for before+r.episodes[across].Plies() <= groupRows {
		before += r.episodes[across].Plies()
		across++
	}
	if before == groupRows {
		t.Fatal("the games meet the end of a row group exactly; choose another seed")
	}
	var ep dataset.Episode
	for number := across - 1; number <= across+1; number++ {
		if err := reader.Episode(int64(number), &ep); err != nil {
			t.Fatal(err)
		}
		if wire(&ep) != wire(r.episodes[number]) {
			t.Errorf("episode %d read back differs", number)
		}
	}
}
