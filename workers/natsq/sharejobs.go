package natsq

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// The jobs of a share have gaps: 1, 5, 9 and so on for the share 1/4. The queue stores
// their rows, the numbers divided by the number of shares, which mostly are a single range.

// rows returns the rows of jobs of a share.
func rows(jobs dataset.Jobs, share queue.Share) (dataset.Jobs, error) {
	var list ranges
	for job := range jobs.All() {
		if !share.Has(job) {
			return dataset.Jobs{}, fmt.Errorf("job %d does not belong to share %v", job, share)
		}
		row := job / int64(max(1, share.Of))
		list.add(row, row)
	}
	return list.jobs()
}

// joined returns the jobs of shares whose rows are given by the index of the share.
func joined(rows []dataset.Jobs) (dataset.Jobs, error) {
	var bounds []int64 // between which the same shares have all rows or none
	for _, jobs := range rows {
		for first, last := range jobs.Ranges() {
			bounds = append(bounds, first, last+1)
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	of := int64(len(rows))
	var list ranges
	for i := range len(bounds) - 1 {
		var have []int64
		for share, jobs := range rows {
			if jobs.Has(bounds[i]) {
				have = append(have, int64(share))
			}
		}
		if len(have) == len(rows) {
			list.add(bounds[i]*of, bounds[i+1]*of-1)
			continue
		}
		for row := bounds[i]; row < bounds[i+1]; row++ {
			for _, share := range have {
				list.add(row*of+share, row*of+share)
			}
		}
	}
	return list.jobs()
}

// ranges are ascending ranges of jobs.
type ranges [][2]int64

func (r *ranges) add(first, last int64) {
	if n := len(*r); n > 0 && (*r)[n-1][1]+1 == first {
		(*r)[n-1][1] = last
		return
	}
	*r = append(*r, [2]int64{first, last})
}

func (r ranges) jobs() (jobs dataset.Jobs, err error) {
	var text []byte
	for i, span := range r {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Append(text, span[0])
		if span[1] > span[0] {
			text = fmt.Appendf(text, "-%d", span[1])
		}
	}
	return jobs, jobs.UnmarshalText(text)
}
