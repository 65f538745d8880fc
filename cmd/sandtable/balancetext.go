package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// writeBalance tells of a balance report in text.
func writeBalance(out io.Writer, r *balance.Report) error {
	var b strings.Builder
	d := &r.Data
	fmt.Fprintf(&b, "variant  %s (%s)\n", r.Variant, r.Digest)
	for _, s := range d.Sources {
		fmt.Fprintf(&b, "data     %s, run %s: %s games\n", s.Dir, s.Run, count(s.Episodes))
	}
	unit := "games"
	if d.Paired {
		unit = "pairs of games"
	}
	fmt.Fprintf(&b, "games    %s, %s plies, in %s independent %s; a sample of %s\n", count(d.Episodes), count(d.Plies), count(d.Clusters), unit, count(d.Sampled))
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note     %s\n", note)
	}
	writeSeats(&b, r.Seats)
	writeValues(&b, r.Values)
	writeActivity(&b, r.Activity)
	b.WriteString("\nIn brackets 95 % intervals and, behind n, what they rest on.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

func writeSeats(b *strings.Builder, s *balance.Seats) {
	fmt.Fprintf(b, "\nSEATS\n%s\n", s.Answer)
	if s.Games == 0 {
		return
	}
	fmt.Fprintf(b, "Were the seats even, a score as far from 50 %% would come with probability %s.\n\n", probability(s.Even.P))
	t := newTable(b, "games", "n", "share", "first player's score", "won", "drawn", "lost", "decided")
	row := func(c *balance.ClassSeats, share string) {
		f := &c.First
		name := c.Class
		if c.HouseRule {
			name += " (house rule)"
		}
		t.row(name, count(c.Games), share, shareCell(f.Score), shareCell(f.Win), shareCell(f.Draw), shareCell(f.Loss), shareCell(c.Decisive))
	}
	row(&balance.ClassSeats{Class: "all", Games: s.Games, First: s.First, Decisive: s.Decisive}, "")
	for _, list := range [][]balance.ClassSeats{s.ByLength, s.ByReason} {
		t.row("")
		for i := range list {
			row(&list[i], shareCell(list[i].Share))
		}
	}
	t.end()
}

func writeValues(b *strings.Builder, v *balance.Values) {
	fmt.Fprintf(b, "\nVALUES in units of %s, from %s games; clusters are %s\n", v.Unit, count(v.Games), v.Clusters)
	if len(v.Phases) == 0 {
		fmt.Fprintln(b, v.Answer)
	}
	for i := range v.Phases {
		p := &v.Phases[i]
		fmt.Fprintf(b, "\n%s: n = %s positions in %s clusters\n", p.Phase, count(p.Rows), count(p.Clusters))
		if p.Answer != "" {
			fmt.Fprintln(b, p.Answer)
		}
		if len(p.Types) == 0 {
			continue
		}
		t := newTable(b, "one more", "worth", "score when else even", "log odds", "VIF", "")
		for _, x := range append(p.Types, *p.Turn) {
			name := x.Type
			switch {
			case x.Type == p.Turn.Type:
				name = "being to move"
			case x.Counted:
				name = "in " + name
			}
			value, score, odds := "none", "", ""
			if x.Value != nil {
				value = numberCell(*x.Value)
			}
			if x.Score != nil {
				score, odds = shareCell(*x.Score), numberCell(x.LogOdds)
			}
			t.row(name, value, score, odds, fmt.Sprintf("%.1f", x.VIF), x.Problem)
		}
		t.end()
		fmt.Fprintf(b, "With even counts the first player is expected to score %.1f %%.\n", 100*p.Even)
	}
	writeForecast(b, v.Forecast)
}

func writeForecast(b *strings.Builder, f *balance.Forecast) {
	if f == nil {
		return
	}
	fmt.Fprintf(b, "\nforecasts of results by counts, fitted to %s positions, judged on %s of other games; less is better\n", count(f.Fitted), count(f.Judged))
	t := newTable(b, "score", "counts", "null: frequencies", "gain")
	t.row("Brier", numberCell(f.Brier), numberCell(f.NullBrier), numberCell(f.BrierGain))
	t.row("logarithmic", numberCell(f.Log), numberCell(f.NullLog), numberCell(f.LogGain))
	t.end()
	t = newTable(b, "expected score", "mean expected", "what came", "n")
	for _, c := range f.Calibration {
		t.row(fmt.Sprintf("%.0f to %.0f %%", 100*c.Low, 100*c.High), fmt.Sprintf("%.1f %%", 100*c.Expected), shareCell(c.Score), count(c.Score.N))
	}
	t.end()
}

func writeActivity(b *strings.Builder, a *balance.Activity) {
	fmt.Fprintf(b, "\nACTIVITY in %s games, %s turns of agents; mobility, first captures and lifetimes in %s games\n", count(a.Games), count(a.Turns), count(a.Sampled))
	if a.Answer != "" {
		fmt.Fprintln(b, a.Answer)
		return
	}
	fmt.Fprintf(b, "half the games have had a capture by ply %s, n = %s games\n\n", plyCell(a.FirstCapture), count(a.FirstCapture.N))
	columns := []string{"type", "turns a game", "share of turns", "legal actions a turn", "of one piece"}
	shoots := a.Types[0].Shots != nil
	if shoots {
		columns = append(columns, "shots a game")
	}
	t := newTable(b, append(columns, "entries to enemy's start a game")...)
	for i := range a.Types {
		x := &a.Types[i]
		cells := []string{x.Type, numberCell(x.Turns), shareCell(x.Share), numberCell(x.Mobility), numberCell(x.Each)}
		if shoots {
			cells = append(cells, numberCell(*x.Shots))
		}
		t.row(append(cells, numberCell(x.Entries))...)
	}
	t.end()
	b.WriteByte('\n')
	t = newTable(b, "type", "kills a game", "losses a game", "kills a loss", "value taken a value lost", "takes several at once", "first contact, ply", "half-life, plies", "n pieces")
	for i := range a.Types {
		x := &a.Types[i]
		value, life, n := "none", "", ""
		if x.ValueALoss != nil {
			value = numberCell(*x.ValueALoss)
		}
		if x.Survival != nil {
			life, n = plyCell(x.Survival.Median), count(x.Survival.Median.N)
		}
		t.row(x.Type, numberCell(x.Kills), numberCell(x.Losses), numberCell(x.KillsALoss), value, shareCell(x.Multiple), plyCell(x.FirstContact), life, n)
	}
	t.end()
	writeKills(b, a)
}

func writeKills(b *strings.Builder, a *balance.Activity) {
	if len(a.Kills) > 0 {
		b.WriteByte('\n')
		t := newTable(b, "who takes", "whom", "a game", "share of what it takes", "n")
		for _, k := range a.Kills {
			t.row(k.Killer, k.Victim, numberCell(k.PerGame), shareCell(k.Share), count(k.Share.N))
		}
		t.end()
	}
	if len(a.Faces) > 0 {
		b.WriteByte('\n')
		t := newTable(b, "hit", "in front", "on a side", "in the rear", "n")
		for _, f := range a.Faces {
			t.row(f.Type, shareCell(f.Front), shareCell(f.Side), shareCell(f.Rear), count(f.Front.N))
		}
		t.end()
	}
}

// A textTable aligns cells in columns.
type textTable struct{ w *tabwriter.Writer }

func newTable(out io.Writer, columns ...string) textTable {
	t := textTable{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	t.row(columns...)
	return t
}

func (t textTable) row(cells ...string) {
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(cells, "\t"), "\t")) // a strings.Builder takes all
}

func (t textTable) end() { _ = t.w.Flush() } // likewise

// shareCell writes a share with its interval, - where it rests on nothing.
func shareCell(i stats.Interval) string {
	if i.N == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*i.Estimate, 100*i.Low, 100*i.High)
}

// numberCell writes a number with its interval, - where it rests on nothing.
func numberCell(i stats.Interval) string {
	if i.N == 0 {
		return "-"
	}
	return figure(i.Estimate) + " " + bounds(i, figure)
}

// plyCell writes a number of plies with its interval.
func plyCell(i stats.Interval) string {
	whole := func(x float64) string { return fmt.Sprintf("%.0f", x) }
	switch {
	case i.N == 0:
		return "-"
	case math.IsInf(i.Estimate, 1):
		return "never " + bounds(i, whole)
	}
	return whole(i.Estimate) + " " + bounds(i, whole)
}

func bounds(i stats.Interval, write func(float64) string) string {
	low, high := math.IsInf(i.Low, 0), math.IsInf(i.High, 0)
	switch {
	case low && high:
		return "(no bounds)"
	case low:
		return fmt.Sprintf("(at most %s)", write(i.High))
	case high:
		return fmt.Sprintf("(at least %s)", write(i.Low))
	}
	return fmt.Sprintf("(%s to %s)", write(i.Low), write(i.High))
}

// figure writes a number to three figures or so.
func figure(x float64) string {
	switch {
	case math.IsInf(x, 0):
		return "∞"
	case math.Abs(x) >= 100:
		return fmt.Sprintf("%.0f", x)
	case math.Abs(x) >= 10:
		return fmt.Sprintf("%.1f", x)
	case math.Abs(x) >= 0.1 || x == 0:
		return fmt.Sprintf("%.2f", x)
	case math.Abs(x) >= 0.001:
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.1g", x)
}

func probability(p float64) string {
	if p < 0.0001 {
		return "below 0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}
