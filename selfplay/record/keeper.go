package record

import (
	"iter"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A keeper gathers episodes and writes whole jobs into a data set, so seldom that
// shards are of a decent size, and so often that a crash costs little. Clocks
// decide only how the jobs are spread over shards.
type keeper struct {
	writer *parquetio.Writer
	job    int64  // the first that is not written
	data   []byte // episodes in the wire form, from the first of job on
	whole  int    // length of the whole jobs in data
	jobs   int64  // that are whole in data
	plies  int64
	since  time.Time // when data began
}

const (
	shardPlies = 1 << 20
	shardBytes = 64 << 20
	shardAfter = 10 * time.Second
)

// keep takes the next episode, which may be changed afterwards.
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
