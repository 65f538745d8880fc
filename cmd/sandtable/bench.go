package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sort"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// benchReport is the output of bench, and its JSON.
type benchReport struct {
	CPU     string     `json:"cpu"`
	Cores   int        `json:"cores"`
	Go      string     `json:"go"`
	Version string     `json:"version"`
	Rows    []benchRow `json:"rows"`
}

// benchRow is one measurement: medians over rounds.
type benchRow struct {
	Variant        string          `json:"variant"`
	Digest         string          `json:"digest"`
	Mode           string          `json:"mode"`
	Cores          int             `json:"cores"`
	PliesPerSecond stats.Interval  `json:"plies_per_second"`
	GamesPerSecond stats.Interval  `json:"games_per_second"`
	Ratio          *stats.Interval `json:"ratio,omitempty"` // of plies per second, to those of the run given by --compare
}

func (a *app) benchCommand() *cobra.Command {
	var agent, earlier string
	var round time.Duration
	var rounds int
	var asJSON bool
	cmd := newCommand("bench [VARIANT…]",
		"Measure plies and games per second",
		`Bench measures the speed of each variant on one core and on all cores. Without a VARIANT
it measures the default variant of each game. It measures:

  playout     uniformly random legal actions, with the full list of legal actions on each ply
  batch       the same in a batch of 1,024 slots per core with every output:
              observations as planes and as bits, list and mask of legal actions, rewards
  batch-bits  the same with observations as bits, list and mask of legal actions, rewards
  copy        copying a position with its history (one copy counts as a ply)
  expand      node expansion: for each legal action, copy the position, apply the
              action and list the legal actions (one child counts as a ply)
  AGENT       with --agent: self-play into episode records, without a farm

Each figure is the median of the rounds, with the smallest and the largest. If the
rounds are independent, the interval between these two contains the true median with the
stated confidence. With --compare, the last columns give the ratio of the speed to that
of an earlier run on the same machine.`,
		`  sandtable bench
  sandtable bench trench/standard --agent greedy --json > before.json
  sandtable bench trench/standard --compare before.json`,
		func(cmd *cobra.Command, args []string) error {
			if rounds < 1 || round <= 0 {
				return usage(fmt.Errorf("--rounds is %d and --round is %s, both must be positive", rounds, round))
			}
			if len(args) == 0 {
				for _, engine := range games.Engines() {
					args = append(args, engine.PresetNames()[0])
				}
			}
			var before *benchReport
			if earlier != "" {
				var err error
				if before, err = readBench(earlier); err != nil {
					return err
				}
			}
			type measurement struct {
				row  benchRow
				mode benchMode
			}
			var plan []measurement
			report := benchReport{CPU: cpuName(), Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), Version: version()}
			for _, arg := range args {
				v, err := lookup(arg)
				if err != nil {
					return err
				}
				modes, err := benchModes(v, agent)
				if err != nil {
					return err
				}
				for _, mode := range modes {
					for _, cores := range coreCounts() {
						plan = append(plan, measurement{benchRow{Variant: v.Name, Digest: v.Digest, Mode: mode.name, Cores: cores}, mode})
					}
				}
			}
			bar := a.newProgressOf("measurements", "measuring", int64(len(plan)))
			var stopped error
			for i := range plan {
				m := &plan[i]
				if err := m.row.measure(cmd.Context(), m.mode, m.row.Cores, rounds, round); err != nil {
					if cmd.Context().Err() == nil {
						return err
					}
					stopped = interruption{text: fmt.Sprintf("stopped after %d of %d measurements", i, len(plan))}
					break
				}
				report.Rows = append(report.Rows, m.row)
				bar.show(int64(i+1), 0)
			}
			bar.end()
			if stopped != nil && len(report.Rows) == 0 {
				return stopped
			}
			if before != nil && report.compare(before) == 0 && stopped == nil {
				return usage(fmt.Errorf("--compare: %s contains none of these measurements", earlier))
			}
			if asJSON {
				return errors.Join(stopped, writeJSON(a.out, report))
			}
			return errors.Join(stopped, report.write(a.out))
		})
	cmd.Flags().StringVar(&agent, "agent", "", "also measure self-play of this agent")
	cmd.Flags().StringVar(&earlier, "compare", "", "compare with the `FILE` of an earlier run, written by bench --json")
	cmd.Flags().DurationVar(&round, "round", 500*time.Millisecond, "duration of a round")
	cmd.Flags().IntVar(&rounds, "rounds", 6, "number of rounds per measurement")
	jsonFlag(cmd, &asJSON)
	completeAgents(cmd, "agent")
	return cmd
}

func coreCounts() []int {
	if all := runtime.GOMAXPROCS(0); all > 1 {
		return []int{1, all}
	}
	return []int{1}
}

func (r benchReport) write(out io.Writer) error {
	fmt.Fprintf(out, "%s, %d cores, %s, sandtable %s\n\n", r.CPU, r.Cores, r.Go, r.Version)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "variant\tmode\tcores\tplies/s\tsmallest\tlargest\tns/ply\tgames/s\t"
	compared := slices.ContainsFunc(r.Rows, func(row benchRow) bool { return row.Ratio != nil })
	if compared {
		head += "ratio\tat least\tat most\t"
	}
	fmt.Fprintln(table, head)
	for _, row := range r.Rows {
		p := row.PliesPerSecond
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\t%.1f\t%.0f\t", row.Variant, row.Mode, row.Cores,
			millions(p.Estimate), millions(p.Low), millions(p.High), float64(row.Cores)*1e9/p.Estimate, row.GamesPerSecond.Estimate)
		if row.Ratio != nil {
			fmt.Fprintf(table, "%.2f\t%.2f\t%.2f\t", row.Ratio.Estimate, row.Ratio.Low, row.Ratio.High)
		} else if compared {
			fmt.Fprint(table, "\t\t\t")
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(r.Rows) > 0 {
		p := r.Rows[0].PliesPerSecond
		fmt.Fprintf(out, "\nMedian, smallest and largest of %d rounds; the interval contains the true median with confidence %.1f %%.\n", p.N, 100*p.Level)
	}
	return nil
}

// medianOf returns the median of n independent measurements, with the smallest and the
// largest as its interval. The interval contains the true median with probability
// 1 − 2·(1/2)ⁿ for every continuous distribution, because it fails only if all n
// measurements lie on one side (David and Nagaraja, Order Statistics, 2003, section 7.1).
func medianOf(values []float64) stats.Interval {
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	n := len(sorted)
	return stats.Interval{
		Estimate: (sorted[(n-1)/2] + sorted[n/2]) / 2,
		Low:      sorted[0],
		High:     sorted[n-1],
		Level:    1 - 2*math.Pow(0.5, float64(n)),
		N:        int64(n),
		Method:   "median, smallest and largest round",
	}
}

// completeAgents registers the names of agents as completions of a flag.
func completeAgents(cmd *cobra.Command, flag string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return agent.Names(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the caller defines the flag
	}
}
