package loader_test

import (
	"context"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/loader"
)

// BenchmarkNext fills batches of 4,096 positions. whole takes all positions of a game, and
// four takes four of each.
func BenchmarkNext(b *testing.B) {
	for _, variant := range []string{"trench/standard", "tankchess/16x16", "ntxuva/basic"} {
		dir := play(b, "", variant, "random", 200, nil)
		for _, c := range []struct {
			name   string
			change func(*loader.Options)
		}{
			{"whole", func(*loader.Options) {}},
			{"symmetry", func(o *loader.Options) { o.Symmetry = true }},
			{"four", func(o *loader.Options) { o.Positions = 4 }},
		} {
			b.Run(variant+"/"+c.name, func(b *testing.B) {
				const rows = 4096
				o := loader.Default()
				o.Threads, o.KeepTruncated = 1, true
				c.change(&o)
				l := open(b, o, dir)
				var batch loader.Batch
				fill := func() {
					if err := l.Next(context.Background(), rows, &batch); err != nil {
						b.Fatal(err)
					}
				}
				for range 3 * o.Shuffle / rows {
					fill()
				}
				b.ReportAllocs()
				for b.Loop() {
					fill()
				}
				b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "positions/s")
			})
		}
	}
}
