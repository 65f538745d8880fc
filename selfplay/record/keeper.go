package record

import (
	"iter"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A keeper collects episodes and writes whole jobs into a data set: seldom enough that
// shards are large, and often enough that a crash costs little. The clock affects only
// how jobs are distributed over shards.
type keeper struct {
	writer *parquetio.Writer
	job    int64     // the first one not written
	data   []byte    // episodes in wire form, from the first of job on
	whole  int       // length of the whole jobs in data
	jobs   int64     // number of whole jobs in data
	plies  int64     // in data
	since  time.Time // when data began
}

const (
	shardPlies = 1 << 20
	shardBytes = 64 << 20
	shardAfter = 10 * time.Second
)

// keep adds the next episode. The caller may change it afterwards.
func (k *keeper) keep(ep *dataset.Episode) error {
	if len(k.data) == 0 {
		k.since = time.Now()
	}
	k.data = dataset.AppendEpisode(k.data, ep)
	k.plies += int64(ep.Plies())
	if (ep.Number+1)%k.writer.Manifest().Settings.JobEpisodes != 0 {
		return nil
	}
	k.whole = len(k.data)
	k.jobs++
	if k.plies >= shardPlies || k.whole >= shardBytes || time.Since(k.since) >= shardAfter {
		return k.flush()
	}
	return nil
}

// flush writes the whole jobs.
func (k *keeper) flush() error {
	if k.jobs == 0 {
		return nil
	}
	numbers := make([]int64, k.jobs)
	for i := range numbers {
		numbers[i] = k.job + int64(i)
	}
	if _, err := k.writer.Commit(numbers, episodes(k.data[:k.whole])); err != nil {
		return err
	}
	*k = keeper{writer: k.writer, job: k.job + k.jobs, data: k.data[:0]}
	return nil
}

// episodes yields the episodes in data.
func episodes(data []byte) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		var ep dataset.Episode
		for len(data) > 0 {
			var err error
			if data, err = dataset.ReadEpisode(data, &ep); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&ep, nil) {
				return
			}
		}
	}
}
