package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// readBench reads a report that bench --json wrote.
func readBench(file string) (*benchReport, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage(fmt.Errorf("--compare: %w", err))
	}
	report := new(benchReport)
	if err := json.Unmarshal(data, report); err != nil {
		return nil, usage(fmt.Errorf("--compare: %s is not a report of bench --json: %w", file, err))
	}
	return report, nil
}

// compare sets the ratio of each row to the row of an earlier report with the same rules,
// mode and number of cores. It returns the number of rows with such a counterpart.
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

// ratioOf divides two positive quantities. The interval of the ratio holds if both
// intervals hold, so its error probability is at most the sum of theirs (Bonferroni).
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
