package stats

import "slices"

// Classes tests by permutation of clusters whether two groups of clusters have the
// same distribution of observations over classes, of which each cluster has so
// many in each, as many classes in every cluster. The statistic is the divergence
// of the sums of both groups from their common distribution. Where nothing depends
// on clusters, [Resampling.Independence] is quicker. N counts observations.
func (r Resampling) Classes(a, b [][]int64, d Divergence) (Test, error) {
	clusters := slices.Concat(a, b)
	_, classes, total, err := margins(clusters)
	if err != nil {
		return Test{}, err
	}
	t := r.Groups(len(a), len(b), func(first []bool) float64 {
		counts, size := make([]int64, len(classes)), int64(0)
		for i, in := range first {
			if !in {
				continue
			}
			for k, n := range clusters[i] {
				counts[k] += n
				size += n
			}
		}
		if size == 0 || size == total {
			return 0
		}
		sum := 0.0
		for k, all := range classes {
			if expected := float64(size) * float64(all) / float64(total); all > 0 {
				sum += d.of(counts[k], expected) + d.of(all-counts[k], float64(all)-expected)
			}
		}
		return max(0, sum)
	})
	t.N, t.Method = total, d.String()+", clusters, "+t.Method
	return t, nil
}
