package dashboards_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/sandtable-farm/sandtable/dashboards/grafana"
	"github.com/sandtable-farm/sandtable/dashboards/prometheus"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// known maps each series name that a query may use to its labels, those that
// Prometheus adds included.
type known map[string][]string

// busyFarm returns a farm in which everything has happened once.
func busyFarm() *metrics.Farm {
	f := metrics.New(metrics.RoleFarm)
	e := f.Episodes("trench/standard")
	e.EpisodePlayed(40, 0, 1, env.Points)
	e.EpisodePlayed(2000, 0, 0, env.NoReason)
	f.JobStarted()
	f.JobEnded(time.Second, workers.JobDone)
	f.ShardCommitted(1, 1, 1)
	f.Backoff("connection", time.Second)
	f.RunState(workers.RunReport{Run: "0123456789abcdef", Variant: "trench/standard"})
	return f
}

// shown returns the series of a busy farm.
func shown(t *testing.T) known {
	t.Helper()
	gathered, err := busyFarm().Gather()
	if err != nil {
		t.Fatal(err)
	}
	k := known{"up": {"job", "instance"}}
	for _, family := range gathered {
		labels := []string{"job", "instance"}
		for _, l := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		name := family.GetName()
		switch family.GetType().String() {
		case "HISTOGRAM":
			k[name+"_bucket"] = append(slices.Clone(labels), "le")
			k[name+"_sum"], k[name+"_count"] = labels, labels
		case "SUMMARY":
			k[name] = append(slices.Clone(labels), "quantile")
			k[name+"_sum"], k[name+"_count"] = labels, labels
		default:
			k[name] = labels
		}
	}
	return k
}

// check parses a query and returns the labels of its series, when they are those
// of a sum or of one series.
func (k known) check(t *testing.T, where, query string) {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		t.Errorf("%s: %s: %v", where, query, err)
		return
	}
	var selected []string // labels of every series of the query
	series := 0
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		v, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		series++
		labels, is := k[v.Name]
		if !is {
			t.Errorf("%s: %s: nobody shows or records %s", where, query, v.Name)
		}
		for _, m := range v.LabelMatchers {
			if m.Name != "__name__" && !slices.Contains(labels, m.Name) {
				t.Errorf("%s: %s: %s has no label %s", where, query, v.Name, m.Name)
			}
		}
		selected = append(selected, labels...)
		return nil
	})
	if series == 0 {
		t.Errorf("%s: %s asks for no series", where, query)
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		var wanted []string
		switch n := node.(type) {
		case *parser.AggregateExpr:
			wanted = n.Grouping
		case *parser.BinaryExpr:
			if n.VectorMatching != nil {
				wanted = slices.Concat(n.VectorMatching.MatchingLabels, n.VectorMatching.Include)
			}
		}
		for _, label := range wanted {
			if !slices.Contains(selected, label) {
				t.Errorf("%s: %s: no series has the label %s", where, query, label)
			}
		}
		return nil
	})
}

// record adds the recorded series, whose names begin with their labels.
func (k known) record(t *testing.T) {
	t.Helper()
	for _, r := range prometheus.Recording().Rules {
		k.check(t, r.Record, r.Expr)
		level, _, _ := strings.Cut(r.Record, ":")
		labels := strings.Split(level, "_")
		expr, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
		if err != nil {
			t.Fatalf("%s: %v", r.Record, err)
		}
		parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
			if sum, ok := node.(*parser.AggregateExpr); ok && !slices.Equal(sum.Grouping, labels) {
				t.Errorf("%s is grouped by %v", r.Record, sum.Grouping)
			}
			return nil
		})
		k[r.Record] = labels
	}
}

func TestRulesAskOnlyForWhatAFarmShows(t *testing.T) {
	k := shown(t)
	k.record(t)
	for _, r := range prometheus.Alerts().Rules {
		k.check(t, r.Alert, r.Expr)
	}
}

func TestDashboardAsksOnlyForWhatAFarmShowsOrRulesRecord(t *testing.T) {
	k := shown(t)
	k.record(t)
	queries := grafana.Farm().Queries()
	if len(queries) < 20 {
		t.Fatalf("only %d queries", len(queries))
	}
	for _, q := range queries {
		k.check(t, "dashboard", q)
	}
}

func TestEveryMetricOfAFarmIsWatched(t *testing.T) {
	var text strings.Builder
	for _, g := range []prometheus.Group{prometheus.Recording(), prometheus.Alerts()} {
		for _, r := range g.Rules {
			text.WriteString(r.Expr + "\n")
		}
	}
	text.WriteString(strings.Join(grafana.Farm().Queries(), "\n"))
	gathered, err := busyFarm().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range gathered {
		if name := f.GetName(); strings.HasPrefix(name, "sandtable_") && !strings.Contains(text.String(), name) {
			t.Errorf("no panel and no rule uses %s", name)
		}
	}
}

// A legend or template that names a label that is not there shows nothing in its place.
func TestLegendsNameLabelsThatTheirSeriesHave(t *testing.T) {
	k := shown(t)
	k.record(t)
	for _, p := range grafana.Farm().Panels {
		for _, target := range p.Targets {
			for part := range strings.SplitSeq(target.LegendFormat, "{{") {
				label, _, found := strings.Cut(part, "}}")
				if !found {
					continue
				}
				if !hasLabel(t, k, target.Expr, label) {
					t.Errorf("%s: %s has no label %s for its legend", p.Title, target.Expr, label)
				}
			}
		}
	}
}

func TestAlertsSpeakOfLabelsThatTheirSeriesHave(t *testing.T) {
	k := shown(t)
	k.record(t)
	pattern := regexp.MustCompile(`\$labels\.(\w+)`)
	for _, r := range prometheus.Alerts().Rules {
		named := pattern.FindAllStringSubmatch(r.Summary+r.Description+r.Runbook, -1)
		if len(named) == 0 {
			t.Errorf("%s does not say where it happens", r.Alert)
		}
		for _, label := range named {
			if !hasLabel(t, k, r.Expr, label[1]) {
				t.Errorf("%s: %s has no label %s for its texts", r.Alert, r.Expr, label[1])
			}
		}
	}
}

// hasLabel tells whether every series of a query keeps a label.
func hasLabel(t *testing.T, k known, query, label string) bool {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(strings.NewReplacer("$__rate_interval", "1m", "$__range", "1m").Replace(query))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	kept, summed := true, false
	parser.Inspect(shownSide(expr), func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.AggregateExpr:
			summed = true
			kept = kept && slices.Contains(n.Grouping, label)
		case *parser.VectorSelector:
			if !summed {
				kept = kept && slices.Contains(k[n.Name], label)
			}
		}
		return nil
	})
	return kept
}

// shownSide returns the operand whose series a query returns: the left one of "and" and
// "unless".
func shownSide(expr parser.Expr) parser.Expr {
	if b, ok := expr.(*parser.BinaryExpr); ok && (b.Op == parser.LAND || b.Op == parser.LUNLESS) {
		return shownSide(b.LHS)
	}
	return expr
}
