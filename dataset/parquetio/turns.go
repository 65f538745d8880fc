package parquetio

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A turn is a range of episodes with the shard that holds it.
type turn struct {
	first, count int64
	shard        *dataset.Shard
	last         bool // of its shard
}

// turns lists the episodes of a data set in ascending order.
func turns(m *dataset.Manifest) []turn {
	var list []turn
	for i := range m.Shards {
		s := &m.Shards[i]
		for firstJob, lastJob := range s.Jobs.Ranges() {
			first, _ := m.Settings.Job(firstJob)
			last, count := m.Settings.Job(lastJob)
			list = append(list, turn{first: first, count: last + count - first, shard: s, last: lastJob == s.Jobs.Max()})
		}
	}
	slices.SortFunc(list, func(a, b turn) int { return cmp.Compare(a.first, b.first) })
	return list
}
