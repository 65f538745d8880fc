package vec_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// BenchmarkStep plays uniformly random actions from the lists of legal actions.
// games.Lookup hides the concrete types from the compiler.
func BenchmarkStep(b *testing.B) {
	outputs := []struct {
		name string
		set  vec.Outputs
	}{
		{"everything", 0},
		{"bits+mask", vec.OutBits | vec.OutMask | vec.OutList | vec.OutReward},
		{"list", vec.OutList},
	}
	for _, engine := range games.Engines() {
		name := engine.PresetNames()[0]
		for _, out := range outputs {
			for _, goroutines := range []int{1, runtime.GOMAXPROCS(0)} {
				b.Run(fmt.Sprintf("%s/%s/goroutines=%d", name, out.name, goroutines), func(b *testing.B) {
					const n = 1024
					v := newVec(b, game(b, name), n, vec.Options{Outputs: out.set, Autoreset: vec.SameStep, Goroutines: goroutines})
					reset(b, v, 1)
					actions := make([]env.Action, n)
					for b.Loop() {
						if err := v.SampleActions(actions); err != nil {
							b.Fatal(err)
						}
						if err := v.Step(actions); err != nil {
							b.Fatal(err)
						}
					}
					ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / n
					b.ReportMetric(ns, "ns/ply")
					b.ReportMetric(1e9/ns, "plies/s")
				})
			}
		}
	}
}
