package parquetio

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A turn is a job with the shard that holds it.
type turn struct {
	job   int64
	shard *dataset.Shard
}

// turns lists the jobs of a data set in ascending order.
func turns(m *dataset.Manifest) []turn {
	var list []turn
	for i := range m.Shards {
		for job := range m.Shards[i].Jobs.All() {
			list = append(list, turn{job, &m.Shards[i]})
		}
	}
	slices.SortFunc(list, func(a, b turn) int { return cmp.Compare(a.job, b.job) })
	return list
}
