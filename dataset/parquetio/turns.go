package parquetio

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A turn is a range of consecutive episodes in one shard.
type turn struct {
	first, count int64
	shard        *dataset.Shard
	last         bool // it is the last range of its shard
}

// turns returns the ranges of a data set in ascending order.
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
