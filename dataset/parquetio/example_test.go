package parquetio_test

import (
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// sampleFolder writes a data set of 20 episodes into a temporary folder.
func sampleFolder() string {
	dir, err := os.MkdirTemp("", "games")
	if err != nil {
		panic(err)
	}
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		panic(err)
	}
	defer lock.Release()
	settings := datasettest.Settings(1, 20, 10)
	w, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		panic(err)
	}
	var episodes []*dataset.Episode
	rand := env.NewRand(1)
	for number := range settings.Episodes {
		ep := new(dataset.Episode)
		datasettest.Fill(ep, settings.Run(), number, rand)
		episodes = append(episodes, ep)
	}
	all := func(yield func(*dataset.Episode, error) bool) {
		for _, ep := range episodes {
			if !yield(ep, nil) {
				return
			}
		}
	}
	if _, err := w.Commit([]int64{0, 1}, all); err != nil {
		panic(err)
	}
	return dir
}

// Read a data set from start to end.
func ExampleReader_Episodes() {
	dir := sampleFolder() // the folder of a data set, for example from sandtable farm
	defer os.RemoveAll(dir)

	data, err := parquetio.Open(dir)
	if err != nil {
		panic(err)
	}
	wins, longest := 0, 0
	for ep, err := range data.Episodes() {
		if err != nil {
			panic(err)
		}
		if ep.Result == env.WinFor(env.First) {
			wins++
		}
		longest = max(longest, ep.Plies())
	}
	m := data.Manifest()
	fmt.Printf("%d episodes of %s, %d won by the first player, %d plies at most\n", m.Episodes(), m.Settings.Variant, wins, longest)
	// Output: 20 episodes of toy/standard, 7 won by the first player, 292 plies at most
}

// Write a data set, one shard of whole jobs at a time.
func ExampleWriter_Commit() {
	dir, err := os.MkdirTemp("", "games")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		panic(err)
	}
	defer lock.Release()

	settings := datasettest.Settings(1, 20, 10) // 20 episodes in jobs of 10
	w, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		panic(err)
	}
	ep, rand := new(dataset.Episode), env.NewRand(1)
	for job := range int64(2) {
		shard, err := w.Commit([]int64{job}, func(yield func(*dataset.Episode, error) bool) {
			first, count := settings.Job(job)
			for number := first; number < first+count; number++ {
				datasettest.Fill(ep, settings.Run(), number, rand)
				if !yield(ep, nil) {
					return
				}
			}
		})
		if err != nil {
			panic(err)
		}
		fmt.Println(shard.Episodes.Name, shard.Episodes.Rows)
	}
	fmt.Println("complete:", w.Manifest().Complete)
	// Output:
	// episodes/00000000.parquet 10
	// episodes/00000001.parquet 10
	// complete: true
}
