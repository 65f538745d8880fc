package stats

import (
	"sync"
	"sync/atomic"
)

// share calls do(i) once for each i from 0 to n−1, in a number of goroutines. Each
// goroutine calls begin for its own do.
func share(n, goroutines int, begin func() (do func(i int))) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range max(1, min(n, goroutines)) {
		group.Go(func() {
			do := begin()
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	group.Wait()
}
