package workers

import "github.com/sandtable-farm/sandtable/dataset"

// share returns those of jobs that belong to the share of the collector.
func (c *collector) share(jobs dataset.Jobs) (dataset.Jobs, error) {
	if c.Share.Of <= 1 {
		return jobs, nil
	}
	var own []int64
	for job := range jobs.All() {
		if c.Share.Has(job) {
			own = append(own, job)
		}
	}
	return dataset.JobsOf(own...)
}

// below returns how many jobs of the share are below a number.
func (c *collector) below(end int64) int64 {
	of := int64(max(1, c.Share.Of))
	return (end - int64(c.Share.Index) + of - 1) / of
}

// written returns what the data set has of the share. A shard whose jobs belong to several
// shares counts for that of its first job, so that the sum over all shares is right.
func (c *collector) written() (own Report) {
	m := c.writer.Manifest()
	for i := range m.Shards {
		shard := &m.Shards[i]
		for first := range shard.Jobs.Ranges() {
			if c.Share.Has(first) {
				own.Shards++
				own.Episodes += shard.Episodes.Rows
				own.Plies += shard.Steps.Rows
				own.Bytes += shard.Episodes.Bytes + shard.Steps.Bytes
			}
			break
		}
	}
	return own
}
