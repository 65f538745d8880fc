package dataset_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

func TestAFaultSaysWhereItIsWhatWasFoundAndWhatIsRight(t *testing.T) {
	for _, c := range []struct {
		fault dataset.Fault
		says  string
	}{
		{dataset.Fault{File: "steps/00000000.parquet", Episode: 5, Ply: 0, What: "hash", Found: "7", Want: "8"},
			"steps/00000000.parquet, episode 5, ply 0: hash is 7, must be 8"},
		{dataset.Fault{File: "episodes/00000000.parquet", Episode: dataset.None, Ply: dataset.None, What: "column run", Found: "damaged"},
			"episodes/00000000.parquet: column run: damaged"},
		{dataset.Fault{Episode: 0, Ply: dataset.None, What: "reason", Found: "points", Want: "general"},
			"episode 0: reason is points, must be general"},
	} {
		if got := c.fault.Error(); got != c.says {
			t.Errorf("fault says %q, want %q", got, c.says)
		}
	}
}
