package dataset

import "github.com/axiomhq/hyperloglog"

// A DistinctCounter counts distinct hashes in bounded memory: exactly up to exactHashes of
// them, and then by a HyperLogLog sketch (Flajolet et al., "HyperLogLog: the analysis of a
// near-optimal cardinality estimation algorithm", AofA 2007). The zero value is empty.
type DistinctCounter struct {
	exact  map[uint64]struct{}
	sketch *hyperloglog.Sketch // nil while the count is exact
}

const (
	exactHashes = 1 << 17
	// DistinctError is the relative error that an estimate of a DistinctCounter exceeds in
	// about 1 of 70 cases. The standard error of a sketch of 2¹⁶ registers is 0.41 %.
	DistinctError = 0.01
)

// Add adds a hash, whose bits must be uniformly random.
func (d *DistinctCounter) Add(hash uint64) {
	if d.sketch != nil {
		d.sketch.InsertHash(hash)
		return
	}
	if d.exact == nil {
		d.exact = map[uint64]struct{}{}
	}
	if d.exact[hash] = struct{}{}; len(d.exact) <= exactHashes {
		return
	}
	d.sketch = hyperloglog.New16NoSparse()
	for hash := range d.exact {
		d.sketch.InsertHash(hash)
	}
	d.exact = nil
}

// Count returns the number of distinct hashes, and its relative error: 0, or DistinctError
// if the number is an estimate.
func (d *DistinctCounter) Count() (n int64, relative float64) {
	if d.sketch == nil {
		return int64(len(d.exact)), 0
	}
	return int64(d.sketch.Estimate()), DistinctError
}
