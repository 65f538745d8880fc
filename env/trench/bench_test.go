package trench_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/envtest"
)

func BenchmarkGame(b *testing.B) { envtest.Benchmark(b, load(b, "trench/standard")) }
