package prometheus

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

//go:embed prometheus.yml recording.yml alerts.yml
var files embed.FS

// Files returns a folder with the scrape configuration prometheus.yml and the rule files
// that it names.
func Files() fs.FS { return files }

// Group is a group of rules, evaluated in order.
type Group struct {
	Name  string
	Rules []Rule
}

// Rule is a recording rule or an alert: either Record or Alert is set.
type Rule struct {
	Record string // name of the recorded series, level:metric:operations
	Alert  string // name of the alert
	Expr   string // PromQL

	// The fields below are for alerts. Summary, Description and Runbook may use
	// Prometheus templates.
	For         time.Duration // how long Expr must hold
	Severity    string        // critical (the run makes no progress) or warning (check it today)
	Summary     string
	Description string
	Runbook     string // first steps
}

// YAML returns a rule file that contains the group.
func (g Group) YAML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by go test ./dashboards/prometheus -rewrite; edit the Go source instead.\ngroups:\n  - name: %s\n    rules:\n", g.Name)
	for _, r := range g.Rules {
		if r.Record != "" {
			fmt.Fprintf(&b, "      - record: %s\n        expr: %s\n", r.Record, strconv.Quote(r.Expr))
			continue
		}
		fmt.Fprintf(&b, "      - alert: %s\n        expr: %s\n", r.Alert, strconv.Quote(r.Expr))
		if r.For > 0 {
			fmt.Fprintf(&b, "        for: %ds\n", int(r.For.Seconds()))
		}
		fmt.Fprintf(&b, "        labels:\n          severity: %s\n        annotations:\n", r.Severity)
		fmt.Fprintf(&b, "          summary: %s\n          description: %s\n          runbook: %s\n",
			strconv.Quote(r.Summary), strconv.Quote(r.Description), strconv.Quote(r.Runbook))
	}
	return b.String()
}
