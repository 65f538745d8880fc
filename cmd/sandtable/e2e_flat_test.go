//go:build e2e

package main

import (
	"bufio"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// flatCount is the length of TestFarmStaysFlat.
var flatCount = flag.Int64("flat-episodes", flatEpisodes, "number of episodes for which a farm must stay flat")

// shown reads metrics of a process, by name; a sum over the series of a name.
func shown(address string) (map[string]float64, error) {
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	values := map[string]float64{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		series, text, _ := strings.Cut(lines.Text(), " ")
		name, _, _ := strings.Cut(series, "{")
		var value float64
		if _, err := fmt.Sscan(text, &value); err == nil {
			values[name] += value
		}
	}
	return values, nil
}

// TestFarmStaysFlat looks at a farm while it plays. Its second half must need no more
// memory, goroutines and handles than its first, which has played as many episodes.
func TestFarmStaysFlat(t *testing.T) {
	address := freeAddress(t)
	farm := start(t, "sandtable", "farm", "trench/standard", "--agent", "random", "--episodes", fmt.Sprint(*flatCount),
		"--max-plies", "200", "--listen", address, "--out", filepath.Join(t.TempDir(), "data"))
	// One measurement is taken whenever a further part of the episodes has been played.
	kinds := []string{"go_goroutines", "process_open_fds", "process_resident_memory_bytes"}
	seen := map[string][]float64{}
	for part := 1; part < flatLooks; part++ {
		target := float64(part) * float64(*flatCount) / flatLooks
		var now map[string]float64
		for {
			values, err := shown(address)
			if err == nil && values["sandtable_episodes_total"] >= target {
				now = values
				break
			}
			select {
			case <-farm.gone:
			case <-time.After(20 * time.Millisecond):
				continue
			}
			break
		}
		if now == nil {
			break // the farm ended between two looks
		}
		for _, kind := range kinds {
			seen[kind] = append(seen[kind], now[kind])
		}
	}
	farm.succeed()
	for _, kind := range kinds {
		all := seen[kind]
		if len(all) < flatLooks/2 {
			t.Fatalf("%s was measured %d times of %d", kind, len(all), flatLooks)
		}
		t.Logf("%s: %.0f", kind, all)
		// The beginning is left out: the program starts and the buffers of a shard fill.
		begun := all[len(all)/4:]
		first, second := slices.Max(begun[:len(begun)/2]), slices.Max(begun[len(begun)/2:])
		// The memory varies with the moment of the garbage collection, handles with the
		// shard that is being written.
		if allowed := 1.25*first + map[string]float64{"process_resident_memory_bytes": 32 << 20}[kind] + 4; second > allowed {
			t.Errorf("%s grows from %.0f to %.0f", kind, first, second)
		}
	}
}
