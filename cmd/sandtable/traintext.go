package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
)

// writeIteration prints a line about the last iteration of a run.
func writeIteration(out io.Writer, o *learn.Outcome) error {
	r, p := o.Iterations[len(o.Iterations)-1], o.Curve[len(o.Curve)-1]
	verdict := "weights unchanged"
	if r.Gate != nil {
		verdict = "rejected"
		if r.Accepted {
			verdict = "accepted"
		}
		verdict = fmt.Sprintf("weights %s after %s pairs, Elo %s, LLR %+.2f", verdict, report.Count(r.Gate.Pairs), elo(r.Gate.Elo), r.Gate.Test.LLR)
	}
	_, err := fmt.Fprintf(out, "iteration %d: %s games, %s positions; held-out log-loss %.4f nats, %.4f (%s to %s) below that of always predicting the mean; %s; best Elo %s\n",
		r.Iteration, report.Count(r.Episodes), report.Count(int64(r.Fit.Positions)), r.Fit.HeldOut.Entropy.Estimate,
		r.Fit.HeldOut.Gain.Estimate, number("%.4f", r.Fit.HeldOut.Gain.Low), number("%.4f", r.Fit.HeldOut.Gain.High), verdict, elo(p.Best))
	return err
}

// writeTraining prints the result of a run and commands to try next with the variant.
func writeTraining(out io.Writer, o *learn.Outcome, variant string) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-15s %s\n", name, fmt.Sprintf(format, args...))
	}
	accepted, digest := 0, ""
	for _, r := range o.Iterations {
		if r.Accepted {
			accepted++
			digest = r.Weights
		}
	}
	line("variant", "%s (%s)", o.Variant, o.Digest)
	line("iterations", "%d; new weights accepted in %d", len(o.Iterations), accepted)
	line("best", "%s", agent.Short(o.Best))
	if n := len(o.Curve); n > 0 {
		line("Elo", "%s relative to the initial agent, summed over matches that a sequential test ended", elo(o.Curve[n-1].Best))
	}
	if o.Weights != "" {
		line("weights", "%s", o.Weights)
	}
	line("curve", "%s", filepath.Join(o.Dir, curveFigure))
	if o.Weights != "" {
		variant, best := shellWord(variant), shellWord(agent.Short(strings.Replace(o.Best, digest, o.Weights, 1)))
		fmt.Fprintf(&b, "\nNext:\n  sandtable arena %s %s greedy\n  sandtable farm %s --agent %s\n  sandtable analyze %s --agent %s\n",
			variant, best, variant, best, variant, best)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
