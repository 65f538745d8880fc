package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// readBench reads the report of an earlier bench --json.
func readBench(file string) (*benchReport, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage(fmt.Errorf("--compare: %w", err))
	}
	report := new(benchReport)
	if err := json.Unmarshal(data, report); err != nil {
		return nil, usage(fmt.Errorf("--compare: %s is no report of bench --json: %w", file, err))
	}
	return report, nil
}

// compare fills the ratios to what another report measured for the same rules,
// and returns how many there are.
func (r *benchReport) compare(before *benchReport) (matches int) {
	type key struct {
		digest, mode string
		cores        int
	}
	old := map[key]stats.Interval{}
	for _, row := range before.Rows {
		old[key{row.Digest, row.Mode, row.Cores}] = row.PliesPerSecond
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if was, ok := old[key{row.Digest, row.Mode, row.Cores}]; ok && was.Low > 0 {
			ratio := ratioOf(row.PliesPerSecond, was)
			row.Ratio = &ratio
			matches++
		}
	}
	return matches
}

// ratioOf divides two positive quantities. When both intervals hold, so does the
// ratio's; one of them fails with at most the sum of their probabilities (Bonferroni).
func ratioOf(now, was stats.Interval) stats.Interval {
	return stats.Interval{
		Estimate: now.Estimate / was.Estimate,
		Low:      now.Low / was.High,
		High:     now.High / was.Low,
		Level:    max(0, now.Level+was.Level-1),
		N:        min(now.N, was.N),
		Method:   "ratio of two medians, by the ends of both intervals",
	}
}
